"""Estimates how likely spots of fields are in sight from many places, while heights are only believed.

``visibility.py`` answers the same for one board that is known. Here every stack in the way has a chance to be high
enough, and the chances along a line of sight multiply: no board is drawn at random, so the answer is always the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.values.board import Field

STEP = 0.34
"""Spacing of the points at which it is asked what a line of sight is over, in fields."""
LIKELY = 0.04
"""A height less likely than this is not thought of."""
MOST_OWN = 2
"""Heights of a field's own stack that are considered, the likeliest first."""
TOP_SPOTS = 5
_ON_TOP = np.array([(0.0, 0.0), (-0.6, -0.6), (0.6, -0.6), (-0.6, 0.6), (0.6, 0.6)])
"""The spots of a field's top face, in half sides from its middle."""
_UP_THE_PIECE = (0.45, 0.85)
"""Those of the piece on it, in its height over the middle."""
_SPOT_LINES = np.array([*range(TOP_SPOTS), *(0 for _ in _UP_THE_PIECE)])
_UP = np.array([*(0.0 for _ in range(TOP_SPOTS)), *_UP_THE_PIECE])


@dataclass(frozen=True, eq=False)
class Sightlines:
    """Lines of sight from fields to places, past stacks that may stand in the way.

    tops: (places, fields, spots) chance that a spot of the top face is in sight; pieces: that one of the piece on it
    is. hiding: (places, fields, rows * columns) how much each stack hides, in spots.
    """

    tops: NDArray[np.float64]
    pieces: NDArray[np.float64]
    hiding: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Crossings:
    """Stacks that lines cross: line (n,), stack (n,), and how far from the line's start it comes over it, mm."""

    line: NDArray[np.intp]
    stack: NDArray[np.intp]
    across_mm: NDArray[np.float64]


def sightlines(
    places_mm: NDArray[np.float64],
    fields: Sequence[Field],
    chances: NDArray[np.float64],
    table: TableSetup,
    hiding: bool = False,
) -> Sightlines:
    """Follow the lines of sight from ``fields`` to ``places_mm`` (n, 3).

    chances: (rows, cols, levels) probability of each height. Pieces in the way hide nothing: they are thin.
    hiding: whether to work out which stacks are in the way, too.
    """
    rows, cols, levels = chances.shape
    tall = table.cube_mm[2]
    at_least = chances[..., ::-1].cumsum(axis=2)[..., ::-1]
    at_least = np.where(at_least < LIKELY, 0.0, at_least)
    top_mm = tall * float(np.argmin([*at_least.max(axis=(0, 1)), 0.0]) - 1)
    # The chance, as a logarithm, that a stack has fewer than so many stones.
    fewer = np.log1p(-np.minimum(np.dstack([at_least, np.zeros((rows, cols))]), 1 - 1e-6)).reshape(-1)
    owns = np.array([place.row * cols + place.col for place in fields])
    own = chances.reshape(-1, levels)[owns]
    counted = np.argsort(-own, axis=1, kind="stable")[:, :MOST_OWN]
    weights = np.take_along_axis(own, counted, axis=1)
    weights = np.where(weights >= LIKELY, weights, 0.0)
    weights /= weights.sum(axis=1, keepdims=True)

    centres = np.array([table.centre_mm(place.row, place.col) for place in fields])
    starts = centres[:, None] + _ON_TOP * (np.array(table.cube_mm[:2]) / 2)
    away = places_mm[:, None, None, :2] - starts
    across = np.hypot(away[..., 0], away[..., 1])
    lowest = float(counted.min()) * tall
    steepest = (top_mm - lowest) / np.maximum(places_mm[:, 2] - top_mm, 1.0)[:, None, None] * across
    crossings = _crossings(starts, away / across[..., None], owns, float(steepest.max(initial=0.0)), table)
    shape = (len(places_mm), len(fields), len(_UP))
    seen, hides = np.zeros(shape), np.zeros(len(places_mm) * len(fields) * rows * cols)
    lifts = counted[:, :, None] * tall + _UP * table.flag.height_mm
    for spot, of_line in enumerate(_SPOT_LINES):
        here = np.flatnonzero(crossings.line % TOP_SPOTS == of_line)
        pair, stack, along = crossings.line[here] // TOP_SPOTS, crossings.stack[here], crossings.across_mm[here]
        for number in range(counted.shape[1]):
            slope = (places_mm[:, None, 2] - lifts[:, number, spot]) / across[..., of_line]
            z = lifts[pair % len(fields), number, spot] + slope.reshape(-1)[pair] * along
            need = np.clip((z + 0.5) / tall, 0, levels - 1).astype(np.intp) + 1
            clear = fewer[stack * (levels + 1) + need]
            free = np.bincount(pair, clear, minlength=shape[0] * shape[1]).reshape(shape[:2])
            seen[..., spot] += np.exp(free) * weights[:, number]
            if hiding:
                blocked = -np.expm1(clear) * weights[pair % len(fields), number]
                hides += np.bincount(pair * rows * cols + stack, blocked, minlength=len(hides))
    return Sightlines(seen[..., :TOP_SPOTS], seen[..., TOP_SPOTS:], hides.reshape(*shape[:2], rows * cols))


def _crossings(
    starts: NDArray[np.float64],
    ahead: NDArray[np.float64],
    owns: NDArray[np.intp],
    reach_mm: float,
    table: TableSetup,
) -> _Crossings:
    """Return the stacks that lines run over within ``reach_mm``.

    starts: (fields, spots, 2). ahead: (places, fields, spots, 2) directions.
    """
    rows, cols = table.rows, table.columns
    pitch, half = np.array(table.pitch_mm), np.array(table.cube_mm[:2]) / 2
    middle = np.array([(cols - 1) / 2, (rows - 1) / 2])
    stride = STEP * float(pitch.min())
    reach_mm = min(reach_mm, 2 * float(np.hypot(*table.half_size_mm)))
    steps = np.arange(1, 2 + int(reach_mm / stride)) * stride
    at = np.zeros((*ahead.shape[:-1], len(steps)), np.int32)
    inside = at == 0
    for axis, (count, across) in enumerate(((cols, 1), (rows, cols))):
        # In fields from the first one's middle.
        points = starts[None, ..., axis, None] / pitch[axis] + middle[axis]
        points = (points + ahead[..., axis, None] * (steps / pitch[axis])).astype(np.float32)
        cell = np.rint(points)
        inside &= (np.abs(points - cell) <= half[axis] / pitch[axis]) & (cell >= 0) & (cell < count)
        at += cell.astype(np.int32) * across
    at[~inside | (at == owns[:, None, None])] = -1
    # A line rises: what does not hide it where it comes over a stack does not hide it further on either.
    fresh = at >= 0
    fresh[..., 1:] &= at[..., 1:] != at[..., :-1]
    line, lane = np.nonzero(fresh.reshape(-1, len(steps)))
    stack = at.reshape(-1, len(steps))[line, lane]
    towards = ahead.reshape(-1, 2)[line]
    start = np.broadcast_to(starts, ahead.shape).reshape(-1, 2)[line]
    faces = (np.stack([stack % cols, stack // cols], axis=1) - middle) * pitch - np.sign(towards) * half
    with np.errstate(divide="ignore", invalid="ignore"):
        entry = np.where(np.abs(towards) > 1e-9, (faces - start) / towards, 0.0).max(axis=1)
    return _Crossings(line, stack, np.clip(entry, 0.0, steps[lane]))

"""Finds the shadows that stacks throw, and by them where the lamp stands: analysis by synthesis. Pure.

For each of a few places of a lamp it is computed which parts of the tops and of the empty fields lie in the stacks'
shade. Empty fields are much alike, and so are tops: the place whose shadows explain most of the variance among them
is the lamp's, if shadows on other sides explain far less. A board of many colours only leaves more unexplained.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.addons.lamp.figures import Shadows
from referee.values.board import Field
from vision.assessment.light import light_of, sampled, top_points
from vision.geometry.view import View

AZIMUTHS_DEG = tuple(range(0, 360, 15))
ELEVATIONS_DEG = (15, 25, 35, 45, 60)
"""Higher lamps throw shadows that reach less than half a stack's height: they cover no field."""
LEAST_EXPLAINED = 0.12
"""Share of the variance that a lamp's shadows must explain: grain and print leave less to one place."""
BEATS_OTHERS = 2.0
"""So many times as much as shadows to any other side explain: anything else has no side."""
LEAST_SHADED = 12
"""Places in shade, and as many in the light, by which a lamp is told."""
IN_SHADE = 0.5
"""A field counts as shaded where this share of its top is."""
_PER_FIELD = 5
_REACH = 10
"""Shadows are followed over so many fields."""
_STEPS_A_FIELD = 4
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class _Cast:
    """Shadows of one lamp. shaded: (rows, columns, k, k). by: indices of the stack that throws each, -1 for none."""

    azimuth_deg: int
    elevation_deg: int
    shaded: Mask
    by: NDArray[np.int64]


def shadows(
    view: View,
    grey: NDArray[np.uint8],
    table: TableSetup,
    heights: NDArray[np.int8],
    paper: Callable[[Floats], Floats],
) -> Shadows:
    """Find the stacks' shadows in a view.

    grey: its picture. paper: gives the light on paper at points (..., 3) mm.
    """
    points = tops(table, heights)
    brightness = sampled(grey, view.project(points))
    own = np.log(light_of(np.nan_to_num(brightness, nan=1.0)) / paper(points))
    known = np.isfinite(brightness) & (brightness < 250) & _in_sight(view, table, heights, points)
    scored = [(_explained(own, known, cast.shaded, heights > 0), cast) for cast in casts(table, heights)]
    (best, factor), cast = max(scored, key=lambda one: one[0][0], default=((0.0, 0.0), None))
    if cast is None or best < LEAST_EXPLAINED:
        return Shadows()
    others = max(
        (found for (found, _), other in scored if _apart_deg(cast.azimuth_deg, other.azimuth_deg) > 60), default=0.0
    )
    if best < BEATS_OTHERS * others:
        return Shadows()
    share = cast.shaded.mean(axis=(2, 3))
    fields = [Field(int(row), int(col)) for row, col in np.argwhere(share > IN_SHADE)]
    covered = cast.by[cast.shaded & (share > IN_SHADE)[:, :, None, None]]
    stacks = [Field(*divmod(int(number), heights.shape[1])) for number in np.unique(covered)]
    return Shadows(1 - math.exp(factor), tuple(fields), tuple(stacks), cast.azimuth_deg, cast.elevation_deg)


def tops(table: TableSetup, heights: NDArray[np.int8]) -> Floats:
    """Return places on the tops of all stacks and on empty fields, (rows, columns, k, k, 3) mm."""
    return top_points(table, heights, _PER_FIELD)


def casts(table: TableSetup, heights: NDArray[np.int8]) -> tuple[_Cast, ...]:
    """Return the shadows of every place of a lamp; kept for the stacks that were asked for last."""
    return _casts(table, heights.tobytes())


@lru_cache(maxsize=4)
def _casts(table: TableSetup, stacks: bytes) -> tuple[_Cast, ...]:
    heights = np.frombuffer(stacks, np.int8).reshape(table.rows, table.columns)
    points = tops(table, heights)
    found = []
    for azimuth in AZIMUTHS_DEG:
        way = np.array([math.cos(math.radians(azimuth)), math.sin(math.radians(azimuth))])
        over, by = _rises(table, heights, points, way)
        for elevation in ELEVATIONS_DEG:
            shaded = over > math.tan(math.radians(elevation))
            found.append(_Cast(azimuth, elevation, shaded, np.where(shaded, by, -1)))
    return tuple(found)


def _rises(
    table: TableSetup, heights: NDArray[np.int8], points: Floats, way: Floats
) -> tuple[Floats, NDArray[np.int64]]:
    """Return how steeply a line must rise from each point to pass over all stacks one way, and which is highest.

    way: (2,), or one for each point. The slope is 0 and the stack -1 where nothing is higher.
    """
    step_mm = min(table.pitch_mm) / _STEPS_A_FIELD
    steepest = np.zeros(points.shape[:-1])
    by = np.full(points.shape[:-1], -1, np.int64)
    for step in range(1, _REACH * _STEPS_A_FIELD):
        at = points[..., :2] + way * (step * step_mm)
        column = at[..., 0] / table.pitch_mm[0] + (table.columns - 1) / 2
        row = at[..., 1] / table.pitch_mm[1] + (table.rows - 1) / 2
        near = np.round(row).astype(int), np.round(column).astype(int)
        on = (near[0] >= 0) & (near[0] < table.rows) & (near[1] >= 0) & (near[1] < table.columns)
        on &= np.abs(column - near[1]) * table.pitch_mm[0] < table.cube_mm[0] / 2
        on &= np.abs(row - near[0]) * table.pitch_mm[1] < table.cube_mm[1] / 2
        inside = np.clip(near[0], 0, table.rows - 1), np.clip(near[1], 0, table.columns - 1)
        tall_mm = np.where(on, heights[inside] * table.cube_mm[2], 0.0)
        slope = (tall_mm - points[..., 2]) / (step * step_mm)
        higher = slope > steepest
        steepest = np.where(higher, slope, steepest)
        by = np.where(higher, inside[0] * table.columns + inside[1], by)
    return steepest, by


def _in_sight(view: View, table: TableSetup, heights: NDArray[np.int8], points: Floats) -> Mask:
    """Return which points the camera sees past the stacks."""
    ahead = view.pose.centre_mm - points
    flat = np.linalg.norm(ahead[..., :2], axis=-1)
    way = ahead[..., :2] / np.maximum(flat, 1e-6)[..., None]
    over, _ = _rises(table, heights, points, way)
    return np.asarray(over < ahead[..., 2] / np.maximum(flat, 1e-6), np.bool_)


def _explained(own: Floats, known: Mask, shaded: Mask, stacks: Mask) -> tuple[float, float]:
    """Return the share of the variance that shadows explain, and how they darken (a logarithm, < 0).

    The variance is that around the mean of the empty fields, and around that of the stacks' tops (stacks: which).
    """
    lit, dark, spread, shared, total = 0, 0, 0.0, 0.0, 0.0
    for kind in (stacks, ~stacks):
        among = known & kind[:, :, None, None]
        values, shade = own[among], shaded[among].astype(np.float64)
        if not shade.size or shade.min() == shade.max():
            continue
        lit, dark = lit + int((shade == 0).sum()), dark + int(shade.sum())
        values, shade = values - values.mean(), shade - shade.mean()
        spread, shared, total = (
            spread + float((shade**2).sum()), shared + float((shade * values).sum()), total + float((values**2).sum())
        )  # fmt: skip
    if min(lit, dark) < LEAST_SHADED or shared >= 0:
        return 0.0, 0.0
    return shared**2 / (spread * max(total, 1e-9)), shared / spread


def _apart_deg(one: float, other: float) -> float:
    return abs((one - other + 180) % 360 - 180)

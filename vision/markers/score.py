"""Finds the players' markers on a score track, a ring of printed places around the board.

A place is compared with its neighbours along the ring, which share its light, and a marker's colour with the figures
seen in the same picture, which share its paint: neither a name of a colour nor a kind of lamp need be known. What is
not plain in every picture that shows the place is left open, for a marker told wrong would remind players of points
they never made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.values.partial import UNKNOWN, PartialBoard
from vision.geometry.silhouette import box_outlines
from vision.geometry.view import View
from vision.heights.upright import facing
from vision.markers.patches import discs, hidden_by, inside, patch

RADIUS_SHARE = 0.3
"""Radius of what is looked at around a place's middle, as a share of the way to the next place."""
LEVEL_MM = 1.0
"""Height of what is looked at: on a thin disc as well as in the foot of a figure."""
NEIGHBOURS = 6
"""Places to either side that say what the bare print looks like here: more than markers can cover."""
COLOURED = 0.25
"""Least distance in tint (logarithms of red and blue over green) of a coloured marker from the print. Paint of a
third of the purest saturation lies that far off; light thrown back by coloured things a third as far."""
DARK, PALE = -0.5, 0.2
"""Least difference in brightness of a black or a white marker from the print, in logarithms of coded values (light to
the power of 1 / 2.2): a third of the print's light, and 1.6 times as much. A white marker on white paper is never
told."""
NOISE_TIMES = 6.0
SAME_HUE_DEG, OTHER_HUE_DEG = 22.0, 40.0
"""A marker's tint points within the first of its figures' direction, and beyond the second of all others'."""
_BODY, _BODY_RADIUS = 0.35, 0.35
"""Place at which a figure's paint is looked at: share of its height, and of its radius to either side."""
_SCALE = 0.5
_BARE, _OPEN = 0, -1


@dataclass(frozen=True, slots=True)
class _Paint:
    """A colour: tint (2,), logarithms of red and blue over green, and the logarithm of green."""

    tint: NDArray[np.float64]
    light: float


def read_score(
    views: Sequence[View],
    table: TableSetup,
    board: PartialBoard,
    players: Mapping[int, str],
    may_stand: tuple[NDArray[np.integer], NDArray[np.bool_]],
) -> dict[str, int]:
    """Find each marker that is surely seen: its player's word to the place's number, from 0.

    board: what is told of stacks and figures. players: word by the code of the figures. may_stand: the highest stack
    each field may carry, and where a piece may stand, (rows, columns) each: what they may hide says nothing.
    """
    said = [_places(view, table, figure_paints(view, table, board, players), may_stand) for view in views]
    places = range(len(table.score_track))
    agreed = [_together([one[place] for one in said], len(views)) for place in places]
    found = {code: [place for place in places if agreed[place] == code] for code in agreed if code > _BARE}
    return {players[code]: at[0] for code, at in found.items() if len(at) == 1}


def _together(said: Sequence[tuple[int, bool]], cameras: int) -> int:
    """Combine what all cameras that see a place say of it; where they differ it stays open.

    Each camera sees other reflections, so of two cameras both must see what differs in brightness alone.
    """
    told = {code for code, _ in said if code != _OPEN}
    if len(told) != 1:
        return _OPEN
    of_light = any(grey for code, grey in said if code > _BARE)
    if of_light and sum(code > _BARE for code, _ in said) < min(2, cameras):
        return _OPEN
    return told.pop()


def _places(
    view: View,
    table: TableSetup,
    figures: Mapping[int, _Paint],
    may_stand: tuple[NDArray[np.integer], NDArray[np.bool_]],
) -> list[tuple[int, bool]]:
    """Return what one view says of each place, and whether by brightness alone.

    A place is ``_BARE``, the code of a player's figures, or ``_OPEN``.
    """
    track = np.array(table.score_track, np.float64)
    apart = float(np.linalg.norm(np.diff(track, axis=0), axis=1).min())
    middles = np.column_stack([track, np.full(len(track), LEVEL_MM)])
    seen = discs(view, hidden_by(view, table, *may_stand), middles, RADIUS_SHARE * apart)
    paints = [None if colours is None else _paint(colours) for colours in seen]
    prints = [_print(paints, place) for place in range(len(paints))]
    off = [
        None if paint is None or bare is None else _Paint(paint.tint - bare.tint, paint.light - bare.light)
        for paint, bare in zip(paints, prints, strict=True)
    ]
    tints = [float(np.linalg.norm(one.tint)) for one in off if one is not None]
    limit = max(COLOURED, NOISE_TIMES * float(np.median(tints))) if tints else COLOURED
    return [_told(off, place, prints[place], limit, figures) for place in range(len(off))]


def _told(
    off: Sequence[_Paint | None], place: int, bare: _Paint | None, limit: float, figures: Mapping[int, _Paint]
) -> tuple[int, bool]:
    """Return what a place is, and whether by brightness alone. off: how all places differ from their print."""
    here = off[place]
    if here is None or bare is None:
        return _OPEN, False
    away = float(np.linalg.norm(here.tint))
    theirs = {code: _Paint(one.tint - bare.tint, one.light - bare.light) for code, one in figures.items()}
    if away >= limit:
        return _of_hue(here.tint, theirs), False
    if away < limit / 2 and (here.light <= DARK or here.light >= PALE):
        beside = [off[(place + by) % len(off)] for by in (-1, 1)]
        return (_OPEN if here.light < 0 and any(map(_shaded, beside)) else _of_light(here.light, theirs)), True
    return (_BARE if away < limit / 2 and DARK / 2 < here.light < PALE / 2 else _OPEN), False


def _shaded(off: _Paint | None) -> bool:
    """Return whether a shadow may lie on a place: it is no marker, and darker than its print.

    An unseen place may be in a shadow.
    """
    return off is None or (off.light < DARK / 3 and float(np.linalg.norm(off.tint)) < COLOURED / 2)


def _of_hue(tint: NDArray[np.float64], figures: Mapping[int, _Paint]) -> int:
    """Return the player whose figures alone have the hue of a tint. Both are compared with the print."""
    angles = {code: _angle_deg(tint, one.tint) for code, one in figures.items() if not _grey(one)}
    near = [code for code, angle in angles.items() if angle <= OTHER_HUE_DEG]
    return near[0] if len(near) == 1 and angles[near[0]] <= SAME_HUE_DEG else _OPEN


def _of_light(light: float, figures: Mapping[int, _Paint]) -> int:
    """Return the player of a black or white marker: the only one with figures darker or paler than the print."""
    same = [code for code, one in figures.items() if _grey(one) and (one.light < DARK / 2) == (light < 0)]
    return same[0] if len(same) == 1 else _OPEN


def _grey(figure: _Paint) -> bool:
    return float(np.linalg.norm(figure.tint)) < COLOURED


def _angle_deg(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    length = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(np.degrees(np.arccos(np.clip(one @ other / max(length, 1e-9), -1.0, 1.0))))


def _print(paints: Sequence[_Paint | None], place: int) -> _Paint | None:
    """Return the paint of the bare print about a place; ``None`` where too little of it is seen."""
    around = [paints[(place + by) % len(paints)] for by in range(-NEIGHBOURS, NEIGHBOURS + 1) if by]
    known = [paint for paint in around if paint is not None]
    if len(known) < NEIGHBOURS:
        return None
    return _middle(known)


def _middle(paints: Sequence[_Paint]) -> _Paint:
    tint = np.asarray(np.median([paint.tint for paint in paints], axis=0), np.float64)
    return _Paint(tint, float(np.median([paint.light for paint in paints])))


def _paint(colours: NDArray[np.float32]) -> _Paint:
    """Return the paint of (n, 3) BGR colours."""
    blue, green, red = np.log(np.median(colours, axis=0).astype(np.float64) + 8)
    return _Paint(np.array([red - green, blue - green]), float(green))


def figure_paints(
    view: View, table: TableSetup, board: PartialBoard, players: Mapping[int, str]
) -> dict[int, _Paint]:
    """Return the paint of each player's figures in one view: of those that are told and stand free."""
    owner = _nearest_fields(view, table, board)
    found: dict[int, list[_Paint]] = {}
    for row, col in np.argwhere(np.isin(board.pieces, list(players)) & (board.heights != UNKNOWN)):
        foot = np.array([[*table.centre_mm(int(row), int(col)), board.heights[row, col] * table.cube_mm[2]]])
        foot[0, 2] += _BODY * table.flag.height_mm
        across, up = facing(view.pose.rotation, view.pose.translation_mm, foot)
        steps = np.linspace(-1, 1, 5) * _BODY_RADIUS * table.flag.radius_mm
        points = foot[:, None] + up[0] * steps[:, None, None] + across[0] * steps[None, :, None]
        places = view.project(points)
        if not inside(view, places):
            continue
        near = np.round(places * _SCALE).astype(np.int32)
        if (owner[near[..., 1], near[..., 0]] == row * table.columns + col).all():
            found.setdefault(int(board.pieces[row, col]), []).append(_paint(patch(view, places).reshape(-1, 3)))
    return {code: _middle(paints) for code, paints in found.items()}


def _nearest_fields(view: View, table: TableSetup, board: PartialBoard) -> NDArray[np.int32]:
    """Return the number of the field seen at each pixel of the view at half size, -1 for none.

    Where a height is not told a stack hides nothing here: its figure's colour is a median of several.
    """
    width, height = view.lens.size
    owner = np.full((round(height * _SCALE) + 1, round(width * _SCALE) + 1), -1, np.int32)
    centres = table.centres_mm().reshape(-1, 2)
    tops = np.maximum(board.heights.reshape(-1), 0) * table.cube_mm[2]
    stands = board.pieces.reshape(-1) != 0
    half = np.full((len(centres), 2), (table.cube_mm[0] / 2, table.cube_mm[1] / 2))
    slim = np.full((len(centres), 2), table.flag.radius_mm)
    stacks = box_outlines(view, centres, half, np.zeros(len(centres)), tops)
    pieces = box_outlines(view, centres, slim, tops, tops + table.flag.height_mm)
    far_first = np.argsort(-np.linalg.norm(centres - view.pose.centre_mm[:2], axis=1))
    for number in far_first:
        for outline, there in ((stacks[number], tops[number] > 0), (pieces[number], stands[number])):
            if there and len(outline):
                points = np.round(outline * _SCALE).astype(np.int32)
                cv2.fillConvexPoly(owner, points, int(number))
    return owner

"""A picture of a tower's reading: the bars told, drawn over one camera's picture as they would stand before it.

Colours say how sure a bar is: blue surest, orange sure enough to be told, magenta open; what is not surest also bears
a sign, so that colour is never the only one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.values.tower import TowerTold, cells_told
from vision.explain import DOUBTFUL, OPEN, PLAIN, cut_to_board, write
from vision.geometry.view import View
from vision.tower.explain import BarFace, bar_faces
from vision.tower.grid import CELLS, FLOOR, STEPS, TowerSizes, cell_number

Picture = NDArray[np.uint8]
_GRID = (120, 120, 120)
_FILL = 0.3


def tower_overlay(view: View, table: TableSetup, told: TowerTold) -> Picture:
    """The bars told, drawn over one camera's picture and cut to the board: (h, w, 3) BGR.

    Raises CalibrationError for a table that is none of bars, ValueError for what is no tower.
    """
    measures = TowerSizes.of(table)
    plain = {cell_number(name): sign for name, sign in cells_told(told.plain).items()}
    surest = {cell_number(name): sign for name, sign in cells_told(told.surest).items()}
    colours = {cell: _colour(sign, surest.get(cell, ".")) for cell, sign in plain.items()}
    filled = np.zeros(CELLS, np.bool_)
    filled[list(plain)] = True
    shown = sorted(bar_faces(view, measures, filled), key=lambda face: -face.far_mm)
    picture = view.picture_bgr.copy()
    owners = _painted(shown, plain, picture.shape[:2])
    grid = picture.copy()
    _draw_base(grid, view, measures)
    picture[owners == 0] = grid[owners == 0]  # what stands on the base hides it
    _tint(picture, owners, [colours[face.cell] for face in shown])
    size = _size(view, measures)
    for number, face in enumerate(shown):
        at = face.corners.mean(axis=0)
        x, y = np.clip(np.round(at).astype(int), 0, np.array(owners.shape[::-1]) - 1)
        sign = _sign(colours[face.cell])
        if sign and owners[y, x] == number + 1:
            write(picture, at, sign, size)
    levels = max(plain, default=0) // FLOOR + 1
    return cut_to_board(picture, view, table, levels)


def _colour(sign: str, surest: str) -> tuple[int, int, int]:
    if sign == "?":
        return OPEN
    return PLAIN if surest != "?" and surest.isupper() == sign.isupper() and surest != "." else DOUBTFUL


def _sign(colour: tuple[int, int, int]) -> str:
    return {OPEN: "?", DOUBTFUL: "~"}.get(colour, "")


def _painted(shown: Sequence[BarFace], signs: Mapping[int, str], size: tuple[int, ...]) -> NDArray[np.int32]:
    """(h, w) the face each pixel shows, from 1, 0 for none; nearer faces over farther ones.

    Both halves of a bar on one side count as the first, so that no line goes through a bar.
    """
    owners = np.zeros(size, np.int32)
    first: dict[tuple[int, int], int] = {}
    for number, face in enumerate(shown, 1):
        bar = min(face.cell, face.cell + STEPS.get(signs[face.cell].lower(), 0))
        cv2.fillPoly(owners, [face.corners], first.setdefault((bar, face.side), number))
    return owners


def _tint(picture: Picture, owners: NDArray[np.int32], colours: Sequence[tuple[int, int, int]]) -> None:
    """Colour every face lightly, and its outline fully."""
    paints = np.array([(0, 0, 0), *colours], np.uint8)[owners]
    there = owners > 0
    picture[there] = (picture[there] * (1 - _FILL) + paints[there] * _FILL).astype(np.uint8)
    edge = np.zeros(owners.shape, bool)
    edge[:, 1:] |= owners[:, 1:] != owners[:, :-1]
    edge[1:] |= owners[1:] != owners[:-1]
    wide = cv2.dilate(edge.astype(np.uint8), np.ones((2, 2), np.uint8)).astype(bool)
    picture[wide & there] = paints[wide & there]


def _draw_base(picture: Picture, view: View, measures: TowerSizes) -> None:
    """The grid on the base the tower stands on."""
    xs, ys, zs = measures.planes_mm()
    lines = [((x, ys[0]), (x, ys[-1])) for x in xs] + [((xs[0], y), (xs[-1], y)) for y in ys]
    for start, end in lines:
        points = view.project(np.array([(*start, zs[0]), (*end, zs[0])]))
        if np.isfinite(points).all():
            cv2.polylines(picture, [np.round(points).astype(np.int32)], False, _GRID, 1, cv2.LINE_AA)


def _size(view: View, measures: TowerSizes) -> float:
    """Font scale at which a sign fills about half a cell."""
    xs, ys, zs = measures.planes_mm()
    ends = view.project(np.array([(xs[1], ys[0], zs[1]), (xs[2], ys[0], zs[1])]))
    return float(np.clip(np.linalg.norm(ends[1] - ends[0]) / 60, 0.35, 1.2))

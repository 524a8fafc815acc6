"""Draws what was told of a tower: its bars over a camera's picture, as they would stand in front of it.

Colours say how sure a square is: blue so sure that an accusation may rest on it, orange sure enough to be told,
magenta open. What is not surest also bears a sign, so that colour is never the only one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.kinds.tower.observation import TowerEvidence, cells_told
from vision.explain import DOUBTFUL, INK, OPEN, PAPER, PLAIN, Picture, cut_to_board, write
from vision.geometry.view import View
from vision.tower.faces import BarFace, bar_faces, faces_shown, of_bars
from vision.tower.grid import CELLS, FLOOR, TowerSizes, cell_number
from vision.tower.reading import TowerReading, facing
from vision.tower.text import told_of

_FONT = cv2.FONT_HERSHEY_SIMPLEX
_GRID = (120, 120, 120)
_FILL = 0.3
_MARKS = {OPEN: "?", DOUBTFUL: "~"}
"""Signs of colours where no others are written."""
_BAND_PX = 62
_BORDER_PX = 14
_SHOWN = 0.35
"""A face of which less is in sight carries no sign."""
_LEAST_SIGN_PX = 180
"""Area from which on a face carries a sign, square pixels."""
_LEAST_WIDTH_PX = 420
_HIGHEST_PX = 900


@dataclass(frozen=True, slots=True)
class Square:
    """A square as it is drawn. sign: of the tower text; colour: BGR; words: written on it."""

    sign: str
    colour: tuple[int, int, int]
    words: str


def overlay(view: View, table: TableSetup, told: TowerEvidence) -> Picture:
    """Draw the bars told over one camera's picture, cut to the board: (h, w, 3) BGR.

    Raises CalibrationError for a table of another kind, ValueError for an impossible tower.
    """
    squares = {cell: Square(sign, colour, _MARKS.get(colour, "")) for cell, sign, colour in _colours(told)}
    return _drawn(view, table, squares)


def explain_tower(views: Sequence[View], table: TableSetup, reading: TowerReading) -> Picture:
    """Draw a tower's reading over the pictures it was made from, side by side: (h, w, 3) BGR.

    Every square carries its sign of the tower text. views: those in which the board was found, as ``read_tower`` got
    them.
    """
    squares = {
        cell: Square(sign, colour, _words(reading, cell, sign))
        for cell, sign, colour in _colours(told_of(reading.belief, reading.sides))
        if reading.belief.filled[cell] >= 0.5
    }
    panels = []
    for number, view in enumerate(views):
        part = _fitted(_drawn(view, table, squares))
        panels.append(np.vstack([_band(number, view, reading, part.shape[1]), part]))
    height = max(panel.shape[0] for panel in panels)
    padded = [
        cv2.copyMakeBorder(panel, 0, height - panel.shape[0], 0, _BORDER_PX, cv2.BORDER_CONSTANT, value=PAPER)
        for panel in panels
    ]
    return np.asarray(np.hstack(padded), np.uint8)


def _colours(told: TowerEvidence) -> list[tuple[int, str, tuple[int, int, int]]]:
    """Return every cell told to be filled or open, its sign and its colour."""
    surest = cells_told(told.surest)
    return [
        (cell_number(name), sign, _colour(sign, surest.get(name, ".")))
        for name, sign in cells_told(told.plain).items()
    ]


def _colour(sign: str, surest: str) -> tuple[int, int, int]:
    if sign == "?":
        return OPEN
    return PLAIN if surest not in "?." and surest.isupper() == sign.isupper() else DOUBTFUL


def _words(reading: TowerReading, cell: int, sign: str) -> str:
    """Return a square's sign; for an open square the likelier colour and how likely it is."""
    if sign != "?":
        return sign
    light, dark = reading.belief.colours[cell]
    return f"{'X' if light > dark else 'x'}? {round(100 * max(light, dark))}"


def _drawn(view: View, table: TableSetup, squares: Mapping[int, Square]) -> Picture:
    """Draw a tower's squares over a picture, bars as one, and the base's grid; cut to the board."""
    sizes = TowerSizes.of(table)
    filled = np.zeros(CELLS, np.bool_)
    filled[list(squares)] = True
    faces = bar_faces(view, sizes, filled)
    picture = view.picture_bgr.copy()
    owners = faces_shown(faces, picture.shape[:2])
    grid = picture.copy()
    _draw_base(grid, view, sizes)
    picture[owners == 0] = grid[owners == 0]  # what stands on the base hides it
    bars = of_bars(owners, faces, {cell: square.sign for cell, square in squares.items()})
    _tint(picture, bars, [squares[face.cell].colour for face in faces])
    for number, face in enumerate(faces, 1):
        if words := squares[face.cell].words:
            _write_on(picture, owners, number, face, words)
    return cut_to_board(picture, view, table, max(squares, default=0) // FLOOR + 1)


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


def _write_on(picture: Picture, owners: NDArray[np.int32], number: int, face: BarFace, words: str) -> None:
    """Write on the part of a face that is in sight, where it is large enough."""
    whole = float(cv2.contourArea(face.corners))
    low = np.maximum(face.corners.min(axis=0), 0)
    high = face.corners.max(axis=0) + 1
    rows, columns = np.nonzero(owners[low[1] : high[1], low[0] : high[0]] == number)
    if len(rows) >= max(_SHOWN * whole, _LEAST_SIGN_PX):
        size = float(np.clip(np.sqrt(whole) / 45, 0.35, 1.1))
        write(picture, low + np.array([columns.mean(), rows.mean()]), words, size)


def _draw_base(picture: Picture, view: View, sizes: TowerSizes) -> None:
    """Draw the grid on the base the tower stands on."""
    xs, ys, zs = sizes.planes_mm()
    lines = [((x, ys[0]), (x, ys[-1])) for x in xs] + [((xs[0], y), (xs[-1], y)) for y in ys]
    for start, end in lines:
        points = view.project(np.array([(*start, zs[0]), (*end, zs[0])]))
        if np.isfinite(points).all():
            cv2.polylines(picture, [np.round(points).astype(np.int32)], False, _GRID, 1, cv2.LINE_AA)


def _fitted(part: Picture) -> Picture:
    """Fit a picture to be wide enough for the words above it, and not higher than a screen."""
    if (spare := _LEAST_WIDTH_PX - part.shape[1]) > 0:
        part = np.asarray(cv2.copyMakeBorder(part, 0, 0, 0, spare, cv2.BORDER_CONSTANT, value=PAPER), np.uint8)
    if part.shape[0] > _HIGHEST_PX:
        share = _HIGHEST_PX / part.shape[0]
        part = np.asarray(cv2.resize(part, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8)
    return part


def _band(number: int, view: View, reading: TowerReading, width: int) -> Picture:
    """Draw a band with the picture's number, the side that it shows, whether it counted, and the legend."""
    band = np.full((_BAND_PX, width, 3), PAPER, np.uint8)
    state = (
        "left out"
        if number in reading.spoilt
        else "something in the way"
        if number in reading.covered
        else "clear view"
    )
    words = f"{number + 1}: {view.camera}, {facing(view.pose)}, {state}"
    cv2.putText(band, words, (10, 24), _FONT, 0.55, INK, 1, cv2.LINE_AA)
    x = 10
    for text, colour in (("99.9 % sure", PLAIN), ("99 % sure", DOUBTFUL), ("left open", OPEN)):
        cv2.rectangle(band, (x, 38), (x + 16, 54), colour, -1)
        cv2.putText(band, text, (x + 22, 52), _FONT, 0.5, INK, 1, cv2.LINE_AA)
        x += 40 + cv2.getTextSize(text, _FONT, 0.5, 1)[0][0]
    return band

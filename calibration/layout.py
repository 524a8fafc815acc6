"""Lays out the printed frame: where its markers go around a board, and how it is cut into strips of paper.

Four strips lie around the board like the arms of a pinwheel: each begins in a corner of the frame and ends against
the next one, its inner edge against the board's edge. Long strips are made of pieces that a sheet of paper holds.
Markers keep a margin of plain paper on all sides; no joint goes through one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.table import TableSetup

DICTIONARY = "DICT_4X4_50"
DICTIONARY_SIZE = 50
SPACING_MM = 100.0
"""Markers of a side stand no further apart than this, from middle to middle: an arm covers two at most."""
LEAST_A_SIDE = 3
MOST_PIECE_MM = 222.0
"""A piece no longer than this fits on A4 and on Letter, with its tab, the sheet's ruler and its head."""
_LEAST_MARKER_MM, _MOST_MARKER_MM = 22.0, 40.0
_MARKER_SHARE = 0.1


@dataclass(frozen=True, eq=False)
class Piece:
    """One piece of paper.

    name: a number, clockwise from the top left corner. start: (2,) mm on the table, where its outer edge begins, seen
    walking clockwise around the frame. along: (2,) unit vector of that walk; the board lies to its right. length_mm,
    width_mm. markers: ids. joins: the piece its end is glued under. first: whether it lies in a corner.
    """

    name: str
    start: NDArray[np.float64]
    along: NDArray[np.float64]
    length_mm: float
    width_mm: float
    markers: tuple[int, ...]
    joins: str
    first: bool

    def place(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return table points (..., 2) mm as the piece has them: along it, and in from its outer edge."""
        off = np.asarray(points_mm, np.float64)[..., :2] - self.start
        inwards = np.array([self.along[1], -self.along[0]])
        return np.stack([off @ self.along, off @ inwards], axis=-1)


def quiet_mm(marker_mm: float) -> float:
    """Return how much plain paper is left around a marker, mm: more than one of its cells."""
    return float(round(marker_mm / 6 + 1.5))


def marker_size(board_mm: tuple[float, float]) -> float:
    """Return a marker's side in whole mm that suits a board of this width and depth, seen as a whole by a camera."""
    return float(round(min(max(_MARKER_SHARE * max(board_mm), _LEAST_MARKER_MM), _MOST_MARKER_MM)))


def design_frame(board_mm: tuple[float, float], height_mm: float, marker_mm: float) -> dict[int, NDArray[np.float64]]:
    """Place markers around a board: id to (4, 3) corners in mm, clockwise from the top left corner, all upright.

    board_mm: the board's outer width and depth. height_mm: of the paper over the board's surface (negative: below).
    Raises CalibrationError for a board too large for the dictionary.
    """
    half = marker_mm / 2
    off = half + quiet_mm(marker_mm)
    x, y = board_mm[0] / 2 + off, board_mm[1] / 2 + off
    ends = [np.array(at) for at in ((-x, y), (x, y), (x, -y), (-x, -y))]
    middles: list[NDArray[np.float64]] = []
    for begin, end in zip(ends, ends[1:] + ends[:1], strict=True):
        count = max(LEAST_A_SIDE - 1, math.ceil(float(np.linalg.norm(end - begin)) / SPACING_MM))
        middles += [begin + (end - begin) * step / count for step in range(count)]
    if len(middles) > DICTIONARY_SIZE:
        raise CalibrationError(f"a board of {board_mm[0]:g} x {board_mm[1]:g} mm needs more markers than there are")
    square = np.array([[-half, half], [half, half], [half, -half], [-half, -half]])
    return {
        number: np.column_stack([np.round(middle + square, 2), np.full(4, height_mm)])
        for number, middle in enumerate(middles)
    }


def pieces(table: TableSetup) -> tuple[Piece, ...]:
    """Return the pieces of paper that hold a table's frame, clockwise from the top left corner.

    Raises CalibrationError when its markers do not lie in a band around the board.
    """
    quiet = quiet_mm(table.marker_size_mm)
    corners = np.concatenate(list(table.markers.values()))[:, :2]
    low, high = corners.min(axis=0) - quiet, corners.max(axis=0) + quiet
    width = _band_mm(table, low, high) + quiet
    outer = [np.array(at) for at in ((low[0], high[1]), high, (high[0], low[1]), low)]
    parts: list[Piece] = []
    for begin, end in zip(outer, outer[1:] + outer[:1], strict=True):
        span = float(np.linalg.norm(end - begin))
        parts += _cut_side(begin, (end - begin) / span, span - width, width, table)
    held = [number for piece in parts for number in piece.markers]
    if sorted(held) != sorted(table.markers):
        lost = ", ".join(str(number) for number in table.markers if held.count(number) != 1)
        raise CalibrationError(f"the frame cannot be cut into strips: markers {lost} lie across its corners")
    return tuple(
        replace(part, name=str(index + 1), joins=str((index + 1) % len(parts) + 1))
        for index, part in enumerate(parts)
    )


def _band_mm(table: TableSetup, low: NDArray[np.float64], high: NDArray[np.float64]) -> float:
    """Return the width of a band along the frame's outer edge that holds every marker, mm.

    Raises CalibrationError where the markers do not lie in a band.
    """
    reach = 0.0
    for at in table.markers.values():
        own = np.concatenate([at[:, :2] - low, high - at[:, :2]], axis=1)
        reach = max(reach, float(own.max(axis=0).min()))
    if reach > 3 * table.marker_size_mm:
        raise CalibrationError(
            "the frame cannot be cut into strips: its markers do not lie in a band around the board"
        )
    return reach


def _cut_side(
    begin: NDArray[np.float64], along: NDArray[np.float64], length: float, width: float, table: TableSetup
) -> list[Piece]:
    """Cut one side into as few pieces as paper allows, halfway between markers."""
    whole = Piece("", begin, along, length, width, (), "", True)
    spans: list[tuple[float, float, int]] = []
    for number, at in table.markers.items():
        place = whole.place(at)
        if place.min() > -1e-6 and place[:, 0].max() <= length and place[:, 1].max() <= width:
            spans.append((float(place[:, 0].min()), float(place[:, 0].max()), number))
    spans.sort()
    quiet = quiet_mm(table.marker_size_mm)
    after = [0.0, *(high + quiet for _, high, _ in spans)]
    before = [*(low - quiet for low, _, _ in spans), length]
    cuts = _cuts([(one, other) for one, other in zip(after, before, strict=True) if one <= other], length)
    found = []
    for index, (start, end) in enumerate(pairwise(cuts)):
        own = tuple(number for low, high, number in spans if start <= low and high <= end)
        found.append(Piece("", begin + along * start, along, end - start, width, own, "", index == 0))
    return found


def _cuts(gaps: list[tuple[float, float]], length: float) -> list[float]:
    """Return where to cut: as few pieces as fit paper, as equal as the gaps between markers allow."""
    for count in range(math.ceil(length / MOST_PIECE_MM), len(gaps) + 2):
        wanted = [length * step / count for step in range(1, count)]
        near = [min((float(np.clip(at, *gap)) for gap in gaps), key=lambda cut: abs(cut - at)) for at in wanted]
        cuts = [0.0, *sorted(near), length]
        if max(np.diff(cuts)) <= MOST_PIECE_MM:
            return cuts
    raise CalibrationError(
        f"the frame cannot be cut into strips: a side of {length:.0f} mm has too few gaps between its markers for "
        f"pieces of {MOST_PIECE_MM:.0f} mm"
    )


def frame_outline(parts: tuple[Piece, ...]) -> tuple[float, float]:
    """Return outer width and depth of the laid frame, mm."""
    spread = np.ptp(np.array([piece.start for piece in parts if piece.first]), axis=0)
    return float(spread[0]), float(spread[1])


def board_within(parts: tuple[Piece, ...]) -> tuple[float, float]:
    """Return width and depth of the board that the laid frame fits, mm."""
    wide, deep = frame_outline(parts)
    return wide - 2 * parts[0].width_mm, deep - 2 * parts[0].width_mm

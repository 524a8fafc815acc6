"""Predicts a picture without the tower: the board, known from the other pictures, and the room behind it.

The board turns, so what the tower hides in one picture lies open in another. The room is told from what is seen to
the left and right of the tower at the same height of the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tower.grid import CELLS, TowerSizes
from vision.tower.rays import Sight

_STEP_SHARE = 0.15
"""A dot of the board's map, as a share of a bar's short side."""
_LEAST_SPREAD = 0.02
_UNKNOWN_SPREAD = 0.25
"""Spread of a place that no picture shows: it may have any colour."""


@dataclass(frozen=True, eq=False)
class Scenery:
    """Of one picture's samples: expected (n, 3) BGR 0 to 1, spread (n,) its standard deviation."""

    expected: NDArray[np.float32]
    spread: NDArray[np.float32]


class Sceneries:
    """What pictures would show without a tower. All are of one board, turned between them."""

    def __init__(self, sights: Sequence[Sight], measures: TowerSizes) -> None:
        self._sights, self._measures = sights, measures
        self._boards = [_on_board(sight, measures) for sight in sights]
        self._maps = [_board_map(sight, on, measures) for sight, on in zip(sights, self._boards, strict=True)]
        self._rooms = [_room(sight, on) for sight, on in zip(sights, self._boards, strict=True)]
        self._lit: dict[tuple[int, int], NDArray[np.float32]] = {}

    def of(self, kept: Sequence[int]) -> list[Scenery]:
        """Return the scenery of each of some pictures, given by their numbers, as these alone tell it."""
        out = []
        for number in kept:
            expected, spread = (part.copy() for part in self._rooms[number])
            others = [self._in_light_of(number, other) for other in kept if other != number]
            layers = np.stack(others or [self._in_light_of(number, number)])
            _lay_board(self._sights[number], self._boards[number], layers, expected, spread, self._measures)
            out.append(Scenery(expected, spread))
        return out

    def _in_light_of(self, number: int, other: int) -> NDArray[np.float32]:
        """Return the board as another picture shows it, in one's light: (rows, columns, 3), nan where it doesn't."""
        if (known := self._lit.get((number, other))) is None:
            known = self._lit[number, other] = _relit(self._maps[number], self._maps[other])
        return known


def _on_board(sight: Sight, measures: TowerSizes) -> NDArray[np.bool_]:
    with np.errstate(invalid="ignore"):
        return np.asarray((np.abs(sight.ground_mm) < np.array(measures.board_mm) / 2).all(axis=1), np.bool_)


def _dots(places_mm: NDArray[np.float64], measures: TowerSizes) -> tuple[NDArray[np.int64], int]:
    """Return the map's dot of each place on the board, and how many dots a row has."""
    step = _STEP_SHARE * measures.unit_mm
    across = int(measures.board_mm[0] / step) + 1
    index = ((places_mm + np.array(measures.board_mm) / 2) / step).astype(np.int64)
    return index[:, 1] * across + index[:, 0], across


def _board_map(sight: Sight, on: NDArray[np.bool_], measures: TowerSizes) -> NDArray[np.float32]:
    """Return the board's BGR where no tower can hide it, and how many samples show it: (rows, columns, 4)."""
    clear = on & (sight.cells[:, 0] == CELLS)
    step = _STEP_SHARE * measures.unit_mm
    rows = int(measures.board_mm[1] / step) + 1
    index, across = _dots(sight.ground_mm[clear], measures)
    out = np.zeros((rows * across, 4), np.float32)
    for channel in range(3):
        out[:, channel] = np.bincount(index, sight.colours[clear, channel], rows * across)
    out[:, 3] = np.bincount(index, minlength=rows * across)
    return np.asarray(cv2.GaussianBlur(out.reshape(rows, across, 4), (0, 0), 0.7), np.float32)


def _relit(own: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return another picture's map of the board as bright as one's own is: (rows, columns, 3), nan where unseen.

    The light falls otherwise on the turned board, or the camera has changed its exposure.
    """
    seen = other[..., 3] > 0.3
    colours = other[..., :3] / np.maximum(other[..., 3:], 1e-3)
    mine = own[..., :3] / np.maximum(own[..., 3:], 1e-3)
    both = seen & (own[..., 3] > 0.3)
    if both.sum() > 30:
        colours *= np.clip(np.median(mine[both] / np.maximum(colours[both], 0.02), axis=0), 0.5, 2.0)
    colours[~seen] = np.nan
    return np.asarray(colours, np.float32)


def _lay_board(
    sight: Sight,
    on: NDArray[np.bool_],
    layers: NDArray[np.float32],
    expected: NDArray[np.float32],
    spread: NDArray[np.float32],
    measures: TowerSizes,
) -> None:
    """Put the board, as the other pictures show it, into what a picture is expected to show.

    layers: (pictures, rows, columns, 3).
    """
    if not on.any():
        return
    count = np.isfinite(layers[..., 0]).sum(axis=0)
    ordered = np.sort(layers, axis=0)  # what is unseen comes last
    last = np.maximum(count, 1) - 1
    middle, most = (
        np.take_along_axis(ordered, at[None, ..., None], axis=0)[0]
        for at in ((np.maximum(count, 1) // 2).clip(0, len(layers) - 1), last)
    )
    off = np.nan_to_num(np.maximum(middle - ordered[0], most - middle)).max(axis=-1)
    index, _ = _dots(sight.ground_mm[on], measures)
    known = (count > 0).ravel()[index]
    values = middle.reshape(-1, 3)[index]
    at = np.flatnonzero(on)
    expected[at[known]] = values[known]
    spread[at[known]] = np.clip(off.ravel()[index][known], 2 * _LEAST_SPREAD, _UNKNOWN_SPREAD)
    unseen = at[~known]
    if len(unseen):
        expected[unseen] = np.nanmedian(middle.reshape(-1, 3), axis=0) if count.any() else 0.5
        spread[unseen] = _UNKNOWN_SPREAD


def _room(sight: Sight, on: NDArray[np.bool_]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the room behind the board.

    For each row of samples it is what is seen left and right of where the tower can stand.
    """
    height, width = sight.shape
    clear = ((sight.cells[:, 0] == CELLS) & ~on).reshape(height, width)
    picture = sight.colours.reshape(height, width, 3)
    half = np.arange(width) < width / 2
    sides = [_side(picture, clear & half), _side(picture, clear & ~half)]
    known = [side for side in sides if side is not None]
    if not known:
        return np.full((height * width, 3), 0.5, np.float32), np.full(height * width, _UNKNOWN_SPREAD, np.float32)
    (left, left_spread), (right, right_spread) = known[0], known[-1]
    share = np.linspace(0, 1, width, dtype=np.float32)[None, :, None]
    expected = left[:, None] * (1 - share) + right[:, None] * share
    apart = np.abs(left - right).max(axis=1) / 3
    spread = np.sqrt(np.maximum(left_spread, right_spread) ** 2 + apart**2)
    wide = np.repeat(np.clip(spread, _LEAST_SPREAD, _UNKNOWN_SPREAD)[:, None], width, axis=1)
    return expected.reshape(-1, 3).astype(np.float32), wide.ravel().astype(np.float32)


def _side(
    picture: NDArray[np.float32], clear: NDArray[np.bool_]
) -> tuple[NDArray[np.float32], NDArray[np.float32]] | None:
    """Return the middle (h, 3) and the spread (h,) of the clear samples of every row.

    Rows without any take the nearest one's.
    """
    counts = clear.sum(axis=1)
    rows = np.flatnonzero(counts >= 2)
    if not len(rows):
        return None
    masked = np.where(clear[..., None], picture, np.nan)[rows]
    middle = np.nanmedian(masked, axis=1)
    spread = np.nanmedian(np.abs(masked - middle[:, None]), axis=(1, 2)) * 1.5
    nearest = rows[np.abs(np.arange(len(counts))[:, None] - rows[None]).argmin(axis=1)]
    at = np.searchsorted(rows, nearest)
    smooth = cv2.blur(middle.astype(np.float32)[:, None], (1, 3)).reshape(-1, 3)
    return smooth[at], spread[at].astype(np.float32)

"""Recognise boards on which towers fell or hands swept: nobody has broken a rule by that (docs/decisions/0040)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.games.contract import AnyGame, Position
from referee.values.board import Board, Field

SWEPT_SHARE, FEWEST_SWEPT = 0.2, 12
"""With a larger share of fields changed, and more than so many, no turn can have done it."""
TAKEN_BY_HAND = 3
"""Levels that hands take off one stack in a turn; a stack that lost more fell."""
IN_LINE = 2
"""A stack that lost so many fell if all lie in a line beside it, which turns seldom bring about."""
SELDOM = 0.01
"""A chance below this is of something that turns hardly ever do."""


def is_swept(before: Board, after: Board, unseen: NDArray[np.bool_] | None = None, stay: bool = False) -> bool:
    """Return whether the board was swept or a tower fell, between a position and what stands now.

    unseen: (rows, columns), the fields of which nobody knows what stands there now. stay: in this game stones that
    lie on a stack stay there, so that even one beside it has fallen rather than been moved.
    """
    changed = int(((before.heights != after.heights) | (before.flags != after.flags)).sum())
    if changed > max(FEWEST_SWEPT, SWEPT_SHARE * after.heights.size):
        return True
    return bool(fallen(before, after, stay)) or (unseen is not None and _fell_unseen(before, after, unseen))


def _fell_unseen(before: Board, after: Board, unseen: NDArray[np.bool_]) -> bool:
    """Return whether so many stones came from nowhere that a tower nobody sees now must be taken to have fallen."""
    came = int(after.heights.sum(dtype=np.int64) - before.heights.sum(dtype=np.int64))
    return came >= TAKEN_BY_HAND and bool((unseen & (before.heights > came)).any())


def fallen(before: Board, after: Board, stay: bool = False) -> tuple[Field, ...]:
    """Return the fields whose towers fell.

    A tower fell where a stack lost more than ``TAKEN_BY_HAND`` levels, where its stones lie one by one in a line
    beside it, or where it lost some and the piece on top is no longer on the board.
    """
    rises = after.heights.astype(np.int64) - before.heights
    lower = [Field(int(row), int(col)) for row, col in np.argwhere(rises < 0)]
    return tuple(place for place in lower if _fell(place, before, after, 1 if stay else IN_LINE))


def _fell(place: Field, before: Board, after: Board, fewest: int) -> bool:
    rises = after.heights.astype(np.int64) - before.heights
    at = (place.row, place.col)
    lost, piece = -int(rises[at]), int(before.flags[at])
    if piece and int((after.flags == piece).sum()) < int((before.flags == piece).sum()):
        return int(after.flags[at]) != piece
    if lost > TAKEN_BY_HAND:
        return True
    # Its lowest stone stays where it is; a single one that lies elsewhere was carried there.
    return lost >= fewest and bool(after.heights[at]) and _in_line(place, before, rises) >= lost


def _in_line(place: Field, before: Board, rises: NDArray[np.int64]) -> int:
    """Return how many fields gained a single stone on one line through a field, side by side but for pieces."""
    rows, columns = rises.shape
    longest = 0
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        found = 0
        for way in (1, -1):
            row, col = place.row + way * down, place.col + way * right
            while 0 <= row < rows and 0 <= col < columns and (rises[row, col] == 1 or before.flags[row, col]):
                found += int(rises[row, col] == 1)
                row, col = row + way * down, col + way * right
        longest = max(longest, found)
    return longest


def stones_stay(game: AnyGame, position: Position) -> bool:
    """Return whether stacks hardly ever get lower in this game."""
    habits = game.prior_after(position).habits
    return habits is not None and habits.falls < SELDOM

"""Find what may have changed before a turn where nobody saw it, so that the turn is no ground to accuse anybody.

Positions that are unlikely are dropped, and what was dropped can be what stands: a stone that was moved out of sight
two turns ago comes to light in a turn that had nothing to do with it. Before anybody is accused, the changes of the
turn are tried in parts as such earlier ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.games.contract import AnyGame, Position, RequestError
from referee.kinds.grid.judging.context import TurnEvidence
from referee.kinds.grid.judging.contradicting import GAINSAID_NATS
from referee.kinds.grid.judging.evidence import bounded
from referee.kinds.grid.judging.smoothing import OPEN_SHARE
from referee.match.standing import board_of
from referee.values.belief import ReferenceLook
from referee.values.board import Board, Field

MOST_CHANGES = 4
"""Stacks and pieces that are tried together at most: a stone that went from one place to another takes two."""
MOST_TRIED = 16
"""Earlier boards put to the rules at most."""


def changed_earlier(
    game: AnyGame, start: Position, after: Board, last: ReferenceLook | None, seen: TurnEvidence
) -> Iterator[tuple[Position, float]]:
    """Yield positions from which a turn would be legal that led to a board, and nats by which they are unlikelier.

    They are the position in which the turn was thought to begin, but for changes of the turn that the look before it,
    ``None`` for none, doesn't show to have come later.
    """
    if last is None:
        return
    for board, against in islice(_earlier(board_of(start), after, last), MOST_TRIED):
        with suppress(RequestError):
            position = game.corrected(start, {"board": board.text})
            if game.check(position, after, (), seen.declared).legal:
                yield position, against


def _earlier(before: Board, after: Board, last: ReferenceLook) -> Iterator[tuple[Board, float]]:
    """Yield boards that the last look allows, too, and by how many nats less than the one before a turn.

    They hold as many stones as the board before; pieces may have come from a hand, which the rules must allow. Those
    with the fewest changes come first.
    """
    units = _unseen(before.heights, after.heights, last.belief.heights, False)
    units += _unseen(before.flags, after.flags, last.belief.flags, True)
    for count in range(1, MOST_CHANGES + 1):
        for some in combinations(units, count):
            against = sum(max(0.0, one.against_nats) for one in some)
            if against < GAINSAID_NATS and _stones(some, before, after) == 0:
                heights, flags = before.heights.copy(), before.flags.copy()
                for one in some:
                    old, new = (flags, after.flags) if one.is_piece else (heights, after.heights)
                    old[one.place] = new[one.place]
                dropped = (count + 1) // 2 * -math.log(OPEN_SHARE)  # a stone or a piece that went on is two changes
                yield replace(before, heights=heights, flags=flags), against + dropped


class _Unseen(NamedTuple):
    """A stack or a piece that the last look hardly shows as it was before the turn, rather than as it is after it."""

    place: Field
    is_piece: bool
    against_nats: float


def _unseen(
    before: NDArray[np.int8], after: NDArray[np.int8], scores: NDArray[np.float64], is_piece: bool
) -> list[_Unseen]:
    """Return what changed where the last look, (rows, columns, values), doesn't show that it stood as before."""
    told, found = bounded(scores), []
    for row, col in np.argwhere(before != after):
        one, other = (min(int(board[row, col]), told.shape[2] - 1) for board in (before, after))
        nats = float(told[row, col, one] - told[row, col, other])
        if nats < GAINSAID_NATS:
            found.append(_Unseen(Field(int(row), int(col)), is_piece, nats))
    return found


def _stones(some: Sequence[_Unseen], before: Board, after: Board) -> int:
    """Return how many stones more than before some changes leave on the board."""
    return sum(int(after.heights[one.place]) - int(before.heights[one.place]) for one in some if not one.is_piece)

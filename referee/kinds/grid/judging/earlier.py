"""Find what may have changed before a turn where nobody saw it, so that the turn is no ground to accuse anybody.

Positions that are unlikely are dropped, and what was dropped can be what stands: a stone that was moved out of sight
two turns ago comes to light in a turn that had nothing to do with it. Before fixed cameras accuse anybody, the
changes of the likeliest breaches are tried in parts as such earlier ones (decision 0061).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.games.contract import AnyGame, Position, RequestError
from referee.kinds.grid.judging.contradicting import GAINSAID_NATS
from referee.kinds.grid.judging.evidence import bounded
from referee.kinds.grid.judging.legality import MOST_STATES, Legality
from referee.kinds.grid.judging.smoothing import OPEN_SHARE
from referee.match.standing import board_of
from referee.values.belief import ReferenceLook
from referee.values.board import Board, Field
from referee.values.declaring import Declared

MOST_UNSEEN = 12
"""Changes of a turn that are tried, those that the last look shows least."""
MOST_CHANGES = 4
"""Stacks and pieces that are tried together at most: a stone that went from one place to another takes two."""
MOST_TRIED, MOST_FOUND = 128, 8
"""Boards put to the rules for all turns together, and positions found, at most."""


class AccusedTurn(NamedTuple):
    """A turn of which somebody would be accused: where it began, and the board it led to."""

    start: Position
    after: Board


class Earlier(NamedTuple):
    """A position from which a turn would be legal, and by how many nats it is less likely than where it began."""

    position: Position
    turn: AccusedTurn
    against_nats: float


def changed_earlier(
    game: AnyGame, turns: Iterable[AccusedTurn], last: ReferenceLook | None, declared: Declared
) -> Iterator[Earlier]:
    """Yield positions, at most ``MOST_FOUND``, from which turns that break rules would be legal.

    They are those in which the turns began, with some of their changes already made. last: the look before the
    turn, ``None`` for none; it does not show that these changes came later.
    """
    return islice(_legal(game, turns, last, declared), MOST_FOUND) if last is not None else iter(())


def _legal(game: AnyGame, turns: Iterable[AccusedTurn], last: ReferenceLook, declared: Declared) -> Iterator[Earlier]:
    boards = ((turn, *one) for turn in turns for one in _earlier(board_of(turn.start), turn.after, last))
    found: set[tuple[int, Board]] = set()
    left = MOST_STATES
    for turn, board, against_nats in islice(boards, MOST_TRIED):
        if left <= 0:
            return
        if (id(turn.start), board) in found:
            continue
        with suppress(RequestError):
            rules = Legality(game, game.corrected(turn.start, {"board": board.text}), declared, left)
            if rules.may_be(turn.after):
                found.add((id(turn.start), board))
                yield Earlier(rules.position, turn, against_nats)
            left = rules.left


def _earlier(before: Board, after: Board, last: ReferenceLook) -> Iterator[tuple[Board, float]]:
    """Yield boards that the last look allows, too, and by how many nats less than the one before a turn.

    They hold as many stones as the board before; pieces may have come from a hand, which the rules must allow. Those
    with the fewest changes come first.
    """
    changes = _unseen(before.heights, after.heights, last.belief.heights, False)
    changes += _unseen(before.flags, after.flags, last.belief.flags, True)
    changes = sorted(changes, key=lambda one: one.against_nats)[:MOST_UNSEEN]
    for count in range(1, MOST_CHANGES + 1):
        for some in combinations(changes, count):
            against_nats = sum(max(0.0, one.against_nats) for one in some)
            if against_nats < GAINSAID_NATS and _stones(some, before, after) == 0:
                heights, flags = before.heights.copy(), before.flags.copy()
                for one in some:
                    old, new = (flags, after.flags) if one.is_piece else (heights, after.heights)
                    old[one.place] = new[one.place]
                dropped_nats = (count + 1) // 2 * -math.log(OPEN_SHARE)  # what went on is two changes
                yield replace(before, heights=heights, flags=flags), against_nats + dropped_nats


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

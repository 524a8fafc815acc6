"""Find what an accusation rests on that no position which was kept has otherwise, though one that was dropped may.

Only so many positions are kept, and fields on which others may stand are remembered (``Context.lost``). A turn can be
a breach because of such a field without having changed it: a stack is interior because of the one beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from referee.games.contract import AnyGame, RequestError
from referee.kinds.grid.judging.asking import Stand, stand
from referee.kinds.grid.judging.earlier import AccusedTurn
from referee.kinds.grid.judging.evidence import bounded
from referee.kinds.grid.judging.legality import MOST_STATES, Legality
from referee.kinds.grid.judging.weights import ACCUSE_NATS
from referee.match.standing import board_of
from referee.values.belief import BoardBelief
from referee.values.board import Board, Field
from referee.values.declaring import Declared

MOST_TRIED = 128
"""Boards put to the rules at most: some forty fields out of sight, each with a stone more, one less, and none."""
MOST_MADE_UP = 2
"""Fields tried, one after the other, for the stone or piece that is then too many or too few."""


class _Otherwise(NamedTuple):
    """Something else on a field than is thought, and by how many nats the looks speak for what is thought."""

    place: Field
    is_piece: bool
    value: int
    against_nats: float


def rests_on(
    game: AnyGame, turn: AccusedTurn, fields: Set[Field], looks: Sequence[BoardBelief], declared: Declared
) -> dict[Field, tuple[Stand, ...]]:
    """Return those of some fields that the turn left alone and that make it legal if something else stands there.

    With each come what is thought to stand there and what would acquit. Only what the looks, at the turn's end and
    before it, allow is tried: they speak against it by less than would do to accuse somebody. Those that they say
    least of come first.
    """
    before, trial = board_of(turn.start), _Trial(game, turn, declared)
    others = sorted(_otherwise(before, turn.after, fields, looks), key=lambda one: one.against_nats)
    found: dict[Field, tuple[Stand, ...]] = {}
    for one in others:
        if trial.is_over:
            break
        if one.place in found:
            continue
        ways = list(islice(_made_up(one, others, before), MOST_MADE_UP))
        # The stone that makes up for another must not be what makes the turn legal, so it may lie here or there.
        if ways and (any if one.is_piece else all)(trial.is_legal(changes) for changes in ways):
            found[one.place] = (stand(before, one.place), stand(_changed(before, (one,)), one.place))
    return found


@dataclass(slots=True)
class _Trial:
    """A turn put to the rules with something else on fields that it left alone."""

    game: AnyGame
    turn: AccusedTurn
    declared: Declared
    left: int = MOST_STATES
    tried: int = 0

    @property
    def is_over(self) -> bool:
        """Return whether the rules have looked at enough."""
        return self.left <= 0 or self.tried >= MOST_TRIED

    def is_legal(self, changes: Sequence[_Otherwise]) -> bool:
        """Return whether the turn may be legal so; it is not where no such position can be."""
        self.tried += 1
        board = _changed(board_of(self.turn.start), changes)
        with suppress(RequestError):
            start = self.game.corrected(self.turn.start, {"board": board.text})
            rules = Legality(self.game, start, self.declared, self.left)
            legal = rules.may_be(_changed(self.turn.after, changes))
            self.left = rules.left
            return legal
        return False


def _otherwise(before: Board, after: Board, fields: Set[Field], looks: Sequence[BoardBelief]) -> Iterator[_Otherwise]:
    """Yield what else may stand on the fields that the turn left alone."""
    told = [(bounded(look.heights), bounded(look.flags)) for look in looks]
    for place in sorted(fields):
        height, piece = int(before.heights[place]), int(before.flags[place])
        if (height, piece) != (int(after.heights[place]), int(after.flags[place])):
            continue
        heights, flags = (np.sum([look[part][place] for look in told], axis=0) for part in (0, 1))
        stones = {0, height - 1, height + 1} & set(range(1 if piece else 0, len(heights))) - {height}
        pieces = set(range(len(flags) if height else 1)) - {piece}
        for scores, values, stands, is_piece in ((heights, stones, height, False), (flags, pieces, piece, True)):
            for value in sorted(values):
                nats = float(scores[min(stands, len(scores) - 1)] - scores[value])
                if nats < ACCUSE_NATS:
                    yield _Otherwise(place, is_piece, value, nats)


def _made_up(one: _Otherwise, others: Sequence[_Otherwise], before: Board) -> Iterator[tuple[_Otherwise, ...]]:
    """Yield the ways in which something else can stand on a field, with as many stones in all as before."""
    if one.is_piece:
        came, went = one.value, int(before.flags[one.place])
        swapped = (
            (one, other)
            for other in others
            if other.is_piece
            and other.place != one.place
            and (int(before.flags[other.place]), other.value) == (came, went)
        )
        return chain(swapped, [(one,)])  # it may have come from a hand, or gone there
    more = one.value - int(before.heights[one.place])
    return (
        (one, other)
        for other in others
        if not other.is_piece and other.place != one.place and int(before.heights[other.place]) - other.value == more
    )


def _changed(board: Board, changes: Sequence[_Otherwise]) -> Board:
    heights, flags = board.heights.copy(), board.flags.copy()
    for one in changes:
        (flags if one.is_piece else heights)[one.place] = one.value
    return replace(board, heights=heights, flags=flags)

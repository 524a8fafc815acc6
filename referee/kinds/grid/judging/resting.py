"""Find the fields on which an accusation rests though nobody knows what stood there before the turn.

Only so many positions are kept. ``Context.lost`` has the fields on which a dropped one may have something else. A
turn can be a breach because of such a field without having changed it: a stack is interior because of the one beside.
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

MOST_TRIED = 400
"""Boards put to the rules at most: some fifty fields out of sight, each with three other heights and four pieces."""
MOST_BALANCED = 2
"""Boards tried for one alternative, each with the stone or piece that is then too many or too few elsewhere."""


class _Alternative(NamedTuple):
    """Another height or piece of a field, and by how many nats the looks prefer the one that is thought to stand."""

    place: Field
    is_piece: bool
    value: int
    against_nats: float


def rests_on(
    game: AnyGame, turn: AccusedTurn, fields: Set[Field], looks: Sequence[BoardBelief], declared: Declared
) -> dict[Field, tuple[Stand, ...]]:
    """Return the fields that the turn left alone and whose alternatives make it legal, of some fields.

    With each come what is thought to stand there and the alternative. looks: at the turn's end and before it; an
    alternative is tried where they speak against it by less than would do to accuse somebody, the likeliest first.
    """
    before, trial = board_of(turn.start), _Trial(game, turn, declared)
    others = sorted(_alternatives(before, turn.after, fields, looks), key=lambda one: one.against_nats)
    found: dict[Field, tuple[Stand, ...]] = {}
    for one in others:
        if trial.is_over:
            break
        if one.place in found:
            continue
        ways = list(islice(_balanced(one, others, before), MOST_BALANCED))
        # The stone that makes up for another must not be what makes the turn legal, so it may lie here or there.
        if ways and (any if one.is_piece else all)(trial.is_legal(changes) for changes in ways):
            found[one.place] = (stand(before, one.place), stand(_changed(before, (one,)), one.place))
    return found


@dataclass(slots=True)
class _Trial:
    """A turn put to the rules with alternatives on fields that it left alone, within bounds."""

    game: AnyGame
    turn: AccusedTurn
    declared: Declared
    left: int = MOST_STATES
    tried: int = 0

    @property
    def is_over(self) -> bool:
        """Return whether the rules have looked at enough."""
        return self.left <= 0 or self.tried >= MOST_TRIED

    def is_legal(self, changes: Sequence[_Alternative]) -> bool:
        """Return whether the turn may be legal with alternatives; it is not where no such position can be."""
        self.tried += 1
        board = _changed(board_of(self.turn.start), changes)
        with suppress(RequestError):
            start = self.game.corrected(self.turn.start, {"board": board.text})
            rules = Legality(self.game, start, self.declared, self.left)
            legal = rules.may_be(_changed(self.turn.after, changes))
            self.left = rules.left
            return legal
        return False


def _alternatives(
    before: Board, after: Board, fields: Set[Field], looks: Sequence[BoardBelief]
) -> Iterator[_Alternative]:
    """Yield what else the looks allow on the fields that the turn left alone."""
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
                    yield _Alternative(place, is_piece, value, nats)


def _balanced(one: _Alternative, others: Sequence[_Alternative], before: Board) -> Iterator[tuple[_Alternative, ...]]:
    """Yield an alternative with what keeps the count of stones; a piece may also come from a hand or go there."""
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


def _changed(board: Board, changes: Sequence[_Alternative]) -> Board:
    heights, flags = board.heights.copy(), board.flags.copy()
    for one in changes:
        (flags if one.is_piece else heights)[one.place] = one.value
    return replace(board, heights=heights, flags=flags)

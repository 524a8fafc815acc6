"""Settle the fields of a set-up that nobody could see well, by the pictures and by the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from referee.games.contract import AnyGame, Position, Violation
from referee.kinds.grid.judging.asking import MOST_ANSWERS, Stand, stand
from referee.match.decision import Ask
from referee.values.belief import BoardBelief, log_probabilities
from referee.values.board import Board, Field
from referee.values.words import say

WRONG_NATS = 5.0
"""Penalty of what would be wrong on the field itself: people have read the rules."""
LACKING_NATS = 2.0
"""Penalty of what leaves one thing more wrong elsewhere: another field nobody saw may correct it."""
NEAR_NATS = 4.0
"""Answers so much less likely than the likeliest are not offered."""
_UNLIKELY_NATS = 10.0
"""Pieces so much less likely than the likeliest are not tried."""
_WHY = say("The cameras can’t tell it.")


@dataclass(frozen=True, slots=True)
class SetupQuestions:
    """What is to be done before a set-up can be begun from.

    differences: what is wrong whatever stands on the fields nobody could see. asks: a question for each of these.
    """

    differences: tuple[Violation, ...]
    asks: tuple[Ask, ...]


def setup_questions(
    game: AnyGame, position: Position, board: Board, unseen: Sequence[Field], belief: BoardBelief
) -> SetupQuestions:
    """Ask about the fields of a set-up that were not seen well.

    board: what is known of the set-up, as it was agreed where it was not seen. belief: with what the game expects.
    """
    differences = list(game.setup_differences(position, board))
    asks = []
    for place in unseen:
        ranked = sorted(_tried(game, position, board, place, belief), key=lambda answer: -answer.nats)
        near = [answer for answer in ranked if ranked[0].nats - answer.nats < NEAR_NATS][: MOST_ANSWERS - 1]
        agreed = next(answer for answer in ranked if answer.stands == stand(board, place))
        offered = near if agreed in near else [*near, agreed]  # other fields may hold what it seems to lack
        for answer in offered:
            differences = [one for one in differences if one in answer.differences]
        asks.append(Ask(place, _WHY, tuple(answer.stands for answer in offered)))
    return SetupQuestions(tuple(differences), tuple(asks))


@dataclass(frozen=True, slots=True)
class _Answer:
    stands: Stand
    nats: float
    differences: tuple[Violation, ...]


def _tried(game: AnyGame, position: Position, board: Board, place: Field, belief: BoardBelief) -> Iterator[_Answer]:
    for stands, nats in _candidates(belief, stand(board, place), place):
        found = game.setup_differences(position, board.with_field(place, *stands))
        here = sum(one.fields == (place,) for one in found)
        yield _Answer(stands, nats - WRONG_NATS * here - LACKING_NATS * (len(found) - here), found)


def _candidates(belief: BoardBelief, expected: Stand, place: Field) -> Iterator[tuple[Stand, float]]:
    """Yield the stands worth trying on a field, and their natural-log probabilities by the pictures."""
    heights = log_probabilities(belief.heights[place.row, place.col])
    pieces = log_probabilities(belief.flags[place.row, place.col])
    high: Iterable[int] = {min(expected[0], len(heights) - 1), *np.argsort(-heights)[:2].tolist()}
    likely = np.flatnonzero(pieces > pieces.max() - _UNLIKELY_NATS).tolist()
    for height in sorted(high):
        for piece in {expected[1], *likely}:
            yield (height, piece), float(heights[height] + pieces[piece])

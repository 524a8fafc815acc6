"""List the boards that likeliest stand there where players say that a look was read wrongly."""

from __future__ import annotations

from dataclasses import replace

from referee.games.contract import AnyGame
from referee.kinds.grid.judging.context import Context, TurnEvidence
from referee.kinds.grid.judging.evidence import evidence
from referee.kinds.grid.judging.explaining import EFFORT, weigh
from referee.values.belief import BoardBelief
from referee.values.board import Board

BELIEVED = (0.5, 0.25, 0.125)
"""What a look tells counts half once somebody says that it was read wrongly; less where that names too few boards."""
NEAR_NATS = 20.0
"""A field that was read wrongly costs half of 15 nats then (``evidence.MISTAKEN_SHARE``): two are within reach."""
FEWEST = 5
"""Boards named at least, if there are any."""
MOST_STARTS = 3
"""The likeliest positions before the turn that are asked."""


def likeliest_boards(game: AnyGame, context: Context, seen: TurnEvidence) -> tuple[Board, ...]:
    """Return the boards to which turns may have led, by belief and rules, the likeliest first."""
    found: dict[Board, float] = {}
    for share in BELIEVED:
        if len(found) < FEWEST:
            found = _weighed(game, context, seen, share)
    return tuple(sorted(found, key=lambda board: -found[board]))


def _weighed(game: AnyGame, context: Context, seen: TurnEvidence, share: float) -> dict[Board, float]:
    """Return the score of each board where what the look tells counts so much."""
    found: dict[Board, float] = {}
    for position, score in context.hypotheses.positions[:MOST_STARTS]:
        if position.finished:
            continue
        told = evidence(seen, context, position)
        belief = BoardBelief(share * told.heights, share * told.flags, told.letters)
        weighed = weigh(game, position, belief, replace(EFFORT, near_nats=NEAR_NATS), seen.declared)
        for one in weighed.explanations:
            found[one.board] = max(found.get(one.board, -float("inf")), one.score + score)
    return found

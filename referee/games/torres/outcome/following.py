"""Derive what follows a legal turn: supplies, cards, the track, rounds, phases and the end of the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from referee.games.torres.board import TorresBoard
from referee.games.torres.colours import KnightColour
from referee.games.torres.outcome import supply
from referee.games.torres.outcome.scoring import PhaseScore, advanced, phase_scores, scored
from referee.games.torres.position.position import Declared, Hand, TorresPosition, with_value
from referee.games.torres.ruleset import PHASES, budget


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """The position after a turn, and the points of every player where the turn ended a phase."""

    position: TorresPosition
    scores: Mapping[KnightColour, PhaseScore] | None = None


def following(position: TorresPosition, declared: Declared, observed: TorresBoard, cost: int) -> TurnOutcome:
    """Return what follows a legal turn. cost: of its acts, the cheapest.

    Raises RequestError for a declared leftover that cannot be.
    """
    player = position.to_move
    more = sum(observed.heights) - sum(position.board.heights)
    left = supply.after_turn(position, declared, more)
    after = replace(
        position,
        board=observed,
        play_turn=position.play_turn + 1,
        to_move=position.following(player),
        stacks=with_value(position.stacks, player, left.stacks),
        reserve=left.reserve,
        cards=with_value(position.cards, player, _hand(position.cards[player], declared)),
        score=advanced(position.score, player, _track_points(position, declared, cost)),
    )
    if after.to_move != position.first:
        return TurnOutcome(after)
    if position.round < position.rules.rounds[position.phase - 1]:
        first = _leader(after) if position.rules.master else position.first
        return TurnOutcome(replace(after, round=position.round + 1, first=first, to_move=first))
    return _phase_ended(after, declared)


def _track_points(position: TorresPosition, declared: Declared, cost: int) -> int:
    if position.rules.spare_ap == "lost":
        return declared.points
    cards = frozenset({declared.card}) if declared.card else frozenset[str]()
    return budget(cards) - cost - declared.bought


def _hand(hand: Hand, declared: Declared) -> Hand:
    if declared.card is None:
        return Hand(hand.held + declared.bought, hand.played)
    return Hand(max(0, hand.held - 1) + declared.bought, (*hand.played, declared.card))


def _leader(position: TorresPosition) -> KnightColour:
    """Return who is ahead on the track; ``first`` as before while all are at the start."""
    if not any(position.score.values()):
        return position.first
    return position.ranked()[0]


def _phase_ended(position: TorresPosition, declared: Declared) -> TurnOutcome:
    """Score the phase that has ended; the position is that after its last turn."""
    gained = phase_scores(position, position.board)
    by_score = position.rules.score_order == "track" and position.phase > 1
    order = position.ranked() if by_score else position.order(position.first)
    after = replace(position, score=scored(position.score, order, gained))
    if position.phase == PHASES:
        return TurnOutcome(replace(after, stage="finished"), gained)
    stacks, reserve = supply.dealt(position.rules, position.phase + 1, position.stacks, position.reserve)
    after = replace(
        after,
        stage="king",
        phase=position.phase + 1,
        round=1,
        first=_next_first(after, declared),
        to_move=after.ranked()[-1],
        stacks=stacks,
        reserve=reserve,
    )
    return TurnOutcome(after, gained)


def _next_first(position: TorresPosition, declared: Declared) -> KnightColour:
    if position.rules.master or position.rules.phase_start == "leader":
        return _leader(position)
    if position.rules.phase_start == "chosen":
        return declared.start or _leader(position)
    return position.first

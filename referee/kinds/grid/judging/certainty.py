"""What a ruling rests on: nobody is accused by one side alone, and where another can be shown nothing is assumed.

Cameras that stand still see what they see. Somebody with a phone can go and look, so a ruling that assumes something
waits for it, and an accusation for fields that may change its rules or its places. One camera that stands still errs
alike in all its pictures: it accuses nobody unless somebody says what stands on each field that this rests on.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from referee.games.contract import AnyGame
from referee.kinds.grid.judging.asking import stand
from referee.kinds.grid.judging.context import SeenByHand, TurnEvidence
from referee.kinds.grid.judging.decision import Judgement
from referee.match.decision import MOST_DOUBTS, Ask
from referee.match.standing import board_of
from referee.values.board import Field, differing_fields
from referee.values.words import say

FEWEST_TO_ACCUSE = 2
"""Sides from which each field an accusation rests on must be shown: pictures from one side err alike."""

FEWEST_WHILE_OPEN = 3
"""Sides to show while the pictures don't tell what a ruling rests on: three show the most that sides can."""


def certain(decision: Judgement, game: AnyGame, seen: TurnEvidence) -> Judgement:
    """Return a decision, or that it is unsure where pictures from the hand don't make it certain yet."""
    by_hand = seen.by_hand
    if by_hand is None:
        return _told(_witnessed(decision, game, seen) if seen.one_camera else decision, game, seen)
    if decision.late is not None and (decision.kind == "unsure" or by_hand.shown.max() < FEWEST_TO_ACCUSE):
        decision = replace(decision, late=None)  # what came out late accuses somebody, too
    if decision.kind == "unsure":
        return decision
    more = by_hand.goes_on and by_hand.shown.max() < FEWEST_WHILE_OPEN
    if decision.kind == "legal":
        assumed = tuple(one.field for one in decision.assumed)
        waits = (*assumed, *decision.gone, *(decision.standing if more else ())) if by_hand.goes_on else ()
        left = next((place for place in decision.gone if place not in seen.known), None)
        if left is not None and seen.people is not None and not by_hand.goes_on:
            return _asked(decision, game, left)
    else:
        grounds = tuple(at for at in _grounds(decision, game) if by_hand.shown[at.row, at.col] < FEWEST_TO_ACCUSE)
        open_ = sorted(decision.open) if more else ()
        waits = (*grounds, *_where_missing_pieces_may_stand(decision, game, by_hand), *open_)
    doubts = tuple(place for place in dict.fromkeys(waits) if place not in seen.known)[:MOST_DOUBTS]
    if not doubts:
        return decision
    # Where no side would show it, somebody is asked.
    ask = None
    if not by_hand.goes_on:
        why = say("Only one side shows a breach here, at {at}: please look what stands there.", at=doubts[0])
        ask = Ask(doubts[0], why, (stand(game.observation(decision.observed), doubts[0]),))
    return replace(
        decision, kind="unsure", ruling=None, doubts=doubts, ask=ask, assumed=(), open=frozenset(), late=None
    )


def _witnessed(decision: Judgement, game: AnyGame, seen: TurnEvidence) -> Judgement:
    """Return a decision by one camera that stands still, or that it is unsure as long as only that camera accuses."""
    if decision.kind != "illegal":
        return replace(decision, late=None)
    grounds = _grounds(decision, game)
    untold = [place for place in grounds if place not in seen.known]
    if not untold:
        return decision
    observed = game.observation(decision.observed)
    place = min(untold, key=lambda at: _lead(seen, at))
    why = say("One camera alone sees a breach here, at {at}: please look what stands there.", at=place)
    ask = Ask(place, why, (stand(observed, place),))
    doubts = tuple(untold[:MOST_DOUBTS])
    return replace(decision, kind="unsure", ruling=None, doubts=doubts, ask=ask, open=frozenset())


def _told(decision: Judgement, game: AnyGame, seen: TurnEvidence) -> Judgement:
    """Return a decision, or that it is unsure where a legal ruling takes for granted what somebody can be asked.

    A piece that came to where nobody sees it is always asked after. Others that nobody sees are many, so they are
    only on a first look, with none before to compare it with.
    """
    if decision.kind != "legal" or seen.people is None:
        return decision
    assert decision.before is not None, "a decision is judged from a position"
    before, after = board_of(decision.before), game.observation(decision.observed)
    came = [one.field for one in decision.assumed if after.flags[one.field] not in (0, before.flags[one.field])]
    if seen.people.rested and seen.unchanged is None:
        came += [place for place in decision.standing if place not in seen.people.asked]
    place = next((at for at in came if at not in seen.known), None)
    if place is None:
        return decision
    return _asked(decision, game, place)


def _asked(decision: Judgement, game: AnyGame, place: Field) -> Judgement:
    """Return that a legal ruling is unsure until somebody tells what stands on a field."""
    assert decision.before is not None, "a decision is judged from a position"
    before, after = board_of(decision.before), game.observation(decision.observed)
    why = say("{at} is not seen well enough: please look what stands there.", at=place)
    ask = Ask(place, why, tuple(dict.fromkeys(stand(board, place) for board in (after, before))))
    return replace(
        decision, kind="unsure", ruling=None, doubts=(place,), ask=ask, assumed=(), open=frozenset(), late=None
    )


def _lead(seen: TurnEvidence, place: Field) -> float:
    """Return by how much the pictures prefer the likeliest stack and piece of a field, whichever is less, in nats."""
    ranked = [np.sort(scores[place]) for scores in (seen.belief.heights, seen.belief.flags)]
    return min(float(one[-1] - one[-2]) for one in ranked)


def _where_missing_pieces_may_stand(decision: Judgement, game: AnyGame, by_hand: SeenByHand) -> tuple[Field, ...]:
    """Return the fields no picture shows, where pieces are missing on the board: they may stand there."""
    assert decision.before is not None, "a decision is judged from a position"
    before, after = board_of(decision.before).flags, game.observation(decision.observed).flags
    if all((after == piece).sum() >= (before == piece).sum() for piece in np.unique(before[before > 0])):
        return ()
    return tuple(Field(int(row), int(col)) for row, col in np.argwhere(by_hand.shown == 0))


def _grounds(decision: Judgement, game: AnyGame) -> tuple[Field, ...]:
    """Return the fields an accusation rests on: those of the rules broken that changed, else all that changed."""
    assert decision.ruling is not None, "an accusation names rules"
    assert decision.before is not None, "a decision is judged from a position"
    changed = differing_fields(board_of(decision.before), game.observation(decision.observed))
    named = {place for violation in decision.ruling.violations for place in violation.fields}
    return tuple(sorted(changed & named or changed))

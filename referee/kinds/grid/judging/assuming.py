"""Find what a legal ruling takes for granted: changes on fields that no picture shows."""

from __future__ import annotations

from referee.kinds.grid.judging.asking import stand
from referee.kinds.grid.judging.weights import Hypothesis
from referee.match.decision import Assumption
from referee.match.standing import board_of
from referee.values.belief import BoardBelief
from referee.values.board import Field, differing_fields
from referee.values.kit import Kit
from referee.values.words import Words, say

SHOWN_NATS = 1.0
"""A change that the pictures do not prefer to none by so much is taken for granted."""


def assumptions(hypothesis: Hypothesis, evidence: BoardBelief, kit: Kit) -> tuple[Assumption, ...]:
    """Return what the hypothesis takes for granted.

    evidence: log-likelihoods as the turn was judged by; kit: names of pieces.
    """
    before, after = board_of(hypothesis.position), hypothesis.explanation.board
    found = []
    for place in sorted(differing_fields(before, after)):
        (height, flag), (now, carries) = stand(before, place), stand(after, place)
        if height != now and _gain(evidence, place, 0, height, now) < SHOWN_NATS:
            found.append(Assumption(place, _of_height(place, now)))
        elif flag != carries and _gain(evidence, place, 1, flag, carries) < SHOWN_NATS:
            found.append(Assumption(place, _of_piece(place, carries, kit)))
    return tuple(found)


def _gain(evidence: BoardBelief, place: Field, what: int, before: int, after: int) -> float:
    scores = (evidence.heights, evidence.flags)[what][place.row, place.col]
    last = len(scores) - 1
    return float(scores[min(after, last)] - scores[min(before, last)])


def _of_height(place: Field, height: int) -> Words:
    if not height:
        return say("Taken for granted: {at} is empty now, where no camera sees.", at=place)
    return say("Taken for granted: the stack on {at} is {n} high now, where no camera sees.", at=place, n=height)


def _of_piece(place: Field, piece: int, kit: Kit) -> Words:
    if not piece:
        return say("Taken for granted: nothing stands on the stack on {at} now, where no camera sees.", at=place)
    name = kit.pieces[piece - 1].name
    return say("Taken for granted: {piece} stands on {at} now, where no camera sees.", piece=name, at=place)

"""Find what a legal ruling takes for granted: changes on fields that no picture shows."""

from __future__ import annotations

import numpy as np

from referee.kinds.grid.judging.asking import stand
from referee.kinds.grid.judging.weights import ACQUIT_NATS, Hypothesis
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


def taken_to_stand(hypothesis: Hypothesis, evidence: BoardBelief) -> tuple[Field, ...]:
    """Return the fields of pieces that stay, beside others of their kind that moved, though the pictures don't tell.

    The pictures must prefer that a piece stands to that none does by as much as a turn needs to stand without a look.
    Those likeliest to be gone come first.
    """
    before, after = board_of(hypothesis.position), hypothesis.explanation.board
    found = []
    for row, col in np.argwhere((after.flags > 0) & (after.flags == before.flags)):
        place, kind = Field(int(row), int(col)), int(after.flags[row, col])
        moved = (before.flags == kind) != (after.flags == kind)
        lead = _gain(evidence, place, 1, 0, kind)
        if lead < ACQUIT_NATS and moved[max(0, row - 1) : row + 2, max(0, col - 1) : col + 2].any():
            found.append((lead, place))
    return tuple(place for _, place in sorted(found))


def seem_gone(hypothesis: Hypothesis, evidence: BoardBelief) -> tuple[Field, ...]:
    """Return the fields of pieces that stay though the pictures show that none stands there, the plainest first."""
    before, after = board_of(hypothesis.position), hypothesis.explanation.board
    found = []
    for row, col in np.argwhere((after.flags > 0) & (after.flags == before.flags)):
        place = Field(int(row), int(col))
        if (lead := _gain(evidence, place, 1, 0, int(after.flags[place]))) <= -SHOWN_NATS:
            found.append((lead, place))
    return tuple(place for _, place in sorted(found))


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

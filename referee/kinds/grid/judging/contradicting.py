"""Find legal turns that the pictures contradict: no prior makes up for a field that is plainly otherwise.

What breaches cost and how turns usually go can save somebody from an accusation. It does not acquit alone: where a
legal turn leaves a field as the pictures were never wrong about one, somebody is asked to look.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from referee.kinds.grid.judging.asking import MOST_ANSWERS, stand
from referee.kinds.grid.judging.weights import ACCUSE_NATS, Hypothesis
from referee.match.decision import MOST_DOUBTS, Ask
from referee.values.belief import BoardBelief
from referee.values.board import Board, Field
from referee.values.words import say

GAINSAID_NATS = 8.0
"""Evidence against a field from which on a legal turn is not believed: on photographed tables no field was ever taken
for something else by more (``evidence.MISTAKEN_SHARE``)."""
LOOK_AGAIN_NATS = ACCUSE_NATS
"""The same where another picture from the hand may come, or somebody at the table can look: what would do to accuse
somebody is looked at once more."""
ASK_NATS = 4.0
"""The same where nobody was asked for some turns: less than accuses, more than makes a turn stand."""


def contradicted(hypothesis: Hypothesis, evidence: BoardBelief, least: float = GAINSAID_NATS) -> tuple[Field, ...]:
    """Return the fields where the evidence contradicts a hypothesis by so many nats, the plainest first."""
    against = _against(hypothesis.explanation.board, evidence)
    places = sorted(np.argwhere(against > least).tolist(), key=lambda place: -against[tuple(place)])
    return tuple(Field(*place) for place in places[:MOST_DOUBTS])


def as_seen(hypothesis: Hypothesis, evidence: BoardBelief) -> Board:
    """Return a hypothesis' board, with what is seen in the fields where the evidence plainly contradicts it."""
    board, seen = hypothesis.explanation.board, evidence.likeliest
    otherwise = _against(board, evidence) > GAINSAID_NATS
    heights, flags = (
        np.where(otherwise, new, old) for new, old in ((seen.heights, board.heights), (seen.flags, board.flags))
    )
    return replace(board, heights=heights, flags=flags)


def _against(board: Board, evidence: BoardBelief) -> NDArray[np.float64]:
    """Return by how many nats the evidence speaks against a board in each field, (rows, columns)."""
    against = np.zeros(board.heights.shape)
    for scores, values in ((evidence.heights, board.heights), (evidence.flags, board.flags)):
        known = np.clip(values.astype(np.intp), 0, scores.shape[2] - 1)[..., None]
        against = np.maximum(against, scores.max(axis=2) - np.take_along_axis(scores, known, axis=2)[..., 0])
    return against


def look_at(place: Field, hypothesis: Hypothesis, evidence: BoardBelief) -> Ask:
    """Return the question about a field that contradicts a hypothesis."""
    shown = (int(evidence.heights[place].argmax()), int(evidence.flags[place].argmax()))
    why = say("{at} looks otherwise than the rules would have it: please look what stands there.", at=place)
    return Ask(place, why, (shown, stand(hypothesis.explanation.board, place))[:MOST_ANSWERS])

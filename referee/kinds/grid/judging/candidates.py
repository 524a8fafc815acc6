"""Choose the boards to offer where a reading is doubted: the likeliest, by the fields in which they differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from referee.kinds.grid.judging.asking import stand
from referee.kinds.grid.judging.weights import Hypothesis, shares
from referee.match.decision import MOST_DOUBTS, Candidate
from referee.values.board import Board, differing_fields

MOST_CANDIDATES = 3
"""Boards offered at most: so many small pictures can be told apart at a glance."""
LEAST_SHARE = 0.01
"""A board less likely than this is not offered: who taps in haste would be led astray."""


def candidates(hypotheses: Sequence[Hypothesis]) -> tuple[Candidate, ...]:
    """Return the likeliest boards after a turn, by belief and rules, the likeliest first.

    A board is as likely as all turns that end in it. The first hypothesis' board is always among them: it is what the
    page shows as seen, and each candidate tells only what stands on the fields in which those offered differ. Empty
    where there is no choice, or where the boards differ in more fields than anybody would compare.
    """
    weight: dict[Board, float] = defaultdict(float)
    for hypothesis, share in zip(hypotheses, shares(hypotheses), strict=True):
        weight[hypothesis.explanation.board] += share
    shown = hypotheses[0].explanation.board
    others = [board for board in sorted(weight, key=lambda board: -weight[board]) if board != shown]
    offered = [shown, *(board for board in others if weight[board] >= LEAST_SHARE)][:MOST_CANDIDATES]
    while len(offered) > 1:
        places = sorted(set().union(*(differing_fields(offered[0], board) for board in offered)))
        if len(places) <= MOST_DOUBTS:
            offered.sort(key=lambda board: -weight[board])
            return tuple(tuple((place, stand(board, place)) for place in places) for board in offered)
        offered.pop()
    return ()

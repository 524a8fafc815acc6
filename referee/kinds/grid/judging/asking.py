"""Choose the field to ask for: the one whose sight tells most of what the ruling will be, on average."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Sequence

import numpy as np
from numpy.typing import NDArray

from referee.kinds.grid.judging.weights import ACCUSE_NATS, Hypothesis, Posterior, Rules, shares
from referee.match.decision import MOST_DOUBTS, Ask
from referee.match.standing import board_of
from referee.values.board import Board, Field, differing_fields
from referee.values.scores import total
from referee.values.words import say

LEAST_NATS = 0.02
"""A field that tells less of the ruling than this is not worth a question, unless none tells more."""
NOTHING_NATS = 0.001
"""A field that tells less than this tells nothing."""
MOST_ANSWERS = 4
"""Answers offered at most."""

UNSETTLED_SHARE = 0.01
"""A field on which something else stood this likely is not known: that it looks the same later says nothing of it."""

Stand = tuple[int, int]
"""Height and flag of a field."""


def informative(hypotheses: Sequence[Hypothesis]) -> list[tuple[float, Field]]:
    """Rank the fields by what their sight tells of the ruling, in nats on average, those that tell most first.

    Source: the mutual information of answer and ruling (D. V. Lindley, On a measure of the information provided by
    an experiment, Annals of Mathematical Statistics 27, 1956).
    """
    weights = np.array(shares(hypotheses))
    known: dict[Rules, int] = {}
    ruling = np.array([known.setdefault(one.rules, len(known)) for one in hypotheses])
    whole = _entropy(np.bincount(ruling, weights).astype(np.float64))
    boards = [one.explanation.board for one in hypotheses]
    # Each field's height and piece as one number: (hypotheses, rows, columns).
    stands = np.stack([board.heights * np.int64(64) + board.flags for board in boards])
    found = []
    for row, col in np.argwhere((stands != stands[0]).any(axis=0)):
        _, answer = np.unique(stands[:, row, col], return_inverse=True)
        together = np.bincount(answer * len(known) + ruling, weights, (int(answer.max()) + 1) * len(known))
        rulings = together.astype(np.float64).reshape(-1, len(known))  # (answers, rulings)
        left = sum(float(chances.sum()) * _entropy(chances / chances.sum()) for chances in rulings)
        found.append((whole - left, Field(int(row), int(col))))
    return sorted(found, key=lambda item: -item[0])


def question(posterior: Posterior, ranked: Sequence[tuple[float, Field]]) -> Ask | None:
    """Return the question worth asking, ``None`` where no single field tells anything.

    Of the fields that tell most the one whose sight most likely settles the ruling, so that one question will do.
    """
    telling = _telling(ranked)[:MOST_DOUBTS]
    if not telling:
        return None
    place = max(telling, key=lambda field: (round(settles(posterior, field), 2), -telling.index(field)))
    return hangs_on(place, tuple(_answers(posterior.hypotheses, place)))


def hangs_on(place: Field, answers: Sequence[Stand]) -> Ask:
    """Return the question about a field on which the ruling hangs, with the likeliest answers to offer."""
    why = say(
        "The ruling hangs on {at}, which the cameras don’t see well enough: please look what stands there.", at=place
    )
    return Ask(place, why, tuple(dict.fromkeys(answers))[:MOST_ANSWERS])


def about_any(hypotheses: Sequence[Hypothesis], doubts: Sequence[Field], known: Container[Field]) -> Ask | None:
    """Return a question about a field that nobody has told of, ``None`` where all are told.

    Fields in doubt come first, then those in which the positions differ that the turn may have begun from. It settles
    nothing by itself, but what is told of one field after the other does.
    """
    board, starts = hypotheses[0].explanation.board, [board_of(one.position) for one in hypotheses]
    begun = sorted(set().union(*(differing_fields(starts[0], start) for start in starts)))
    place = next((field for field in (*doubts, *begun, *board.fields) if field not in known), None)
    if place is None:
        return None
    return Ask(
        place, say("{at} is not seen well enough: please look what stands there.", at=place), (stand(board, place),)
    )


def settles(posterior: Posterior, place: Field) -> float:
    """Return how likely a field's sight is to leave nothing to be unsure of."""
    whole = total(hypothesis.score for hypothesis in posterior.hypotheses)
    settled = 0.0
    for hypotheses in _answers(posterior.hypotheses, place).values():
        left = Posterior(tuple(hypotheses), posterior.overlooked)
        if left.acquits or left.accuses is not None:
            settled += float(np.exp(total(hypothesis.score for hypothesis in hypotheses) - whole))
    return settled


def _answers(hypotheses: Sequence[Hypothesis], place: Field) -> dict[Stand, list[Hypothesis]]:
    """Group the hypotheses by what stands on a field in them, the likeliest first."""
    found: dict[Stand, list[Hypothesis]] = defaultdict(list)
    for hypothesis in hypotheses:
        found[stand(hypothesis.explanation.board, place)].append(hypothesis)
    return found


def doubts(hypotheses: Sequence[Hypothesis], ranked: Sequence[tuple[float, Field]]) -> tuple[Field, ...]:
    """Return the fields to look at: those that tell of the ruling, else those where near hypotheses differ."""
    telling = _telling(ranked)
    if not telling:
        near = [hypothesis for hypothesis in hypotheses if hypotheses[0].score - hypothesis.score < ACCUSE_NATS]
        telling = sorted(
            set().union(
                *(
                    differing_fields(hypotheses[0].explanation.board, hypothesis.explanation.board)
                    for hypothesis in near
                )
            )
        )
    return tuple(sorted(telling[:MOST_DOUBTS]))


def _telling(ranked: Sequence[tuple[float, Field]]) -> list[Field]:
    """Return the fields that tell of the ruling, those that tell most first.

    Where any of several may have been misread, none tells much: then those that tell most, for one after the other.
    """
    least = min(LEAST_NATS, ranked[0][0] / 2) if ranked else LEAST_NATS
    return [place for nats, place in ranked if nats >= max(least, NOTHING_NATS)]


def unsettled(hypotheses: Sequence[Hypothesis], board: Board) -> frozenset[Field]:
    """Return the fields where enough likely hypotheses differ from the board."""
    weight: dict[Field, float] = defaultdict(float)
    for hypothesis, share in zip(hypotheses, shares(hypotheses), strict=True):
        for place in differing_fields(board, hypothesis.explanation.board):
            weight[place] += share
    return frozenset(place for place, share in weight.items() if share > UNSETTLED_SHARE)


def stand(board: Board, place: Field) -> Stand:
    """Return what stands on a field of a board: (height, flag)."""
    return int(board.heights[place.row, place.col]), int(board.flags[place.row, place.col])


def _entropy(chances: NDArray[np.float64]) -> float:
    some = chances[chances > 0]
    return -float((some * np.log(some)).sum())

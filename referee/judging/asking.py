"""Which field to ask for: the one whose sight tells most of what the ruling will be, on average."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import log

import numpy as np

from referee.judging.decision import Ask
from referee.judging.weights import ACCUSE_NATS, Case, Rules, shares
from referee.values.board import Board, Field
from referee.values.words import say

LEAST_NATS = 0.02
"""A field that tells less of the ruling than this is not worth a question."""
MOST_DOUBTS = 6
"""Fields named at most when the players are asked to look."""

MOST_ANSWERS = 4
"""Answers offered at most."""

Stand = tuple[int, int]
"""Height and flag of a field."""


def informative(cases: Sequence[Case]) -> list[tuple[float, Field]]:
    """The fields by what their sight tells of the ruling, in nats on average, those that tell most first.

    Source: the mutual information of answer and ruling (D. V. Lindley, On a measure of the information provided by
    an experiment, Annals of Mathematical Statistics 27, 1956).
    """
    weights = shares(cases)
    whole = _entropy(_summed((case.rules, weight) for case, weight in zip(cases, weights, strict=True)).values())
    fields = set().union(*(differing_fields(cases[0].explanation.board, case.explanation.board) for case in cases))
    found = []
    for place in sorted(fields):
        answers: dict[Stand, dict[Rules, float]] = defaultdict(lambda: defaultdict(float))
        for case, weight in zip(cases, weights, strict=True):
            answers[stand(case.explanation.board, place)][case.rules] += weight
        left = 0.0
        for rulings in answers.values():
            chance = sum(rulings.values())
            left += chance * _entropy(weight / chance for weight in rulings.values())
        found.append((whole - left, place))
    return sorted(found, key=lambda item: -item[0])


def question(cases: Sequence[Case], ranked: Sequence[tuple[float, Field]]) -> Ask | None:
    """The question worth asking, ``None`` where no single field tells anything."""
    if not ranked or ranked[0][0] < LEAST_NATS:
        return None
    place = ranked[0][1]
    weights: dict[Stand, float] = defaultdict(float)
    for case, weight in zip(cases, shares(cases), strict=True):
        weights[stand(case.explanation.board, place)] += weight
    answers = sorted(weights, key=lambda one: -weights[one])[:MOST_ANSWERS]
    why = say("The ruling hangs on {at}, which the cameras don’t see well enough: please look what stands there.", at=place)
    return Ask(place, why, tuple(answers))


def doubts(cases: Sequence[Case], ranked: Sequence[tuple[float, Field]]) -> tuple[Field, ...]:
    """The fields to look at: those that tell something of the ruling, else those in which near cases differ."""
    telling = [place for nats, place in ranked if nats >= LEAST_NATS]
    if not telling:
        near = [case for case in cases if cases[0].score - case.score < ACCUSE_NATS]
        telling = sorted(
            set().union(*(differing_fields(cases[0].explanation.board, case.explanation.board) for case in near))
        )
    return tuple(sorted(telling[:MOST_DOUBTS]))


def differing_fields(one: Board, other: Board) -> set[Field]:
    """The fields in which two boards differ."""
    differ = (one.heights != other.heights) | (one.flags != other.flags)
    return {Field(int(row), int(col)) for row, col in np.argwhere(differ)}


def stand(board: Board, place: Field) -> Stand:
    """What stands on a field of a board."""
    return int(board.heights[place.row, place.col]), int(board.flags[place.row, place.col])


def _summed(items: Iterable[tuple[Rules, float]]) -> dict[Rules, float]:
    found: dict[Rules, float] = defaultdict(float)
    for key, value in items:
        found[key] += value
    return found


def _entropy(chances: Iterable[float]) -> float:
    return -sum(p * log(p) for p in chances if p > 0)

"""Choices of a turn are joined as if every pair were looked at: none is lost, and equals stay in their order."""

from __future__ import annotations

import random

import pytest

from referee.games.terra_turrium.weighing import lists


def _drawn(rng: random.Random, number: int) -> list[lists.Listed]:
    """Draw so many choices, best first, of gains that often are the same and of fields that often are."""
    found = [
        (
            rng.randint(-6, 2) / 2,
            tuple((field, rng.randint(0, 4)) for field in rng.sample(range(12), rng.randint(0, 3))),
        )
        for _ in range(number)
    ]
    return sorted(found, key=lambda item: -item[0])


@pytest.mark.parametrize("seed", range(20))
def test_pairs_are_those_of_all_choices(seed: int) -> None:
    rng = random.Random(seed)
    some, others, floor = _drawn(rng, 30), _drawn(rng, 40), rng.choice([-9.0, -2.0, 0.5])
    every = [
        (value + more + 0.25, (*changes, *rest))
        for value, changes in some
        for more, rest in others
        if value + more >= floor and not {field for field, _ in changes} & {field for field, _ in rest}
    ]
    best = sorted(every, key=lambda item: -item[0])[: lists.MOST_LISTED]
    assert lists._pairs(some, others, floor, 0.25) == best

"""Choosing several things at once, compared with trying every way."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.bestfirst import Pick, best_by_size, choices, deviations

PICKS = st.lists(st.tuples(st.floats(-5, 5), st.integers(1, 3), st.integers(0, 4)), min_size=1, max_size=7).map(
    lambda rows: [Pick(value, size, group, n) for n, (value, size, group) in enumerate(rows)]
)


def every_way(picks: list[Pick[int]], total: int) -> list[float]:
    """Return the values of all choices of a total size, best first."""
    found = []
    for count in range(len(picks) + 1):
        for chosen in combinations(picks, count):
            fits = sum(one.size for one in chosen) == total and len({one.group for one in chosen}) == count
            found += [sum(one.value for one in chosen)] if fits else []
    return sorted(found, reverse=True)


@given(PICKS, st.integers(0, 4), st.floats(-10, 5))
def test_choices_are_all_and_in_order(picks: list[Pick[int]], total: int, floor: float) -> None:
    wanted = [value for value in every_way(picks, total) if value >= floor + 1e-9]
    found = [value for value, _ in choices(picks, total, floor, 1000) if value >= floor + 1e-9]
    assert found == pytest.approx(wanted)


@given(PICKS, st.integers(0, 4))
def test_the_best_of_each_size_is_known_beforehand(picks: list[Pick[int]], most: int) -> None:
    for size, best in enumerate(best_by_size(picks, most)):
        assert best == pytest.approx(max(every_way(picks, size), default=-float("inf")))


def test_deviations_come_by_rising_cost_and_once_each() -> None:
    listed = list(deviations([1.0, 2.0, 3.0], ["a", "b", "a"]))
    assert [cost for cost, _ in listed] == [0.0, 1.0, 2.0, 3.0, 3.0, 5.0]
    assert len({chosen for _, chosen in listed}) == len(listed)
    assert (0, 2) not in {chosen for _, chosen in listed}

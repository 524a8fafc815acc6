"""Bounds hold whenever one looks, and shrink with the number of trials."""

from __future__ import annotations

from random import Random

import pytest

from referee.addons.trackrecord.bounds import highest_rate, one_in


@pytest.mark.parametrize(
    ("wrong", "trials", "bound"), [(0, 0, 1), (0, 1, 1), (0, 100, 17), (0, 3000, 396), (2, 412, 35), (30, 30, 1)]
)
def test_known_counts(wrong: int, trials: int, bound: int) -> None:
    assert one_in(highest_rate(wrong, trials)) == bound


def test_the_bound_holds_at_every_moment_of_nearly_every_sequence() -> None:
    rnd, rate, sequences, failed = Random(3), 0.05, 400, 0
    for _ in range(sequences):
        wrong = 0
        for trials in range(1, 301):
            wrong += rnd.random() < rate
            if trials % 5 == 0 and highest_rate(wrong, trials) < rate:
                failed += 1
                break
    # 5 % are promised; the mixture is looked at 60 times here and would fail far more often as a fixed interval.
    assert failed / sequences < 0.05

"""Whatever looks hide, nobody is accused of a legal turn, and what the record does not leave open was played."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from benchmarks.record import outcomes
from tests.session.hidden import Sight, play_hidden, script


@pytest.mark.parametrize(
    ("seed", "sight"),
    [
        *((seed, sight) for seed in range(3) for sight in (Sight(0.0, 0.0), Sight(0.05, 0.03))),
        pytest.param(3, Sight(0.15, 0.1), marks=pytest.mark.long),
    ],
)
def test_nobody_is_accused_and_what_is_kept_as_certain_is_true(seed: int, sight: Sight) -> None:
    turns = script(seed)
    table = play_hidden(turns, sight, random.Random(seed))
    found = Counter(outcome for _, outcome in outcomes(turns, table.state))
    assert not {"accused", "wrong"} & found.keys()
    if sight == Sight(0.0, 0.0):
        assert not {"missed", "open", "unsure"} & found.keys()
        assert table.by_hand == 0
        # Where a breach looks like a fall, players are asked before anybody is accused.
        assert table.questions <= sum(turn.illegal for turn in turns.turns)

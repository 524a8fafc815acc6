"""Towers that agree with a reading: just those, each once, near ones first, and no more than the effort allows."""

from __future__ import annotations

import random
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.turris.completions import StepBudget, completions, parse_reading
from referee.games.turris.tower import NO_TOWER, parse_tower
from tests.games.turris.positions import built
from tests.games.turris.towers import blurred, shows, some_tower

MUCH = 10**9


@given(seed=st.integers(0, 10**9))
def test_each_tower_comes_once_and_agrees(seed: int) -> None:
    rnd = random.Random(seed)
    tower, near = some_tower(seed, 10, 2), some_tower(seed // 2, 8, 2)
    reading = parse_reading(blurred(tower.text, rnd, 0.3))
    found = list(islice(completions(reading, near, StepBudget(MUCH)), 3000))
    assert tower in found or len(found) == 3000
    assert len(set(found)) == len(found)
    assert all(shows(reading, each) for each in found)
    differing = [(each.light ^ near.light).bit_count() + (each.dark ^ near.dark).bit_count() for each in found]
    if reading.partly:
        assert differing == sorted(differing)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("XX.......", 1),
        ("XXX......", 0),
        ("X........", 0),
        ("Xx.......", 0),
        ("??.......", 3),
        ("XX.XX....", 2),
        ("xx.xx....", 2),
        ("EX.......", 1),
        ("E?.......", 1),
        ("X?.......", 1),
        ("?........", 1),
        ("x......../x........", 1),
        ("?......../?........", 3),
        ("", 1),
        ("EW.......", 1),
    ],
)
def test_how_many_towers_agree(text: str, count: int) -> None:
    assert len(list(completions(parse_reading(text), NO_TOWER, StepBudget(MUCH)))) == count


def test_the_effort_is_kept() -> None:
    effort = StepBudget(50)
    reading = parse_reading("/".join(["?" * 9] * 3))
    found = list(completions(reading, parse_tower(built("L a1b1.1")), effort))
    assert effort.spent
    assert found[0] == parse_tower(built("L a1b1.1"))
    assert 1 <= len(found) <= 50

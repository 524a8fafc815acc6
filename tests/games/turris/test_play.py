"""Whole games: every turn is accepted, bars are never lost, and the end is scored."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.turris.bars import BARS_EACH, COLOURS
from referee.games.turris.engine import GAME
from referee.games.turris.position import TurrisPosition
from tests.games.turris.play import game, spoilt
from tests.games.turris.positions import some_options


@pytest.mark.long
@settings(max_examples=settings().max_examples // 5)
@given(seed=st.integers(0, 10**9))
def test_games_go_to_their_end_and_lose_no_bar(seed: int) -> None:
    rnd = random.Random(seed)
    last: TurrisPosition | None = None
    for now, after in game(rnd, some_options(rnd)):
        for colour in COLOURS:
            assert now.tower.count(colour) + now.left[colour] == BARS_EACH
        ruling = GAME.check(now, after)
        assert ruling.complete
        last = ruling.next if isinstance(ruling.next, TurrisPosition) else None
        assert last is not None
    assert last is not None
    if last.finished:
        assert last.winners
        assert last.to_json()["scores"]


@pytest.mark.long
@settings(max_examples=settings().max_examples // 5)
@given(seed=st.integers(0, 10**9))
def test_any_tower_is_ruled_on_the_same_twice(seed: int) -> None:
    rnd = random.Random(seed)
    for now, after in game(rnd, some_options(rnd, ())):
        if rnd.random() < 0.2:
            seen = spoilt(rnd, now, after, rnd.randrange(3))
            ruling = GAME.check(now, seen)
            assert ruling.to_json() == GAME.check(GAME.position(now.to_json()), seen).to_json()
            assert ruling.legal is not bool(ruling.violations)

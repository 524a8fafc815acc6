"""The engine and the slow referee agree on turns made up at random."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import pytest

from referee.games.contract import Ruling
from referee.games.torres.engine import GAME
from referee.games.torres.ruleset import PREFERENCE
from tests.games.torres.play import case
from tests.games.torres.reference import explains
from tests.games.torres.tables import sets_of

SEEDS = (3, 5, 8, 203, 205, 206, 207)
EASY = [str(rule) for rule in PREFERENCE if rule not in ("ap.budget", "turn.order", "card.declared")]
"""Rules that leave the slow referee little more to try."""


def ruled(request: dict[str, Any]) -> Ruling:
    return GAME.check(
        GAME.position(request["position"]), GAME.observation(request["observed"]), (), request["declared"]
    )


def explained(request: dict[str, Any], rules: frozenset[str]) -> bool:
    mover = request["position"]["to_move"]
    others = [player for player in request["position"]["players"] if player != mover]
    return any(explains(request, p, rules) is not None for p in (others if "turn.order" in rules else [mover]))


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_verdicts_costs_and_sets_agree(seed: int) -> None:
    request = case(seed, most=1)
    ruling = ruled(request)
    slow = explains(request, request["position"]["to_move"], frozenset())
    if ruling.legal:
        assert ruling.turn is not None
        assert slow == ruling.turn["cost"]
        return
    assert slow is None
    sets = [frozenset(rules) for rules in sets_of(ruling)]
    assert ruling.complete
    if ruling.turn is None:
        return
    for rules in sets:
        try:
            assert explained(request, rules), rules
        except OverflowError:
            continue
    size = len(sets[0])
    smaller = [frozenset(rules) for n in range(1, min(size, 2)) for rules in combinations(EASY, n)]
    others = [frozenset({rule}) for rule in EASY] if size == 1 else Random(seed).sample(smaller, min(len(smaller), 9))
    for rules in others:
        if rules not in sets:
            try:
                assert not explained(request, rules), rules
            except OverflowError:
                continue


@pytest.mark.parametrize("seed", range(24))
def test_a_ruling_is_the_same_every_time_and_json(seed: int) -> None:
    request = case(seed, most=4)
    first, second = ruled(request).to_json(), ruled(request).to_json()
    assert first == second
    if not first["legal"]:
        assert first["violations"]

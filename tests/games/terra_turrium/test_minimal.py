"""The sets a ruling names hold and are the smallest: turns are played by brute force with rules lifted."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.terra_turrium.engine import GAME
from tests.games.terra_turrium.brute import LIFTABLE, Seen, World, nearly, some_world
from tests.games.terra_turrium.tables import EVERY_TABLE

INSIDE = [rule for rule in LIFTABLE if rule != "move.ground"]
"""A flag that may walk on bare ground also walks outside the small world, where brute force doesn't look."""


def lifting(world: World, *rules: str) -> World:
    """Return the same world with rules lifted.

    Stacks are in play, as in every game: none can stand out of play.
    """
    stacks = {field for field, height in zip(world.fields, world.start.heights, strict=True) if height}
    return World(world.position, world.fields, sorted(world.sites | stacks), frozenset(rules))


def explained(world: World, end: Seen, *rules: str) -> bool:
    return lifting(world, *rules).ways((), end)


@pytest.mark.long
@settings(max_examples=max(4, settings().max_examples // 6))
@given(seed=st.integers(0, 10**9))
def test_smallest_sets_by_brute_force(seed: int) -> None:
    rnd = random.Random(seed)
    world = lifting(some_world(rnd, EVERY_TABLE[rnd.choice(sorted(EVERY_TABLE))]))
    for broken in (1, 1, 2):
        way = lifting(world, *rnd.sample(LIFTABLE, broken)).random_way(rnd, phases=True)
        if way is None:
            continue
        end = way[-1] if rnd.random() < 0.7 else nearly(rnd, way[-1])
        ruling = GAME.check(world.position, world.board(end))
        assert ruling.legal is explained(world, end)
        if ruling.legal:
            continue
        named = [tuple(violation.rule for violation in ruling.violations), *ruling.alternatives]
        alone = {rule for rule in INSIDE if explained(world, end, rule)}
        if len(named[0]) == 1:
            assert alone == {rule for (rule,) in named} & set(INSIDE), end
        else:
            assert not alone, end
            assert not explained(world, end, "move.ground"), end
            for rules in named:
                if len(rules) == 2 and set(rules) <= set(INSIDE):
                    assert explained(world, end, *rules), (rules, end)

"""The engine accepts just the towers legal turns lead to, and names just the smallest sets: all turns are tried."""

from __future__ import annotations

import random
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.cli.check import answer
from referee.games.contract import RequestError
from referee.games.turris.completions import StepBudget, completions, parse_reading
from referee.games.turris.tower import parse_tower
from tests.games.turris.positions import sets, some_options, some_world
from tests.games.turris.reference import TowerSet, World, all_places, cells_of, name_of, text_of, tower_set
from tests.games.turris.towers import blurred

SEEDS = st.integers(0, 10**9)


def changed(rnd: random.Random, world: World, tower: TowerSet) -> TowerSet:
    """Return a tower with a bar more, less or elsewhere."""
    cells = cells_of(tower)
    top = max((z for _, _, z in cells), default=0) + 2
    if tower and rnd.random() < 0.35:
        tower -= {rnd.choice(sorted(tower))}
        cells = cells_of(tower)
        if rnd.random() < 0.5:
            return tower
    free = [place for place in all_places(top) if not any(cell in cells for cell in place)]
    low = [place for place in free if all(z == 1 or (x, y, z - 1) in {*cells, *place} for x, y, z in place)]
    centre = [place for place in low if any(cell[:2] == (1, 1) for cell in place)]
    chosen = rnd.choice([each for each in (free, low, low, centre) if each])
    colour = world.to_move if rnd.random() < 0.7 else rnd.choice(["light", "dark"])
    return tower | {(colour, rnd.choice(chosen))}


def asked(world: World, goal: TowerSet, observed: str | None = None) -> list[list[str]]:
    keys = ("options", "to_move", "last", "barred")
    seen = text_of(goal) if observed is None else observed
    return sets(world.data["tower"], seen, **{key: world.data[key] for key in keys if key in world.data})


@pytest.mark.long
@settings(max_examples=settings().max_examples // 2)
@given(seed=SEEDS)
def test_just_the_towers_of_legal_turns_are_accepted(seed: int) -> None:
    rnd = random.Random(seed)
    world = some_world(rnd, rnd.randrange(14), some_options(rnd))
    ends = world.legal_ends()
    goals = rnd.sample(sorted(ends, key=sorted), min(8, len(ends)))
    goals += [changed(rnd, world, rnd.choice(goals) if goals else world.tower) for _ in range(8)]
    for goal in goals:
        assert (asked(world, goal) == [[]]) is (goal in ends), (world.data, text_of(goal))


@pytest.mark.long
@given(seed=SEEDS, most=st.integers(0, 3))
def test_just_the_smallest_sets_are_named(seed: int, most: int) -> None:
    rnd = random.Random(seed)
    world = some_world(rnd, rnd.randrange(14), some_options(rnd))
    goal = world.tower
    for _ in range(most):
        goal = changed(rnd, world, goal)
    if len(goal ^ world.tower) > 3:
        return
    found = asked(world, goal)
    assert {frozenset(rules) for rules in found} == world.smallest(goal), (world.data, text_of(goal))
    assert len(found) == len({frozenset(rules) for rules in found})


@settings(max_examples=settings().max_examples // 2)
@given(seed=SEEDS, most=st.integers(1, 3))
def test_a_floating_tower_is_judged_wherever_it_may_be_drawn(seed: int, most: int) -> None:
    rnd = random.Random(seed)
    world = some_world(rnd, rnd.randrange(3), some_options(rnd) | {"frame": "floating"})
    goal = rnd.choice(world.drawn()).tower
    for _ in range(most):
        goal = changed(rnd, world, goal)
    if all(len(goal ^ drawn.tower) <= 3 for drawn in world.drawn()):
        found = {frozenset(rules) for rules in asked(world, goal)}
        expected = world.smallest_anywhere([goal])
        assert found == (expected if frozenset() not in expected else {frozenset()}), (world.data, text_of(goal))


@pytest.mark.long
@settings(max_examples=settings().max_examples // 2)
@given(seed=SEEDS, most=st.integers(0, 2))
def test_cells_not_seen_are_filled_in_every_way(seed: int, most: int) -> None:
    rnd = random.Random(seed)
    world = some_world(rnd, rnd.randrange(12), some_options(rnd))
    goal = world.tower
    for _ in range(most):
        goal = changed(rnd, world, goal)
    observed = blurred(text_of(goal), rnd, 0.08)
    reading = parse_reading(observed)
    goals = [tower_set(each.text) for each in islice(completions(reading, parse_tower(""), StepBudget(10**6)), 6)]
    if len(goals) < 6 and all(len(each ^ world.tower) <= 3 for each in goals):
        found = {frozenset(rules) for rules in asked(world, goal, observed)}
        expected = world.smallest_anywhere(goals)
        assert found == (expected if frozenset() not in expected else {frozenset()}), (world.data, observed)


@pytest.mark.long
@settings(max_examples=settings().max_examples // 2)
@given(seed=SEEDS, most=st.integers(1, 3))
def test_declared_bars_are_judged_in_their_order_only(seed: int, most: int) -> None:
    rnd = random.Random(seed)
    world = some_world(rnd, rnd.randrange(14), some_options(rnd))
    goal = world.tower
    for _ in range(most):
        goal = changed(rnd, world, goal)
    acts = ["+" + name_of(cells) for _, cells in goal - world.tower]
    acts += ["-" + name_of(cells) for _, cells in world.tower - goal]
    acts = rnd.sample(sorted(acts), rnd.randint(max(0, len(acts) - 1), len(acts)))
    if len(goal ^ world.tower) > 4:
        return
    expected = world.smallest_declared(goal, acts)
    request = {"position": world.data, "observed": text_of(goal), "declared": {"bars": acts}}
    if not expected:
        with pytest.raises(RequestError, match="do not lead"):
            answer(request)
        return
    found = answer(request)
    named = {frozenset(v["rule"] for v in found["violations"]), *map(frozenset, found["alternatives"])}
    assert named == expected, (world.data, text_of(goal), acts)


@pytest.mark.long
@settings(max_examples=settings().max_examples // 10)
@given(seed=SEEDS)
def test_near_the_end_supplies_and_passes_are_judged_alike(seed: int) -> None:
    rnd = random.Random(seed)
    world = some_world(rnd, 60, some_options(rnd))
    goal = world.tower
    for _ in range(rnd.randrange(4)):
        goal = changed(rnd, world, goal)
    if len(goal ^ world.tower) <= 3:
        assert {frozenset(rules) for rules in asked(world, goal)} == world.smallest(goal), (world.data, text_of(goal))

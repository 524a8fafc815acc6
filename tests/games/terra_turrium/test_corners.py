"""Corners of the searches that random boards seldom reach, against the slow reference."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.terra_turrium import ruleset
from referee.games.terra_turrium.colours import Colour
from referee.games.terra_turrium.geometry import mask_of
from referee.games.terra_turrium.search.cubes import CubeSearch
from referee.games.terra_turrium.search.flags import FlagSearch
from referee.games.terra_turrium.search.walk import Budget
from tests.games.terra_turrium.drawn import FLAG_RULES, masks, side, some_block, some_rules
from tests.games.terra_turrium.reference import FlagReference, Player, cubes_explicable, neighbours

EXAMPLES = settings().max_examples
RED = frozenset({Colour.RED})


@settings(max_examples=EXAMPLES)
@given(seed=st.integers(0, 10**9))
def test_interior_stacks_are_opened_by_cubes_that_come_back(seed: int) -> None:
    """A cube of a foreign stack amid others was taken: some of those may have been lifted and put back."""
    rnd = random.Random(seed)
    edition, reading = rnd.choice(["kosmos-1990", "ludibay-fr"]), rnd.choice(["path", "line"])
    variants = frozenset({"pro"} if edition == "kosmos-1990" and rnd.random() < 0.5 else ())
    rules = ruleset.rule_set(edition, 4, variants, reading, rnd.choice(["allowed", "allowed", "forbidden"]))
    centre = rnd.choice([22, 27, 45, 54, 72, 77])
    before = dict.fromkeys(neighbours(centre), 1) | {centre: rnd.choice([1, 2])}
    for field in list(before):
        if field != centre:
            before[field] = rnd.choice([0, 1, 1, 1, 2, 3])
            for beyond in neighbours(field):
                if beyond not in before and rnd.random() < 0.25:
                    before[beyond] = rnd.choice([1, 2])
    flags = frozenset(f for f in before if f != centre and rnd.random() < 0.15)
    after = dict(before)
    for _ in range(rnd.choice([1, 1, 2])):
        after[centre] -= min(1, after[centre])
    after[99] = sum(before.values()) - sum(after.values())
    player = Player(frozenset({rnd.choice(["nw", "ne", "se", "sw"])}), frozenset())
    grids = [tuple(heights.get(i, 0) for i in range(100)) for heights in (before, after)]
    search = CubeSearch(rules, side(rules, player, RED), grids[0], grids[1], mask_of(flags))
    stacks = {f: h for f, h in before.items() if h}
    slow = cubes_explicable(rules, player, stacks, after, flags, frozenset())
    assert (search.plan(frozenset()) is not None) is slow


@settings(max_examples=EXAMPLES)
@given(seed=st.integers(0, 10**9))
def test_flags_that_appear_or_vanish(seed: int) -> None:
    """Own flags are too many or too few, captures among them, with and without limits of points and flags passed."""
    rnd = random.Random(seed)
    rules = some_rules(rnd)
    player = Player(frozenset({"nw"}), frozenset({"nw", "ne", "se", "sw"}), rnd.choice([0, 0, 1]))
    rules = replace(rules, opening=None)
    block = some_block(rnd, [0, 1, 1, 2, 2, 3])
    places = rnd.sample(sorted(block), len(block))
    own = frozenset(places[: rnd.choice([0, 1, 2])])
    foreign = dict.fromkeys(places[len(own) : len(own) + rnd.choice([0, 1, 2])], 2)
    foreign_after = {f: c for f, c in foreign.items() if rnd.random() < 0.4}
    free = [f for f in places if f not in foreign_after]
    more = rnd.choice([-1, -1, 1, 2])
    wanted = max(0, len(own) + more + (player.hand if more > 0 else 0))
    own_after = frozenset(rnd.sample(free, min(len(free), wanted)))
    grid = tuple(block.get(i, 0) for i in range(100))
    before, after = masks(set(own), foreign), masks(set(own_after), foreign_after)
    search = FlagSearch(rules, side(rules, player, RED), grid, before, after)
    if not search.certain:
        return
    reference = FlagReference(
        rules,
        player,
        {f: h for f, h in block.items() if h},
        (own, foreign),
        (own_after, foreign_after),
        frozenset({int(Colour.RED)}),
        most_states=250,
    )
    for _ in range(2):
        lifted = search.certain | {rule for rule in FLAG_RULES if rnd.random() < 0.3}
        slow = reference.explicable(lifted)
        if slow is not None:
            assert search.explicable(lifted, Budget(10**6)) is slow, sorted(lifted)

"""The engine's searches agree with the slow reference on small random boards, for every edition and variant."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.terra_turrium import ruleset
from referee.games.terra_turrium.colours import Colour
from referee.games.terra_turrium.geometry import TERRITORIES, mask_of
from referee.games.terra_turrium.search.cubes import CubeSearch
from referee.games.terra_turrium.search.flags import FlagSearch
from referee.games.terra_turrium.search.walk import Budget
from tests.games.terra_turrium.drawn import FLAG_RULES, masks, side, some_block, some_rules
from tests.games.terra_turrium.reference import FlagReference, Player, cubes_explicable, neighbours

CUBE_RULES = [rule for rule in ruleset.PREFERENCE if rule.startswith(("take", "build", "cubes"))]


def some_player(rnd: random.Random, rules: ruleset.RuleSet) -> Player:
    n = rnd.randrange(4)
    own = {TERRITORIES[n]} | ({TERRITORIES[(n + rnd.choice([1, 2])) % 4]} if rules.players == 2 else set())
    team = own | ({TERRITORIES[(n + 1) % 4]} if rules.teams else set())
    opened = rnd.random() < 0.7
    captures = None if rules.opening is None else rnd.choice([0, 1, 2]) if opened else 0
    reserve = rnd.choice([0, 1, 2]) if rules.reserves else 0
    hand, attacks = rnd.choice([0, 0, 0, 1, 2]), rnd.choice([0, 4, 5])
    return Player(frozenset(own), frozenset(team), hand, attacks, reserve, captures, opened)


def lifted_rules(rnd: random.Random, among: list[ruleset.RuleId]) -> frozenset[ruleset.RuleId]:
    chance = rnd.choice([0.0, 0.1, 0.4])
    return frozenset(rule for rule in among if rnd.random() < chance)


def changed_heights(rnd: random.Random, before: dict[int, int], flags: frozenset[int]) -> dict[int, int]:
    heights = dict(before)
    for _ in range(rnd.choice([0, 1, 2, 2, 3, 3, 3, 4])):
        if fields := [f for f, h in heights.items() if h and (f not in flags or rnd.random() < 0.1)]:
            heights[rnd.choice(fields)] -= 1
    for _ in range(rnd.choice([0, 1, 2, 3, 3, 3])):
        field = rnd.choice([*heights, rnd.randrange(100)])
        if field not in flags or rnd.random() < 0.1:
            heights[field] = heights.get(field, 0) + 1
    return heights


@pytest.mark.long
@settings(max_examples=4 * settings().max_examples)
@given(seed=st.integers(0, 10**9))
def test_heights_are_explained_as_by_trying_everything(seed: int) -> None:
    rnd = random.Random(seed)
    rules = some_rules(rnd)
    player = some_player(rnd, rules)
    before = some_block(rnd, [0, 1, 1, 1, 2, 3])
    if rnd.random() < 0.5:
        for field in list(before):
            for beside in neighbours(field):
                before.setdefault(beside, rnd.choice([0, 1, 1, 1, 2]))
    while sum(h > 0 for h in before.values()) > 12:
        before.pop(rnd.choice(list(before)))
    flags = frozenset(f for f in before if rnd.random() < 0.2)
    after = changed_heights(rnd, before, flags)
    grids = [tuple(heights.get(i, 0) for i in range(100)) for heights in (before, after)]
    search = CubeSearch(rules, side(rules, player, frozenset({Colour.RED})), grids[0], grids[1], mask_of(flags))
    for lifted in (lifted_rules(rnd, CUBE_RULES), lifted_rules(rnd, CUBE_RULES) | search.forced):
        stacks = {f: h for f, h in before.items() if h}
        slow = cubes_explicable(rules, player, stacks, after, flags, lifted)
        assert (search.plan(lifted) is not None) is slow, sorted(lifted)


def changed_flags(
    rnd: random.Random, block: dict[int, int], own: set[int], foreign: dict[int, int], hand: int
) -> tuple[set[int], dict[int, int]]:
    own, foreign = set(own), {f: c for f, c in foreign.items() if rnd.random() < 0.55}
    for _ in range(rnd.choice([0, 1, 2, 3, 5, 8])):
        if own:
            start = rnd.choice(sorted(own))
            ends = [
                f
                for f in neighbours(start)
                if f not in own and f not in foreign and (f in block or rnd.random() < 0.05)
            ]
            if ends:
                own = own - {start} | {rnd.choice(ends)}
    free = [f for f in block if f not in own and f not in foreign]
    rnd.shuffle(free)
    for _ in range(hand if rnd.random() < 0.7 else int(rnd.random() < 0.1)):
        own |= {free.pop()} if free else set()
    if rnd.random() < 0.1 and own:
        own.pop()
    if rnd.random() < 0.06 and free:
        foreign[free.pop()] = 2
    return own, foreign


@pytest.mark.long
@settings(max_examples=4 * settings().max_examples)
@given(seed=st.integers(0, 10**9))
def test_flags_are_explained_as_by_trying_everything(seed: int) -> None:
    rnd = random.Random(seed)
    rules = some_rules(rnd)
    player = some_player(rnd, rules)
    block = some_block(rnd, [0, 1, 1, 1, 2, 2, 3])
    stands = {f: rnd.choice([1, 1, 2, 3]) for f in block if rnd.random() < 0.5}
    own = set([f for f, c in stands.items() if c == 1][:3])
    foreign = {f: c for f, c in stands.items() if c != 1}
    own_after, foreign_after = changed_flags(rnd, block, own, foreign, player.hand)
    mates = frozenset({Colour.RED, Colour.YELLOW} if rules.teams else {Colour.RED})
    grid = tuple(block.get(i, 0) for i in range(100))
    search = FlagSearch(rules, side(rules, player, mates), grid, masks(own, foreign), masks(own_after, foreign_after))
    reference = FlagReference(
        rules,
        player,
        {f: h for f, h in block.items() if h},
        (frozenset(own), foreign),
        (frozenset(own_after), foreign_after),
        frozenset(int(mate) for mate in mates),
        most_states=6_000,
    )
    more = len(own_after) - len(own)
    countable = 0 <= more <= player.hand
    for lifted in (lifted_rules(rnd, FLAG_RULES), lifted_rules(rnd, FLAG_RULES) | search.certain):
        lifted = lifted - {ruleset.FLAG_COUNT} if countable else lifted
        slow = reference.explicable(lifted)
        if slow is not None:
            assert search.explicable(lifted, Budget(10**6)) is slow, sorted(lifted)
            assert not slow or search.plan(lifted) is not None


def test_the_reference_knows_an_interior_stack() -> None:
    ring = Counter(dict.fromkeys((33, 34, 35, 43, 45, 53, 54, 55), 1))
    rules = ruleset.rule_set("ludibay-fr", 4, frozenset(), "path", "allowed")
    player = Player(frozenset({"ne"}), frozenset({"ne"}))
    before = {**ring, 44: 1}
    after = {**ring, 44: 0, 99: 1}
    assert not cubes_explicable(rules, player, before, after, frozenset(), frozenset())
    assert cubes_explicable(rules, player, before, after, frozenset(), frozenset({"take.interior"}))

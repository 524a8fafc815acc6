"""Draw rule sets, boards and blocks for the engine and its reference."""

from __future__ import annotations

import random

from referee.games.terra_turrium import ruleset
from referee.games.terra_turrium.colours import Colour
from referee.games.terra_turrium.geometry import TERRITORIES, TERRITORY_MASKS, mask_of
from referee.games.terra_turrium.position.position import Side
from tests.games.terra_turrium.reference import Player

FLAG_RULES = [rule for rule in ruleset.PREFERENCE if rule.startswith(("move", "enter", "capture", "flag"))]


COMBINATIONS = [
    ("kosmos-1990", 4, ()),
    ("kosmos-1990", 4, ("team",)),
    ("kosmos-1990", 4, ("pro", "handicap")),
    ("kosmos-1990", 3, ("handicap",)),
    ("kosmos-1990", 2, ()),
    ("ludibay-fr", 4, ("burgenland",)),
    ("ludibay-fr", 3, ()),
    ("ludibay-fr", 2, ("burgenland",)),
]


CORNERS = (0, 2, 5, 11, 18, 22, 27, 34, 42, 44, 80)


def some_rules(rnd: random.Random) -> ruleset.RuleSet:
    edition, players, variants = rnd.choice(COMBINATIONS)
    returned = rnd.choice(["allowed", "allowed", "forbidden"])
    return ruleset.rule_set(edition, players, frozenset(variants), rnd.choice(["path", "line"]), returned)


def side(rules: ruleset.RuleSet, player: Player, mates: frozenset[Colour]) -> Side:
    own = sum(TERRITORY_MASKS[TERRITORIES.index(t)] for t in player.own)
    home = sum(TERRITORY_MASKS[TERRITORIES.index(t)] for t in player.team)
    limits = [(mask, rules.foreign_each) for mask in TERRITORY_MASKS if not mask & own]
    if rules.foreign_each is None:
        limits = [] if rules.foreign_all is None else [((1 << 100) - 1 & ~own, rules.foreign_all)]
    if rules.team_takes is not None:
        limits.append((home, rules.team_takes))
    return Side(
        Colour.RED,
        own,
        home,
        mates,
        tuple((mask, most) for mask, most in limits if most is not None),
        player.hand,
        player.attacks,
        player.reserve,
        player.captures,
        player.captures_open,
    )


def some_block(rnd: random.Random, heights: list[int]) -> dict[int, int]:
    corner = rnd.choice(CORNERS)
    fields = [corner + 10 * r + c for r in range(rnd.choice([1, 2, 3])) for c in range(rnd.choice([2, 3, 4]))]
    return {f: rnd.choice(heights) for f in fields if f < 100 and f % 10 >= corner % 10}


def masks(own: set[int], foreign: dict[int, int]) -> tuple[int, ...]:
    found = [0, mask_of(own), 0, 0, 0]
    for field, colour in foreign.items():
        found[colour] |= 1 << field
    found[0] = found[1] | found[2] | found[3]
    return tuple(found)

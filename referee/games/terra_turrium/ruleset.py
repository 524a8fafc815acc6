"""Describe the rules as data: one frozen value made from edition, number of players, variants and options.

Everything that judges a turn asks this description; nothing else asks for an edition or a variant by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from referee.games.contract import RequestError, RuleId
from referee.games.terra_turrium.geometry import COUNT, RING, mask_of

TAKE_COUNT = RuleId("take.count")
TAKE_TERRITORY = RuleId("take.territory")
TAKE_INTERIOR = RuleId("take.interior")
TAKE_OCCUPIED = RuleId("take.occupied")
BUILD_OCCUPIED = RuleId("build.occupied")
BUILD_OUTSIDE = RuleId("build.outside")
CUBES_CONSERVED = RuleId("cubes.conserved")
MOVE_POINTS = RuleId("move.points")
MOVE_STEP = RuleId("move.step")
MOVE_GROUND = RuleId("move.ground")
MOVE_BLOCKED = RuleId("move.blocked")
ENTER_CELL = RuleId("enter.cell")
CAPTURE_ATTACKS = RuleId("capture.attacks")
CAPTURE_CLOSED = RuleId("capture.closed")
CAPTURE_QUOTA = RuleId("capture.quota")
MOVE_OWN = RuleId("move.own")
FLAG_COUNT = RuleId("flag.count")
TURN_ORDER = RuleId("turn.order")
TURN_PHASE = RuleId("turn.phase")
"""Acts out of the order take, build, move: found only where frames or a record's acts show the order."""
CAPTURE = RuleId("capture")
"""A capture where there is nothing to capture: only a record can claim one."""
SETUP_HEIGHT = RuleId("setup.height")
SETUP_FLAGS = RuleId("setup.flags")
"""How a set-up can differ from the sheet's."""

PREFERENCE = (
    TAKE_COUNT,
    TAKE_TERRITORY,
    TAKE_INTERIOR,
    TAKE_OCCUPIED,
    BUILD_OCCUPIED,
    BUILD_OUTSIDE,
    CUBES_CONSERVED,
    MOVE_POINTS,
    MOVE_STEP,
    MOVE_GROUND,
    MOVE_BLOCKED,
    ENTER_CELL,
    CAPTURE_ATTACKS,
    CAPTURE_CLOSED,
    CAPTURE_QUOTA,
    MOVE_OWN,
    FLAG_COUNT,
    TURN_ORDER,
    TURN_PHASE,
)
RANK = {rule: rank for rank, rule in enumerate(PREFERENCE)}

Lifted = frozenset[RuleId]
"""A set of rules taken as lifted."""

FLAGS_EACH = 6
POINTS = 5
ATTACKS = 5


def in_order(lifted: Lifted) -> tuple[RuleId, ...]:
    """Return the rules of a set in the order of preference."""
    return tuple(sorted(lifted, key=RANK.__getitem__))


def preference(lifted: Lifted) -> tuple[int, ...]:
    """Return the key by which sets of equal size are preferred."""
    return tuple(RANK[rule] for rule in in_order(lifted))


@dataclass(frozen=True, slots=True)
class RuleSet:
    """What the rules are at one table.

    take_counts: how many cubes a turn may take. foreign_each, foreign_all: most cubes from each foreign territory
    and from all of them together, ``None`` without limit. team_takes: most cubes from the team's own territories.
    returned_cubes: whether a field may be both taken from and built on in one turn. exterior: the reading of
    "exterior". outside: fields out of play. low_entry: captured flags come back onto stacks of height 1 in the
    ``entry_row`` of the own territory (else onto any exterior stack). goal: the heights six flags must stand on.
    hold_from: towers of at least this height must hold for one round, ``None`` where the goal wins at once.
    opening: the heights that open captures, ``None`` where captures need no opening; quota: captures a player has
    from then on.
    """

    edition: str
    players: int
    setup: tuple[int, ...]
    outside: int
    take_counts: frozenset[int] = frozenset({3})
    foreign_each: int | None = 1
    foreign_all: int | None = None
    team_takes: int | None = None
    returned_cubes: bool = True
    exterior: str = "path"
    low_entry: bool = True
    entry_row: int = 0
    goal: tuple[int, ...] = (6, 5, 4, 3, 2, 1)
    hold_from: int | None = None
    teams: bool = False
    reserves: bool = False
    opening: tuple[int, ...] | None = None
    quota: int = 2

    @property
    def cubes(self) -> int:
        """Return the number of cubes in the game."""
        return sum(self.setup)


@dataclass(frozen=True, slots=True)
class _SetUp:
    """Rings out of play, the ring of re-entry, the ring from which stacks are two high (5: none)."""

    rings_out: int
    entry_ring: int
    double_from: int = 5


_SET_UPS: Mapping[str, Mapping[int, _SetUp]] = {
    "kosmos-1990": {4: _SetUp(0, 0, 3), 3: _SetUp(1, 1, 3), 2: _SetUp(1, 1)},
    "ludibay-fr": {4: _SetUp(0, 0, 3), 3: _SetUp(1, 1, 3), 2: _SetUp(2, 2)},
}
EDITIONS = tuple(_SET_UPS)

_COMBINATIONS: Mapping[str, Mapping[int, frozenset[frozenset[str]]]] = {
    "kosmos-1990": {
        players: frozenset(
            frozenset(combination) for combination in ((), ("pro",), ("handicap",), ("pro", "handicap"), *extra)
        )
        for players, extra in ((2, ()), (3, ()), (4, (("team",), ("team", "handicap"))))
    },
    "ludibay-fr": {players: frozenset({frozenset(), frozenset({"burgenland"})}) for players in (2, 3, 4)},
}
VARIANTS = ("team", "handicap", "pro", "burgenland")

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "exterior": ("path", "line"),
    "returned_cubes": ("allowed", "forbidden"),
    "two_player_territories": ("adjacent", "opposite"),
}
"""The options and their values, the default first. Who owns which of two players' territories is in the seats."""


@lru_cache(maxsize=256)
def rule_set(edition: str, players: int, variants: frozenset[str], exterior: str, returned_cubes: str) -> RuleSet:
    """Describe the rules of one table. Raises RequestError for variants that don't go together."""
    if variants not in _COMBINATIONS[edition][players]:
        known = sorted("+".join(sorted(c)) or "none" for c in _COMBINATIONS[edition][players])
        raise RequestError(
            "variants",
            f"variants: {'+'.join(sorted(variants))} is not defined for {edition} with {players} players: "
            f"use one of {', '.join(known)}",
        )
    rules = _edition_rules(edition, players)
    rules = replace(rules, exterior=exterior, returned_cubes=returned_cubes == "allowed")
    for variant in sorted(variants):
        rules = _with_variant(rules, variant)
    return rules


def _edition_rules(edition: str, players: int) -> RuleSet:
    set_up = _SET_UPS[edition][players]
    setup = tuple(
        0 if ring < set_up.rings_out else 2 if ring >= set_up.double_from else 1
        for ring in (RING[i] for i in range(COUNT))
    )
    rules = RuleSet(
        edition=edition,
        players=players,
        setup=setup,
        outside=mask_of(i for i in range(COUNT) if RING[i] < set_up.rings_out),
        entry_row=mask_of(i for i in range(COUNT) if RING[i] == set_up.entry_ring),
    )
    if edition == "ludibay-fr":
        return replace(rules, take_counts=frozenset({1, 2, 3}), foreign_each=None, foreign_all=1, low_entry=False)
    return replace(rules, foreign_each=None) if players == 2 else rules


def _with_variant(rules: RuleSet, variant: str) -> RuleSet:
    if variant == "team":
        return replace(rules, teams=True, foreign_each=None, team_takes=0)
    if variant == "handicap":
        return replace(rules, reserves=True)
    if variant == "pro":
        return replace(rules, goal=(7, 6, 5, 4, 3, 2), hold_from=5, foreign_each=None)
    return replace(rules, opening=(5, 4, 4, 3, 2, 1))

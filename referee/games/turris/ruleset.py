"""Describe the rules as data: their names, the order in which they are preferred, and the readings of one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.games.contract import RuleId

LEVEL_CENTRE = RuleId("level.centre")
BONUS_REFILL = RuleId("bonus.refill")
BONUS_LAST = RuleId("bonus.last")
BONUS_LEVELS = RuleId("bonus.levels")
BONUS_LAY = RuleId("bonus.lay")
PLACE_STRADDLE = RuleId("place.straddle")
PLACE_STANDING = RuleId("place.standing")
PLACE_TOUCH = RuleId("place.touch")
LEVEL_OPEN = RuleId("level.open")
REST_FULL = RuleId("rest.full")
BONUS_SUPPORT = RuleId("bonus.support")
BONUS_REMOVE = RuleId("bonus.remove")
BONUS_EARNED = RuleId("bonus.earned")
BAR_ONE = RuleId("bar.one")
BAR_COLOUR = RuleId("bar.colour")
BAR_SUPPLY = RuleId("bar.supply")
PLAN_FOOTPRINT = RuleId("plan.footprint")
"""Never named by a ruling: a tower text has no place outside."""
BAR_FIXED = RuleId("bar.fixed")
TURN_PASS = RuleId("turn.pass")
TURN_ORDER = RuleId("turn.order")
SETUP_EMPTY = RuleId("setup.empty")
"""How a set-up can differ from the sheet's."""

PREFERENCE = (
    LEVEL_CENTRE,
    BONUS_REFILL,
    BONUS_LAST,
    BONUS_LEVELS,
    BONUS_LAY,
    PLACE_STRADDLE,
    PLACE_STANDING,
    PLACE_TOUCH,
    LEVEL_OPEN,
    REST_FULL,
    BONUS_SUPPORT,
    BONUS_REMOVE,
    BONUS_EARNED,
    BAR_ONE,
    BAR_COLOUR,
    BAR_SUPPLY,
    PLAN_FOOTPRINT,
    BAR_FIXED,
    TURN_PASS,
    TURN_ORDER,
)

Broken = int
"""A set of rules, a bit for each, in the order of preference."""

BIT: Mapping[RuleId, Broken] = {rule: 1 << rank for rank, rule in enumerate(PREFERENCE)}


def in_order(broken: Broken) -> tuple[RuleId, ...]:
    """Return the rules of a set in the order of preference."""
    return tuple(rule for rule in PREFERENCE if broken & BIT[rule])


def preference(broken: Broken) -> tuple[int, ...]:
    """Return the key by which sets of equal size are preferred."""
    return tuple(rank for rank in range(len(PREFERENCE)) if broken >> rank & 1)


OPTIONS: Mapping[str, tuple[str, ...]] = {
    "frame": ("fixed", "floating"),
    "pass": ("forced", "never", "free"),
    "first_bars": ("each", "first"),
    "centre_levels": ("each", "base"),
    "centre_edge": ("outer", "corner"),
    "bonus_chain": ("yes", "no"),
    "last_bars": ("one", "turn"),
    "refill": ("any", "same"),
    "recessed": ("count", "ignore"),
}
"""The options and their values, the default first."""

EDITION = "fr"


@dataclass(frozen=True)
class TurrisRules:
    """The readings chosen at one table; ``options`` as they were given, absent ones have their default."""

    options: Mapping[str, str] = field(default_factory=dict)
    floating: bool = field(init=False)
    passing: str = field(init=False)
    each_first: bool = field(init=False)
    centre_each: bool = field(init=False)
    centre_corner: bool = field(init=False)
    chain: bool = field(init=False)
    last_turn: bool = field(init=False)
    refill_least: int = field(init=False)
    recessed: bool = field(init=False)

    def __post_init__(self) -> None:
        chosen = {key: self.options.get(key, values[0]) for key, values in OPTIONS.items()}
        for name, value in (
            ("floating", chosen["frame"] == "floating"),
            ("passing", chosen["pass"]),
            ("each_first", chosen["first_bars"] == "each"),
            ("centre_each", chosen["centre_levels"] == "each"),
            ("centre_corner", chosen["centre_edge"] == "corner"),
            ("chain", chosen["bonus_chain"] == "yes"),
            ("last_turn", chosen["last_bars"] == "turn"),
            ("refill_least", 1 if chosen["refill"] == "any" else 2),
            ("recessed", chosen["recessed"] == "count"),
        ):
            object.__setattr__(self, name, value)

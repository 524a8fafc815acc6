"""Describe the rules as data: rule ids, their preference, options and supplies, and one table's frozen choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from referee.games.contract import RuleId

GAME_NAME = "torres"
EDITIONS = ("fr-1999",)
VARIANTS = ("own-deck", "master")
STAGES = ("castles", "knights", "king", "play", "finished")
KINDS = ("door", "shift", "diagonal", "extra", "under", "leap", "ap6", "ap7", "relocate", "jump")
"""The action cards, in the order of the table in which they are asked for."""
BLOCK_KINDS = frozenset({"shift", "extra", "under"})
"""Cards that move blocks."""
KNIGHT_KINDS = frozenset({"door", "diagonal", "leap", "relocate", "jump"})
"""Cards that move an own knight."""
MASTERS = ("level", "levels", "group", "line", "square", "castles", "diagonals", "edge")

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "leftover": ("three", "free"),
    "phase_leftover": ("returned", "kept"),
    "spare_ap": ("lost", "points"),
    "doors": ("any", "path", "closed"),
    "card_cost": ("free", "act"),
    "jump_over": ("foreign", "any"),
    "score_order": ("table", "track"),
    "phase_start": ("leader", "chosen", "same"),
    "square": ("any", "block"),
}
"""The readings that can be chosen, the default first; ``master_min`` is a number."""

SETUP_CASTLES = RuleId("setup.castles")
SETUP_KNIGHT = RuleId("setup.knight")
SETUP_KING = RuleId("setup.king")
KING_MOVE = RuleId("king.move")
"""Rules of the stages outside turns."""

CARD_DECLARED = RuleId("card.declared")
BUILD_SUPPLY = RuleId("build.supply")
CARD_HELD = RuleId("card.held")
CARD_FRESH = RuleId("card.fresh")
CARD_BUY = RuleId("card.buy")
CARD_ONE = RuleId("card.one")
BUILD_HEIGHT = RuleId("build.height")
BUILD_NEW = RuleId("build.new")
BUILD_JOIN = RuleId("build.join")
BUILD_OCCUPIED = RuleId("build.occupied")
KNIGHT_CLIMB = RuleId("knight.climb")
KNIGHT_DOOR = RuleId("knight.door")
KNIGHT_BLOCKED = RuleId("knight.blocked")
AP_BUDGET = RuleId("ap.budget")
KNIGHT_STEP = RuleId("knight.step")
KNIGHT_PLACE = RuleId("knight.place")
KNIGHT_SUPPLY = RuleId("knight.supply")
CARD_RULE: Mapping[str, RuleId] = {kind: RuleId(f"card.{kind}") for kind in KINDS}
"""Each card's own id."""
KING_STILL = RuleId("king.still")
BLOCKS_FIXED = RuleId("blocks.fixed")
TURN_ORDER = RuleId("turn.order")
KNIGHT_OWN = RuleId("knight.own")

PREFERENCE = (
    CARD_DECLARED,
    BUILD_SUPPLY,
    CARD_HELD,
    CARD_FRESH,
    CARD_BUY,
    CARD_ONE,
    BUILD_HEIGHT,
    BUILD_NEW,
    BUILD_JOIN,
    BUILD_OCCUPIED,
    KNIGHT_CLIMB,
    KNIGHT_DOOR,
    KNIGHT_BLOCKED,
    AP_BUDGET,
    KNIGHT_STEP,
    KNIGHT_PLACE,
    KNIGHT_SUPPLY,
    *CARD_RULE.values(),
    KING_STILL,
    BLOCKS_FIXED,
    TURN_ORDER,
    KNIGHT_OWN,
)
"""Among smallest sets of equal size the one that comes first by this order is named."""
RANK = {rule: rank for rank, rule in enumerate(PREFERENCE)}

Lifted = frozenset[RuleId]
"""A set of rules taken as lifted."""

KNIGHTS_EACH = 6
BLOCKS = 92
AP = 5
BONUS_AP: Mapping[str, int] = {"ap6": 6, "ap7": 7}
EXCESS_AP = 3
"""With ``ap.budget`` lifted a turn may cost so many AP more."""
MOST_AP = max(BONUS_AP.values()) + EXCESS_AP
"""More AP than any turn has, even with ``ap.budget`` lifted, need not be thought of."""
MOST_BOUGHT = 2
KIND_COPIES = 4
START_FIELDS = ("D8", "C6", "F6", "H5", "A4", "C3", "F3", "E1")
CASTLES = len(START_FIELDS)
FEWEST_CASTLES = 6
"""So many castles must stand after ``card.shift``."""
START_DISTANCE = 3
"""Two start blocks are at least so many steps apart."""
PHASES = 3
STACK_LIMIT = 3
KING_POINTS = 5

ROUNDS: Mapping[int, tuple[int, int, int]] = {2: (4, 4, 4), 3: (4, 3, 3), 4: (4, 3, 3)}
"""Rounds of each phase, by the number of players."""
_STACKS: Mapping[int, tuple[tuple[int, ...], ...]] = {
    2: ((3, 3, 3, 3), (3, 3, 3, 3), (3, 3, 3, 3)),
    3: ((3, 3, 2, 2), (3, 3, 2), (3, 3, 2)),
    4: ((2, 2, 2, 2), (2, 2, 2), (2, 2, 2)),
}


def in_order(lifted: Lifted) -> tuple[RuleId, ...]:
    """Return the rules of a set in the order of preference."""
    return tuple(sorted(lifted, key=RANK.__getitem__))


def preference(lifted: Lifted) -> tuple[int, ...]:
    """Return the key by which sets of equal size are preferred."""
    return tuple(sorted(RANK[rule] for rule in lifted))


@dataclass(frozen=True, slots=True)
class TorresRules:
    """What the rules are at one table; the readings as OPTIONS names them.

    players: their number. deck_each: each kind is played once a player instead of four times in the game. master: the
    master version is played. master_min: the least number of knights for a master card after phase 3.
    """

    players: int
    deck_each: bool = False
    master: bool = False
    leftover: str = "three"
    phase_leftover: str = "returned"
    spare_ap: str = "lost"
    doors: str = "any"
    card_cost: str = "free"
    jump_over: str = "foreign"
    score_order: str = "table"
    phase_start: str = "leader"
    square: str = "any"
    master_min: int = 1

    @property
    def rounds(self) -> tuple[int, int, int]:
        """Return the number of rounds of each phase."""
        return ROUNDS[self.players]

    @property
    def most_bought(self) -> int:
        """Return how many cards may be bought in a turn."""
        return 0 if self.master else MOST_BOUGHT

    @property
    def stack_limit(self) -> int | None:
        """Return how high unused blocks make a stack at most; ``None`` without limit."""
        return None if self.leftover == "free" and self.players > 2 else STACK_LIMIT

    def stacks(self, phase: int) -> tuple[int, ...]:
        """Return the supply stacks a player gets in a phase."""
        return _STACKS[self.players][phase - 1]

    def price(self, kind: str) -> int:
        """Return the AP the act on a card costs."""
        if self.card_cost == "free" or kind in BONUS_AP:
            return 0
        return 2 if kind == "relocate" else 1

    def turn_number(self, phase: int, round_: int, place: int) -> int:
        """Return the number of a turn: of the player at a place (from 0) in the order of the round."""
        return 1 + self.players * (sum(self.rounds[: phase - 1]) + round_ - 1) + place

    @property
    def opening_reserve(self) -> int:
        """Return the reserve once the start blocks and the stacks of phase 1 are taken out."""
        return BLOCKS - CASTLES - self.players * sum(self.stacks(1))


@cache
def budget(kinds: frozenset[str]) -> int:
    """Return the AP of a turn in which cards of some kinds are used."""
    return max((BONUS_AP[kind] for kind in kinds if kind in BONUS_AP), default=AP)

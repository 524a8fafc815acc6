"""Hold what one search is asked: the two boards, the player judged, and what that player may do in the turn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from referee.games.torres.board import TorresBoard
from referee.games.torres.colours import KING, KnightColour
from referee.games.torres.ruleset import (
    AP_BUDGET,
    BLOCKS_FIXED,
    CARD_RULE,
    EXCESS_AP,
    KNIGHTS_EACH,
    Lifted,
    TorresRules,
    budget,
)


@dataclass(frozen=True)
class TorresScene:
    """The boards before and after a turn, the rules of the table, and the common reserve."""

    rules: TorresRules
    before: TorresBoard
    after: TorresBoard
    reserve: int

    @cached_property
    def rises(self) -> tuple[int, ...]:
        """Return the fields that are higher than before."""
        return tuple(i for i, (a, b) in enumerate(self._heights) if b > a)

    @cached_property
    def falls(self) -> tuple[int, ...]:
        """Return the fields that are lower than before."""
        return tuple(i for i, (a, b) in enumerate(self._heights) if b < a)

    @cached_property
    def changed(self) -> tuple[int, ...]:
        """Return the fields on which anything is otherwise."""
        before = zip(self.before.heights, self.before.pieces, strict=True)
        after = zip(self.after.heights, self.after.pieces, strict=True)
        return tuple(i for i, (was, now) in enumerate(zip(before, after, strict=True)) if was != now)

    @cached_property
    def fallen(self) -> int:
        """Return how many blocks are missing where fields are lower."""
        return sum(a - b for a, b in self._heights if b < a)

    @cached_property
    def more(self) -> int:
        """Return how many blocks are on the board more than before; negative for fewer."""
        return sum(self.after.heights) - sum(self.before.heights)

    @property
    def _heights(self) -> zip[tuple[int, int]]:
        return zip(self.before.heights, self.after.heights, strict=True)

    def foreign(self, player: KnightColour) -> Foreign:
        """Return how the pieces that are not the player's stand."""
        own = player.letter
        was, now = self.before.masks, self.after.masks
        pieces = {}
        for letter in sorted({letter for letter in (*was, *now) if letter != own}):
            a, b = was.get(letter, 0), now.get(letter, 0)
            pieces[letter] = Change(a & b, a & ~b, b & ~a)
        knights = [change for letter, change in pieces.items() if letter != KING]
        return Foreign(_joined(knights), pieces.get(KING, Change(0, 0, 0)))


@dataclass(frozen=True, slots=True)
class Change:
    """Fields of some pieces: where they still stand, are gone, have come."""

    still: int
    gone: int
    come: int


def _joined(changes: list[Change]) -> Change:
    still = gone = come = 0
    for change in changes:
        still |= change.still
        gone |= change.gone
        come |= change.come
    return Change(still, gone, come)


@dataclass(frozen=True, slots=True)
class Foreign:
    """How the knights of others and the king stand before and after."""

    knights: Change
    king: Change

    @property
    def still(self) -> int:
        """Return the fields of pieces nobody has touched."""
        return self.knights.still | self.king.still


@dataclass(frozen=True)
class TurnTask:
    """One search. player: whose turn it is judged to be. lifted: rules taken as lifted.

    cards: the kinds of card that may be used, each once. limit: blocks of the chosen stack; total: blocks of all
    stacks. spent: AP that are bought cards and points. declared: the kind that was declared.
    """

    scene: TorresScene
    player: KnightColour
    lifted: Lifted
    cards: tuple[str, ...]
    declared: str | None
    limit: int
    total: int
    spent: int

    @property
    def room(self) -> int:
        """Return the AP that acts may cost; negative where bought cards and points alone cost too much."""
        most = budget(frozenset(self.cards)) + (EXCESS_AP if AP_BUDGET in self.lifted else 0)
        return most - self.spent

    @property
    def by_hand(self) -> bool:
        """Return whether blocks may have been moved by hand."""
        return BLOCKS_FIXED in self.lifted and self.scene.fallen > 0

    def free(self, kind: str) -> bool:
        """Return whether the act on a card is free of all conditions."""
        return kind == self.declared and CARD_RULE[kind] in self.lifted

    def price(self, kind: str) -> int:
        """Return the AP the act on a card costs."""
        return self.scene.rules.price(kind)

    @cached_property
    def knights(self) -> tuple[int, int]:
        """Return the player's knights before and after, as sets of fields."""
        return self.scene.before.knights(self.player), self.scene.after.knights(self.player)

    @cached_property
    def foreign(self) -> Foreign:
        """Return how the pieces that are not the player's stand."""
        return self.scene.foreign(self.player)

    @cached_property
    def vanished(self) -> int:
        """Return how many of the player's knights are missing."""
        before, after = self.knights
        return max(0, before.bit_count() - after.bit_count())

    @cached_property
    def appeared(self) -> int:
        """Return how many of the player's knights are too many."""
        return max(0, self.knights[1].bit_count() - KNIGHTS_EACH)


HAND = "hand"
"""What stands in an act's place for a block taken away or put by hand."""

Act = tuple[str, int, int]
"""An act as searches write it: ``build``, ``place``, ``move``, ``door`` or ``card.`` and a kind, and its fields.

An act on one field has it twice."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A sequence of acts and what they cost together."""

    acts: tuple[Act, ...]
    cost: int

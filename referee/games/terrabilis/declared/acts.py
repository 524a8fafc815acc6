"""Hold the values a turn is judged from: declared acts, what cameras saw, and one request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from referee.games.terrabilis.copy.data import GameCopy
from referee.games.terrabilis.declared.entered import Entered, EnteredAgain
from referee.games.terrabilis.declared.seen import NOTHING_SEEN, LedgerSeen
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.position.ledger import TerrabilisPosition


@dataclass(frozen=True, slots=True)
class Roll:
    """A throw of both dice. by: whose act it is; ``None``: that of the player whose turn it is."""

    dice: tuple[int, int]
    by: Country | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """A card drawn from a pile."""

    pile: str
    by: Country | None = None


@dataclass(frozen=True, slots=True)
class Install:
    """An infrastructure laid out."""

    card: str
    by: Country | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    """An infrastructure thrown away from the hand."""

    card: str
    by: Country | None = None


@dataclass(frozen=True, slots=True)
class HazardDrawn:
    """A hazard drawn and carried out."""

    hazard: str
    by: Country | None = None


@dataclass(frozen=True, slots=True)
class Join:
    """Membership of the Alliance, bought or not."""

    joins: bool
    by: Country | None = None


@dataclass(frozen=True, slots=True)
class Quiz:
    """A question of a level, answered; prize: what a right answer was rewarded with."""

    level: str
    right: bool
    prize: str | None = None
    by: Country | None = None


@dataclass(frozen=True, slots=True)
class Choose:
    """A counter chosen to pour, or what a crisis is paid with."""

    what: str
    by: Country | None = None


@dataclass(frozen=True, slots=True)
class PourOrder:
    """The order in which both colours are poured: letters g and y."""

    counters: str
    by: Country | None = None


@dataclass(frozen=True, slots=True)
class TakeLoan:
    """A loan taken."""

    by: Country | None = None


@dataclass(frozen=True, slots=True)
class Repay:
    """A repayment of the oldest open loan."""

    by: Country | None = None


@dataclass(frozen=True, slots=True)
class Abandon:
    """Installed infrastructures thrown away."""

    cards: tuple[str, ...]
    by: Country | None = None


@dataclass(frozen=True, slots=True)
class Count:
    """Accounts that a player counted."""

    values: tuple[tuple[str, int], ...]
    by: Country | None = None


Declared: TypeAlias = (
    Roll
    | Draw
    | Install
    | Discard
    | HazardDrawn
    | Join
    | Quiz
    | Choose
    | PourOrder
    | TakeLoan
    | Repay
    | Abandon
    | Count
)


@dataclass(frozen=True, slots=True)
class TurnCase:
    """A turn to judge. entered: values of the copy told in it, which position and copy have already.

    against: those of them of which the copy said something else before.
    """

    position: TerrabilisPosition
    copy: GameCopy
    acts: tuple[Declared, ...]
    observed: LedgerSeen = NOTHING_SEEN
    entered: tuple[Entered, ...] = ()
    against: tuple[EnteredAgain, ...] = ()

    @property
    def last_roll(self) -> int | None:
        """Return the index of the last roll declared."""
        return max((i for i, act in enumerate(self.acts) if isinstance(act, Roll)), default=None)

    @property
    def roller(self) -> Country:
        """Return who rolled first; the player to move where nobody did."""
        first = next((act for act in self.acts if isinstance(act, Roll)), None)
        return self.position.to_move if first is None or first.by is None else first.by

    def whose(self, act: Declared) -> Country:
        """Return whose act it is."""
        return self.roller if act.by is None else act.by

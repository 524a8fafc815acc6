"""Hold the data of one copy: what its track, country cards, infrastructures, hazards and Alliance card say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property
from math import floor

from referee.games.contract import RequestError
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.text.copywords import ACCOUNT_NAMES, VALUE_NAMES
from referee.values.words import Words, say

SPACES = ("start", "develop", "hazard", "alliance", "quiz", "co2", "catastrophe", "conflict", "crisis", "blank")
"""The kinds of spaces of the track."""
KINDS = ("economic", "social", "energy")
"""The kinds of infrastructures, each with a pile of its own."""
TAGS = ("intensive-agriculture", "intensive-fishing", "fossil", "renewable")
UNSUSTAINABLE = frozenset({"intensive-agriculture", "intensive-fishing", "fossil"})
"""Tags that cost the highest title."""
WHO = ("self", "others", "all")
MODIFIED = ("co2", "catastrophe", "crisis")
"""Spaces whose money the Alliance may change for members."""


class MissingValueError(RequestError):
    """A value of a card that is needed now and was never entered. place: its keys in the copy's data."""

    def __init__(self, place: tuple[str, ...], card: str | Words) -> None:
        what = VALUE_NAMES[place[2]] if place[0] != "countries" else ACCOUNT_NAMES[place[2]]
        super().__init__("copy", say("{card}, {what}: this is missing, enter it.", card=card, what=what))
        self.place = place


@dataclass(frozen=True, slots=True)
class CountryCard:
    """What a country card gives at the start; ``None``: not entered yet."""

    money: int | None = None
    energy: int | None = None
    green: int | None = None
    yellow: int | None = None

    def value(self, colour: Country, name: str) -> int:
        """Return a value of the card. Raises MissingValueError."""
        found = {"money": self.money, "energy": self.energy, "green": self.green, "yellow": self.yellow}[name]
        if found is None:
            raise MissingValueError(("countries", colour.word, name), say("Country card of {who}", who=colour))
        return found


@dataclass(frozen=True, slots=True)
class Infrastructure:
    """An infrastructure card; all copies of it share its id.

    values: numbers by their name in the copy's data, without those not entered yet. Of ``green`` and ``yellow`` a
    negative number is poured, a positive one taken. tags: ``None`` where they were not entered yet.
    """

    id: str
    name: str
    kind: str
    values: Mapping[str, int]
    copies: int | None = None
    tags: frozenset[str] | None = None

    def value(self, name: str) -> int:
        """Return a number of the card. Raises MissingValueError."""
        if name not in self.values:
            raise MissingValueError(("infrastructures", self.id, name), self.name)
        return self.values[name]

    @property
    def unsustainable(self) -> bool:
        """Return whether it stands in the way of the highest title. Raises MissingValueError."""
        return bool(self._tags & UNSUSTAINABLE)

    @property
    def energy_income(self) -> int:
        """Return the energy it brings a lap: of renewables, and nothing else. Raises MissingValueError."""
        energy = self.value("energy_income")
        return energy if energy and "renewable" in self._tags else 0

    @property
    def _tags(self) -> frozenset[str]:
        if self.tags is None:
            raise MissingValueError(("infrastructures", self.id, "tags"), self.name)
        return self.tags


NUMBERS = ("price", "energy_cost", "green", "yellow", "income", "energy_income", "co2")
"""The numbers of an infrastructure."""


@dataclass(frozen=True, slots=True)
class HazardEntry:
    """One instruction of a hazard; numbers with the player's signs."""

    who: str
    money: int = 0
    energy: int = 0
    green: int = 0
    yellow: int = 0


@dataclass(frozen=True, slots=True)
class Hazard:
    """A hazard card. entries: ``None`` where they were not entered.

    free: whether it says something entries cannot say; the card's words, where they were entered.
    """

    id: str
    name: str
    entries: tuple[HazardEntry, ...] | None
    free: bool | str = False
    copies: int | None = None

    @property
    def instructions(self) -> tuple[HazardEntry, ...]:
        """Return the entries. Raises MissingValueError where neither they nor ``free`` were entered."""
        if self.entries is None:
            if self.free:
                return ()
            raise MissingValueError(("hazards", self.id, "entries"), self.name)
        return self.entries


@dataclass(frozen=True, slots=True)
class Amounts:
    """Amounts the rule sheet prints, which a copy may override: Terras, energy units and counters."""

    join: int = 5_000
    join_others: int = 10_000
    quiz_normal_energy: int = 2
    quiz_normal_money: int = 3_000
    quiz_expert_energy: int = 3
    quiz_expert_money: int = 5_000
    catastrophe: int = 3_000
    catastrophe_others: int = 2_000
    conflict: int = 5_000
    crisis_energy: int = 3
    crisis_money: int = 5_000
    loan: int = 20_000
    loan_repay: int = 22_000
    energy_brought: int = 10
    births: int = 2

    def prize(self, level: str, prize: str) -> int:
        """Return what a right answer brings."""
        of_normal = self.quiz_normal_energy if prize == "energy" else self.quiz_normal_money
        of_expert = self.quiz_expert_energy if prize == "energy" else self.quiz_expert_money
        return of_expert if level == "expert" else of_normal


AMOUNT_NAMES = tuple(entry.name for entry in fields(Amounts))


@dataclass(frozen=True)
class GameCopy:
    """All that is printed on one copy of the game. factors: what members pay of a space's money, by space."""

    name: str
    track: tuple[str, ...]
    countries: Mapping[Country, CountryCard]
    infrastructures: tuple[Infrastructure, ...]
    hazards: tuple[Hazard, ...]
    alliance_text: str = ""
    factors: Mapping[str, Fraction] = field(default_factory=dict)
    stock: Mapping[str, int] = field(default_factory=dict)
    amounts: Amounts = Amounts()

    @cached_property
    def cards(self) -> Mapping[str, Infrastructure]:
        """Return the infrastructures by id."""
        return {card.id: card for card in self.infrastructures}

    @cached_property
    def hazard_cards(self) -> Mapping[str, Hazard]:
        """Return the hazards by id."""
        return {card.id: card for card in self.hazards}

    def start(self, colour: Country, name: str) -> int:
        """Return what a country begins with. Raises MissingValueError."""
        return self.countries.get(colour, CountryCard()).value(colour, name)

    def member_pays(self, space: str, money: int, *, member: bool) -> int:
        """Return the money due on a space, which the Alliance changes for a member, without fractions of a Terra."""
        return floor(money * self.factors[space]) if member and space in self.factors else money

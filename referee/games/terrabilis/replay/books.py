"""Keep the ledger while a turn is replayed: accounts change, every change is an entry under a rule."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from referee.games.contract import RuleId
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.position.ledger import LedgerLine, Loan, TerrabilisPosition
from referee.games.terrabilis.replay.lifting import CardChange
from referee.games.terrabilis.replay.zone import ImpactZone
from referee.games.terrabilis.ruleset import ACCOUNTS, ENTRY_EXACT, ZONE_OVERFLOW, ZONE_POUR, ZONE_TAKE
from referee.values.words import Words


@dataclass(frozen=True, slots=True)
class Booking:
    """One change of a player's accounts, with the player's signs. who: ``None`` where the bank gives to the Zone.

    card: name of the card of the copy that says so, ``None`` where none does.
    """

    rule: RuleId
    who: Country | None
    money: int = 0
    energy: int = 0
    green: int = 0
    yellow: int = 0
    card: Words | None = field(default=None, compare=False)

    def value(self, name: str) -> int:
        """Return the change of an account by its name."""
        return {"money": self.money, "energy": self.energy, "green": self.green, "yellow": self.yellow}[name]

    def to_json(self) -> dict[str, object]:
        """Return the entry as formats write it, without what did not change."""
        numbers = {name: self.value(name) for name in ACCOUNTS}
        data: dict[str, object] = {"who": None if self.who is None else self.who.word}
        return data | {name: n for name, n in numbers.items() if n} | {"rule": self.rule}


@dataclass(slots=True)
class LedgerAccount:
    """One player's line while it changes. bankrupt: a duty was not paid in full."""

    pawn: int
    money: int
    energy: int
    green: int
    yellow: int
    hand: int
    installed: list[str]
    member: bool
    loans: list[Loan]
    poured: int
    out: bool
    bankrupt: bool = False

    @classmethod
    def of(cls, line: LedgerLine) -> LedgerAccount:
        """Return the line of a position, to be changed."""
        return cls(
            pawn=line.pawn,
            money=line.money,
            energy=line.energy,
            green=line.green,
            yellow=line.yellow,
            hand=line.hand,
            installed=list(line.installed),
            member=line.member,
            loans=list(line.loans),
            poured=line.poured,
            out=line.out,
        )

    @property
    def line(self) -> LedgerLine:
        """Return the line as a position keeps it."""
        return LedgerLine(
            money=self.money,
            energy=self.energy,
            green=self.green,
            yellow=self.yellow,
            pawn=self.pawn,
            hand=self.hand,
            installed=tuple(self.installed),
            member=self.member,
            loans=tuple(self.loans),
            poured=self.poured,
            out=self.out,
        )

    @property
    def open_loans(self) -> int:
        """Return how many loans are not repaid."""
        return sum(loan.repaid is None for loan in self.loans)

    def value(self, name: str) -> int:
        """Return what an account holds by its name."""
        return {"money": self.money, "energy": self.energy, "green": self.green, "yellow": self.yellow}[name]

    def leave(self) -> list[str]:
        """Take the player out of the game; return the installed cards, which go to the discard."""
        cards, self.installed = self.installed, []
        self.money = self.energy = self.green = self.yellow = self.hand = 0
        self.out = True
        return cards


@dataclass(slots=True)
class Books:
    """All accounts, the Zone and the discard while a turn is replayed.

    touched: by player and account, the rules whose entries changed it so far. zone_touched: the rules that changed
    the Zone or tried to. card: name of the card that is carried out now.
    """

    accounts: Mapping[Country, LedgerAccount]
    zone: ImpactZone
    lap: int
    discard: list[str]
    entries: list[Booking] = field(default_factory=list)
    touched: dict[tuple[Country, str], set[RuleId]] = field(default_factory=dict)
    zone_touched: set[RuleId] = field(default_factory=set)
    card: Words | None = None

    @classmethod
    def of(cls, position: TerrabilisPosition) -> Books:
        """Open the books at a position."""
        return cls(
            accounts={player: LedgerAccount.of(line) for player, line in position.ledger.items()},
            zone=ImpactZone(*position.zone, *position.lost),
            lap=position.lap,
            discard=list(position.discard),
        )

    @property
    def state(self) -> Hashable:
        """Return all that tells one set of books from another as far as what follows is concerned."""
        zone = self.zone
        return (
            (zone.green, zone.yellow, zone.lost_green, zone.lost_yellow),
            tuple((account.line, account.bankrupt) for account in self.accounts.values()),
            len(self.entries),
            frozenset((at, frozenset(rules)) for at, rules in self.touched.items()),
            frozenset(self.zone_touched),
        )

    def book(self, rule: RuleId, who: Country, *, money: int = 0, energy: int = 0) -> None:
        """Change a player's money and energy, with the player's signs."""
        account = self.accounts[who]
        account.money += money
        account.energy += energy
        for name, change in (("money", money), ("energy", energy)):
            if change:
                self.touched.setdefault((who, name), set()).add(rule)
        if money or energy:
            self.entries.append(Booking(rule, who, money=money, energy=energy, card=self.card))

    def take(self, rule: RuleId, who: Country, green: int, yellow: int) -> None:
        """Give a player counters from the Zone, as far as they lie there."""
        if not green and not yellow:
            return
        self.zone_touched |= {rule, ENTRY_EXACT, ZONE_TAKE}  # also where nothing lies there
        taken = self.zone.take(green, yellow)
        self.accounts[who].poured -= sum(taken)
        self._counters(rule, who, *taken)

    def pour(self, rule: RuleId, who: Country, counters: str) -> None:
        """Pour a player's counters, letters g and y, in their order; there are as many."""
        if not counters:
            return
        self._lay(rule, counters)
        self.accounts[who].poured += len(counters)
        green = counters.count("g")
        self._counters(rule, who, -green, green - len(counters))

    def give_to_zone(self, rule: RuleId, counters: str) -> None:
        """Lay the bank's counters into the Zone."""
        if counters:
            self._lay(rule, counters)
            green = counters.count("g")
            self.entries.append(Booking(rule, None, green=green, yellow=len(counters) - green))

    def _lay(self, rule: RuleId, counters: str) -> None:
        self.zone_touched |= {rule, ENTRY_EXACT, ZONE_POUR}
        if self.zone.pour(counters):
            self.zone_touched.add(ZONE_OVERFLOW)

    def _counters(self, rule: RuleId, who: Country, green: int, yellow: int) -> None:
        account = self.accounts[who]
        account.green += green
        account.yellow += yellow
        for name, change in (("green", green), ("yellow", yellow)):
            if change:
                self.touched.setdefault((who, name), set()).add(rule)
        if green or yellow:
            self.entries.append(Booking(rule, who, green=green, yellow=yellow, card=self.card))

    def of_cards(self, who: Country | None, names: tuple[str, ...]) -> tuple[CardChange, ...]:
        """Return what cards changed of some accounts so far. who: one player's alone, ``None``: everybody's."""
        sums: dict[tuple[Words, str], int] = {}
        for entry in self.entries:
            if entry.card and who in (None, entry.who):
                for name in names:
                    sums[entry.card, name] = sums.get((entry.card, name), 0) + entry.value(name)
        return tuple(CardChange(card, name, change) for (card, name), change in sums.items() if change)

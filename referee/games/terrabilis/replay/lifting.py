"""Keep the rules that a replay takes as lifted, those it asked for in vain, and those it found broken."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

from referee.games.contract import RuleId
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.ruleset import Lifted, in_order
from referee.values.words import Value, Words


@dataclass(frozen=True, slots=True)
class CardChange:
    """What a card of the copy changed of an account, with the player's sign."""

    card: Words
    account: str
    change: int


@dataclass(frozen=True, slots=True)
class Broken:
    """A rule broken at some place. what: a word for the way; facts: what its sentence names.

    by_cards: what cards of the copy changed of the account or the Zone that differs.
    """

    rule: RuleId
    what: str = ""
    who: Country | None = None
    facts: tuple[tuple[str, Value], ...] = ()
    by_cards: tuple[CardChange, ...] = ()


@dataclass(frozen=True, slots=True)
class LedgerDifference:
    """Ledger and table differ. kind: ``dice``, ``pawn``, ``zone``, ``cards`` or ``count``; name: the account.

    by_cards: what cards of the copy changed of it in this turn.
    """

    kind: str
    who: Country | None = None
    name: str = ""
    expected: tuple[str | int, ...] = ()
    seen: tuple[str | int, ...] = ()
    by_cards: tuple[CardChange, ...] = ()

    def under(self, rule: RuleId) -> Broken:
        """Return the difference as a breach of a rule."""
        facts: tuple[tuple[str, Value], ...] = (("expected", self.expected), ("name", self.name), ("seen", self.seen))
        return Broken(rule, self.kind, self.who, facts, self.by_cards)


class UnliftedError(Exception):
    """An act can't be made while its rule holds."""

    def __init__(self, broken: Broken) -> None:
        super().__init__(broken.rule)
        self.broken = broken


@dataclass(slots=True)
class Licence:
    """The rules taken as lifted for one replay.

    A replay depends on a rule only where it asks for it here, so only lifting some of ``asked`` can change how it
    ends: the search for smallest sets rests on that.
    """

    lifted: Lifted
    asked: set[RuleId] = field(default_factory=set)
    broken: list[Broken] = field(default_factory=list)
    differences: list[LedgerDifference] = field(default_factory=list)

    @property
    def state(self) -> Hashable:
        """Return what was found broken and differing so far."""
        return tuple(self.broken), tuple(self.differences)

    def allows(self, rule: RuleId) -> bool:
        """Return whether a rule is lifted where the turn could go on either way."""
        if rule in self.lifted:
            return True
        self.asked.add(rule)
        return False

    def breaks(self, rule: RuleId, what: str = "", who: Country | None = None, **facts: Value) -> None:
        """Note that a rule is broken. Raises UnliftedError unless it is lifted."""
        broken = Broken(rule, what, who, tuple(sorted(facts.items())))
        if not self.allows(rule):
            raise UnliftedError(broken)
        self.broken.append(broken)

    def differs(self, difference: LedgerDifference, excuses: Iterable[RuleId]) -> None:
        """Note a difference of ledger and table, which any of some rules excuses when lifted."""
        rules = frozenset(excuses)
        lifted = rules & self.lifted
        if lifted:
            self.broken.append(difference.under(in_order(lifted)[0]))
            return
        if not self.differences:
            # Without an excuse for the first one the replay fails whatever excuses the others.
            self.asked |= rules
        self.differences.append(difference)

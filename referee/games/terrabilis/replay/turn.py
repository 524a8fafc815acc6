"""Keep a turn while it is replayed: whose it is, where the pawn stands, what was declared and not used yet."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable

from referee.games.contract import RuleId
from referee.games.terrabilis.declared.acts import Choose, Declared, PourOrder, TurnCase
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.replay.books import Books, LedgerAccount
from referee.games.terrabilis.replay.lifting import Licence
from referee.games.terrabilis.replay.zone import orders
from referee.games.terrabilis.ruleset import (
    CATASTROPHE_ALL,
    CONFLICT_WAR,
    CRISIS_PAY,
    ENTRY_EXACT,
    TURN_ORDER,
    ZONE_ORDER,
)

CHOOSING: dict[str, RuleId] = {"catastrophe": CATASTROPHE_ALL, "conflict": CONFLICT_WAR, "crisis": CRISIS_PAY}
"""Spaces on which something is chosen, and their rules."""


class Picks:
    """Which of several orders a replay takes, one number a question; questions beyond the script take the first.

    met: by state, the numbers taken before it first came up; shared by the replays of one turn. Where a state comes
    up again after other numbers, what can follow was tried the first time, so that only one number is taken there.
    """

    def __init__(self, script: Iterable[int] = (), met: dict[Hashable, tuple[int, ...]] | None = None) -> None:
        self._script = tuple(script)
        self._met = {} if met is None else met
        self.taken: list[tuple[int, int]] = []

    def pick(self, count: int, state: Hashable) -> int:
        """Return the number taken of ``count`` possibilities. state: all that what follows depends on."""
        before = tuple(number for number, _ in self.taken)
        if self._met.setdefault(state, before) != before:
            count = 1
        at = len(self.taken)
        chosen = self._script[at] if at < len(self._script) else 0
        self.taken.append((chosen, count))
        return chosen

    @property
    def following(self) -> tuple[int, ...] | None:
        """Return the script of the next replay, so that all combinations come up; ``None`` after the last."""
        taken = self.taken[:]
        while taken:
            chosen, count = taken.pop()
            if chosen + 1 < count:
                return (*(number for number, _ in taken), chosen + 1)
        return None


class LedgerTurn:
    """What the acts replayed so far have come to.

    waiting: whether the turn is still under way, so that what is missing may yet be declared; missing choices are
    then noted in ``awaited`` instead of breaking a rule, orders that matter in ``orders_awaited``. space: the kind
    of space the pawn stands on since the last roll. again: the dice must be rolled again at once. joining: the space
    offers membership. drawn, used, hazards, answers: how many cards were drawn, installed or discarded, hazards
    drawn and quiz answers given on this space. ended: the lap ended. free: a hazard was marked ``free``, so Zone and
    counts are taken over. pours: how often somebody had to pour so far.
    """

    def __init__(self, case: TurnCase, licence: Licence, picks: Picks, *, waiting: bool = False) -> None:
        self.case = case
        self.licence = licence
        self.picks = picks
        self.waiting = waiting
        self.books = Books.of(case.position)
        self.player = case.position.to_move
        if case.roller != self.player and licence.allows(TURN_ORDER):
            self.player = case.roller
        self.space: str | None = None
        self.dice: tuple[int, int] | None = None
        self.again = self.joining = self.ended = self.free = self.group_lost = False
        self.drawn = self.used = self.hazards = self.answers = 0
        self.winner: Country | None = None
        self.pours = 0
        self.booked: set[int] = set()
        self.awaited: list[tuple[Country, RuleId]] = []
        self.orders_awaited: list[tuple[Country, tuple[str, ...]]] = []
        self._choices: dict[Country, deque[tuple[int, str]]] = {}
        self._orders: dict[Country, deque[tuple[int, str]]] = {}
        for index, act in enumerate(case.acts):
            if isinstance(act, Choose):
                self._choices.setdefault(self.who(act), deque()).append((index, act.what))
            elif isinstance(act, PourOrder):
                self._orders.setdefault(self.who(act), deque()).append((index, act.counters))

    def who(self, act: Declared) -> Country:
        """Return whose act it is."""
        return self.player if act.by is None else act.by

    @property
    def account(self) -> LedgerAccount:
        """Return the account of the player whose turn it is."""
        return self.books.accounts[self.player]

    @property
    def over(self) -> bool:
        """Return whether the game ended during the turn, so that what follows is not looked at."""
        return self.winner is not None or self.group_lost

    @property
    def pending(self) -> bool:
        """Return whether the turn would have gone on: no roll yet, another one due, or a space's cards to come."""
        return (
            (self.space is None and not self.ended)
            or self.again
            or (self.space == "develop" and not self.used)
            or (self.space == "hazard" and not self.hazards)
        )

    def arrive(self, space: str) -> None:
        """Put the pawn on another space, on which nothing happened yet."""
        self.space = space
        self.again = self.joining = False
        self.drawn = self.used = self.hazards = self.answers = 0

    def others(self) -> tuple[Country, ...]:
        """Return the other players in the game, clockwise from the player whose turn it is."""
        return tuple(p for p in self.case.position.clockwise(self.player)[1:] if not self.books.accounts[p].out)

    def choice(self, who: Country, rule: RuleId, allowed: tuple[str, ...]) -> str | None:
        """Return what a player chose; ``None`` where nothing fits and the rule is lifted, or the turn goes on."""
        declared = self._choices.get(who)
        if not declared:
            if self.waiting:
                self.awaited.append((who, rule))
            else:
                self.licence.breaks(rule, "choice missing", who)
            return None
        _, what = declared.popleft()
        if what in allowed:
            return what
        self.licence.breaks(rule, "choice impossible", who)
        return None

    def pour(self, rule: RuleId, who: Country, green: int, yellow: int) -> None:
        """Pour a player's counters, of each colour at most what is there, in the order declared or found."""
        self.pours += 1
        account = self.books.accounts[who]
        green, yellow = max(0, min(green, account.green)), max(0, min(yellow, account.yellow))
        counters = "g" * green + "y" * yellow
        if green and yellow:
            counters = self._order(who, counters)
        self.books.pour(rule, who, counters)

    def _order(self, who: Country, counters: str) -> str:
        declared = self._orders.get(who)
        if declared:
            _, order = declared.popleft()
            if sorted(order) == sorted(counters):
                return order
            self.licence.breaks(ZONE_ORDER, "order", who, given=order, needed=counters)
            return counters
        possible = orders(counters.count("g"), counters.count("y"), self.books.zone.free)
        if len(possible) > 1 and self.waiting:
            self.orders_awaited.append((who, possible))
        if len(possible) == 1 or not self.case.observed.zone:
            return possible[0]
        return possible[self.picks.pick(len(possible), (self.pours, self.books.state, self.licence.state))]

    def check_unused(self, before: int) -> None:
        """Break the rules of choices and orders nobody asked for, of those declared before an act."""
        for who, orders_left in self._orders.items():
            for index, order in orders_left:
                if index < before:
                    self.licence.breaks(ZONE_ORDER, "unused", who, given=order)
        rule = ENTRY_EXACT if self.ended else CHOOSING.get(self.space or "", ENTRY_EXACT)
        for who, choices_left in self._choices.items():
            for index, _ in choices_left:
                if index < before:
                    self.licence.breaks(rule, "choice unused", who)

"""List what may be done now, and what it would cost: the buttons of the tablet that is the game's banker."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from referee.games.terrabilis.banker.underway import Effect, Outlook, UnderWay, outlook, under_way
from referee.games.terrabilis.copy.data import KINDS
from referee.games.terrabilis.declared.acts import (
    Abandon,
    Choose,
    Count,
    Declared,
    Discard,
    Draw,
    HazardDrawn,
    Install,
    Join,
    PourOrder,
    Quiz,
    Repay,
    Roll,
    TakeLoan,
    TurnCase,
)
from referee.games.terrabilis.declared.reading import LEVELS, PRIZES
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.replay.lifting import Broken
from referee.games.terrabilis.replay.paying import may_borrow
from referee.games.terrabilis.replay.turn import LedgerTurn
from referee.games.terrabilis.ruleset import COUNTERS, CRISIS_PAY

ALL_DICE = tuple((a, b) for a in range(1, 7) for b in range(a, 7))
"""Every throw of two dice, the smaller one first."""


@dataclass(frozen=True, slots=True)
class BankOption:
    """One thing that may be done now.

    kind: the key of the act in formats. needed: the
    turn can't end without it or one of the same kind. outlook: what it comes to.
    """

    kind: str
    who: Country
    act: Declared
    needed: bool
    outlook: Outlook

    @property
    def effects(self) -> tuple[Effect, ...]:
        """Return what it changes."""
        return self.outlook.effects

    @property
    def hindrance(self) -> Broken | None:
        """Return why it can't be done now, such as a card too dear."""
        return self.outlook.hindrance


def options_now(case: TurnCase, state: UnderWay | None = None) -> tuple[BankOption, ...]:
    """Return what may be declared next, what is needed first; nothing where the game is over or the last act stuck.

    state: the case under way, where it is known already.
    """
    state = state or under_way(case)
    if state.stuck is not None or state.turn.over:
        return ()
    turn = state.turn
    found = []
    if turn.again or (turn.dice is None and not turn.ended):
        found += [_option(turn, Roll(dice, by=turn.player), needed=True) for dice in ALL_DICE]
    found += [_option(turn, act, needed=True) for act in _needed(turn)]
    found += [_option(turn, act, needed=False) for act in _possible(turn)]
    return tuple(found)


def _option(turn: LedgerTurn, act: Declared, *, needed: bool) -> BankOption:
    who = turn.who(act)
    if who == turn.case.position.to_move:
        act = replace(act, by=None)
    return BankOption(kind_of(act), who, act, needed, outlook(turn, act))


def _needed(turn: LedgerTurn) -> Iterator[Declared]:
    """Yield acts without one of which the turn can't end."""
    for who, rule in turn.awaited:
        for what in PRIZES if rule == CRISIS_PAY else COUNTERS:
            yield Choose(what, by=who)
    for who, orders in turn.orders_awaited:
        for order in orders:
            yield PourOrder(order, by=who)
    copy, player = turn.case.copy, turn.player
    if turn.space == "develop" and not turn.drawn:
        yield from (Draw(kind, by=player) for kind in KINDS)
    if (cards_of := section_picked(turn)) == "infrastructures":
        pile = next((act.pile for act in reversed(turn.case.acts) if isinstance(act, Draw)), None)
        cards = sorted(copy.infrastructures, key=lambda card: card.kind != pile)
        yield from (Install(card.id, by=player) for card in cards)
        yield from (Discard(card.id, by=player) for card in cards)
    if cards_of == "hazards":
        yield from (HazardDrawn(hazard, by=player) for hazard in copy.hazard_cards)


def section_picked(turn: LedgerTurn) -> str | None:
    """Return the section of the copy's data from which a card is picked now."""
    if turn.space == "develop" and turn.drawn and not turn.used:
        return "infrastructures"
    return "hazards" if turn.space == "hazard" and not turn.hazards else None


def _possible(turn: LedgerTurn) -> Iterator[Declared]:
    """Yield acts the players may leave."""
    accounts = turn.books.accounts
    inside = [who for who in turn.case.position.clockwise(turn.player) if not accounts[who].out]
    if turn.space == "quiz" and not turn.answers:
        yield from (Quiz(level, right=True, prize=prize, by=turn.player) for level in LEVELS for prize in PRIZES)
    if turn.joining:
        yield from (Join(joins=True, by=who) for who in inside if not accounts[who].member)
    for who in inside:
        if turn.ended:
            yield from (Abandon((card,), by=who) for card in dict.fromkeys(accounts[who].installed))
        if accounts[who].open_loans:
            yield Repay(by=who)
        if may_borrow(turn, who):
            yield TakeLoan(by=who)


_KINDS: tuple[tuple[type[Declared], str], ...] = (
    (Roll, "roll"),
    (Draw, "draw"),
    (Install, "install"),
    (Discard, "discard"),
    (HazardDrawn, "hazard"),
    (Join, "join"),
    (Quiz, "quiz"),
    (Choose, "choose"),
    (PourOrder, "order"),
    (TakeLoan, "loan"),
    (Repay, "repay"),
    (Abandon, "abandon"),
    (Count, "count"),
)


def kind_of(act: Declared) -> str:
    """Return the key of an act in formats."""
    return next(name for kind, name in _KINDS if isinstance(act, kind))

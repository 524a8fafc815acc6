"""Carry out what spaces demand as soon as a pawn stands there: taxes, catastrophes, conflicts, crises."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.games.contract import RuleId
from referee.games.terrabilis.copy.data import HazardEntry
from referee.games.terrabilis.copy.names import card_name
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.replay.paying import pay_duty
from referee.games.terrabilis.replay.turn import LedgerTurn
from referee.games.terrabilis.ruleset import (
    CATASTROPHE_ALL,
    CO2_TAX,
    CONFLICT_WAR,
    COUNTERS,
    CRISIS_PAY,
    GREEN,
    HAZARD_CARD,
    YELLOW,
)


def carry_out(turn: LedgerTurn) -> None:
    """Carry out the space the pawn stands on, as far as it needs no act declared."""
    demand = _DEMANDS.get(turn.space or "")
    if demand is not None:
        demand(turn)


def _alliance(turn: LedgerTurn) -> None:
    turn.again = turn.account.member
    turn.joining = not turn.account.member


def _co2(turn: LedgerTurn) -> None:
    if not turn.account.member:
        turn.again = True
        return
    copy = turn.case.copy
    tax = sum(copy.cards[card].value("co2") for card in turn.account.installed)
    pay_duty(turn, turn.player, CO2_TAX, copy.member_pays("co2", tax, member=True))


def _catastrophe(turn: LedgerTurn) -> None:
    amounts = turn.case.copy.amounts
    turn.pour(CATASTROPHE_ALL, turn.player, 1, 1)
    _pay_at(turn, "catastrophe", turn.player, CATASTROPHE_ALL, amounts.catastrophe)
    for other in turn.others():
        _pour_chosen(turn, other, CATASTROPHE_ALL)
        _pay_at(turn, "catastrophe", other, CATASTROPHE_ALL, amounts.catastrophe_others)


def _conflict(turn: LedgerTurn) -> None:
    if turn.account.member:
        turn.again = True
        return
    turn.pour(CONFLICT_WAR, turn.player, 1, 2)
    pay_duty(turn, turn.player, CONFLICT_WAR, turn.case.copy.amounts.conflict)
    for other in turn.others():
        if not turn.books.accounts[other].member:
            _pour_chosen(turn, other, CONFLICT_WAR)


def _crisis(turn: LedgerTurn) -> None:
    amounts = turn.case.copy.amounts
    chosen = turn.choice(turn.player, CRISIS_PAY, ("energy", "money"))
    if chosen == "energy":
        pay_duty(turn, turn.player, CRISIS_PAY, energy=amounts.crisis_energy)
    elif chosen == "money":
        _pay_at(turn, "crisis", turn.player, CRISIS_PAY, amounts.crisis_money)


def _pay_at(turn: LedgerTurn, space: str, who: Country, rule: RuleId, money: int) -> None:
    member = turn.books.accounts[who].member
    pay_duty(turn, who, rule, turn.case.copy.member_pays(space, money, member=member))


def _pour_chosen(turn: LedgerTurn, who: Country, rule: RuleId) -> None:
    chosen = turn.choice(who, rule, COUNTERS)
    if chosen is not None:
        turn.pour(rule, who, int(chosen == GREEN), int(chosen == YELLOW))


_DEMANDS: Mapping[str, Callable[[LedgerTurn], None]] = {
    "alliance": _alliance,
    "co2": _co2,
    "catastrophe": _catastrophe,
    "conflict": _conflict,
    "crisis": _crisis,
}


def carry_out_hazard(turn: LedgerTurn, hazard: str, drawer: Country) -> None:
    """Carry out a hazard card, entry by entry, each for one player after the other from the one who drew."""
    card = turn.case.copy.hazard_cards[hazard]
    seated = turn.case.position.clockwise(drawer)
    turn.books.card = card_name(turn.case.copy, card.name)
    for entry in card.instructions:
        for who in seated:
            if (who == drawer) in _STRUCK[entry.who] and not turn.books.accounts[who].out:
                _hazard_entry(turn, entry, who)
    turn.books.card = None
    if card.free:
        turn.free = True


_STRUCK: Mapping[str, tuple[bool, ...]] = {"self": (True,), "others": (False,), "all": (True, False)}
"""For each word of an entry: whether it strikes the one who drew, the others, or both."""


def _hazard_entry(turn: LedgerTurn, entry: HazardEntry, who: Country) -> None:
    """Book what comes before what goes: money and energy of the bank, counters of the Zone."""
    books = turn.books
    books.book(HAZARD_CARD, who, money=max(0, entry.money), energy=max(0, entry.energy))
    pay_duty(turn, who, HAZARD_CARD, max(0, -entry.money), max(0, -entry.energy))
    books.take(HAZARD_CARD, who, max(0, entry.green), max(0, entry.yellow))
    turn.pour(HAZARD_CARD, who, max(0, -entry.green), max(0, -entry.yellow))

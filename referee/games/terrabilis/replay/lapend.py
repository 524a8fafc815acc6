"""End a lap: pawns, cards thrown away, incomes, births, loans due, and what is declared after its roll."""

from __future__ import annotations

from referee.games.terrabilis.declared.acts import Abandon, Count, Declared, Repay, TakeLoan
from referee.games.terrabilis.replay.ending import loans_due
from referee.games.terrabilis.replay.paying import repay, take_loan
from referee.games.terrabilis.replay.playing import abandon, count, idle
from referee.games.terrabilis.replay.turn import LedgerTurn
from referee.games.terrabilis.ruleset import LAP_BIRTHS, LAP_INCOME, LAP_STOP


def end_lap(turn: LedgerTurn, index: int) -> None:
    """End the lap with the roll at an index, and book all that is declared after it. Raises UnliftedError."""
    turn.ended = True
    turn.space = None
    turn.again = turn.joining = False
    for account in turn.books.accounts.values():
        if not account.out:
            account.pawn = 0
    later = [act for act in turn.case.acts[index + 1 :] if not idle(act)]
    for act in later:
        if not isinstance(act, Abandon | TakeLoan | Repay | Count):
            turn.licence.breaks(LAP_STOP, "act", turn.who(act))
    for act in later:
        if isinstance(act, Abandon):
            abandon(turn, turn.who(act), act.cards)
    early = turn.case.position.readings.loans_before_income
    if early:
        _book(turn, [act for act in later if not isinstance(act, Count)])
    _incomes(turn)
    turn.books.give_to_zone(LAP_BIRTHS, "y" * turn.case.copy.amounts.births)
    _book(turn, [act for act in later if isinstance(act, Count) or not early])
    if not turn.waiting:  # while the turn is under way a loan may still be repaid
        loans_due(turn)
    turn.books.lap += 1


def _incomes(turn: LedgerTurn) -> None:
    cards = turn.case.copy.cards
    for who in turn.case.position.clockwise(turn.player):
        installed = [cards[card] for card in turn.books.accounts[who].installed]
        money = sum(card.value("income") for card in installed)
        energy = sum(card.energy_income for card in installed)
        turn.books.book(LAP_INCOME, who, money=money, energy=energy)


def _book(turn: LedgerTurn, acts: list[Declared]) -> None:
    for act in acts:
        match act:
            case TakeLoan():
                take_loan(turn, turn.who(act))
            case Repay():
                repay(turn, turn.who(act))
            case Count():
                count(turn, turn.who(act), act)

"""Pay money and energy: what a choice costs must be there, a duty is paid as far as it can be."""

from __future__ import annotations

from referee.games.contract import RuleId
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.position.ledger import Loan
from referee.games.terrabilis.replay.turn import LedgerTurn
from referee.games.terrabilis.ruleset import LOAN_REPAY, LOAN_TAKE, MOST_LOANS, PAY_COVER


def pay_by_choice(turn: LedgerTurn, who: Country, rule: RuleId, money: int, energy: int = 0) -> None:
    """Pay for something a player chose; where it is not covered, break ``pay.cover`` and book it all the same."""
    account = turn.books.accounts[who]
    short_money, short_energy = max(0, money - account.money), max(0, energy - account.energy)
    if short_money or short_energy:
        turn.licence.breaks(PAY_COVER, "", who, money=short_money, energy=short_energy)
    turn.books.book(rule, who, money=-money, energy=-energy)


def pay_duty(turn: LedgerTurn, who: Country, rule: RuleId, money: int = 0, energy: int = 0) -> None:
    """Pay what a space or hazard demands of a player: all there is where it is not covered.

    By the option, the ledger takes the loans still allowed before that, or the player is out afterwards.
    """
    account = turn.books.accounts[who]
    if not turn.case.position.readings.cannot_pay_out:
        while account.money < money and may_borrow(turn, who):
            borrow(turn, who)
    if account.money < money or account.energy < energy:
        account.bankrupt = True
    turn.books.book(rule, who, money=-min(money, max(0, account.money)), energy=-min(energy, max(0, account.energy)))


def may_borrow(turn: LedgerTurn, who: Country) -> bool:
    """Return whether a player may take a loan now."""
    account = turn.books.accounts[who]
    if account.out or len(account.loans) >= MOST_LOANS:
        return False
    return not (turn.case.position.readings.one_open_loan and account.open_loans)


def borrow(turn: LedgerTurn, who: Country) -> None:
    """Book a loan."""
    turn.books.accounts[who].loans.append(Loan(turn.books.lap))
    turn.books.book(LOAN_TAKE, who, money=turn.case.copy.amounts.loan)


def take_loan(turn: LedgerTurn, who: Country) -> None:
    """Take the loan a player declared; break ``loan.take`` where none may be taken."""
    if not may_borrow(turn, who):
        account = turn.books.accounts[who]
        what = "out" if account.out else "two" if len(account.loans) >= MOST_LOANS else "open"
        turn.licence.breaks(LOAN_TAKE, what, who)
    borrow(turn, who)


def repay(turn: LedgerTurn, who: Country) -> None:
    """Repay a player's oldest open loan; break ``loan.repay`` where there is none."""
    loans = turn.books.accounts[who].loans
    oldest = next((i for i, loan in enumerate(loans) if loan.repaid is None), None)
    if oldest is None:
        turn.licence.breaks(LOAN_REPAY, "none", who)
    else:
        loans[oldest] = Loan(loans[oldest].lap, turn.books.lap)
    pay_by_choice(turn, who, LOAN_REPAY, turn.case.copy.amounts.loan_repay)

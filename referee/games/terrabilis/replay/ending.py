"""Decide who is out, whether the group has lost, who wins, and with which title."""

from __future__ import annotations

from collections.abc import Iterable

from referee.games.terrabilis.copy.data import GameCopy
from referee.games.terrabilis.declared.acts import TurnCase
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.position.ledger import LedgerLine
from referee.games.terrabilis.replay.books import LedgerAccount
from referee.games.terrabilis.replay.turn import LedgerTurn
from referee.games.terrabilis.ruleset import Readings

GRAND = "Grand Terrarchitecte"
TITLES = ((10, "Terrarchitecte"), (20, "Petit Terrarchitecte"))
"""The lesser titles with the most counters lost."""


def after_act(turn: LedgerTurn) -> None:
    """Book what one act with all it brought about leads to: eliminations where they come at once, then a win.

    Where they come at the end of the turn a win comes first: also before the loans that fall due at a lap's end, for
    the repayment that wins is booked before those.
    """
    at_once = turn.case.position.readings.out_at_once
    if at_once and not turn.group_lost:
        eliminate_used_up(turn)
    if not (at_once and turn.group_lost):
        turn.winner = _winner(turn)
        turn.group_lost = turn.group_lost and turn.winner is None


def eliminate_used_up(turn: LedgerTurn) -> None:
    """Eliminate who has no green or no yellow counters left, or could not pay where that counts."""
    strict = turn.case.position.readings.cannot_pay_out
    accounts = turn.books.accounts
    _eliminate(
        turn,
        [
            who
            for who in turn.case.position.players
            if not accounts[who].green or not accounts[who].yellow or (strict and accounts[who].bankrupt)
        ],
    )


def loans_due(turn: LedgerTurn) -> None:
    """Eliminate who has an open loan of an earlier lap."""
    _eliminate(
        turn,
        [
            who
            for who in turn.case.position.clockwise(turn.player)
            if any(loan.repaid is None and loan.lap < turn.books.lap for loan in turn.books.accounts[who].loans)
        ],
    )


def _eliminate(turn: LedgerTurn, players: Iterable[Country]) -> None:
    accounts = turn.books.accounts
    for who in players:
        if not accounts[who].out:
            turn.books.discard += accounts[who].leave()
    enough = 1 if len(accounts) == 2 else 2
    turn.group_lost = sum(account.out for account in accounts.values()) >= enough


def _winner(turn: LedgerTurn) -> Country | None:
    after = (*turn.case.position.clockwise(turn.player)[1:], turn.player)
    target = turn.case.position.target
    return next((who for who in after if _wins(turn.books.accounts[who], target)), None)


def _wins(account: LedgerAccount, target: int) -> bool:
    return not account.out and account.member and len(account.installed) >= target and not account.open_loans


def title(case: TurnCase, winner: Country, line: LedgerLine) -> str | None:
    """Return the winner's title; ``None`` for none."""
    lost = counters_lost(case.copy, case.position.readings, winner, line)
    if lost <= 0 and not any(case.copy.cards[card].unsustainable for card in line.installed):
        return GRAND
    return next((name for most, name in TITLES if lost <= most), None)


def counters_lost(copy: GameCopy, readings: Readings, who: Country, line: LedgerLine) -> int:
    """Return how many counters a player has lost, by the reading the table chose."""
    if readings.title_by_poured:
        return line.poured
    return sum(max(0, copy.start(who, name) - now) for name, now in (("green", line.green), ("yellow", line.yellow)))

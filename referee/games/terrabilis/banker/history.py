"""Write the history of an account: every change with its rule, and what the account held afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from referee.games.contract import RuleId
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.replay.books import Booking


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One change of an account. turn: in which; balance: what it held afterwards."""

    turn: int
    rule: RuleId
    change: int
    balance: int


def history(
    start: int, turns: Iterable[tuple[int, Sequence[Booking]]], who: Country, name: str
) -> tuple[HistoryRow, ...]:
    """Return the changes of one account of a player in order.

    start: what it held at first. turns: their numbers and bookings in order. name: ``money``, ``energy``, ``green``
    or ``yellow``.
    """
    rows: list[HistoryRow] = []
    balance = start
    for number, bookings in turns:
        for booking in bookings:
            change = booking.value(name) if booking.who == who else 0
            if change:
                balance += change
                rows.append(HistoryRow(number, booking.rule, change, balance))
    return tuple(rows)

"""Take what comes on a table's command topic: check whose it is, have it carried out, answer.

Anybody who may write there can send anything, as often as they like: what no trusted desk has signed changes nothing.
"""

from __future__ import annotations

import hashlib
import logging
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from referee.addons.hall.carrying import carried
from referee.addons.hall.chronicle import Chronicle
from referee.addons.hall.messages import HallError, Said
from referee.addons.hall.orders import (
    AskEvents,
    AskReport,
    ChangePosition,
    CodeWanted,
    HallAnswer,
    NotTrusted,
    Order,
    OrderDone,
    OrderRefused,
    SayBoard,
    SetAside,
    SignedOrder,
    TimePenalty,
    TrustAsked,
    Trusted,
    asked_of,
    order_of,
    report_parts,
)
from referee.addons.hall.signing import base64_of, bytes_of, id_of, wish_is_signed
from referee.addons.hall.spoken import said
from referee.addons.hall.trusting import DeskTrust
from referee.match.commands import CommandError
from referee.match.events import AnyGame, Event
from referee.match.state import TableState
from referee.values.words import Words, say

MOST_REPORTS = 4
"""Reports that may be waited for at a time."""
MOST_REMEMBERED = 64
"""Orders whose answer is remembered, for a copy of the order that comes late."""

_NO_DESK = say("This table does not trust the desk: type the code that it shows ('referee hall code').")
_MOVED_ON = say("Somebody was faster: look at the table and decide anew.")
_LOG = logging.getLogger(__name__)

Decide = Callable[[TableState], tuple[Event, ...]]
"""Makes the events of an order from the table as it stands. Raises CommandError."""
Then = Callable[[bool, str, "Words | None"], None]
"""Told what became of it: whether it is written down, else a code and why."""


class Carries(Protocol):
    """The table as an order needs it."""

    def carry_out(self, decide: Decide, then: Then) -> None:
        """Have events written down by the turn loop, without waiting."""

    def last(self) -> int:
        """Return the number of the journal's newest event; called by the turn loop while it decides."""

    def report(self, turn: int, language: str) -> bytes:
        """Return the report on a turn as a page, empty where there is none. Takes seconds."""


class Hearing:
    """Hears what comes for one table.

    table: its public key. answer: sends answers. again: publishes a game's events again after a number.
    wanted: told name and id of a desk that asks for the code.
    """

    def __init__(
        self,
        game: AnyGame,
        table: bytes,
        trust: DeskTrust,
        carries: Carries,
        answer: Callable[[Sequence[HallAnswer]], None],
        again: Callable[[str, int], None],
        wanted: Callable[[str, str], None] = lambda name, desk: None,
    ) -> None:
        self._game, self._table, self._trust, self._carries = game, table, trust, carries
        self._answer, self._again, self._wanted = answer, again, wanted
        self._answered: OrderedDict[str, HallAnswer] = OrderedDict()
        self._reports = ThreadPoolExecutor(1, "hall-report")
        self._making: deque[str] = deque()

    def close(self) -> None:
        """Make no more reports."""
        self._reports.shutdown(cancel_futures=True)

    def hear(self, payload: bytes, chronicle: Chronicle | None) -> None:
        """Take a message. chronicle: the game that is played now, as the hall knows it."""
        try:
            asked = asked_of(payload)
            if isinstance(asked, TrustAsked):
                self._hear_trust(asked)
            elif isinstance(asked, CodeWanted):
                self._hear_wish(asked)
            else:
                self._hear_order(asked, chronicle)
        except (ValueError, OSError) as error:
            _LOG.warning("a command for this table is left out: %s", error)

    def _hear_trust(self, asked: TrustAsked) -> None:
        desk, proof = id_of(bytes_of(asked.key)), self._trust.admit(asked)
        if proof:
            self._answer([Trusted(sent=0, desk=desk, key=base64_of(self._table), proof=proof)])
        else:
            self._untrusted(desk)

    def _hear_wish(self, asked: CodeWanted) -> None:
        key = bytes_of(asked.key)
        if not wish_is_signed(key, asked.name, self._table, asked.signature):
            raise HallError("the signature is not that of the desk")
        self._wanted(asked.name, id_of(key))

    def _hear_order(self, sent: SignedOrder, chronicle: Chronicle | None) -> None:
        desk = self._trust.desks().get(sent.desk)
        if desk is None:
            self._untrusted(sent.desk)
            return
        order = order_of(sent, desk.key)
        if order.table != id_of(self._table):
            raise HallError("it is meant for another table")
        known = self._answered.get(order.order)
        if known is not None:
            self._answer([known])
        elif isinstance(order.does, AskReport):
            self._hear_report(order, order.does)
        elif isinstance(order.does, AskEvents):
            self._again(order.game, order.does.after)
        elif chronicle is None or order.game != chronicle.id:
            self._refuse(order, "game", say("Another game is played here now."))
        elif order.event > chronicle.number or order.head != chronicle.hash_at(order.event):
            self._refuse(order, "moved-on", _MOVED_ON)
        else:
            self._carry_out(order, sent, desk.key, chronicle)

    def _carry_out(self, order: Order, sent: SignedOrder, key: bytes, chronicle: Chronicle) -> None:
        seen = sum(made.event <= order.event for made in chronicle.entries.values())
        taken = sum(number <= order.event for number in chronicle.penalties)
        written: list[int] = []

        def decide(state: TableState) -> tuple[Event, ...]:
            if isinstance(order.does, SetAside | SayBoard | ChangePosition) and len(state.history) != seen:
                raise CommandError("moved-on", _MOVED_ON)
            if isinstance(order.does, TimePenalty) and state.orders.penalties != taken:
                raise CommandError("moved-on", _MOVED_ON)
            events = carried(order, sent, key, state, self._game)
            first = self._carries.last() + 1
            written.extend(range(first, first + len(events)))
            return events

        def then(done: bool, code: str, why: Words | None) -> None:
            if done:
                self._tell(order, OrderDone(sent=0, desk=order.desk, order=order.order, events=tuple(written)))
            else:
                self._refuse(order, code, why or _MOVED_ON)

        self._carries.carry_out(decide, then)

    def _hear_report(self, order: Order, does: AskReport) -> None:
        if order.order in self._making:
            return
        if len(self._making) >= MOST_REPORTS:
            self._refuse(order, "busy", say("The referee is busy. Please try again."))
            return
        self._making.append(order.order)
        self._reports.submit(self._report, order, does)

    def _report(self, order: Order, does: AskReport) -> None:
        try:
            page = self._carries.report(does.turn, does.language)
            if page:
                digest = hashlib.sha256(page).hexdigest()
                self._answer(report_parts(page, digest, order.desk, order.order, 0))
            else:
                self._refuse(order, "nothing", say("Nothing was ruled on turn {n}.", n=does.turn))
        except Exception as error:  # whatever is wrong with a report, the desk is told
            _LOG.exception("the report on turn %s was not made", does.turn)
            self._refuse(order, "failed", say("The report could not be made: {why}", why=str(error)[:200]))
        finally:
            self._making.remove(order.order)

    def _untrusted(self, desk: str) -> None:
        self._answer([NotTrusted(sent=0, desk=desk, words=_said(_NO_DESK))])

    def _refuse(self, order: Order, code: str, why: Words) -> None:
        self._tell(order, _refusal(order, code, why), code != "busy")

    def _tell(self, order: Order, message: HallAnswer, remember: bool = True) -> None:
        if remember:
            self._answered[order.order] = message
            while len(self._answered) > MOST_REMEMBERED:
                self._answered.popitem(last=False)
        self._answer([message])


def _refusal(order: Order, code: str, why: Words) -> OrderRefused:
    return OrderRefused(sent=0, desk=order.desk, order=order.order, code=code, words=_said(why))


def _said(words: Words) -> Said:
    return Said.model_validate(said(words))

"""Orders under way: each is signed, sent, and waited for until its table has answered."""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.addons.hall.desk.seen import HeardTable
from referee.addons.hall.messages import HallError, payload_of
from referee.addons.hall.orders import (
    MOST_PARTS,
    Act,
    Answered,
    AskEvents,
    AskReport,
    NotTrusted,
    Order,
    OrderDone,
    OrderRefused,
    ReportPart,
    Trusted,
    answered_of,
    code_wanted,
    part_bytes,
    signed,
    trust_asked,
)
from referee.addons.hall.signing import id_of, message_is_signed, proves, public_of, read_code, secret_of_code
from referee.addons.hall.topics import HallTopic, Leaf
from referee.values.words import say, verbatim
from web.tableview import Outcome

ANSWER_S = 8.0
"""A page waits ten seconds for what it asked."""
REPORT_S = 60.0
MOST_WAITING = 32

_CUT_OFF = say("The table is cut off: nothing can be ordered there now.")
_BUSY = say("Too many orders are under way: wait for their answers.")
_SILENT = say("The table has not answered. It may have done it all the same: look at it before you order it again.")
_CODE = say("This can be no code: it has ten letters and digits, as the table shows it.")
_UNTRUSTED = say("The table does not trust this desk: type the code that it shows.")
_WRONG_CODE = say("The table did not take this code: have it show a new one, and type that.")
_IMPOSTOR = say("Something else than this table answered: the code was not taken.")


@dataclass(slots=True)
class _Waiting:
    """What is waited for. table: who is to answer."""

    table: str
    answered: threading.Event = field(default_factory=threading.Event)
    answer: Answered | None = None
    parts: dict[int, ReportPart] = field(default_factory=dict)


class Ordering:
    """Gives the orders of one desk. Safe to use from several threads.

    publish: sends to a topic; whether it was taken.
    """

    def __init__(self, secret: Ed25519PrivateKey, publish: Callable[[HallTopic, bytes], bool]) -> None:
        self._secret, self._publish = secret, publish
        self.desk = id_of(public_of(secret))
        self._waiting: dict[str, _Waiting] = {}
        self._number = 0
        self._mutex = threading.Lock()

    def give(
        self, table: HeardTable, does: Act, seen: tuple[str, int, str], by: str, language: str = "en"
    ) -> Outcome:
        """Order something and wait for the answer.

        seen: game, event and head on which the arbiter decided. language: of what the table says.
        """
        order = self._order(table, does, seen, by)
        with self._place(order.order, table.id) as waiting:
            if waiting is None:
                return Outcome(False, _BUSY, "busy")
            refused = self._sent(table, order, waiting, ANSWER_S)
            if refused is not None:
                return refused
            match waiting.answer:
                case OrderDone(events=events):
                    return Outcome(True, None, "", {"events": list(events)})
                case OrderRefused(code=code, words=words):
                    return Outcome(False, verbatim(words.text(language)), code)
        return Outcome(False, _SILENT, "no-answer")

    def report(self, table: HeardTable, turn: int, language: str, by: str) -> bytes | Outcome:
        """Return the report on a turn as a page, or why there is none."""
        does = AskReport.model_validate({"turn": turn, "language": language})
        state = table.state
        if state is None:
            return Outcome(False, _CUT_OFF, "offline")
        order = self._order(table, does, (state.game.id, state.event, state.head), by)
        with self._place(order.order, table.id) as waiting:
            if waiting is None:
                return Outcome(False, _BUSY, "busy")
            refused = self._sent(table, order, waiting, REPORT_S)
            if refused is not None:
                return refused
            if isinstance(waiting.answer, OrderRefused):
                return Outcome(False, verbatim(waiting.answer.words.text(language)), waiting.answer.code)
            parts = [waiting.parts[number] for number in sorted(waiting.parts)]
        page = b"".join(part_bytes(part) for part in parts)
        if not parts or hashlib.sha256(page).hexdigest() != parts[0].sha256:
            return Outcome(False, say("The report was damaged on its way: ask for it again."), "damaged")
        return page

    def ask_events(self, table: HeardTable, game: str, after: int, by: str) -> None:
        """Have a table send events of a game again. Nothing is waited for: they come as all others do."""
        state = table.state
        if state is not None:
            seen = (game, state.event, state.head)
            order = self._order(table, AskEvents(after=after), seen, by)
            self._publish(HallTopic(table.id, Leaf.COMMAND), payload_of(signed(order, self._secret)))

    def ask_code(self, table: HeardTable, name: str) -> Outcome:
        """Have a table's page ask the people there for the code. Nothing comes back: they read the code out."""
        payload = payload_of(code_wanted(self._secret, name, table.key))
        if not table.online or not self._publish(HallTopic(table.id, Leaf.COMMAND), payload):
            return Outcome(False, _CUT_OFF, "offline")
        return Outcome(True)

    def trust(self, table: HeardTable, typed: str, name: str) -> Outcome:
        """Ask a table to trust this desk, with the code that it shows. Takes a second: the code is hashed slowly."""
        code = read_code(typed)
        if not code:
            return Outcome(False, _CODE, "code")
        if not table.online:
            return Outcome(False, _CUT_OFF, "offline")
        secret = secret_of_code(code, table.key)
        with self._place(f"trust {table.id}", table.id) as waiting:
            if waiting is None:
                return Outcome(False, _BUSY, "busy")
            asked = trust_asked(self._secret, name, secret, table.key)
            if not self._publish(HallTopic(table.id, Leaf.COMMAND), payload_of(asked)):
                return Outcome(False, _CUT_OFF, "offline")
            if not waiting.answered.wait(ANSWER_S - 2):
                return Outcome(False, _SILENT, "no-answer")
            answer = waiting.answer
        if not isinstance(answer, Trusted):
            return Outcome(False, _WRONG_CODE, "code")
        if not proves(answer.proof, secret, "table", public_of(self._secret), table.key):
            return Outcome(False, _IMPOSTOR, "impostor")
        return Outcome(True)

    def answered(self, table: HeardTable, topic: HallTopic, payload: bytes, signature: str) -> bool:
        """Take a table's answer; return False where the table says that it does not trust this desk.

        Raises HallError for anything but an answer of this table.
        """
        if not message_is_signed(table.key, str(topic), payload, signature):
            raise HallError(f"{topic}: not signed by this table")
        answer = answered_of(payload)
        if answer.desk != self.desk:
            return True
        match answer:
            case Trusted() | NotTrusted():
                for waiting in self._of(table.id):
                    waiting.answer = answer
                    waiting.answered.set()
                return isinstance(answer, Trusted)
            case ReportPart(order=order):
                found = self._awaited(order, table.id)
                if found is not None:
                    _add_part(found, answer)
            case OrderDone(order=order) | OrderRefused(order=order):
                found = self._awaited(order, table.id)
                if found is not None:
                    found.answer = answer
                    found.answered.set()
        return True

    def _order(self, table: HeardTable, does: Act, seen: tuple[str, int, str], by: str) -> Order:
        with self._mutex:
            self._number = number = max(self._number + 1, time.time_ns() // 1_000_000)
        game, event, head = seen
        return Order(
            order=secrets.token_hex(16), number=number, table=table.id, desk=self.desk, game=game, event=event,
            head=head, by=by, does=does,
        )  # fmt: skip

    def _sent(self, table: HeardTable, order: Order, waiting: _Waiting, patience_s: float) -> Outcome | None:
        """Send an order and wait for its answer; return why none is to be had."""
        payload = payload_of(signed(order, self._secret))
        if not table.online or not self._publish(HallTopic(table.id, Leaf.COMMAND), payload):
            return Outcome(False, _CUT_OFF, "offline")
        if not waiting.answered.wait(patience_s):
            return Outcome(False, _SILENT, "no-answer")
        if isinstance(waiting.answer, NotTrusted):
            return Outcome(False, _UNTRUSTED, "untrusted")
        return None

    @contextmanager
    def _place(self, name: str, table: str) -> Iterator[_Waiting | None]:
        with self._mutex:
            waiting = None
            if len(self._waiting) < MOST_WAITING and name not in self._waiting:
                waiting = self._waiting[name] = _Waiting(table)
        try:
            yield waiting
        finally:
            if waiting is not None:
                with self._mutex:
                    del self._waiting[name]

    def _awaited(self, order: str, table: str) -> _Waiting | None:
        with self._mutex:
            found = self._waiting.get(order)
        return found if found is not None and found.table == table else None

    def _of(self, table: str) -> list[_Waiting]:
        with self._mutex:
            return [waiting for waiting in self._waiting.values() if waiting.table == table]


def _add_part(waiting: _Waiting, part: ReportPart) -> None:
    """Take one part; the first says how many there are."""
    first = next(iter(waiting.parts.values()), part)
    if (part.parts, part.sha256) != (first.parts, first.sha256) or not part.part <= part.parts <= MOST_PARTS:
        return
    waiting.parts[part.part] = part
    if len(waiting.parts) == part.parts:
        waiting.answered.set()

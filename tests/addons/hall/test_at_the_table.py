"""What a desk orders over a real broker: done once, journalled with who it was, and by nobody but a trusted desk."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.addons.hall.messages import payload_of
from referee.addons.hall.orders import (
    Answered,
    AskEvents,
    AskReport,
    MakeNote,
    NotTrusted,
    Order,
    OrderDone,
    OrderRefused,
    ReportPart,
    SetAside,
    SignedOrder,
    Trusted,
    Uphold,
    answered_of,
    code_wanted,
    part_bytes,
    signed,
    trust_asked,
)
from referee.addons.hall.signing import (
    base64_of,
    bytes_of,
    id_of,
    order_is_signed,
    proves,
    public_of,
    read_code,
    secret_of_code,
    sign_order,
)
from referee.addons.hall.topics import HallTopic, Leaf
from referee.addons.hall.trusting import DeskTrust
from referee.daemon import start_journal
from referee.match.clock import Clock, TimeControl
from referee.match.events import GameStarted
from referee.match.phases import Phase
from tests.addons.hall.broker import Listener, Mosquitto, until
from tests.addons.hall.table import SECRET, published
from tests.match.fakes import start
from tests.match.looking import At
from tests.match.loops import QuickJournal
from tests.ports import free_port

DESK, STRANGER = (Ed25519PrivateKey.from_private_bytes(bytes([at]) * 32) for at in (1, 2))
TABLE = public_of(SECRET)


class Evening:
    """A table with one legal turn played, a desk that is trusted, and a listener on everything."""

    def __init__(self, folder: Path, parts: ExitStack, clock: Clock | None = None) -> None:
        broker = parts.enter_context(Mosquitto(folder, free_port()))
        journal = QuickJournal(folder / "1.journal")
        start_journal(journal, GameStarted(start(), "test", clock=clock))
        self.at, self.trust = At(folder / "1.journal", journal), DeskTrust(folder / "hall", TABLE)
        self.listener = parts.enter_context(Listener(broker.port))
        self.wanted: list[tuple[str, str]] = []
        parts.enter_context(published(self.at, broker.address, folder, self.wanted))
        self.at.shows("11r/1y1", 3)
        self.at.ends("12r/1y1")
        self.number = self.published = 0
        self.asks_for_trust(DESK, self.trust.new_code())
        until(lambda: self.answers(DESK), "the desk is answered")
        until(self.follows, "the table publishes what was played")
        self.listener.came.clear()

    def asks_for_trust(self, desk: Ed25519PrivateKey, code: str) -> None:
        asked = trust_asked(desk, "Desk 1", secret_of_code(read_code(code), TABLE), TABLE)
        self.listener.publish(self.topic, payload_of(asked))

    @property
    def topic(self) -> str:
        return str(HallTopic(id_of(TABLE), Leaf.COMMAND))

    def follows(self) -> bool:
        """Return whether the table has published its newest event: a desk orders on events that came to it."""
        self.published = max([self.published, *(line.number for line in self.listener.events)])
        return self.published >= self.at.journal.last

    def order(self, does: Any, **other: Any) -> Order:
        self.number += 1
        until(self.follows, "the event is published on which the desk orders")
        journal = self.at.journal
        first = next(journal.entries())
        given = {
            "order": f"{self.number:032x}",
            "number": self.number,
            "table": id_of(TABLE),
            "desk": id_of(public_of(DESK)),
            "game": first.hash[:16],
            "event": journal.last,
            "head": journal.head,
            "by": "Ana",
            "does": does,
        }
        return Order.model_validate(given | other)

    def send(self, order: Order, secret: Ed25519PrivateKey = DESK) -> None:
        """Send an order; the table's loop comes round until it is answered."""
        before = len(self.answers(secret))
        self.listener.publish(self.topic, payload_of(signed(order, secret)))

        def answered() -> bool:
            self.at.loop.round()
            return len(self.answers(secret)) > before

        until(answered, "the table answers")

    def answers(self, secret: Ed25519PrivateKey = DESK) -> list[Answered]:
        desk, told = id_of(public_of(secret)), map(answered_of, self.listener.payloads(Leaf.ANSWER))
        return [answer for answer in told if answer.desk == desk]

    def kinds(self) -> list[str]:
        return [entry.kind for entry in self.at.journal.entries()]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with ExitStack() as parts:
        yield Evening(tmp_path, parts)


def test_a_dispute_is_settled_once_by_a_signed_order(evening: Evening) -> None:
    assert evening.at.tell("dispute", entry=1, words="too far")
    order = evening.order(Uphold(dispute=1, words="It was seen."))
    evening.send(order)
    done = evening.answers()[-1]
    assert isinstance(done, OrderDone)
    events = list(evening.at.journal.entries())
    assert [events[number - 1].kind for number in done.events] == ["arbiter_ordered", "resolved"]
    assert evening.at.loop.state.disputes[0].settled_by == "Ana"
    proof: Any = events[done.events[0] - 1].data["proof"]
    assert order_is_signed(bytes_of(proof["key"]), proof["body"], proof["signature"]), "anybody can check it later"
    before = evening.at.journal.last
    evening.send(order)
    assert evening.answers()[-1] == done.model_copy(update={"sent": evening.answers()[-1].sent}), (
        "a copy does nothing"
    )
    evening.send(order.model_copy(update={"order": "f" * 32}))
    refused = evening.answers()[-1]
    assert isinstance(refused, OrderRefused)
    assert refused.code == "repeated"
    assert evening.at.journal.last == before


def test_an_entry_is_set_aside_and_the_hall_is_told_what_it_replaces(evening: Evening) -> None:
    ruled = evening.at.journal.last
    assert evening.at.tell("dispute", entry=1)
    evening.send(evening.order(SetAside(entry=1, dispute=1)))
    assert isinstance(evening.answers()[-1], OrderDone)
    assert evening.at.phase is Phase.RESTORING
    assert evening.at.loop.state.disputes[0].outcome == "changed"
    until(lambda: any(line.replaces == ruled for line in evening.listener.events), "the event that undoes it comes")


def test_who_decides_on_what_is_over_is_told_so(evening: Evening) -> None:
    late = evening.order(SetAside(entry=1))
    evening.at.ends("13r/1y1")
    evening.send(late)
    refused = evening.answers()[-1]
    assert isinstance(refused, OrderRefused)
    assert refused.code == "moved-on"
    evening.send(evening.order(MakeNote(words="x"), head="b" * 64))
    assert evening.answers()[-1].model_dump()["code"] == "moved-on", "the arbiter was shown another journal"
    evening.send(evening.order(MakeNote(words="x"), game="b" * 16))
    assert evening.answers()[-1].model_dump()["code"] == "game"
    evening.send(evening.order({"act": "time_penalty", "player": "red", "seconds": 60}))
    assert evening.answers()[-1].model_dump()["code"] == "arguments", "no clock runs"
    assert "arbiter_ordered" not in evening.kinds()


def test_one_event_takes_one_penalty_however_many_desks_give_it(tmp_path: Path) -> None:
    with ExitStack() as parts:
        timed = Clock.starting(TimeControl(total_s=600), ["red", "yellow"])
        evening = Evening(tmp_path, parts, timed)
        evening.asks_for_trust(STRANGER, evening.trust.new_code())
        until(lambda: evening.answers(STRANGER), "a second desk is trusted")

        def left_ms() -> int:
            clock = evening.at.loop.state.clock
            assert clock is not None
            return clock.left_ms["red"]

        penalty = {"act": "time_penalty", "player": "red", "seconds": 20}
        full_ms = left_ms()
        given = [
            (evening.order(penalty, desk=id_of(public_of(desk))), desk)
            for desk in (DESK, STRANGER, DESK, STRANGER, DESK)
        ]
        for order, desk in given:  # all decided on the same event, before any was carried out
            evening.listener.publish(evening.topic, payload_of(signed(order, desk)))

        def all_answered() -> bool:
            evening.at.loop.round()
            return sum(len(evening.answers(desk)) for desk in (DESK, STRANGER)) >= len(given) + 1

        until(all_answered, "every order is answered")
        answers = [*evening.answers(DESK), *evening.answers(STRANGER)]
        assert sum(isinstance(one, OrderDone) for one in answers) == 1
        assert [one.code for one in answers if isinstance(one, OrderRefused)] == ["moved-on"] * 4
        assert full_ms - left_ms() == 20_000

        evening.send(evening.order(penalty, desk=id_of(public_of(STRANGER))), STRANGER)
        assert full_ms - left_ms() == 40_000, "who has seen the first may give another"


def test_nobody_else_orders_anything(evening: Evening) -> None:
    before = evening.at.journal.last
    stranger = evening.order(MakeNote(words="I was here"), desk=id_of(public_of(STRANGER)))
    evening.send(stranger, STRANGER)
    assert isinstance(evening.answers(STRANGER)[-1], NotTrusted)
    body = signed(evening.order(MakeNote(words="I was here")), DESK).body
    forged = SignedOrder(desk=id_of(public_of(DESK)), body=body, signature=sign_order(STRANGER, body))
    for payload in (payload_of(forged), b"", b"{}", b"\xff" * 1000, b"[" * 200_000, b'{"kind":"order"}'):
        evening.listener.publish(evening.topic, payload)
    evening.send(evening.order(MakeNote(words="right")))
    notes = [entry.data["words"] for entry in evening.at.journal.entries(before) if entry.kind == "arbiter_ordered"]
    assert notes[-1:] == ["right"]
    assert "I was here" not in notes
    elsewhere = evening.order(MakeNote(words="not here"), table="0" * 16)
    evening.listener.publish(evening.topic, payload_of(signed(elsewhere, DESK)))
    evening.send(evening.order(MakeNote(words="last")))
    assert not any("not here" in json.dumps(dict(entry.data)) for entry in evening.at.journal.entries())


@pytest.mark.long
def test_a_code_admits_one_desk_and_few_tries(evening: Evening) -> None:
    wish = code_wanted(STRANGER, "Bo", TABLE)
    elsewhere = code_wanted(STRANGER, "Bo", public_of(DESK))
    for forged in (
        b'{"kind":"code","name":"Ana"}',
        payload_of(wish.model_copy(update={"name": "Ana"})),
        payload_of(wish.model_copy(update={"key": base64_of(public_of(DESK))})),
        payload_of(elsewhere),
        payload_of(wish),
    ):
        evening.listener.publish(evening.topic, forged)
    until(lambda: evening.wanted, "the table is asked for its code")
    assert evening.wanted == [("Bo", id_of(public_of(STRANGER)))], "under its own name, by a desk that signs it"
    code = evening.trust.new_code()
    for typed in (*["AAAAAAAAAA"] * 5, code):
        evening.asks_for_trust(STRANGER, typed)
    until(lambda: len(evening.answers(STRANGER)) == 6, "the stranger is answered")
    assert {type(one) for one in evening.answers(STRANGER)} == {NotTrusted}, "after five wrong ones it is none"
    code = evening.trust.new_code()
    evening.asks_for_trust(STRANGER, code)
    until(lambda: isinstance(evening.answers(STRANGER)[-1], Trusted), "the right code admits")
    told = evening.answers(STRANGER)[-1]
    assert isinstance(told, Trusted)
    secret = secret_of_code(code, TABLE)
    assert proves(told.proof, secret, "table", public_of(STRANGER), bytes_of(told.key)), "the table proves itself"
    assert evening.trust.forget(id_of(public_of(STRANGER)))
    assert set(evening.trust.desks()) == {id_of(public_of(DESK))}


def test_a_report_comes_whole_and_missed_events_once_more(evening: Evening) -> None:
    evening.send(evening.order(AskReport(turn=3, language="de")))

    def parts() -> list[ReportPart]:
        return [one for one in evening.answers() if isinstance(one, ReportPart)]

    until(lambda: parts() and len(parts()) == parts()[0].parts, "all parts come")
    page = b"".join(map(part_bytes, parts()))
    assert page.startswith(b"<p>de 3</p>")
    assert hashlib.sha256(page).hexdigest() == parts()[0].sha256
    evening.send(evening.order(AskReport(turn=99)))
    assert isinstance(evening.answers()[-1], OrderRefused)
    evening.listener.came.clear()
    evening.listener.publish(evening.topic, payload_of(signed(evening.order(AskEvents(after=2)), DESK)))
    last = evening.at.journal.last
    until(lambda: len(evening.listener.events) >= last - 2, "the events come again")
    assert [line.number for line in evening.listener.events] == list(range(3, last + 1))

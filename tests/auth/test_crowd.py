"""Strangers who ask much, or nothing at all: everybody else is served as ever."""

from __future__ import annotations

import http.client
import json
import os
import select
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median

import pytest

from referee.service.connections import AT_ONCE, shared_fairly
from referee.storage.journal import Journal, JournalEntry
from referee.values.turnform import TurnForm
from tests.auth.house import House
from tests.auth.serving import Served, until
from web.limits import CrowdedError, Limiter, Workbench
from web.streams import MOST_LEAVING, StreamSlots


@pytest.fixture
def crowded(house: House) -> Iterator[Served]:
    house.app.config["MAX_STREAMS"] = 6
    house.swap(streams=StreamSlots(6, reserved=1))
    served = Served(house, most_connections=40)
    with served.parts:
        yield served


@pytest.fixture
def served(house: House) -> Iterator[Served]:
    served = Served(house)
    with served.parts:
        yield served


def from_address(source: str, port: int, said: bytes = b"") -> socket.socket:
    sock = socket.create_connection(("127.0.0.1", port), timeout=10, source_address=(source, 0))
    sock.sendall(said)
    return sock


@pytest.mark.parametrize("said", [b"", b"GET /hea", b"POST /api/pair/pin HTTP/1.1\r\nContent-Length: 9\r\n\r\n1"])
@pytest.mark.parametrize("source", ["127.0.0.1", "127.0.0.2"])
def test_half_open_connections_keep_nobody_out(crowded: Served, said: bytes, source: str) -> None:
    silent = [from_address(source, crowded.port, said) for _ in range(100)]
    began = time.monotonic()
    for _ in range(20):
        assert crowded.get("/api/state").status == 200
    assert time.monotonic() - began < 5.0
    for sock in silent:
        sock.close()


class WaitingServer:
    """A server as waitress makes one, with connections that wait to be accepted."""

    def __init__(self, waiting: int) -> None:
        self.waiting, self.taken, self.active_channels = waiting, 0, dict[int, object]()

    def accept(self) -> int | None:
        self.waiting -= 1
        return self.waiting if self.waiting >= 0 else None

    def handle_accept(self) -> None:
        self.taken += self.accept() is not None


def test_many_waiting_connections_are_accepted_in_one_round() -> None:
    server = WaitingServer(AT_ONCE + 10)
    shared_fairly(server, 600)
    rounds = []
    for _ in range(3):
        before = server.taken
        server.handle_accept()
        rounds.append(server.taken - before)
    assert rounds == [AT_ONCE, 10, 0]


def test_streams_are_no_idle_connections(crowded: Served) -> None:
    listening = crowded.stream()
    assert b"200 OK" in listening.recv(300)
    silent = [from_address("127.0.0.2", crowded.port) for _ in range(60)]
    crowded.house.board.publish({"banner": "still here"})
    heard = b""
    while b"still here" not in heard:
        chunk = listening.recv(65536)
        assert chunk, "the stream was closed for somebody who says nothing"
        heard += chunk
    for sock in (*silent, listening):
        sock.close()


STREAM = b"GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n"


def test_one_address_does_not_keep_all_public_streams(crowded: Served) -> None:
    greedy = [from_address("127.0.0.2", crowded.port, STREAM) for _ in range(5)]
    for sock in greedy:
        assert b"200 OK" in sock.recv(300)
    refused = from_address("127.0.0.2", crowded.port, STREAM)
    assert b" 503 " in refused.recv(300).split(b"\r\n")[0]
    late = from_address("127.0.0.3", crowded.port, STREAM)
    assert b" 200 " in late.recv(300).split(b"\r\n")[0]
    assert until(lambda: len(crowded.slots._leaving) == 0), "the stream that was taken back ends"
    for sock in (*greedy, refused, late):
        sock.close()


def test_slots_are_shared_fairly() -> None:
    slots = StreamSlots(8, reserved=2)
    first = [slots.take(address="a") for _ in range(6)]
    assert all(first)
    assert slots.take(address="a") is None
    others = [slots.take(address=name) for name in "bc"]
    assert all(others)
    assert sum(slot.taken_back for slot in first if slot) == 2
    assert slots.take(reserved=True, address="tablet") is not None
    assert slots.take(reserved=True, address="tablet") is not None
    for slot in first:
        assert slot is not None
        slot.give_back()
        slot.give_back()
    assert slots.free == 4


def test_streams_taken_back_that_do_not_end_are_few() -> None:
    slots = StreamSlots(20)
    assert all(slots.take(address="a") for _ in range(20))
    assert sum(slots.take(address=f"b{n}") is not None for n in range(20)) == MOST_LEAVING


def test_a_limiter_lets_through_what_it_says() -> None:
    now = [100.0]
    limiter = Limiter(3, 2.0, lambda: now[0])
    assert [limiter.wait_s("a") for _ in range(4)] == [0, 0, 0, 0.5]
    assert limiter.wait_s("b") == 0
    now[0] += 0.5
    assert [limiter.wait_s("a") for _ in range(2)] == [0, 0.5]
    now[0] += 1000
    assert [limiter.wait_s("a") > 0 for _ in range(4)] == [False, False, False, True]


@pytest.mark.parametrize("path", ["/api/record.txt", "/api/record.json", "/api/checkpoint"])
def test_who_asks_too_often_is_told_when_to_ask_again(
    house: House, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house.services.limiter, "_clock", lambda: 100.0)  # however slow the machine is
    client = house.app.test_client()
    statuses = [client.get(path).status_code for _ in range(60)]
    assert statuses[:30] == [200] * 30
    refused = client.get(path)
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "1")
    assert client.get(path, environ_base={"REMOTE_ADDR": "192.0.2.7"}).status_code == 200
    assert client.get("/api/state").status_code == 200


class CountingJournal(Journal):
    """Counts how often its events are read."""

    read = 0

    def entries(self, after: int = 0) -> Iterator[JournalEntry]:
        self.read += 1
        return super().entries(after)


def test_what_is_taken_away_is_made_once_a_head(folder: Path) -> None:
    with ExitStack() as parts:
        house = House(folder, parts)
        house.journal.close()
        (folder / "game.journal").unlink()
        journal = house.journal = parts.enter_context(CountingJournal(folder / "game.journal"))
        client = house.app.test_client()
        for number in range(30):
            journal.append("note", {"number": number})
        answers = {path: client.get(path).data for path in ("/api/record.json", "/api/checkpoint")}
        read = journal.read
        for path, first in answers.items():
            assert [client.get(path).data for _ in range(9)] == [first] * 9
        assert journal.read == read
        journal.append("note", {"number": 30})
        assert len(json.loads(client.get("/api/record.json").data)["events"]) == 31
        assert "Events: 31," in json.loads(client.get("/api/checkpoint").data)["text"]


@pytest.mark.long
def test_a_writer_does_not_wait_for_those_who_read(served: Served) -> None:
    """Sixty-four readers of everything there is to take away, and somebody who writes meanwhile."""
    journal = served.house.journal
    for number in range(600):
        journal._db.execute("PRAGMA synchronous = OFF")
        journal.append("note", {"number": number, "belief": os.urandom(2000).hex()})
    done = threading.Event()

    def read(source: str, path: str) -> None:
        while not done.is_set():
            connection = http.client.HTTPConnection("127.0.0.1", served.port, 10, source_address=(source, 0))
            connection.request("GET", path)
            connection.getresponse().read()
            connection.close()

    paths = ("/api/record.txt", "/api/checkpoint", "/api/record.json", "/api/events?after=0")
    readers = [
        threading.Thread(target=read, args=[f"127.0.0.{2 + n}", paths[n % len(paths)]], daemon=True)
        for n in range(64)
    ]
    for reader in readers:
        reader.start()
    waited_s = []
    for number in range(40):
        began = time.monotonic()
        journal.append("note", {"number": number})
        waited_s.append(time.monotonic() - began)
        time.sleep(0.02)
    done.set()
    for reader in readers:
        reader.join(15)
    assert median(waited_s) < 0.5  # one long wait is a busy machine's, not a reader's


def test_who_wants_large_things_waits_in_turn_and_few_do() -> None:
    bench, first, left = Workbench(waiting=2, each=2), threading.Event(), threading.Event()
    made: list[str] = []

    def make(address: str) -> None:
        with bench.place(address):
            made.append(address)
            first.set()
            left.wait(10)

    makers = [threading.Thread(target=make, args=[address]) for address in ("a", "a", "b")]
    makers[0].start()
    assert first.wait(10)
    for maker in makers[1:]:
        maker.start()
    assert until(lambda: bench._there.total() == 3)
    for address in ("a", "c"):  # one has two there, and the others are as many as may be
        with pytest.raises(CrowdedError), bench.place(address):
            pass
    assert made == ["a"], "one at a time"
    left.set()
    for maker in makers:
        maker.join(10)
    assert sorted(made) == ["a", "a", "b"]
    with bench.place("c"):
        assert bench._there == {"c": 1}


def test_who_waits_too_long_is_asked_to_come_again() -> None:
    bench = Workbench(patience_s=0.05)
    with bench.place("a"), pytest.raises(CrowdedError), bench.place("b"):
        pass
    with bench.place("b"):
        pass


class Taken(threading.Semaphore):
    """Places that are all taken. asked: somebody wants one."""

    def __init__(self) -> None:
        super().__init__(0)
        self.asked = threading.Event()

    def acquire(self, blocking: bool = True, timeout: float | None = None) -> bool:
        self.asked.set()
        return super().acquire(blocking, timeout)


def test_what_only_looks_waits_for_few_and_what_acts_for_none(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    tablet, looker = house.pair(), house.app.test_client()
    monkeypatch.setattr("web.contract.LOOKING", places := Taken())
    monkeypatch.setattr("web.contract.LOOK_WAITS_S", 60.0)
    statuses: list[int] = []
    looking = threading.Thread(target=lambda: statuses.append(looker.get("/api/state").status_code))
    looking.start()
    assert places.asked.wait(60.0)
    assert tablet.post("/api/commands/note", {"arguments": {}}, key="key-00000001").status_code == 200
    assert statuses == []
    places.release()
    looking.join()
    assert statuses == [200]
    assert places.acquire(blocking=False), "the place is free again"
    monkeypatch.setattr("web.contract.LOOK_WAITS_S", 0.0)
    assert looker.get("/api/state").status_code == 200, "nobody waits for good"


class SlowReports:
    """Reports that take as long as a test says. most: made at the same time."""

    def __init__(self) -> None:
        self.go_on, self.now, self.most = threading.Event(), 0, 0

    def turn(self, turn: int, language: str, form: TurnForm) -> bytes | None:
        self.now += 1
        self.most = max(self.most, self.now)
        self.go_on.wait(10)
        self.now -= 1
        return b"a report"


@pytest.mark.long
def test_who_asks_for_reports_leaves_threads_to_the_others(served: Served) -> None:
    """Eighty ask from twenty addresses while one report is being made: the page answers as ever."""
    reports = SlowReports()
    served.house.swap(reports=reports)
    asked = b"GET /api/turns/1/report.html HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    lines = [from_address(f"127.0.0.{2 + number % 20}", served.port, asked) for number in range(80)]
    refused = [line for line in lines if _readable(line)]
    assert until(lambda: served.get("/api/state").status == 200)
    reports.go_on.set()
    statuses = [line.recv(65536).split(b" ")[1] for line in lines]
    assert statuses.count(b"200") == 7
    assert statuses.count(b"503") == 73 >= len(refused)
    assert reports.most == 1
    for line in lines:
        line.close()


def _readable(line: socket.socket) -> bool:
    return bool(select.select([line], [], [], 0.5)[0])

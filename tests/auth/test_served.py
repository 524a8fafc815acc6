"""The page over real sockets: what a test client inside the process can't show."""

from __future__ import annotations

import asyncio
import socket
import struct
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest

from benchmarks.crowd import Watcher, watched
from referee.daemon import ViewPublisher
from referee.service.requesthead import HEAD_MOST
from referee.service.server import OwnHosts
from tests.auth.house import House
from tests.auth.serving import Served, until
from web.streams import StreamSlots


@pytest.fixture
def served(house: House) -> Iterator[Served]:
    house.app.config["MAX_STREAMS"] = 6
    house.swap(streams=StreamSlots(6))
    served = Served(house)
    with served.parts:
        yield served


@pytest.mark.parametrize("reset", [False, True], ids=["closed", "reset"])
def test_listeners_that_leave_give_their_streams_back(served: Served, reset: bool) -> None:
    for _ in range(3):
        listeners = [served.stream() for _ in range(6)]
        for listener in listeners:
            assert b"200 OK" in listener.recv(200)
        assert served.slots.free == 0
        assert served.get("/api/stream").status == 503
        assert served.get("/api/state").status == 200, "threads are left for everybody else"
        for listener in listeners:
            if reset:
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            listener.close()
        assert until(lambda: served.slots.free == 6)


def test_a_listener_that_takes_nothing_in_stops_nobody(served: Served) -> None:
    stuck = [served.stream() for _ in range(5)]  # they never read
    listening = served.stream()
    heard = bytearray()

    def listen() -> None:
        while b'"turn": 40' not in heard and (chunk := listening.recv(65536)):
            heard.extend(chunk)

    thread = threading.Thread(target=listen)
    thread.start()
    for turn in range(41):
        served.house.board.publish({"turn": turn, "much": "x" * 50_000})
        time.sleep(0.01)
    thread.join(15)
    assert b'"turn": 40' in heard
    assert served.get("/api/state").status == 200
    for sock in (*stuck, listening):
        sock.close()


def test_a_header_that_names_another_sender_is_not_believed(served: Served) -> None:
    seen: list[tuple[str | None, str]] = []
    served.house.app.before_request(lambda: seen.append((_request().remote_addr, _request().scheme)))
    served.get("/api/session", X_Forwarded_For="203.0.113.9", X_Forwarded_Proto="https", Forwarded="for=203.0.113.9")
    assert seen == [("127.0.0.1", "http")]


def test_behind_a_proxy_that_was_set_up_its_word_counts(house: House) -> None:
    served = Served(house, behind_proxy=True)
    seen: list[tuple[str | None, str]] = []
    house.app.before_request(lambda: seen.append((_request().remote_addr, _request().scheme)))
    with served.parts:
        served.get("/api/session", X_Forwarded_For="203.0.113.9", X_Forwarded_Proto="https")
    assert seen == [("203.0.113.9", "https")]


def _request() -> Any:
    from flask import request

    return request


def test_too_long_a_head_is_told_so(served: Served) -> None:
    with closing(socket.create_connection(("127.0.0.1", served.port), 10)) as line:
        line.sendall(b"GET / HTTP/1.1\r\nA: " + b"b" * (HEAD_MOST + 2000) + b"\r\n\r\n")
        assert line.recv(65536).split()[1] == b"431"


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /api/state HTTP/1.1\r\n\r\n",
        b"GET /api/state HTTP/1.0\r\n\r\n",
        b"GET http://evil.example/api/state HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"GET /api/state HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
        b"GET /api/state HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: localhost\r\n\r\n",
        b"POST /api/pair/pin HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"\x00\x01\x02\r\n\r\n",
    ],
    ids=lambda sent: sent[:40],
)
def test_odd_requests_get_no_data(served: Served, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=10) as sock:
        sock.sendall(sent)
        answer = sock.recv(65536)
    assert b" 200 " not in answer.split(b"\r\n")[0]
    assert b"Legal" not in answer


def test_the_machines_names_are_looked_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    names = OwnHosts("", ["Table.Example"])
    assert {"localhost", "127.0.0.1", "table.example"} <= set(names)
    assert len(names) == len(list(names))
    monkeypatch.setattr("referee.service.server.own_hosts", lambda asked: ["10.1.2.3"])
    assert "10.1.2.3" not in names
    names._until = 0.0
    assert list(names) == ["10.1.2.3", "table.example"]


def _heard_all(watcher: Watcher) -> bool:
    """Return whether a watcher saw a newer state and, where it has a stream, all four events."""
    return bool(watcher.late_ms) and (watcher.polls > 0 or len(watcher.events) >= 4)


@pytest.mark.long
def test_many_watchers_hear_a_ruling_at_once(house: House) -> None:
    """The lean form of ``python -m benchmarks page``: everybody hears, nobody fails; how fast is measured there."""
    house.app.config["MAX_STREAMS"] = 20
    house.swap(streams=StreamSlots(20))
    house.board.publish({"made": time.monotonic()})
    served = Served(house)

    def rule() -> float:
        made = time.monotonic()
        house.journal.append("ruling", {"made": made})
        house.board.publish({"made": made})
        return 0.0

    with served.parts, ThreadPoolExecutor(1) as apart:  # the browser's loop may run in this thread
        crowd = watched(served.port, 40, rule, 3, 0.2, before_s=0.0, after_s=0.0, enough=_heard_all)
        watchers, _, _ = apart.submit(asyncio.run, crowd).result()
    assert all(len(watcher.late_ms) >= 1 for watcher in watchers)
    assert not [failure for watcher in watchers for failure in watcher.failures]
    assert sorted(watcher.polls > 0 for watcher in watchers) == [False] * 20 + [True] * 20
    assert all(watcher.events == [1, 2, 3, 4] for watcher in watchers if not watcher.polls)
    assert isinstance(house.board, ViewPublisher)

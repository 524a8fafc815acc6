"""A paired device plays through the API: the real turn loop behind it, the real journal, the real server."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from referee.daemon import TurnLoop
from referee.daemon.hosting import Hosting
from referee.service.settings import Page
from tests.daemon.running import run_in_thread
from tests.match.fakes import FakeSight
from tests.match.test_daemon import PICTURES, QuickJournal, loop_on
from web.auth.guard import CSRF_HEADER
from web.contract import KEY_HEADER


class Playing:
    """A table that is refereed in a thread of its own, and a device that may act."""

    def __init__(
        self,
        folder: Path,
        parts: ExitStack,
        make_room: Callable[[], bool] = lambda: False,
        journal: Path | None = None,
    ) -> None:
        kept = parts.enter_context(QuickJournal(journal or folder / "game.journal", make_room))
        self.hosting = Hosting(
            Page(port=0), folder, lambda: self.loop.journal, lambda: self.loop.state, parts, make_room
        )
        sight = FakeSight(PICTURES)
        self.hosting.desk.on_put(sight.wake)
        self.loop: TurnLoop = loop_on(kept, self.hosting.board, sight, self.hosting.desk)
        self.hosting.serve(self.hosting.vitals())
        run_in_thread(self.loop, sight.wake, parts)
        self.port: int = self.hosting.sock.getsockname()[1]
        self.device, self.token = self.hosting.locks.devices.pair("Tablet")
        self.cookie = {"Cookie": f"{self.hosting.locks.name}={self.token}"}
        self.csrf = self.ask("GET", "/api/session", headers=self.cookie)[1]["csrf"]

    def ask(self, method: str, path: str, body: object = None, headers: Any = None) -> tuple[int, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            text = None if body is None else json.dumps(body)
            kind = {"Content-Type": "application/json"} if text else {}
            connection.request(method, path, text, kind | (headers or {}))
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def say(self, name: str, key: str, seen: int | None = None, **arguments: object) -> tuple[int, Any]:
        headers = self.cookie | {CSRF_HEADER: self.csrf, KEY_HEADER: key}
        body = {"arguments": arguments, "seen": seen}
        return self.ask("POST", f"/api/commands/{name}?lang=de", body, headers)

    def state(self) -> Any:
        return self.ask("GET", "/api/state")[1]


@pytest.fixture
def playing(folder: Path) -> Iterator[Playing]:
    with ExitStack() as parts:
        yield Playing(folder, parts)


def until(playing: Playing, *phases: str) -> Any:
    for _ in range(400):
        state = playing.state()
        if state["phase"]["id"] in phases:
            return state
        playing.hosting.board.wait(state["version"], 0.05)
    raise AssertionError(f"never {phases}: {playing.state()['phase']}")


def test_a_device_plays_and_nothing_it_sends_twice_counts_twice(playing: Playing) -> None:
    state = until(playing, "playing", "set-up")
    if state["phase"]["id"] == "set-up":
        playing.say("begin", "begin-0001")
        until(playing, "playing")
    first = playing.say("turn_ended", "turn-00001")
    assert first[0] == 200, first
    assert playing.say("turn_ended", "turn-00001") == first
    until(playing, "unsure")  # nothing has changed on the board: is the turn over?
    playing.say("turn_over", "over-00001")
    state = until(playing, "violation")
    assert state["banner"]["tone"] == "illegal"
    status, refused = playing.say("turn_ended", "turn-00002")
    assert (status, refused["code"]) == (409, "phase")
    assert refused["detail"].startswith("Das geht jetzt nicht")
    events = playing.ask("GET", "/api/events")[1]
    assert [event["number"] for event in events["events"]] == list(range(1, events["last"] + 1))
    rulings = [event["data"]["ruling"] for event in events["events"] if event["kind"] == "ruling"]
    assert rulings == ["unsure", "illegal"]


def test_who_decides_on_what_is_over_is_told(playing: Playing) -> None:
    until(playing, "playing", "set-up")
    status, refused = playing.say("pause", "pause-0001", seen=0)
    assert status == 409
    assert refused["detail"]


def test_a_watcher_changes_nothing(playing: Playing) -> None:
    until(playing, "playing", "set-up")
    before = playing.loop.journal.journal.head
    status, told = playing.ask("POST", "/api/commands/pause", {}, {KEY_HEADER: "pause-0002"})
    assert (status, told["code"]) == (401, "pairing")
    assert playing.loop.journal.journal.head == before

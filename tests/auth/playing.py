"""Referee a table in a thread, with a device that may act."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from referee.daemon import TurnLoop
from referee.daemon.hosting import Hosting
from referee.service.settings import Page
from tests.daemon.running import RestingSight, run_in_thread
from tests.match.loops import PICTURES, QuickJournal, loop_on
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
        sight = RestingSight(PICTURES)
        self.hosting.commands.on_put(sight.wake)
        self.loop: TurnLoop = loop_on(kept, self.hosting.publisher, sight, self.hosting.commands)
        self.hosting.serve(self.hosting.metrics())
        run_in_thread(self.loop, sight.wake, parts)
        self.port: int = self.hosting.sock.getsockname()[1]
        self.device, self.token = self.hosting.auth.devices.pair("Tablet")
        self.cookie = {"Cookie": f"{self.hosting.auth.name}={self.token}"}
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


def until(playing: Playing, *phases: str) -> Any:
    for _ in range(400):
        state = playing.state()
        if state["phase"]["id"] in phases:
            return state
        playing.hosting.publisher.wait(state["version"], 0.05)
    raise AssertionError(f"never {phases}: {playing.state()['phase']}")

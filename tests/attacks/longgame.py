"""A running referee in the middle of a long game, and a paired device that gives it commands."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import shutil
import ssl
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from benchmarks.midgame import played, started
from referee.demo.recording import BUNDLED, Recording
from referee.service.pairing import open_auth
from referee.storage.journal import Journal
from tests.demo.command import Demo
from web.auth.guard import CSRF_HEADER
from web.contract import KEY_HEADER

TABLE = "table"
MOST_WAIT_S = 1.0
"""Commands may wait so much longer because of an attack, where the machine has no other work."""
WORK_S = 0.05
"""Time of the processor in which the machine's slowness is measured."""


def write_game(games: Path, turns: int) -> Path:
    """Write a journal of a game of so many turns that goes on."""
    path = games / f"{TABLE}-20260101-000000.journal"
    with Journal(path) as journal:
        journal._db.execute("PRAGMA synchronous = OFF")
        for event in (started(), *played(turns)):
            journal.append(event.kind, event.to_json())
    return path


class LongGame:
    """``referee run`` on a game of so many turns, with two cameras that show the same board for ever."""

    def __init__(self, folder: Path, turns: int, parts: ExitStack) -> None:
        self.data = folder / "data"
        self.journal = write_game(self.data / "games", turns)
        os.environ["REFEREE_DATA_FOLDER"] = str(self.data)
        shutil.copytree(BUNDLED, folder / TABLE)
        options = [str(folder / TABLE)]
        for name, picture in Recording.open(BUNDLED).looks[0].pictures.items():
            shown = folder / name
            shown.mkdir()
            for number in range(2):
                (shown / f"{number}.jpg").symlink_to(picture)
            options += ["--camera", f"{name}=folder:{shown}?loop=yes&fps=5"]
        began_s = time.monotonic()
        self.run = parts.enter_context(Demo.run(*options))
        self.url = self.run.url
        assert self.run.until("Journal: (.*)")[1] == str(self.journal)
        self.started_s = time.monotonic() - began_s
        self.port = urlsplit(self.url).port or 0
        self.cameras = list(Recording.open(BUNDLED).looks[0].pictures)

    @property
    def memory_mb(self) -> float:
        """Return what the referee's own process holds, MB."""
        return memory_mb(self.run.process.pid)

    @property
    def all_memory_mb(self) -> float:
        """Return what the referee and the processes that read the cameras hold, MB; shared memory counts once."""
        found = Path(f"/proc/{self.run.process.pid}/task/{self.run.process.pid}/children").read_text().split()
        return sum(memory_mb(pid, "smaps_rollup", "Pss") for pid in (self.run.process.pid, *found))


def slowness() -> float:
    """Return how many times as long a piece of work takes as if the machine had no other."""
    began_s, worked_s = time.monotonic(), time.thread_time()
    while (took_s := time.thread_time() - worked_s) < WORK_S:
        pass
    return (time.monotonic() - began_s) / took_s


def memory_mb(pid: object, file: str = "status", key: str = "VmRSS") -> float:
    """Return what a process holds, MB."""
    for line in Path(f"/proc/{pid}/{file}").read_text().splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1]) / 1024
    raise LookupError(key)


class Tablet:
    """A paired device, over HTTPS where it has ``tls``. longest_s: the longest any command of its had to wait.

    alone_s: the longest one had to wait before anybody attacked, which is the machine's doing. slowness: how much
    slower the machine was at most meanwhile because of its other work, that of whoever attacks from it among them.
    """

    def __init__(self, port: int, cookie: str, tls: ssl.SSLContext | None = None) -> None:
        self._cookie, self._tls = {"Cookie": cookie}, tls
        self.port, self.longest_s, self.alone_s, self.count, self.refused = port, 0.0, 0.0, 0, 0
        self.slowness = 1.0
        self._csrf = self.ask("GET", "/api/session")[1]["csrf"]
        self._number = time.time_ns()

    @classmethod
    def paired(cls, data: Path, port: int, tls: ssl.SSLContext | None = None, alone_s: float = 5.0) -> Self:
        """Let in by the file of devices itself, while nobody attacks; for alone_s waits are measured."""
        with ExitStack() as parts:
            auth = open_auth(data, parts)
            _, token = auth.devices.pair("Tablet")
            tablet = cls(port, auth.cookies(token), tls)
        tablet.alone_s = tablet.pass_time(alone_s, 0.5).longest_s
        return tablet

    @property
    def in_time(self) -> bool:
        """Return whether no command waited for longer than it may because of an attack."""
        return self.longest_s < MOST_WAIT_S * self.slowness + self.alone_s

    @property
    def waited(self) -> str:
        """Return how long commands waited, in words."""
        compared = f"alone {self.alone_s:.2f} s, the machine {self.slowness:.1f} times as slow as idle"
        return f"longest of {self.count} commands {self.longest_s:.2f} s ({compared})"

    @classmethod
    def let_in(cls, port: int, secret: str) -> Self:
        """Let in by the secret of a link, as a page is."""
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        with contextlib.closing(line):
            kind = {"Content-Type": "application/json", "Origin": f"http://127.0.0.1:{port}"}
            line.request("POST", "/api/pair/link", json.dumps({"secret": secret, "name": "Tablet"}), kind)
            answer = line.getresponse()
            assert answer.status == 200, answer.read()
            return cls(port, str(answer.headers["Set-Cookie"]).split(";")[0])

    def ask(
        self, method: str, path: str, body: object = None, more: Mapping[str, str] | None = None
    ) -> tuple[int, Any]:
        """Return status and answer of a request on a connection of its own."""
        line = (
            http.client.HTTPSConnection("127.0.0.1", self.port, timeout=60, context=self._tls)
            if self._tls
            else http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        )
        try:
            text = None if body is None else json.dumps(body)
            kind = {"Content-Type": "application/json"} if text else {}
            line.request(method, path, text, self._cookie | kind | dict(more or {}))
            answer = line.getresponse()
            content = answer.read()
            return answer.status, json.loads(content) if content else None
        finally:
            line.close()

    def headers(self, key: str) -> dict[str, str]:
        """Return the headers with which a request of this device may act."""
        return {**self._cookie, CSRF_HEADER: self._csrf, KEY_HEADER: key}

    def command(self, name: str, **arguments: object) -> int:
        """Give a command, and measure how long its answer takes."""
        self._number += 1
        headers = {CSRF_HEADER: self._csrf, KEY_HEADER: f"key-{self._number}"}
        began_s = time.monotonic()
        status, _ = self.ask("POST", f"/api/commands/{name}", {"arguments": arguments}, headers)
        self.longest_s = max(self.longest_s, time.monotonic() - began_s)
        self.count += 1
        self.refused += status != 200
        return status

    def pass_time(self, seconds: float, every_s: float = 1.0) -> Self:
        """Pause and go on again and again for so long."""
        self.longest_s, self.count, self.refused, self.slowness = 0.0, 0, 0, 1.0
        until_s = time.monotonic() + seconds
        while time.monotonic() < until_s:
            for name in ("pause", "resume"):
                assert self.command(name) in (200, 409), name
                self.slowness = max(self.slowness, slowness())
                time.sleep(every_s / 2)
        return self

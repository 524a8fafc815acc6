"""A hall with lent tables as a process of its own, and visitors without a browser."""

from __future__ import annotations

import http.client
import re
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from referee.addons.lending.lent import descendants
from tests.demo.command import Demo

PATIENCE_S = 240.0


class LendingDemo(Demo):
    """``referee demo --play --public``. Everything it writes lies below ``files``."""

    def __init__(self, files: Path, monkeypatch: pytest.MonkeyPatch, *options: str) -> None:
        monkeypatch.setenv("TMPDIR", str(files))
        self.files = files
        super().__init__(None, "--play", "--public", *options)
        self.port = urlsplit(self.url).port or 0

    def tables(self) -> list[int]:
        """Return the processes of the tables, without those that they started."""
        found = {}
        for pid in descendants(self.process.pid):
            try:
                said = Path(f"/proc/{pid}/cmdline").read_text()
            except OSError:
                continue
            if "referee.addons.lending.lenttable" in said:
                found[pid] = said
        return sorted(found)

    def left_behind(self) -> list[Path]:
        """Return the folders of tables that are on the disk."""
        return list(self.files.glob("referee-public-*/*"))


class Visitor:
    """Somebody who asks without a browser and keeps one cookie. Each asks from an address of their own."""

    def __init__(self, port: int, number: int = 1) -> None:
        self._port, self._from = port, f"127.0.0.{number}"
        self.cookie = ""

    def ask(self, method: str, path: str, cookie: str | None = None) -> tuple[int, str, str]:
        """Return status, where it leads to, and what is said; nothing where a table breaks down over it."""
        source = (self._from, 0)
        with closing(http.client.HTTPConnection("127.0.0.1", self._port, timeout=30, source_address=source)) as line:
            sent = self.cookie if cookie is None else cookie
            line.request(method, path, headers={"Cookie": sent} if sent else {})
            try:
                answer = line.getresponse()
            except ConnectionError:
                return 0, "", ""
            given = re.match(r"[\w-]+=[\w-]+", answer.headers.get("Set-Cookie", ""))
            if given:
                self.cookie = given[0]
            return answer.status, answer.headers.get("Location", ""), answer.read().decode()

    def sit(self, game: str = "turris") -> None:
        """Ask for a table."""
        assert self.ask("POST", f"/sit?game={game}")[:2] == (303, "/wait")

    def until(self, leads_to: str) -> None:
        """Look at the place in line until it leads somewhere."""
        eventually(lambda: self.ask("GET", "/wait")[1] == leads_to)


def eventually(true: Callable[[], bool]) -> None:
    """Look every now and then, as a page does, until something is so."""
    until_s = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < until_s, "it never came"
        time.sleep(1.0)  # each look is a connection of its own, and one address may open only so many

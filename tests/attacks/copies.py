"""A paired tablet that fills the disk with pictures of cards: of parts that don't exist, then of every part there is.

All copies together stay within their limit, whoever asks is told why in their own language, play goes on, and what is
deleted makes room.
"""

from __future__ import annotations

import base64
import itertools
import tempfile
import threading
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

from referee.daemon.copyfolder import MOST_TOTAL_BYTES
from referee.values.words import LANGUAGES
from tests.attacks.crowd import MOST_MB
from tests.attacks.longgame import Tablet, memory_mb
from tests.attacks.outcome import Outcome
from tests.demo.command import Demo

PICTURE = base64.b64encode(b"\xff\xd8\xff" + bytes(655_000)).decode()
SENDERS = 4
COPIES = 80


def size_bytes(folder: Path) -> int:
    """Return the size of all files below a folder, bytes."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


class Filler:
    """A paired tablet at a running table, with copies begun there. statuses: of its requests, by their answers."""

    def __init__(self, port: int, cookie_folder: Path) -> None:
        self.tablet = Tablet.paired(cookie_folder, port)
        self.keys = itertools.count()
        self.statuses: Counter[tuple[int, str]] = Counter()

    def act(self, method: str, path: str, body: object = None) -> tuple[int, dict[str, object]]:
        """Ask for something as the page does."""
        status, told = self.tablet.ask(method, path, body, self.tablet.headers(f"fill-key-{next(self.keys)}"))
        return status, told or {}

    def send(self, paths: list[str]) -> None:
        """Send a picture to each address, from several threads at once."""
        left = iter(paths)
        mutex = threading.Lock()

        def send_some() -> None:
            while True:
                with mutex:
                    path = next(left, None)
                if path is None:
                    return
                status, told = self.act("POST", path, {"picture": PICTURE})
                self.statuses[status, str(told.get("code", ""))] += 1

        threads = [threading.Thread(target=send_some) for _ in range(SENDERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def played(self, outcome: Outcome, folder: Path, pid: int, what: str, most_bytes: int) -> None:
        """Note how much lies there, and how a command fares."""
        self.tablet.pass_time(3, 0.5)
        held, memory = size_bytes(folder / "copies"), memory_mb(pid)
        fine = held <= most_bytes and self.tablet.in_time and memory < MOST_MB
        told = ", ".join(f"{count} x {status} {code}".strip() for (status, code), count in self.statuses.items())
        waited = f"longest command {self.tablet.longest_s:.2f} s; {memory:.0f} MB of memory"
        outcome.holds(fine, f"{what}: {told}; {held / 1e6:.0f} MB on the disk; {waited}")
        self.statuses.clear()


def attack(copies: int = COPIES) -> Outcome:
    """Fill it, then make room. copies: how many are begun."""
    outcome = Outcome("pictures of cards")
    with tempfile.TemporaryDirectory(prefix="referee-copies-") as made, ExitStack() as parts:
        folder = Path(made)
        run = parts.enter_context(Demo(folder / "game.journal", "--game", "terrabilis", "--pace", "600"))
        filler = Filler(urlsplit(run.url).port or 0, folder)
        for number in range(copies):
            assert filler.act("POST", "/api/copies", {"name": f"Copy {number}"})[0] == 200
        names = [f"copy-{number}" for number in range(copies)]
        filler.send([f"/api/copies/{name}/{part}/{n}/picture" for name in names[:4] for part in ("cards", "track")
                     for n in range(30)])  # fmt: skip
        filler.played(outcome, folder, run.process.pid, "parts that don't exist", 1_000_000)
        form = filler.tablet.ask("GET", f"/api/copies/{names[0]}")[1]
        rows = [(part["id"], row["id"]) for part in form["parts"] if part["pictured"] for row in part["rows"]]
        began_s = time.monotonic()
        filler.send([f"/api/copies/{name}/{part}/{row}/picture" for name in names for part, row in rows])
        what = f"every part of {copies} copies in {time.monotonic() - began_s:.0f} s"
        full = filler.statuses[409, "full"] > 0
        filler.played(outcome, folder, run.process.pid, what, MOST_TOTAL_BYTES)
        part, row = rows[0]
        path = f"/api/copies/{names[-1]}/{part}/{row}/picture"
        words = {str(filler.act("POST", f"{path}?lang={one}", {"picture": PICTURE})[1]) for one in LANGUAGES}
        outcome.holds(full and len(words) == len(LANGUAGES), f"the refusal is told in {len(words)} languages")
        freed = filler.act("DELETE", f"/api/copies/{names[0]}")[0], filler.act("POST", path, {"picture": PICTURE})[0]
        outcome.holds(freed == (200, 200), f"a copy is deleted and a picture has room: {freed}")
        outcome.holds(run.process.poll() is None, "the referee goes on")
    return outcome

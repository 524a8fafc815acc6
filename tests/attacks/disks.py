"""Disks that fail while a game is played: strace injects errors and delays into the running referee.

What the disk refuses is refused to the players, too, with a sentence; the page goes on; ``/health`` says so; and when
the disk is well again play goes on by itself, and nothing that was acknowledged is missing.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from referee.storage.journal import read_journal
from tests.attacks.longgame import LongGame, Tablet
from tests.attacks.outcome import Outcome

WRITES = "pwrite64,write,ftruncate,fdatasync,fsync,unlink"
FAULTS = {
    "EIO on every write": (f"inject={WRITES}:error=EIO",),
    "EIO when it is synced": ("inject=fdatasync,fsync:error=EIO",),
    "no room": ("inject=pwrite64,write,ftruncate:error=ENOSPC",),
    "read-only all at once": (f"inject={WRITES},openat:error=EROFS",),
}
SLOW = ("inject=fdatasync,fsync:delay_enter=2000000",)
"""Two seconds, in microseconds."""


@contextmanager
def faulty(pid: int, how: Sequence[str], paths: Sequence[Path]) -> Iterator[None]:
    """Let the calls of a process on some files go wrong."""
    files = [part for path in paths for name in (path, f"{path}-journal", path.parent) for part in ("-P", str(name))]
    options = [part for one in how for part in ("-e", one)]
    command = [
        "strace",
        "-f",
        "-qq",
        "-o",
        os.devnull,
        "-p",
        str(pid),
        "-e",
        f"trace={WRITES},openat",
        *options,
        *files,
    ]
    tracer = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    time.sleep(1.5)
    if tracer.poll() is not None:
        raise PermissionError(tracer.stderr.read() if tracer.stderr else "strace ended")
    try:
        yield
    finally:
        tracer.send_signal(signal.SIGINT)
        tracer.wait(20)
        if tracer.stderr is not None:
            tracer.stderr.close()


class Watched:
    """A game, its tablet, and every event it heard of."""

    def __init__(self, folder: Path, parts: ExitStack, outcome: Outcome) -> None:
        self.game = LongGame(folder, 3, parts)
        self.tablet = Tablet.paired(self.game.data, self.game.port)
        self.outcome = outcome
        self.heard: dict[int, str] = {}
        self.listen()

    def listen(self) -> None:
        """Hear of every event there is."""
        _, told = self.tablet.ask("GET", f"/api/events?after={max(self.heard, default=0)}&limit=500")
        self.heard |= {event["number"]: event["kind"] for event in told["events"]}

    def press(self) -> set[int]:
        """Give some commands. Return the statuses they were answered with."""
        found = {self.tablet.command(name) for name in ("pause", "resume") * 2}
        self.listen()
        return found

    def fault(self, name: str, how: Sequence[str], paths: Sequence[Path]) -> None:
        """Cause one fault on some files; nothing that is heard of during it may be missing afterwards."""
        with faulty(self.game.run.process.pid, how, paths):
            during = self.press()
            began_s = time.monotonic()
            health, told = self.tablet.ask("GET", "/health")
            page_s = time.monotonic() - began_s
        until_s = time.monotonic() + 20
        while not (after := self.press()) <= {200, 409} and time.monotonic() < until_s:
            time.sleep(0.5)
        files = ", ".join(path.name for path in paths)
        said = f"{name} ({files}): commands {sorted(during)}, /health {health} {told.get('status')} in {page_s:.2f} s"
        self.outcome.holds(
            during <= {200, 409, 503} and page_s < 1 and after <= {200, 409}, f"{said}; then {sorted(after)}"
        )

    def kept(self) -> None:
        """Verify that everything heard of is in the journal."""
        there = {entry.number: entry.kind for entry in read_journal(self.game.journal)}
        lost = [number for number, kind in self.heard.items() if there.get(number) != kind]
        self.outcome.holds(not lost, f"{len(self.heard)} events heard of, {len(lost)} lost")


def attack() -> Outcome:
    """Attack with every fault, on the journal and on the file of devices, and with a slow disk."""
    outcome = Outcome("disks that fail")
    if shutil.which("strace") is None:
        outcome.note("not tried: there is no strace here")
        return outcome
    with tempfile.TemporaryDirectory(prefix="referee-disks-") as folder, ExitStack() as parts:
        try:
            watched = Watched(Path(folder), parts, outcome)
            journal, devices = watched.game.journal, watched.game.data / "devices.db"
            for name, how in FAULTS.items():
                for paths in ([journal], [devices], [journal, devices]):
                    watched.fault(name, how, paths)
            watched.fault("two seconds a sync", SLOW, [journal, devices])
        except PermissionError as error:
            outcome.note(f"not tried: {error}")
            return outcome
        outcome.holds(watched.game.run.process.poll() is None, "the referee goes on")
        watched.kept()
    return outcome

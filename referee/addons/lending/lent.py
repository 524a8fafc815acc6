"""Lend a table to one visitor: a referee in a process of its own, with a folder that goes when it is closed."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections import defaultdict
from pathlib import Path

from referee.addons.lending.hall import TableDoor
from vision.sources.process import child_environment

_ENDS_S = 10.0


class LentProcess:
    """A running table. Safe to use from several threads."""

    def __init__(self, folder: Path, game: str, language: str, largest_bytes: int) -> None:
        """Start it; it answers some seconds later. folder: made for it, everything it writes lies there."""
        folder.mkdir(mode=0o700)
        self._folder = folder
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "referee.addons.lending.lenttable", game, language, str(largest_bytes)],
            stdin=subprocess.PIPE,  # it ends when this does, however we end
            stdout=subprocess.PIPE,
            env=child_environment() | {"TMPDIR": str(folder)},
            start_new_session=True,
        )
        self._door: TableDoor | None = None
        self._reader = threading.Thread(target=self._listen, name="lent table", daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        """Return its process id."""
        return self._process.pid

    @property
    def door(self) -> TableDoor | None:
        """Return how it is reached, once it answers."""
        return self._door

    @property
    def ended(self) -> bool:
        """Return whether it ended by itself."""
        return self._process.poll() is not None

    def size_bytes(self) -> int:
        """Return what it and the processes it started take of memory, shared pages counted once, and its files."""
        memory = sum(_held_bytes(pid) for pid in (self.pid, *descendants(self.pid)))
        return memory + sum(_file_bytes(folder, names) for folder, _, names in os.walk(self._folder))

    def close(self) -> None:
        """End it and delete its folder. There is nothing that it should save."""
        for pid in (self.pid, *descendants(self.pid)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):  # one that hangs in the kernel ends when it comes out
            self._process.wait(_ENDS_S)
        self._reader.join(_ENDS_S)
        assert self._process.stdin is not None
        self._process.stdin.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                with contextlib.suppress(ValueError, KeyError, TypeError):  # it may say other things
                    said = json.loads(line)
                    self._door = TableDoor(("127.0.0.1", int(said["port"])), str(said["cookies"]))


def descendants(pid: int) -> list[int]:
    """Return the processes that a process started, and those they started."""
    children: dict[int, list[int]] = defaultdict(list)
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):  # it ended meanwhile
            parent = int(status.read_text().rpartition(")")[2].split()[1])
            children[parent].append(int(status.parent.name))
    found, ahead = [], [pid]
    while ahead:
        below = children.get(ahead.pop(), [])
        found += below
        ahead += below
    return found


def _held_bytes(pid: int) -> int:
    """Return the memory of one process; pages shared with others are shared out (proc(5), Pss)."""
    with contextlib.suppress(OSError, ValueError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0


def _file_bytes(folder: str, names: list[str]) -> int:
    found = 0
    for name in names:
        with contextlib.suppress(OSError):  # deleted meanwhile
            found += Path(folder, name).lstat().st_blocks * 512
    return found

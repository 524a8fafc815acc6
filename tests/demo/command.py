"""``referee demo`` as a person starts it: a process, its words, and the address it prints."""

from __future__ import annotations

import os
import queue
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.demo.forked import POSSIBLE, Forked

START_S = 120.0
PYTHONPATH = os.environ.get("PYTHONPATH")


class Demo:
    """A running demo; ``kill`` ends it without a word, leaving stops it the way Ctrl-C does."""

    command: tuple[str, ...] = (sys.executable, "-u", "-c", "from referee.cli import main; main()")

    def __init__(
        self, journal: Path | None, *options: str, subcommand: str = "demo", stdin: int | None = None
    ) -> None:
        words = [subcommand, "--port", "0", *(("--journal", str(journal)) if journal else ()), *options]
        self.process = Forked(words, stdin) if self._loaded() else self._anew(words, stdin)
        self.said: list[str] = []
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _loaded(self) -> bool:
        """Return whether it can be forked: what is measured is started anew, and what finds other modules."""
        return (
            POSSIBLE
            and "PYTEST_CURRENT_TEST" in os.environ
            and os.environ.get("PYTHONPATH") == PYTHONPATH
            and (self.command is Demo.command)
        )

    def _anew(self, words: list[str], stdin: int | None) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*self.command, *words], stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    @classmethod
    def run(cls, *options: str, stdin: int | None = None) -> Self:
        """Start ``referee run`` instead. stdin: a terminal, where it has one."""
        return cls(None, *options, subcommand="run", stdin=stdin)

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def until(self, pattern: str) -> re.Match[str]:
        """Wait for a line; fails with all that was said when it doesn't come."""
        while True:
            line = self._lines.get(timeout=START_S)
            if line is None:
                self._lines.put(None)  # whoever waits for its end does so too
            assert line is not None, f"it ended without {pattern!r}: {self.said}"
            self.said.append(line)
            if found := re.search(pattern, line):
                return found

    @property
    def url(self) -> str:
        """Return the address it prints."""
        return self.until(r"open (http://\S+)")[1]

    def kill(self) -> None:
        """Kill the demo (SIGKILL)."""
        self.process.kill()
        self.process.wait(30)
        self._reader.join(10)

    def wait(self) -> int:
        """Wait for its own end and return the exit status."""
        status = self.process.wait(START_S)
        self._reader.join(10)
        while (line := self._lines.get()) is not None:
            self.said.append(line)
        return status

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            assert self.wait() == 0, self.said

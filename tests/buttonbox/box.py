"""The real sketch, compiled for the desk, at one end of a real pseudo-terminal: plugged in, unplugged, pressed."""

from __future__ import annotations

import contextlib
import functools
import mmap
import os
import shutil
import struct
import subprocess
import tempfile
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SKETCH = ROOT / "hardware" / "button-box" / "button-box.ino"
SHIM = Path(__file__).with_name("arduino")
GREEN, AMBER, RED, BUTTONS = 9, 10, 11, (2, 3, 4, 5)
STEADY_S = 0.01
"""How long a contact must be steady (``STEADY_MS`` of the sketch)."""
PATIENCE_S = 60.0
"""A busy machine is slow, not wrong."""

needs_compiler = pytest.mark.skipif(not shutil.which("g++"), reason="g++ is not here")


@functools.cache
def program() -> Path:
    """Compile the sketch as a program, once."""
    made = Path(tempfile.mkdtemp(prefix="referee-box-")) / "box"
    subprocess.run(
        [
            "g++",
            "-O1",
            "-Wall",
            "-Wextra",
            "-Werror",
            f"-I{SHIM}",
            "-x",
            "c++",
            SKETCH,
            SHIM / "board.cpp",
            "-o",
            made,
        ],
        check=True,
    )
    return made


class Box:
    """A button box; ``url`` stays the same however often it is plugged in again, as a by-id link does."""

    def __init__(self, folder: Path) -> None:
        self.url = str(folder / "button-box")
        self.pins = folder / "pins"
        self.pins.write_bytes(b"\x01" * 64 + bytes(192))
        with self.pins.open("r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 256)
        self._process: subprocess.Popen[bytes] | None = None
        self._ends: list[int] = []

    def plug(self) -> None:
        """Give it power and a line."""
        master = self.line()
        self._process = subprocess.Popen([program(), self.pins], stdin=master, stdout=master)

    def line(self) -> int:
        """Make a new line without any box at its end; return that end."""
        master, slave = os.openpty()
        tty.setraw(slave)
        with contextlib.suppress(FileNotFoundError):
            Path(self.url).unlink()
        Path(self.url).symlink_to(os.ttyname(slave))
        os.close(slave)  # from here on only the referee holds it
        self._ends.append(master)
        return master

    def unplug(self) -> None:
        """Pull the cable: power and line go at once."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(10)
            self._process = None
        with contextlib.suppress(FileNotFoundError):
            Path(self.url).unlink()
        for end in self._ends:
            os.close(end)
        self._ends.clear()

    def freeze(self, signal_number: int) -> None:
        """Send the box a signal: SIGSTOP keeps the line open and says nothing more."""
        assert self._process is not None
        self._process.send_signal(signal_number)

    def hold(self, button: int, down: bool) -> None:
        """Hold a button, from 1, or let it go."""
        self.memory[BUTTONS[button - 1]] = 0 if down else 1

    def bounce(self, button: int) -> None:
        """Leave a button's contact loose: open at one look, closed at the next."""
        self.memory[BUTTONS[button - 1]] = 2

    def press(self, button: int) -> None:
        """Press a button and let it go, with the bounces of a real contact.

        The finger stays until the sketch has noticed: a starved machine may not run the sketch for 100 ms, which no
        Arduino does.
        """
        self.bounce(button)
        self._looks()
        self.hold(button, True)
        self._noticed()
        self.bounce(button)
        self._looks()
        self.hold(button, False)
        self._noticed()

    def _looks(self) -> None:
        """Wait until the sketch has gone through its loop once from its beginning."""
        first = self._loops
        until(lambda: self._loops - first >= 2)

    def _noticed(self) -> None:
        """Wait until the sketch has looked, and looked again after the time that a contact must be steady."""
        self._looks()
        time.sleep(2 * STEADY_S)
        self._looks()

    @property
    def _loops(self) -> int:
        (count,) = struct.unpack("=I", self.memory[72:76])
        return int(count)

    @property
    def lamps(self) -> tuple[bool, bool, bool]:
        """Return whether green, amber and red are lit at this moment."""
        return self.memory[GREEN] == 1, self.memory[AMBER] == 1, self.memory[RED] == 1

    @property
    def buzzed(self) -> tuple[int, int]:
        """Return how often the buzzer was sounded, and for how many milliseconds at last."""
        count, duration_ms = struct.unpack("=II", self.memory[64:72])
        return count, duration_ms


@contextlib.contextmanager
def box_in(folder: Path) -> Iterator[Box]:
    """Yield a box that is unplugged in the end."""
    box = Box(folder)
    try:
        yield box
    finally:
        box.unplug()


def until(holds: Callable[[], object]) -> None:
    """Wait until something holds; fails when it does not in time."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def becomes(found: Callable[[], object], wanted: object) -> None:
    """Wait until what is found is what is wanted."""
    until(lambda: found() == wanted)

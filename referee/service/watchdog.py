"""Tells systemd how the referee does (sd_notify(3)): ready, still advancing, stopping.

Only the turn loop pings, from its own thread: a referee whose page still answers while its loop hangs gets no ping,
and systemd starts it again. Without systemd nothing is sent and nothing fails.
"""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Callable, Mapping

PINGS_A_PERIOD = 4
"""Pings to systemd in the time it would wait for one."""


class Watchdog:
    """The socket to systemd that the environment names."""

    def __init__(self, environ: Mapping[str, str] | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        environ = os.environ if environ is None else environ
        self._address = _address(environ.get("NOTIFY_SOCKET", ""))
        self._period_s = _period_s(environ) if self._address else 0.0
        self._clock = clock
        self._next_s = clock()

    def ready(self, status: str) -> None:
        """Tell systemd that the page can be opened. status: one line for ``systemctl status``."""
        self._send(f"READY=1\nSTATUS={_line(status)}")

    def beat(self) -> None:
        """Tell systemd that the turn loop has come round once more.

        Only the turn loop may call this, as often as it likes.
        """
        if self._period_s and self._clock() >= self._next_s:
            self._next_s = self._clock() + self._period_s / PINGS_A_PERIOD
            self._send("WATCHDOG=1")

    def status(self, status: str) -> None:
        """Send one line for ``systemctl status``."""
        self._send(f"STATUS={_line(status)}")

    def stopping(self) -> None:
        """Tell systemd that the referee was asked to stop and is about to."""
        self._send("STOPPING=1")

    def _send(self, words: str) -> None:
        if not self._address:
            return
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            # The listener may be slow or gone; the game doesn't wait for it.
            line.setblocking(False)
            line.sendto(words.encode(), self._address)


def _address(named: str) -> str:
    if named.startswith("@"):
        return "\0" + named[1:]
    return named if named.startswith("/") else ""


def _period_s(environ: Mapping[str, str]) -> float:
    if environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return 0.0  # another process is watched, our parent perhaps
    try:
        return max(0, int(environ.get("WATCHDOG_USEC", "0"))) / 1e6
    except ValueError:
        return 0.0


def _line(text: str) -> str:
    return " ".join(text.split())

"""A turn loop that runs in a thread of its own, as it does beside a table."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from referee.daemon import TurnLoop
from tests.match.fakes import FakeSight


class RestingSight(FakeSight):
    """Cameras that show what a test says; between two rounds the loop rests, so it takes no time from the page."""

    def __init__(self, looks: Sequence[str] = (), board: str | None = None, patience_s: float = 0.0) -> None:
        super().__init__(looks, patience_s)
        self.board = board
        self._woken = threading.Event()

    def wait(self, timeout_s: float) -> None:
        self._woken.wait(0.05)
        self._woken.clear()

    def wake(self) -> None:
        self._woken.set()


def run_in_thread(loop: TurnLoop, wake: Callable[[], None], parts: ExitStack) -> None:
    """Run until the parts are closed. wake: ends a wait of the loop's sight."""
    stop = threading.Event()
    thread = threading.Thread(target=loop.run, args=[stop.is_set])
    parts.callback(thread.join)
    parts.callback(wake)
    parts.callback(stop.set)
    thread.start()

"""Work that must end in time, done beside the thread that waits for it.

Python can't end a thread: work that takes too long is left to itself, and nothing else is begun before it has ended.
Every search in readers and engines has a bound in steps, so that it does end. What is asked for meanwhile waits for
that, as long as work may take, instead of failing at once.
"""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from collections.abc import Callable
from typing import TypeVar

from referee.session.bounds import TookTooLongError

T = TypeVar("T")

MOST_S = 20.0
"""A reading or a ruling that takes longer has failed. The slowest look takes a tenth of this on a small computer."""
BEAT_S = 1.0
"""While something is waited for, this often is said that the waiting thread is well."""

_LOG = logging.getLogger(__name__)


class BoundedWork:
    """Do one piece of work at a time within ``most_s`` seconds. beat: called now and then while it is waited for."""

    def __init__(self, most_s: float = MOST_S, beat: Callable[[], None] = lambda: None) -> None:
        self._most_s, self._beat = most_s, beat
        self._left: threading.Thread | None = None
        self._busy = False

    @property
    def busy(self) -> bool:
        """Return whether work is waited for now. May be asked from any thread."""
        return self._busy

    def __call__(self, work: Callable[[], T]) -> T:
        """Return what the work returns. Raises TookTooLongError, and what the work raises."""
        if self._left is not None:
            self._wait(self._left)
            if self._left.is_alive():
                raise TookTooLongError(self._most_s)
        done: list[T] = []
        failed: list[BaseException] = []

        def run() -> None:
            try:
                done.append(work())
            except BaseException as error:  # raised again where it is waited for
                failed.append(error)

        thread = threading.Thread(target=run, name="bounded work", daemon=True)
        thread.start()
        self._wait(thread)
        if failed:
            raise failed[0]
        if not done:
            self._left = thread
            _LOG.error("given up after %.0f s:\n%s", self._most_s, _stack(thread))
            raise TookTooLongError(self._most_s)
        return done[0]

    def _wait(self, thread: threading.Thread) -> None:
        self._busy = True
        try:
            left_s = self._most_s
            while left_s > 0 and thread.is_alive():
                thread.join(min(BEAT_S, left_s))
                left_s -= BEAT_S
                self._beat()
        finally:
            self._busy = False


def _stack(thread: threading.Thread) -> str:
    """Return where a thread is now, as a traceback."""
    frame = sys._current_frames().get(thread.ident or 0)
    return "".join(traceback.format_stack(frame)) if frame is not None else "it has just ended"

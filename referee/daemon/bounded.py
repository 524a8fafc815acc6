"""Work that must end in time, done beside the thread that waits for it.

Python can't end a thread: work that takes too long is left to itself, and nothing else is begun before it has ended.
Every search in readers and engines has a bound in steps, so that it does end. What is asked for meanwhile waits for
that, as long as work may take, instead of failing at once.

Time is the processor time of the work: a reading that other work keeps from the processor has not failed.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import TypeVar

from referee.session.bounds import TookTooLongError

T = TypeVar("T")

MOST_S = 20.0
"""A reading or a ruling that takes more processor time has failed."""
STARVED = 6
"""Work that waits, or that other work keeps from the processor, is given up after so many times as long."""
BEAT_S = 1.0
"""While something is waited for, this often is said that the waiting thread is well."""

_LOG = logging.getLogger(__name__)


class BoundedWork:
    """Do one piece of work at a time within ``most_s`` seconds of processor time.

    beat: called now and then while it is waited for. clock: the time of day that goes by, seconds.
    """

    def __init__(
        self,
        most_s: float = MOST_S,
        beat: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most_s, self._beat, self._clock = most_s, beat, clock
        self._left: _Worker | None = None
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

        worker = _Worker(run)
        worker.start()
        self._wait(worker)
        if failed:
            raise failed[0]
        if not done:
            self._left = worker
            _LOG.error("given up after %.0f s:\n%s", worker.used_s, _stack(worker))
            raise TookTooLongError(self._most_s)
        return done[0]

    def _wait(self, worker: _Worker) -> None:
        self._busy = True
        began_s, used_s = self._clock(), worker.used_s
        try:
            while worker.is_alive():
                if worker.used_s - used_s >= self._most_s or self._clock() - began_s >= STARVED * self._most_s:
                    return
                worker.join(min(BEAT_S, self._most_s))
                self._beat()
        finally:
            self._busy = False


class _Worker(threading.Thread):
    """A thread that knows how much processor time it has used."""

    def __init__(self, work: Callable[[], None]) -> None:
        super().__init__(name="bounded work", daemon=True)
        self._work = work
        self._processor: int | None = None

    def run(self) -> None:
        """Do the work."""
        if sys.platform == "linux":
            # The clock is asked for here: asking for that of a thread that has ended may crash.
            self._processor = time.pthread_getcpuclockid(threading.get_ident())
        self._work()

    @property
    def used_s(self) -> float:
        """Return the processor time it has used, seconds; the time of day where that is not known."""
        if sys.platform != "linux":
            return time.monotonic()
        if self._processor is None:
            return 0.0
        try:
            return time.clock_gettime(self._processor)
        except OSError:  # it has ended
            return 0.0


def _stack(thread: threading.Thread) -> str:
    """Return where a thread is now, as a traceback."""
    frame = sys._current_frames().get(thread.ident or 0)
    return "".join(traceback.format_stack(frame)) if frame is not None else "it has just ended"

"""Limits what costs the referee work: how often one address may ask for it, and how much is made at a time."""

from __future__ import annotations

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

MOST_ADDRESSES = 1000
"""Addresses remembered; the one that has not asked for longest is forgotten first."""


class Limiter:
    """Counts requests by address. burst: how many may come at once; a_second: how many come to it each second."""

    def __init__(self, burst: int, a_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst, self._a_second, self._clock = float(burst), a_second, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._mutex = threading.Lock()

    def wait_s(self, address: str) -> float:
        """Count a request: 0 where it may be answered now, else the seconds after which one may be."""
        now_s = self._clock()
        with self._mutex:
            left, at_s = self._left.pop(address, (self._burst, now_s))
            left = min(self._burst, left + (now_s - at_s) * self._a_second)
            allowed = left >= 1.0
            self._left[address] = (left - 1.0 if allowed else left, now_s)
            while len(self._left) > MOST_ADDRESSES:
                self._left.popitem(last=False)
        return 0.0 if allowed else (1.0 - left) / self._a_second


class CrowdedError(Exception):
    """So many wait for something to be made that this one is asked to come again."""


class Workbench:
    """Makes large things one after the other; clients that wait hold a thread each, so they are few.

    waiting: how many may wait in all; each: how many of one address may be there; patience_s: how long they wait.
    """

    def __init__(self, waiting: int = 6, each: int = 2, patience_s: float = 30.0) -> None:
        self._most, self._each, self._patience_s = waiting + 1, each, patience_s
        self._there: Counter[str] = Counter()
        self._mutex, self._work = threading.Lock(), threading.Lock()

    @contextmanager
    def place(self, address: str) -> Iterator[None]:
        """Wait for one's turn, and have it until the end of the block. Raises CrowdedError."""
        with self._mutex:
            if self._there.total() >= self._most or self._there[address] >= self._each:
                raise CrowdedError
            self._there[address] += 1
        try:
            if not self._work.acquire(timeout=self._patience_s):
                raise CrowdedError
            try:
                yield
            finally:
                self._work.release()
        finally:
            with self._mutex:
                self._there[address] -= 1
                if not self._there[address]:
                    del self._there[address]

"""How often one address may ask for what costs the referee work: a bucket of tokens each, filled again with time."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

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

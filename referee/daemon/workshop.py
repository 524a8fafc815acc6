"""What takes seconds to make is made one at a time, and what was made last is kept: the table goes on meanwhile."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

from web.tableview import BusyError

MOST_WAITING = 2
"""More who ask at once are told to come again: each who waits holds one of the page's few threads."""
PATIENCE_S = 30.0
KEPT_BYTES = 32 * 1024 * 1024
"""What was made is kept up to this size together; the newest always, if it is no larger."""


class Workshop:
    """Makes reports. Safe for several threads."""

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        """patience_s: how long somebody waits for what others asked for before."""
        self._bench, self._queue = threading.Lock(), threading.Semaphore(MOST_WAITING + 1)
        self._patience_s = patience_s
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()

    def made(self, key: Hashable, make: Callable[[], bytes]) -> bytes:
        """What has been made for a key, or is made now; empty where there is nothing to make, which is not kept.

        key: changes whenever what is made would. Raises BusyError where too many wait already, or it takes too long.
        """
        if not self._queue.acquire(blocking=False):
            raise BusyError
        try:
            if not self._bench.acquire(timeout=self._patience_s):
                raise BusyError
            try:
                return self._made(key, make)
            finally:
                self._bench.release()
        finally:
            self._queue.release()

    def _made(self, key: Hashable, make: Callable[[], bytes]) -> bytes:
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        made = make()
        if 0 < len(made) <= KEPT_BYTES:
            self._kept[key] = made
            while sum(map(len, self._kept.values())) > KEPT_BYTES:
                self._kept.popitem(last=False)
        return made

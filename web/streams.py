"""How many event streams may be open at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable


class StreamSlots:
    """Counts open streams. A stream holds a thread of the server, so there is an end to them."""

    def __init__(self, size: int) -> None:
        self._free = size
        self._lock = threading.Lock()

    def take(self) -> Callable[[], None] | None:
        """Take a slot and return what gives it back, once however often it is called; ``None`` when all are taken."""
        with self._lock:
            if self._free <= 0:
                return None
            self._free -= 1
        taken = [True]

        def give_back() -> None:
            with self._lock:
                if taken:
                    taken.clear()
                    self._free += 1

        return give_back

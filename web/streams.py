"""How many event streams may be open at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable


class StreamSlots:
    """Counts open streams. A stream holds a thread of the server, so there is an end to them.

    reserved: the last of the slots are kept for paired devices, so that watchers never crowd out those who play.
    """

    def __init__(self, size: int, reserved: int = 0) -> None:
        self._free = size
        self._reserved = min(reserved, size)
        self._lock = threading.Lock()

    def take(self, reserved: bool = False) -> Callable[[], None] | None:
        """Take a slot and return what gives it back, once however often it is called; ``None`` when none is left."""
        with self._lock:
            if self._free <= (0 if reserved else self._reserved):
                return None
            self._free -= 1
        taken = [True]

        def give_back() -> None:
            with self._lock:
                if taken:
                    taken.clear()
                    self._free += 1

        return give_back

    @property
    def free(self) -> int:
        """Slots nobody has taken."""
        return self._free

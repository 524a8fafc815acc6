"""Keep what takes seconds to make, so that it is made once for all who ask."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

KEPT_BYTES = 32 * 1024 * 1024
"""Total size up to which results are kept; the newest is always kept if it is no larger."""


class ResultCache:
    """A cache of what was made, by key; it drops what nobody asked for longest. Safe for several threads."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()

    def clear(self) -> None:
        """Forget everything that was made until now."""
        with self._mutex:
            self._kept.clear()

    def get(self, key: Hashable, make: Callable[[], bytes]) -> bytes:
        """Return what has been made for a key, or make it; empty where there is nothing to make, which is not kept.

        key: changes whenever what is made would.
        """
        with self._mutex:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = make()
        with self._mutex:
            if 0 < len(made) <= KEPT_BYTES:
                self._kept[key] = made
                while sum(map(len, self._kept.values())) > KEPT_BYTES:
                    self._kept.popitem(last=False)
        return made

"""Remembers the network addresses that paired devices ask from: a crowded server lets these in first."""

from __future__ import annotations

import threading

MOST = 64
"""Addresses remembered; the one that has not asked for longest is forgotten first."""


class DeviceAddresses:
    """Remembers from which addresses paired devices asked last. Safe to use from several threads."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._seen: dict[str, None] = {}

    def note(self, address: str) -> None:
        """Note that a paired device asks from this address."""
        with self._mutex:
            self._seen.pop(address, None)
            self._seen[address] = None
            if len(self._seen) > MOST:
                del self._seen[next(iter(self._seen))]

    def __contains__(self, address: object) -> bool:
        """Return whether a paired device asked from this address."""
        return address in self._seen

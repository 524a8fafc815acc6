"""Limits how many event streams are open at a time, and whose."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass, field

MOST_LEAVING = 4
"""Streams that were taken back and have not ended yet; each still holds a thread."""


@dataclass(eq=False, slots=True)
class Slot:
    """An open stream's place. taken_back: somebody else was given it, so this stream must end."""

    address: str
    reserved: bool
    _slots: StreamSlots = field(repr=False)
    taken_back: bool = False

    def give_back(self) -> None:
        """Give the stream's place back when it has ended; a second call does nothing."""
        self._slots.free_again(self)


class StreamSlots:
    """Counts open streams. A stream holds a thread of the server, so there is an end to them.

    reserved: the last of the slots are kept for paired devices, so that watchers never crowd out those who play.
    Watchers share the others fairly: where none is free, the address that holds most gives one up to an address that
    would still hold fewer.
    """

    def __init__(self, size: int, reserved: int = 0) -> None:
        self._size = size
        self._reserved = min(reserved, size)
        self._open: list[Slot] = []
        self._leaving: list[Slot] = []
        self._lock = threading.Lock()

    def take(self, reserved: bool = False, address: str = "") -> Slot | None:
        """Take a slot; ``None`` when none is left for this address."""
        with self._lock:
            if self.free <= (0 if reserved else self._reserved) and not self._take_back(address, reserved):
                return None
            slot = Slot(address, reserved, self)
            self._open.append(slot)
            return slot

    def free_again(self, slot: Slot) -> None:
        """Free a slot whose stream has ended."""
        with self._lock:
            for where in (self._open, self._leaving):
                if slot in where:
                    where.remove(slot)

    @property
    def free(self) -> int:
        """Return how many slots nobody has taken."""
        return self._size - len(self._open)

    def _take_back(self, address: str, reserved: bool) -> bool:
        """Take a watcher's slot back for another address; whether there was one to take."""
        watching = [slot for slot in self._open if not slot.reserved]
        held = Counter(slot.address for slot in watching)
        if not held or len(self._leaving) >= MOST_LEAVING:
            return False
        greediest, most = held.most_common(1)[0]
        if not reserved and most <= held[address] + 1:
            return False
        slot = next(slot for slot in reversed(watching) if slot.address == greediest)
        slot.taken_back = True
        self._open.remove(slot)
        self._leaving.append(slot)
        return True

"""Decides which connections a front admits, and which it closes where there are too many. Pure."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Container, Hashable

from web.limits import Limiter

EACH_MOST = 40
"""Connections of one address: some tabs, their streams, and two cameras."""
ALL_MOST = 200
"""Connections of all addresses; each takes a third of a megabyte for its encryption."""
A_SECOND = 1.0
"""Connections of a stranger's address, once it has had twice as many as it may hold: browsers use each many times."""


class Doors:
    """Counts who holds connections, and decides which one is closed for a new one.

    Who merely holds connections keeps nobody out: whoever comes takes the place of somebody else, of the address that
    holds most. Who connects anew without end is refused before that costs more than a look.

    devices: addresses of paired devices, whose places nobody else takes, and who may come at any time. each, most:
    connections of one address, and of all. a_second: new connections of a stranger's address, where each costs a
    handshake; None where a connection costs nothing. each_device: of a paired device's address.
    """

    def __init__(
        self,
        devices: Container[str] = (),
        each: int = EACH_MOST,
        most: int = ALL_MOST,
        a_second: float | None = A_SECOND,
        each_device: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._devices, self._each, self._most = devices, each, most
        self._each_device = each if each_device is None else each_device
        self._often = Limiter(2 * each, a_second, clock) if a_second is not None else None
        self._open: dict[Hashable, str] = {}
        """Open connections, that of the client first that has asked nothing for longest."""
        self._silent: set[Hashable] = set()

    def knows(self, address: str) -> bool:
        """Return whether a paired device asks from this address."""
        return address in self._devices

    def come(self, who: Hashable, address: str) -> tuple[bool, Hashable | None]:
        """Return whether to admit the connection, and which one to close for it."""
        if self._often is not None and address not in self._devices and self._often.wait_s(address) > 0:
            return False, None
        held, goes = Counter(self._open.values()), None
        if held[address] >= (self._each_device if address in self._devices else self._each):
            goes = self._least(address)
        elif len(self._open) >= self._most:
            greediest = self._greediest(held, address)
            if greediest is None:
                return False, None
            goes = self._least(greediest)
        if goes is not None:
            self.go(goes)
        self._open[who] = address
        self._silent.add(who)
        return True, goes

    def ask(self, who: Hashable) -> None:
        """Note that somebody has asked for something."""
        if who in self._open:
            self._open[who] = self._open.pop(who)
            self._silent.discard(who)

    def go(self, who: Hashable) -> None:
        """Note that somebody has gone; saying so twice does nothing."""
        self._open.pop(who, None)
        self._silent.discard(who)

    def _greediest(self, held: Counter[str], address: str) -> str | None:
        """Return the address that gives up a place for this one: paired devices' addresses only for each other."""
        crowd = Counter({one: count for one, count in held.items() if one not in self._devices})
        if not crowd and address in self._devices:
            crowd = held
        if not crowd:
            return None
        greediest, most = crowd.most_common(1)[0]
        return address if crowd[address] == most else greediest

    def _least(self, address: str) -> Hashable:
        """Return who goes of an address: the first in line of those who have asked nothing yet, or else of all."""
        own = [who for who, one in self._open.items() if one == address]
        return next((who for who in own if who in self._silent), own[0])

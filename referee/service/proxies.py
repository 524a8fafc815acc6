"""Which servers in front of this one are believed when they say for whom they ask. Pure."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from referee.service.requesthead import RequestHead

LOOPBACK = ("127.0.0.0/8", "::1")


@dataclass(frozen=True, slots=True)
class Proxies:
    """Servers by their addresses or networks; none: nobody is believed."""

    networks: tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...] = ()

    @classmethod
    def read(cls, texts: Iterable[str]) -> Self:
        """Read addresses and networks such as 10.88.0.1 or 10.88.0.0/24. Raises ValueError, naming the wrong one."""
        return cls(tuple(ipaddress.ip_network(text) for text in texts))

    def __contains__(self, address: object) -> bool:
        try:
            found = ipaddress.ip_address(str(address))
        except ValueError:
            return False
        return any(found in network for network in self.networks)

    def asking(self, peer: str, head: RequestHead) -> tuple[str, str]:
        """Return who asks, and over which protocol.

        Each server adds to the end of the list whom it was asked by. So the list is believed from its end, for as
        long as who added an address is believed; what somebody put before that is theirs alone.
        """
        sender, told = peer, list(head.senders)
        while sender in self and told and told[-1]:
            sender = told.pop()
        return sender, head.protocol if head.protocol and peer in self else "http"

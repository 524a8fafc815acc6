"""Decides which servers in front of this one are believed when they name a client. Pure."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from referee.service.requesthead import RequestHead

LOOPBACK = ("127.0.0.0/8", "::1")


def plain_address(text: str) -> str:
    """Return an address in its usual spelling, without the port that some servers add; empty for what is none."""
    host, colon, _ = text.partition(":")
    try:
        found = ipaddress.ip_address(host if colon and text.count(":") == 1 else text)
    except ValueError:
        return ""
    return str(getattr(found, "ipv4_mapped", None) or found)


@dataclass(frozen=True, slots=True)
class Proxies:
    """Servers by their addresses or networks; none: nobody is believed."""

    networks: tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...] = ()

    @classmethod
    def read(cls, texts: Iterable[str]) -> Self:
        """Read addresses and networks such as 10.88.0.1 or 10.88.0.0/24. Raises ValueError, naming the wrong one."""
        return cls(tuple(ipaddress.ip_network(text) for text in texts))

    def __contains__(self, address: object) -> bool:
        plain = plain_address(str(address))
        return bool(plain) and any(ipaddress.ip_address(plain) in network for network in self.networks)

    def asking(self, peer: str, head: RequestHead) -> tuple[str, str]:
        """Return who asks, and over which protocol.

        Each server adds to the end of the list whom it was asked by. So the list is believed from its end, for as
        long as who added an address is believed; what somebody put before that is theirs alone.
        """
        sender, told = peer, list(head.senders)
        while sender in self and told and (before := plain_address(told.pop())):
            sender = before
        return sender, head.protocol if head.protocol and peer in self else "http"

"""Shares the connections of the page's server fairly: a client that holds many idle ones keeps nobody out."""

from __future__ import annotations

from collections import Counter
from typing import Any

AT_ONCE = 64
"""So many new connections are taken in one after the other; then those that are there get their turn."""


def shared_fairly(server: Any, most: int) -> None:
    """Have a waitress server take many connections in at once, and close an idle one for each beyond ``most``.

    Closed is the one idle for longest of the address that has most; a connection whose request is being answered,
    such as an event stream, is not idle. Left to itself waitress takes in one for each look at all that are open:
    behind a thousand that say nothing everybody would wait for a thousand looks. Called before the server runs; all
    happens in the server's own thread.
    """
    accept, handle_accept, waiting = server.accept, server.handle_accept, False

    def accepted() -> Any:
        nonlocal waiting
        waiting = False
        found = accept()
        waiting = found is not None
        channels = server.active_channels
        if found is not None and len(channels) >= most:
            idle = _idlest(list(channels.values()))
            if idle is not None:
                idle.handle_close()
        return found

    def taken_in() -> None:
        for _ in range(AT_ONCE):
            handle_accept()
            if not waiting:
                return

    server.accept, server.handle_accept = accepted, taken_in


def _idlest(channels: list[Any]) -> Any:
    """Return the connection to close, an idle one of the client that holds most; ``None`` where all are busy."""
    idle = [channel for channel in channels if not channel.requests and not channel.total_outbufs_len]
    if not idle:
        return None
    held = Counter(channel.addr[0] for channel in idle)
    greediest = held.most_common(1)[0][0]
    return min((c for c in idle if c.addr[0] == greediest), key=lambda channel: channel.last_activity)

"""Shares the connections of the page's server fairly: a client that holds many idle ones keeps nobody out."""

from __future__ import annotations

from collections import Counter
from typing import Any


def shared_fairly(server: Any, most: int) -> None:
    """Have a waitress server close an idle connection for a new one where ``most`` are open.

    It is the one idle for longest of the address that has most; a connection whose request is being answered, such as
    an event stream, is not idle. Called before the server runs; closing then happens in the server's own thread.
    """
    accept = server.accept

    def accepted() -> Any:
        found = accept()
        channels = server.active_channels
        if found is not None and len(channels) >= most:
            idle = _idlest(list(channels.values()))
            if idle is not None:
                idle.handle_close()
        return found

    server.accept = accepted


def _idlest(channels: list[Any]) -> Any:
    """Return the connection to close, an idle one of the client that holds most; ``None`` where all are busy."""
    idle = [channel for channel in channels if not channel.requests and not channel.total_outbufs_len]
    if not idle:
        return None
    held = Counter(channel.addr[0] for channel in idle)
    greediest = held.most_common(1)[0][0]
    return min((c for c in idle if c.addr[0] == greediest), key=lambda channel: channel.last_activity)

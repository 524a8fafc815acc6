"""Ports for servers that are started, killed and started again."""

from __future__ import annotations

import itertools
import os
import socket

_FIRST, _COUNT = 12_000, 18_000
"""Below those that systems give to connections: nobody else gets one between our look and the server's start."""
_numbers = itertools.count(101 * os.getpid())


def free_port() -> int:
    """Return a port that nobody listens at."""
    for number in itertools.islice(_numbers, _COUNT):
        port = _FIRST + number % _COUNT
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)):
                return port
    raise AssertionError("no port is free")

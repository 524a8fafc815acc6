"""Prepare the process of a command that serves pages until it is stopped."""

from __future__ import annotations

import signal
import threading

from referee.service.memory import bound_memory, enough_handles


def ready_to_serve() -> threading.Event:
    """Bound memory and allow enough file handles; return an event that Ctrl-C and SIGTERM set.

    Called in the main thread, before any other is started.
    """
    bound_memory()
    enough_handles()
    stop = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: stop.set())
    return stop

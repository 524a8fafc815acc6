"""A turn loop that runs in a thread of its own, as it does beside a table."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack

from referee.daemon import TurnLoop


def run_in_thread(loop: TurnLoop, wake: Callable[[], None], parts: ExitStack) -> None:
    """Run until the parts are closed. wake: ends a wait of the loop's sight."""
    stop = threading.Event()
    thread = threading.Thread(target=loop.run, args=[stop.is_set])
    parts.callback(thread.join)
    parts.callback(wake)
    parts.callback(stop.set)
    thread.start()

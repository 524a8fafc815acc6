"""Ends a command's process although threads are still at work."""

from __future__ import annotations

import atexit
import logging
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def leaving_at_once() -> Iterator[None]:
    """Let the process end with its command's status, whatever daemon threads still do.

    Before Python 3.14 such a thread aborts the process when it comes back from OpenCV while the interpreter ends
    (python/cpython#87135): the status would be that of a crash.
    """
    status = [1]
    atexit.register(_leave, status)
    try:
        yield
        status[0] = 0
    except SystemExit as ended:
        status[0] = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        raise


def _leave(status: list[int]) -> None:
    """End the process if threads are at work. It runs last: whoever registered later has cleaned up by now."""
    if not any(thread.daemon for thread in threading.enumerate()):
        return
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    logging.shutdown()
    os._exit(status[0])

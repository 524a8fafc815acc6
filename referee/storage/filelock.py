"""Lock an open file; the system releases the lock when the process dies, however it dies."""

from __future__ import annotations

import os

from referee.values.systemmodules import system_module

_FCNTL = system_module("fcntl")
_WINDOWS = system_module("msvcrt")
_BYTE = 1 << 30
"""Windows locks bytes, which nobody else can then read: this one is far behind any content."""


def lock(handle: int, wait: bool = False, shared: bool = False) -> None:
    """Lock the file of a handle until it is closed.

    wait: until nobody else holds it; on Windows for at most ten seconds. shared: together with others who share it;
    Windows knows no such lock, and takes one for itself. Raises OSError where another holds it.
    """
    if _FCNTL is not None:
        _FCNTL.flock(handle, (_FCNTL.LOCK_SH if shared else _FCNTL.LOCK_EX) | (0 if wait else _FCNTL.LOCK_NB))
        return
    assert _WINDOWS is not None
    before = os.lseek(handle, 0, os.SEEK_CUR)
    os.lseek(handle, _BYTE, os.SEEK_SET)
    try:
        _WINDOWS.locking(handle, _WINDOWS.LK_LOCK if wait else _WINDOWS.LK_NBLCK, 1)
    finally:
        os.lseek(handle, before, os.SEEK_SET)

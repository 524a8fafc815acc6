"""Keeps memory small in a process of many threads, and allows file handles enough for many connections."""

from __future__ import annotations

import contextlib
import ctypes
import gc
from collections.abc import Iterator

from referee.values.systemmodules import system_module

_RESOURCE = system_module("resource")

HANDLES = 4096
"""Connections of the page, those over HTTPS twice, cameras, journal and pictures; many systems begin with 1024."""
ARENAS = 2
LARGE_BYTES = 128 * 1024
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
"""Parameters of mallopt(3)."""


def bound_memory() -> bool:
    """Have the C library keep few pools of memory and give large pieces back at once; whether it can.

    The GNU library makes a pool for every thread and keeps in each what its thread once needed: with seventy threads
    for listeners that becomes hundreds of megabytes. Called before the threads are started.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):  # another C library, which has no such pools
        return False
    wanted = ((_M_ARENA_MAX, ARENAS), (_M_MMAP_THRESHOLD, LARGE_BYTES), (_M_TRIM_THRESHOLD, LARGE_BYTES))
    return all(bool(mallopt(name, value)) for name, value in wanted)


def enough_handles() -> int:
    """Let this process have as many open files as it may need, as far as the system lets it; how many it may have."""
    if _RESOURCE is None:
        return HANDLES
    may: int
    most: int
    may, most = _RESOURCE.getrlimit(_RESOURCE.RLIMIT_NOFILE)
    wanted = HANDLES if most == _RESOURCE.RLIM_INFINITY else min(HANDLES, most)
    if may == _RESOURCE.RLIM_INFINITY or may >= wanted:
        return may
    _RESOURCE.setrlimit(_RESOURCE.RLIMIT_NOFILE, (wanted, most))
    return wanted


@contextlib.contextmanager
def nothing_to_collect() -> Iterator[None]:
    """Switch the garbage collector off while a long game is read, when nothing becomes free.

    Afterwards the collector leaves the objects that were read alone, since they stay.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()

"""Memory kept small in a process of many threads."""

from __future__ import annotations

import contextlib
import ctypes
import gc
from collections.abc import Iterator

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
    except (AttributeError, OSError):  # another C library, which has no such pools
        return False
    wanted = ((_M_ARENA_MAX, ARENAS), (_M_MMAP_THRESHOLD, LARGE_BYTES), (_M_TRIM_THRESHOLD, LARGE_BYTES))
    return all(bool(mallopt(name, value)) for name, value in wanted)


@contextlib.contextmanager
def nothing_to_collect() -> Iterator[None]:
    """While a long game is read in nothing becomes free, so nobody looks for it; what was read stays, too."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()

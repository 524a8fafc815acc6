"""A monotonic clock, which counts from one start of the machine and distinguishes that start from every other."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
"""Where Linux names a start of the machine; other systems and some containers have no such file."""
_GUESSED = "about-"
_DRIFT_S = 5.0


@dataclass(frozen=True, slots=True)
class Ticks:
    """A reading of the clock. boot: which start of the machine it counts from; s: seconds since then."""

    boot: str
    s: float


def ticks() -> Ticks:
    """Read the clock; it counts on while the machine sleeps, where the system can."""
    return Ticks(_boot(), _up_s())


def shared_ticks() -> Ticks:
    """Read the clock for other processes of this machine as well: compare starts with ``same_start``."""
    s = _up_s()
    return Ticks(_named() or f"{_GUESSED}{time.time() - s:.3f}", s)


def same_start(one: str, other: str) -> bool:
    """Return whether two processes speak of one start of the machine.

    Where the system does not name its starts, they are told apart by when they were; after a clock was set, one start
    looks like two.
    """
    if one.startswith(_GUESSED) and other.startswith(_GUESSED):
        return abs(float(one.removeprefix(_GUESSED)) - float(other.removeprefix(_GUESSED))) <= _DRIFT_S
    return one == other


def _up_s() -> float:
    if not hasattr(time, "clock_gettime"):  # Windows
        return round(time.monotonic(), 3)
    return round(time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)), 3)


@cache
def _boot() -> str:
    return _named() or f"run-{time.time_ns():x}"  # no Linux: a time is then compared only within one run


def _named() -> str:
    try:
        return BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return ""

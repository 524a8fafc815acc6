"""A monotonic clock, which counts from one start of the machine and distinguishes that start from every other."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Ticks:
    """A reading of the clock. boot: which start of the machine it counts from; s: seconds since then."""

    boot: str
    s: float


def ticks() -> Ticks:
    """Read the clock; it counts on while the machine sleeps, where the system can."""
    kind = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return Ticks(_boot(), round(time.clock_gettime(kind), 3))


@cache
def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:  # no Linux: a time is then compared only within one run
        return f"run-{time.time_ns():x}"

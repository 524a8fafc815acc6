"""Wait for what a camera does, and start cameras that lose patience soon."""

from __future__ import annotations

import time
from collections.abc import Callable

from vision.sources.camera import Patience

# The beat comes every half second, so a child that is silent for longer than that and a little more hangs.
HASTY = Patience(stall_s=1.1, answer_s=0.9, open_s=6.0, same_s=0.5, pauses_s=(0.1, 0.3))


LONGEST_S = 120.0


def eventually(true: Callable[[], bool], longest_s: float = LONGEST_S) -> float:
    """Wait until something is true; how long that took, seconds."""
    began = time.monotonic()
    while not true():
        assert time.monotonic() - began < longest_s, "it never came"
        time.sleep(0.01)
    return time.monotonic() - began


PATIENT = Patience(stall_s=60.0, answer_s=60.0, open_s=60.0, same_s=60.0)
"""For tests in which pictures are drawn while the camera waits, on a machine that may be busy."""

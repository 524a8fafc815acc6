"""The state of a camera: a glimpse of each frame, and how the camera is doing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Glimpse:
    """One frame of a camera.

    number: counted from 1 over the camera's whole life. at_s: when it was taken, on the monotonic clock: on arrival,
    less the camera's own delay. size: (width, height) of the full picture, pixels. grey: small picture, (h, w) uint8,
    160 wide.
    """

    camera: str
    number: int
    at_s: float
    size: tuple[int, int]
    grey: NDArray[np.uint8]
    load: Callable[[], NDArray[np.uint8] | None] = field(repr=False)
    """Decode the full picture, (height, width, 3) BGR; ``None`` once it is too old (about 0.7 s at 15 a second)."""


class SourceHealth(StrEnum):
    """Health of a camera."""

    OPENING = "opening"
    LIVE = "live"
    WAITING = "waiting"  # a folder that is watched and has nothing new
    SILENT = "silent"  # the source sends nothing
    FROZEN = "frozen"  # the source sends the same picture again and again
    STUCK = "stuck"  # the process that reads the source does not answer
    CRASHED = "crashed"  # it ended by itself
    FAILED = "failed"  # the source can't be used; detail says why
    GARBLED = "garbled"  # what comes can't be read
    RESIZED = "resized"  # the pictures have another size than before, or than the lens was calibrated for
    ENDED = "ended"  # a file or folder is at its end
    CLOSED = "closed"


SEEING = frozenset({SourceHealth.LIVE, SourceHealth.WAITING, SourceHealth.ENDED})
"""States in which nothing is wrong."""


@dataclass(frozen=True, slots=True)
class SourceState:
    """State of a camera.

    source: public name of the source. since_s: monotonic time it has been so. detail: a word of ``packet.Why`` for
    FAILED, "WxH/WxH" (is and should be) for RESIZED. restarts: how often its process was started anew. held, free:
    what of exposure, focus and white balance is held fixed and what can't be; empty where nobody asked. rate:
    frames a second that came lately.
    """

    camera: str
    source: str
    health: SourceHealth = SourceHealth.OPENING
    since_s: float = 0.0
    detail: str = ""
    restarts: int = 0
    held: tuple[str, ...] = ()
    free: tuple[str, ...] = ()
    rate: float = 0.0

    @property
    def seeing(self) -> bool:
        """Return whether its newest frame may be believed to show the table as it is."""
        return self.health in SEEING

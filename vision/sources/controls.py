"""Holds a USB camera's exposure, focus and white balance once they have settled.

A picture that grows brighter because a sleeve came into view is no help to anybody, and a lens is calibrated for one
focus. The camera is left to settle by itself, then what it settled on is written back as a fixed value, and read
again: many cameras take a value and don't keep it. V4L2's menu for exposure is 1 for manual and 3 for automatic
(videodev2.h, V4L2_EXPOSURE_MANUAL and V4L2_EXPOSURE_APERTURE_PRIORITY).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import cv2

SETTLE_S = 3.0
"""Automatic exposure and white balance of webcams come to rest within about two seconds."""


class OpenCamera(Protocol):
    """The part of ``cv2.VideoCapture`` that is needed here; unknown properties read as 0 or -1."""

    def get(self, prop: int, /) -> float:
        """Read a property."""

    def set(self, prop: int, value: float, /) -> bool:
        """Write a property; whether it was taken."""


@dataclass(frozen=True, slots=True)
class CameraControls:
    """Names of what is held fixed, and of what this camera does not let us hold."""

    held: tuple[str, ...]
    free: tuple[str, ...]


_CONTROLS = (
    # name, the automatic's property, its value for "off", the value's property
    ("exposure", cv2.CAP_PROP_AUTO_EXPOSURE, 1.0, cv2.CAP_PROP_EXPOSURE),
    ("focus", cv2.CAP_PROP_AUTOFOCUS, 0.0, cv2.CAP_PROP_FOCUS),
    ("white-balance", cv2.CAP_PROP_AUTO_WB, 0.0, cv2.CAP_PROP_WB_TEMPERATURE),
)


def lock_now(camera: OpenCamera) -> CameraControls:
    """Switch the automatics off where they stand, and say which are off."""
    held: list[str] = []
    free: list[str] = []
    for name, automatic, off, value in _CONTROLS:
        settled = camera.get(value)
        known = camera.set(automatic, off) and camera.get(automatic) == off
        if known and settled not in (-1.0, 0.0):
            # Some drivers jump to a default when the automatic goes off.
            known = camera.set(value, settled)
        (held if known else free).append(name)
    return CameraControls(tuple(held), tuple(free))


def lock_when_settled(camera: OpenCamera, settle_s: float = SETTLE_S) -> Callable[[float], CameraControls | None]:
    """Return a function to call at every frame with the time.

    It locks once, when the camera has had time to settle.
    """
    began: list[float] = []

    def at_frame(now_s: float) -> CameraControls | None:
        if not began:
            began.append(now_s)
        return lock_now(camera) if now_s - began[0] >= settle_s else None

    return at_frame

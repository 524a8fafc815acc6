"""Frames with arrival times, from a film in a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Frame = tuple[float, NDArray[np.uint8]]
"""Seconds on a steady clock, and a (height, width, 3) BGR picture."""

LEAST_STEP_S = 0.1
"""Frames of a film closer together than this are passed over."""
_USUAL_FPS = 30.0


class FramesError(ValueError):
    """A film that cannot be read; the message names it and says what to do."""


def video_frames(path: Path) -> Iterator[Frame]:
    """The frames of a film about ten times a second. Raises FramesError when it is none or holds no frame."""
    if not path.is_file():
        raise FramesError(f"{path}: there is no such film")
    capture = cv2.VideoCapture(str(path))
    try:
        if not capture.isOpened():
            raise FramesError(f"{path}: this is no film that can be read: use MP4, AVI or MKV")
        fps = float(capture.get(cv2.CAP_PROP_FPS))
        fps = fps if 1 <= fps <= 1000 else _USUAL_FPS
        last_s: float | None = None
        number = 0
        # Only frames that are used are decoded.
        while capture.grab():
            time_s = number / fps
            number += 1
            if last_s is not None and time_s - last_s < LEAST_STEP_S - 1e-6:
                continue
            ok, picture = capture.retrieve()
            if ok and picture is not None:
                last_s = time_s
                yield time_s, np.asarray(picture, np.uint8)
        if last_s is None:
            raise FramesError(f"{path}: this film holds no picture that can be read")
    finally:
        capture.release()

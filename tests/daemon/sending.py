"""Send pictures to a camera that a phone lends."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.sources.patience import eventually
from vision.sources.camera import Camera


def sent(camera: Camera, picture: NDArray[np.uint8]) -> None:
    """Send a picture as the phone does, until it is there: a reader that starts anew loses the one on its way."""
    before = camera.newest()
    jpeg = bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1])
    for _ in range(8):
        eventually(lambda: camera.offer(jpeg, 0.0))
        if camera.wait(0 if before is None else before.number, 5.0):
            return
    pytest.fail("it never came")

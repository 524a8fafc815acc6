"""Shrinks pictures, and fits the camera's matrix to them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray


def shrunk(
    picture: NDArray[np.uint8], matrix: NDArray[np.float64], factor: float
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Shrink a picture (h, w, 3) and its (3, 3) intrinsics by ``factor``; from 1 on both stay as they are."""
    if factor >= 1:
        return picture, matrix
    height, width = picture.shape[:2]
    small = cv2.resize(picture, (round(width * factor), round(height * factor)), interpolation=cv2.INTER_AREA)
    across, along = small.shape[1] / width, small.shape[0] / height
    # A pixel's centre is a whole number: scaling happens about the picture's corner at (-0.5, -0.5).
    scaling = np.array([[across, 0, across / 2 - 0.5], [0, along, along / 2 - 0.5], [0, 0, 1]])
    return np.asarray(small, np.uint8), scaling @ matrix

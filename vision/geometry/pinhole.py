"""A picture as a camera without distortion would have taken it, cut to the part in question."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from vision.geometry.view import View

_BORDER_PX = 4.0
_STEP_PX = 32.0
"""Cuts lie on multiples of this, so that a pose a little different from the last one needs no new map."""


def pinhole_crop(view: View, points_mm: NDArray[np.float64]) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Undistort the part of a picture in which the given table points appear.

    Args:
        view: the picture with its lens and pose.
        points_mm: (n, 3) table points that must be inside; those behind the camera are left out.
    Returns: (h, w, 3) uint8 picture of the same resolution and its (3, 3) intrinsics. What the camera did not see
    is black.
    """
    camera = points_mm @ view.pose.rotation.T + view.pose.translation_mm
    camera = camera[camera[:, 2] > 1.0]
    flat = camera[:, :2] / camera[:, 2:]
    matrix = view.lens.matrix
    focal = matrix[[0, 1], [0, 1]]
    low = np.floor((flat.min(axis=0) * focal - _BORDER_PX) / _STEP_PX) * _STEP_PX
    high = np.ceil((flat.max(axis=0) * focal + _BORDER_PX) / _STEP_PX) * _STEP_PX
    # A lens is solved where the picture is; far outside it the distortion terms mean nothing.
    reach = np.array(view.lens.size, dtype=np.float64)
    low, high = np.maximum(low, -reach), np.minimum(high, reach)
    width, height = (int(v) for v in np.maximum(high - low, 8))
    map_x, map_y = _maps(view.lens, float(low[0]), float(low[1]), width, height)
    picture = cv2.remap(view.picture_bgr, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(picture, np.uint8), _cut(view.lens, float(low[0]), float(low[1]))


def _cut(lens: Lens, left: float, top: float) -> NDArray[np.float64]:
    """Return the intrinsics (3, 3) of a cut without distortion.

    left, top: its first pixel, counted from the lens's axis.
    """
    return np.array([[lens.matrix[0, 0], 0, -left], [0, lens.matrix[1, 1], -top], [0, 0, 1]])


@lru_cache(maxsize=6)
def _maps(
    lens: Lens, left: float, top: float, width: int, height: int
) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Return where the pixels of a cut lie in the picture, in fixed point; they don't depend on the pose."""
    one, two = cv2.initUndistortRectifyMap(
        lens.matrix, lens.distortion, np.eye(3), _cut(lens, left, top), (width, height), cv2.CV_16SC2
    )
    return np.asarray(one, np.int16), np.asarray(two, np.uint16)

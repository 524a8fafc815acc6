"""A picture as a camera without distortion would have taken it, cut to what matters."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.view import View

_BORDER_PX = 4.0


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
    low = np.floor(flat.min(axis=0) * focal - _BORDER_PX)
    high = np.ceil(flat.max(axis=0) * focal + _BORDER_PX)
    # A lens is solved where the picture is; far outside it the distortion terms mean nothing.
    reach = np.array(view.lens.size, dtype=np.float64)
    low, high = np.maximum(low, -reach), np.minimum(high, reach)
    width, height = (int(v) for v in np.maximum(high - low, 8))
    cut = np.array([[focal[0], 0, -low[0]], [0, focal[1], -low[1]], [0, 0, 1]])
    map_x, map_y = cv2.initUndistortRectifyMap(
        matrix, view.lens.distortion, np.eye(3), cut, (width, height), cv2.CV_16SC2
    )
    picture = cv2.remap(view.picture_bgr, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(picture, np.uint8), cut

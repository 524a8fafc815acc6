"""Draw pictures of a lens target."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens, project
from calibration.table import Charuco

TARGET = Charuco((8, 6), 30.0, 22.0, "DICT_5X5_100")


TRUE = Lens((640, 480), np.array([[700.0, 0, 325], [0, 700, 236], [0, 0, 1]]), np.zeros(5), 0.0)


TILTS = ((0.0, 0.0), (0.5, 0.0), (-0.5, 0.1), (0.0, 0.5), (0.1, -0.5), (0.4, 0.4), (-0.4, 0.4), (0.35, -0.4))


def target_picture(tilt: tuple[float, float], seed: int) -> NDArray[np.uint8]:
    """Draw the target through the true lens, tilted about both its axes, with noise."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    board = cv2.aruco.CharucoBoard(TARGET.squares, TARGET.square_mm, TARGET.marker_mm, dictionary)
    image = np.asarray(board.generateImage((960, 720)), np.uint8)
    corners = np.array([[0, 0, 0], [240.0, 0, 0], [240, 180, 0], [0, 180, 0]]) - (120, 90, 0)
    rotation = np.asarray(cv2.Rodrigues(np.array([tilt[0], tilt[1], 0.1 * seed]))[0])
    places = project(corners, rotation, np.array([10.0 * (seed % 3 - 1), 5.0, 360 + 20 * (seed % 2)]), TRUE)
    source = np.array([[-0.5, -0.5], [959.5, -0.5], [959.5, 719.5], [-0.5, 719.5]], np.float32)
    warp = cv2.getPerspectiveTransform(source, places.astype(np.float32))
    seen = cv2.warpPerspective(image, warp, TRUE.size, flags=cv2.INTER_AREA, borderValue=120)
    seen = cv2.GaussianBlur(seen, (0, 0), 0.8).astype(np.float64)
    noisy = seen * 0.8 + 20 + np.random.default_rng(seed).normal(0, 3, seen.shape)
    return cv2.cvtColor(np.clip(noisy, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR).astype(np.uint8)

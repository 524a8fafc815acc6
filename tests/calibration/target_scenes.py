"""The calibration target as a camera would see it, drawn or only projected; for the logic of lenses, not accuracy."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens, project
from calibration.table import Charuco
from calibration.target import TargetView

TARGET = Charuco((8, 6), 30.0, 22.0, "DICT_5X5_100")
WIDTH_MM, HEIGHT_MM = 240.0, 180.0
LENS = Lens((640, 480), np.array([[700.0, 0, 325], [0, 700, 236], [0, 0, 1]]), np.zeros(5), 0.0)


def held(
    at_px: tuple[float, float],
    tilt_deg: tuple[float, float] = (0, 0),
    distance_mm: float = 420.0,
    through: Lens = LENS,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return rotation and translation of a target whose middle is seen at a pixel.

    tilt_deg: by how much its right and its lower side come nearer.
    """
    right, lower = np.radians(tilt_deg)
    about_y = np.asarray(cv2.Rodrigues(np.array([0.0, right, 0.0]))[0], np.float64)
    about_x = np.asarray(cv2.Rodrigues(np.array([-lower, 0.0, 0.0]))[0], np.float64)
    rotation = about_x @ about_y
    ray = np.array(
        [
            (at_px[0] - through.matrix[0, 2]) / through.matrix[0, 0],
            (at_px[1] - through.matrix[1, 2]) / through.matrix[1, 1],
            1.0,
        ]
    )
    middle = np.array([WIDTH_MM / 2, HEIGHT_MM / 2, 0.0])
    return rotation, ray * distance_mm - rotation @ middle


def sight(
    rotation: NDArray[np.float64],
    translation: NDArray[np.float64],
    through: Lens = LENS,
    noise_px: float = 0.0,
    seed: int = 0,
    edge_px: float = 2.5,
) -> TargetView | str:
    """Return what a finder would say of it: the corners inside the picture, with noise."""
    ids = np.arange(7 * 5)
    target = np.stack([30.0 + 30 * (ids % 7), 30.0 + 30 * (ids // 7), np.zeros(len(ids))], axis=1)
    seen = project(target, rotation, translation, through)
    seen += np.random.default_rng(seed).normal(0, noise_px, seen.shape) if noise_px else 0.0
    inside = ((seen > 3) & (seen < np.array(through.size) - 4)).all(axis=1)
    if inside.sum() < 12:
        return "the target is not found"
    return TargetView(ids[inside], target[inside].astype(np.float32), seen[inside].astype(np.float32), edge_px)


def picture(
    rotation: NDArray[np.float64],
    translation: NDArray[np.float64],
    through: Lens = LENS,
    blur: float = 0.8,
    seed: int = 0,
) -> NDArray[np.uint8]:
    """Draw the target through a lens without distortion, with blur and noise, (h, w, 3) BGR."""
    corners = np.array([[0, 0, 0], [WIDTH_MM, 0, 0], [WIDTH_MM, HEIGHT_MM, 0], [0, HEIGHT_MM, 0]])
    places = project(corners, rotation, translation, through)
    source = np.array([[-0.5, -0.5], [959.5, -0.5], [959.5, 719.5], [-0.5, 719.5]], np.float32)
    warp = cv2.getPerspectiveTransform(source, places.astype(np.float32))
    seen = cv2.warpPerspective(_printed(), warp, through.size, flags=cv2.INTER_AREA, borderValue=120)
    seen = cv2.GaussianBlur(seen, (0, 0), blur).astype(np.float64)
    noisy = seen * 0.8 + 20 + np.random.default_rng(seed).normal(0, 3, seen.shape)
    return cv2.cvtColor(np.clip(noisy, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR).astype(np.uint8)


@cache
def _printed() -> NDArray[np.uint8]:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    board = cv2.aruco.CharucoBoard(TARGET.squares, TARGET.square_mm, TARGET.marker_mm, dictionary)
    return np.asarray(board.generateImage((960, 720)), np.uint8)

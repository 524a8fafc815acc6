"""The plane of the dice's top faces: the picture as it would look on it, seen from straight above.

On that plane a top face is a square of known size whichever way the camera looks; the sides of a die lie towards the
camera, by a slope that is known too. So faces need not be told from sides by their look alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.shrinking import shrunk

DIE_PX = 24
"""Side of a die's top face in the rectified picture, pixels."""
CHANNELS = 14
"""Channels of a folded picture: blue, green and red of 2 x 2 pixels, then the slope towards the camera's foot."""
CELL_PX = 4
"""The network tells of every square of so many pixels."""
MOST_PX = 2400
"""Longer side of a rectified picture; a larger area is cut."""
_BRIGHTNESS = 0.45
_FINER = 1.6
"""A picture this many times finer than the rectified one is shrunk first, or it would alias."""


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of the mat, mm in table axes: its lower left and upper right corner."""

    low: tuple[float, float]
    high: tuple[float, float]


@dataclass(frozen=True, eq=False)
class TopPlane:
    """The picture on the plane of the top faces.

    picture: (height, width, 3) uint8 BGR, sides a multiple of ``2 * CELL_PX``. slope: (2, height, width),
    right and down, how far towards the camera the foot of a die lies from its top, in dice. to_mm: (3, 3) homography
    from pixel centres to table (x, y) mm. seen: (height, width) whether the camera's picture holds the place.
    """

    picture: NDArray[np.uint8]
    slope: NDArray[np.float32]
    to_mm: NDArray[np.float64]
    seen: NDArray[np.bool_]

    def places_mm(self, points_px: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return table places (n, 2) mm of points (n, 2) in the rectified picture."""
        return points_px @ self.to_mm[:2, :2].T + self.to_mm[:2, 2]


def top_plane(
    picture: NDArray[np.uint8],
    matrix: NDArray[np.float64],
    rotation: NDArray[np.float64],
    translation_mm: NDArray[np.float64],
    area: Area,
    die_mm: float,
    turn: float | None = None,
    mirror: bool = False,
) -> TopPlane:
    """Rectify an undistorted picture to the plane of top faces, turned so that the camera stands below.

    Args:
        picture: (h, w, 3) uint8 BGR without lens distortion.
        matrix: (3, 3) intrinsics of that picture, pixels.
        rotation: (3, 3) table to camera, x_camera = R x + t.
        translation_mm: (3,) t of the same.
        area: where dice may lie.
        die_mm: a die's side.
        turn: how to turn the picture, radians; for training.
        mirror: whether to mirror the picture; for training.
    """
    centre = -rotation.T @ translation_mm
    corners = np.array([[x, y] for x in (area.low[0], area.high[0]) for y in (area.low[1], area.high[1])])
    middle = corners.mean(axis=0)
    if turn is None:
        turn = float(np.arctan2(-(centre[1] - middle[1]), centre[0] - middle[0])) - np.pi / 2
    cos, sin = np.cos(turn), np.sin(turn)
    # Picture axes in table axes: right, and down.
    right, down = np.array([cos, -sin]), np.array([-sin, -cos])
    if mirror:
        right = -right
    half = np.abs((corners - middle) @ np.column_stack([right, down])).max(axis=0)
    scale = die_mm / DIE_PX
    whole = 2 * CELL_PX
    width, height = (int(min(MOST_PX, whole * np.ceil(2 * h / scale / whole))) for h in half)
    to_mm = np.eye(3)
    to_mm[:2, 0], to_mm[:2, 1] = right * scale, down * scale
    to_mm[:2, 2] = middle - to_mm[:2, :2] @ [(width - 1) / 2, (height - 1) / 2]
    plane = np.column_stack([rotation[:, 0], rotation[:, 1], rotation[:, 2] * die_mm + translation_mm]) @ to_mm
    distance_mm = float((rotation @ np.append(middle, die_mm) + translation_mm)[2])
    picture, matrix = shrunk(picture, matrix, _FINER * distance_mm / float(matrix[0, 0]) / scale)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    flat = cv2.warpPerspective(picture, matrix @ plane, (width, height), flags=flags)
    seen = cv2.warpPerspective(
        np.full(picture.shape[:2], 255, np.uint8), matrix @ plane, (width, height), flags=flags
    )
    columns, rows = np.meshgrid(np.arange(width), np.arange(height))
    places = np.stack([columns, rows], axis=-1) @ to_mm[:2, :2].T + to_mm[:2, 2]
    slope = (centre[:2] - places) / (centre[2] - die_mm) @ np.column_stack([right, down])
    return TopPlane(
        np.asarray(flat, np.uint8), np.asarray(slope.transpose(2, 0, 1), np.float32), to_mm, np.asarray(seen > 250)
    )


def folded(plane: TopPlane) -> NDArray[np.float32]:
    """Return the network's input (14, height / 2, width / 2): four pixels' colours side by side, then the slopes.

    The brightness is that of what the camera sees of the plane, its median.
    """
    height, width = plane.picture.shape[:2]
    greys = np.asarray(cv2.cvtColor(plane.picture, cv2.COLOR_BGR2GRAY))
    median = float(np.median(greys[plane.seen])) if plane.seen.any() else 128.0
    picture = np.clip(plane.picture * np.float32(_BRIGHTNESS / max(median, 20.0)), 0, 2.5) - np.float32(_BRIGHTNESS)
    out = np.empty((CHANNELS, height // 2, width // 2), np.float32)
    parts = picture.reshape(height // 2, 2, width // 2, 2, 3).transpose(1, 3, 4, 0, 2)
    out[:12] = parts.reshape(12, height // 2, width // 2)
    out[12:] = plane.slope.reshape(2, height // 2, 2, width // 2, 2).mean(axis=(2, 4))
    return out

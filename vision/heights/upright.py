"""Pictures of what stands on every stack, cut out upright: as if looked at from the camera, at one size for all.

The plane sweep shows top faces well and a piece on them badly: its body is smeared over several planes. Here each
field is cut out of the picture on a plane through the middle of its stack's top face that faces the camera (a
billboard), so that a piece is seen whole, upright, and its height can be read in fields.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

WIDTH_PX, HEIGHT_PX = 24, 40
PX_PER_FIELD = 20
"""Scale of the cut-outs: pixels a field of the board."""
BELOW_PX = 9
"""Distance from the middle of the top face down to the edge of a cut-out, pixels."""


def cut_upright(
    picture: NDArray[np.uint8],
    matrix: NDArray[np.float64],
    rotation: NDArray[np.float64],
    translation_mm: NDArray[np.float64],
    tops_mm: NDArray[np.float64],
    pitch_mm: float,
) -> NDArray[np.uint8]:
    """Cut out what stands on each stack.

    Args:
        picture: (h, w, 3) uint8 BGR without lens distortion.
        matrix: (3, 3) intrinsics of that picture, pixels.
        rotation: (3, 3) table to camera, x_camera = R x + t.
        translation_mm: (3,) t of the same.
        tops_mm: (n, 3) the middles of the stacks' top faces.
        pitch_mm: side of a field.

    Returns:
        (n, HEIGHT_PX, WIDTH_PX, 3) uint8, up upwards; what the picture does not show is black.
    """
    across, up = facing(rotation, translation_mm, tops_mm)
    right = (np.arange(WIDTH_PX) - (WIDTH_PX - 1) / 2) * (pitch_mm / PX_PER_FIELD)
    rise = (HEIGHT_PX - BELOW_PX - 0.5 - np.arange(HEIGHT_PX)) * (pitch_mm / PX_PER_FIELD)
    # A point of a billboard is its middle and so much of either side: projected one by one, then added up.
    turned = (matrix @ rotation).T
    middle, side, height = tops_mm @ turned + matrix @ translation_mm, across @ turned, up @ turned
    lines = middle[:, :, None] + height[:, :, None] * rise
    u, v, depth = np.moveaxis(lines[..., None] + side[:, :, None, None] * right, 1, 0)
    depth = np.maximum(depth, 1e-6)
    shape = len(tops_mm) * HEIGHT_PX, WIDTH_PX
    x_px, y_px = ((one / depth).astype(np.float32).reshape(shape) for one in (u, v))
    out = cv2.remap(picture, x_px, y_px, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(out, np.uint8).reshape(len(tops_mm), HEIGHT_PX, WIDTH_PX, 3)


def facing(
    rotation: NDArray[np.float64], translation_mm: NDArray[np.float64], tops_mm: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return unit vectors (n, 3) to the right and upwards of billboards at ``tops_mm`` that face the camera."""
    sight = tops_mm + rotation.T @ translation_mm
    sight /= np.linalg.norm(sight, axis=1, keepdims=True)
    right = np.cross(sight, [0.0, 0.0, 1.0])
    # From right above there is no upright direction: any direction will do.
    length = np.linalg.norm(right, axis=1, keepdims=True)
    right = np.where(length > 1e-3, right / np.maximum(length, 1e-3), [[1.0, 0.0, 0.0]])
    return right, np.cross(right, sight)

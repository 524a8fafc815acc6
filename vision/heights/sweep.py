"""Plane sweep: the picture as it would look on the plane through every level's top faces, seen from straight above.

For a stack of height h the top face lies in the plane z = h * cube height. Warped to that plane, it fills its field
exactly; warped to any other, it is displaced and of the wrong size. The sweep thus turns "how high is this stack"
into "on which of these rectified pictures does a top face fill this field", whatever the camera, lens and stones.
Source of the method: R. T. Collins, A Space-Sweep Approach to True Multi-Image Matching, CVPR 1996.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.shrinking import shrunk

CELL_PX = 24
"""Side of a field in the rectified pictures, pixels; even, because they are folded two by two."""
MARGIN = 1
"""Fields of surroundings on every side of the board in the rectified pictures."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The board's geometry as the sweep needs it: fields, pitch (x, y) and one stone's height, mm."""

    rows: int
    cols: int
    pitch_mm: tuple[float, float]
    stone_mm: float


@dataclass(frozen=True, eq=False)
class Sweep:
    """Rectified pictures of one camera, turned so that the camera stands on their lower side.

    stack: (levels, height, width, 3) uint8 BGR; level 0 is the board's surface.
    slope: (2, height, width) float32 for level 0, how far (in fields, x right and y up) a point moves towards the
        camera's side when it is taken for one level lower than it is.
    cells: (rows', cols', 2) row and column on the board of each field of the rectified pictures, top row first.
    """

    stack: NDArray[np.uint8]
    slope: NDArray[np.float32]
    cells: NDArray[np.intp]


def quarter_turns(centre_mm: NDArray[np.float64]) -> int:
    """Return the counter-clockwise quarter turns that bring a camera to the board's lower side."""
    angle = np.arctan2(centre_mm[1], centre_mm[0])
    return int(np.round((-np.pi / 2 - angle) / (np.pi / 2))) % 4


def camera_centre(rotation: NDArray[np.float64], translation_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return where the camera stands, (3,) mm in table axes, for a pose x_camera = R x + t."""
    return -rotation.T @ translation_mm


def sweep(
    picture: NDArray[np.uint8],
    matrix: NDArray[np.float64],
    rotation: NDArray[np.float64],
    translation_mm: NDArray[np.float64],
    grid: Grid,
    levels: int,
    turns: int | None = None,
) -> Sweep:
    """Rectify an undistorted picture to the planes of ``levels`` heights.

    Args:
        picture: (h, w, 3) uint8 BGR without lens distortion.
        matrix: (3, 3) intrinsics of that picture, pixels.
        rotation: (3, 3) table to camera, x_camera = R x + t.
        translation_mm: (3,) t of the same.
        grid: the board.
        levels: number of heights, level 0 included.
        turns: quarter turns to use; by default those that put the camera on the lower side.

    Parts of a plane outside the picture are black.
    """
    centre = camera_centre(rotation, translation_mm)
    if turns is None:
        turns = quarter_turns(centre)
    spin = _spin(turns)
    rows, cols, pitch = _turned(grid, turns)
    height_px, width_px = (rows + 2 * MARGIN) * CELL_PX, (cols + 2 * MARGIN) * CELL_PX
    sheet = _pixel_to_sheet(rows, cols, pitch)
    picture, matrix = _shrunk(picture, matrix, rotation, translation_mm, grid)
    stack = np.empty((levels, height_px, width_px, 3), np.uint8)
    for level in range(levels):
        z = level * grid.stone_mm
        plane = np.column_stack(
            [rotation @ spin.T[:, 0], rotation @ spin.T[:, 1], rotation[:, 2] * z + translation_mm]
        )
        cv2.warpPerspective(
            picture,
            matrix @ plane @ sheet,
            (width_px, height_px),
            dst=stack[level],
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        )
    return Sweep(stack, _slope(spin @ centre, sheet, height_px, width_px, pitch, grid.stone_mm), _cells(grid, turns))


def _spin(turns: int) -> NDArray[np.float64]:
    """Return the rotation about z by quarter turns: board axes to turned axes."""
    cos, sin = ((1, 0), (0, 1), (-1, 0), (0, -1))[turns]
    return np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]], np.float64)


def _turned(grid: Grid, turns: int) -> tuple[int, int, tuple[float, float]]:
    if turns % 2:
        return grid.cols, grid.rows, (grid.pitch_mm[1], grid.pitch_mm[0])
    return grid.rows, grid.cols, grid.pitch_mm


def _pixel_to_sheet(rows: int, cols: int, pitch: tuple[float, float]) -> NDArray[np.float64]:
    """Return the homography from pixel centres of a rectified picture to turned (x, y) mm."""
    sx, sy = pitch[0] / CELL_PX, -pitch[1] / CELL_PX
    x0 = -(cols / 2 + MARGIN) * pitch[0] + sx / 2
    y0 = (rows / 2 + MARGIN) * pitch[1] + sy / 2
    return np.array([[sx, 0, x0], [0, sy, y0], [0, 0, 1]])


def _shrunk(
    picture: NDArray[np.uint8],
    matrix: NDArray[np.float64],
    rotation: NDArray[np.float64],
    translation_mm: NDArray[np.float64],
    grid: Grid,
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Shrink a picture that is much finer than the rectified ones, which would otherwise alias."""
    mm_per_px = translation_mm[2] / matrix[0, 0]
    factor = 1.6 * CELL_PX / (max(grid.pitch_mm) / mm_per_px)
    if factor >= 0.8:
        return picture, matrix
    return shrunk(picture, matrix, factor)


def _slope(
    centre: NDArray[np.float64],
    sheet: NDArray[np.float64],
    height_px: int,
    width_px: int,
    pitch: tuple[float, float],
    stone_mm: float,
) -> NDArray[np.float32]:
    x = sheet[0, 0] * np.arange(width_px) + sheet[0, 2]
    y = sheet[1, 1] * np.arange(height_px) + sheet[1, 2]
    reach = stone_mm / centre[2]
    along = np.broadcast_to((centre[0] - x) * reach / pitch[0], (height_px, width_px))
    across = np.broadcast_to(((centre[1] - y) * reach / pitch[1])[:, None], (height_px, width_px))
    return np.stack([along, across]).astype(np.float32)


def _cells(grid: Grid, turns: int) -> NDArray[np.intp]:
    rows, cols, _ = _turned(grid, turns)
    row, col = np.meshgrid(np.arange(rows)[::-1], np.arange(cols), indexing="ij")
    offset = np.stack([col - (cols - 1) / 2, row - (rows - 1) / 2], axis=-1)
    board = offset @ _spin(turns)[:2, :2]
    cells = np.stack([board[..., 1] + (grid.rows - 1) / 2, board[..., 0] + (grid.cols - 1) / 2], axis=-1)
    return np.round(cells).astype(np.intp)

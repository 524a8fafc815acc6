"""The plane sweep puts every field's top face where it belongs, whatever side the camera looks from."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.heights.sweep import CELL_PX, MARGIN, Grid, camera_centre, quarter_turns, sweep

GRID = Grid(rows=10, cols=10, pitch_mm=(22.0, 25.0), stone_mm=14.0)
SIZE = (1280, 960)
MATRIX = np.array([[1400.0, 0, 630], [0, 1400.0, 490], [0, 0, 1]])

Pose = tuple[NDArray[np.float64], NDArray[np.float64]]


def looking_at_board(azimuth: float, elevation: float, distance_mm: float = 900.0) -> Pose:
    """Return rotation and translation, table to camera, of a camera that looks at the board's centre."""
    away = np.array([np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)])
    z = -away
    x = np.cross(z, [0, 0, 1.0])
    x /= np.linalg.norm(x)
    rotation = np.stack([x, np.cross(z, x), z])
    return rotation, -rotation @ (away * distance_mm)


def picture_of(point_mm: NDArray[np.float64], pose: Pose) -> NDArray[np.uint8]:
    """Draw a black picture with a white spot where the point appears."""
    x, y, w = MATRIX @ (pose[0] @ point_mm + pose[1])
    spot = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    cv2.circle(spot, (round(x / w), round(y / w)), 5, (255, 255, 255), -1, cv2.LINE_AA)
    return cv2.GaussianBlur(spot, (0, 0), 2).astype(np.uint8)


@pytest.mark.long
@given(
    azimuth=st.floats(-np.pi, np.pi),
    elevation=st.floats(0.6, 1.4),
    row=st.integers(0, 9),
    col=st.integers(0, 9),
    level=st.integers(0, 6),
)
@settings(max_examples=40)
def test_a_top_faces_centre_lands_in_the_middle_of_its_field(
    azimuth: float, elevation: float, row: int, col: int, level: int
) -> None:
    pose = looking_at_board(azimuth, elevation)
    point = np.array([(col - 4.5) * 22.0, (row - 4.5) * 25.0, level * 14.0])
    swept = sweep(picture_of(point, pose), MATRIX, *pose, GRID, 7)
    (spot,) = np.argwhere((swept.cells == (row, col)).all(axis=2))
    middle = (spot + MARGIN + 0.5) * CELL_PX - 0.5
    bright = swept.stack[level, ..., 0].astype(float)
    weight = bright * (bright > 0.5 * bright.max())
    ys, xs = np.indices(bright.shape)
    found = np.array([(ys * weight).sum(), (xs * weight).sum()]) / weight.sum()
    # The dot is drawn at a whole pixel of a picture that is coarser than the rectified one.
    assert np.abs(found - middle).max() < 0.06 * CELL_PX


@given(azimuth=st.floats(-np.pi, np.pi), elevation=st.floats(0.6, 1.5))
def test_the_camera_ends_up_on_the_lower_side(azimuth: float, elevation: float) -> None:
    pose = looking_at_board(azimuth, elevation)
    turns = quarter_turns(camera_centre(*pose))
    turned = azimuth + turns * np.pi / 2
    assert np.sin(turned) <= -np.cos(np.pi / 4) + 1e-6


@pytest.mark.parametrize("turns", range(4))
def test_every_field_has_its_place(turns: int) -> None:
    pose = looking_at_board(0.3, 1.0)
    swept = sweep(np.zeros((960, 1280, 3), np.uint8), MATRIX, *pose, Grid(6, 8, (22.0, 22.0), 20.0), 2, turns)
    assert swept.cells.shape == ((8, 6, 2) if turns % 2 else (6, 8, 2))
    assert {tuple(cell) for cell in swept.cells.reshape(-1, 2).tolist()} == {
        (r, c) for r in range(6) for c in range(8)
    }


def test_the_slope_is_how_far_a_level_moves_a_point() -> None:
    pose = looking_at_board(-np.pi / 2, 0.8)
    swept = sweep(np.zeros((960, 1280, 3), np.uint8), MATRIX, *pose, Grid(10, 10, (22.0, 22.0), 20.0), 2)
    centre = camera_centre(*pose)
    middle = swept.slope[:, swept.slope.shape[1] // 2, swept.slope.shape[2] // 2]
    assert middle[0] == pytest.approx(0, abs=0.02)
    assert middle[1] == pytest.approx(20.0 / 22.0 * centre[1] / centre[2], abs=0.02)

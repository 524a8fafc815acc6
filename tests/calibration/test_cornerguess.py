"""Corners that are guessed in a picture of which nothing is known."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.cornerguess import BoardSizes, guessed_corners
from referee.virtual.drawing import prints
from referee.virtual.lenses import PHONE, pose_of
from tests.web.barewalk import ELEVATION_DEG, LARGE, LENS, SIDES_DEG, BareWalk, Image, straighten
from tests.web.inhand import GAME, boards, package_named

SIZES = BoardSizes((142.0, 142.0), 32.0, 13.0)
FOCAL_PX = float(LENS.matrix[0, 0])
CLOTH_PX = 1300


def checked() -> Image:
    """Return a cloth of red and white threads, with a cardboard box under the board."""
    at = np.arange(CLOTH_PX) // 14 % 2
    shade = (at[:, None] + at[None]) / 2
    light, dark = np.array((150.0, 150.0, 215.0)), np.array((70.0, 70.0, 130.0))
    cloth = (light * (1 - shade[..., None]) + dark * shade[..., None]).astype(np.uint8)
    box = cv2.boxPoints(((CLOTH_PX / 2, CLOTH_PX / 2), (190.0, 170.0), 8.0))
    cv2.fillConvexPoly(cloth, box.astype(np.int32), (150, 100, 70))
    return np.asarray(cloth, np.uint8)


def with_mug(picture: Image, walk: BareWalk, side_deg: float) -> Image:
    """Return a picture in which a white mug stands beside the board."""
    pose = pose_of(PHONE, walk.table, package_named(GAME).game.kit, held=(side_deg, ELEVATION_DEG))
    around = np.linspace(0, 2 * np.pi, 40)
    ring = np.column_stack([-230 + 40 * np.cos(around), 60 + 40 * np.sin(around)])
    solid = np.concatenate([np.column_stack([ring, np.full(len(ring), z)]) for z in (0.0, 90.0)])
    shown = picture.copy()
    cv2.fillConvexPoly(shown, cv2.convexHull(np.rint(pose.project(solid, LENS)).astype(np.int32)), (205, 210, 210))
    return shown


def off_px(walk: BareWalk, side_deg: float, found: NDArray[np.float64] | None) -> float:
    assert found is not None
    true = np.array(list(walk.corners(side_deg).values())) / LARGE[0] * 1280
    return float(np.linalg.norm(true[:, None] - found[None], axis=-1).min(axis=1).max())


@pytest.mark.parametrize("cloth", [None, checked], ids=["planks", "checked cloth, box and mug"])
def test_corners_are_guessed_to_a_hundredth(cloth: object, monkeypatch: pytest.MonkeyPatch) -> None:
    straighten(monkeypatch)
    if cloth is not None:
        monkeypatch.setattr(prints, "_wood", cloth)
    walk, side = BareWalk(), SIDES_DEG[0]
    picture = with_mug(walk.picture(boards(1).start, side), walk, side)
    assert off_px(walk, side, guessed_corners(picture, FOCAL_PX, SIZES)) < 0.01 * 1280


def test_a_phone_that_does_not_tell_its_focal_length_needs_no_other_touches(monkeypatch: pytest.MonkeyPatch) -> None:
    straighten(monkeypatch)
    walk, side = BareWalk(), SIDES_DEG[1]
    assert off_px(walk, side, guessed_corners(walk.picture(boards(1).start, side), None, SIZES)) < 0.02 * 1280


def test_nothing_is_guessed_where_there_is_no_board() -> None:
    assert guessed_corners(np.full((720, 960, 3), 140, np.uint8), None, SIZES) is None
    cloth = np.ascontiguousarray(checked()[:480, :640])
    assert guessed_corners(cloth, None, SIZES) is None

"""Pictures by a camera in a hand: what makes a view, and what is said of one that makes none."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.pose import Pose
from tests.scene import Scene, draw, lens, pose, table
from vision.assessment import heldview
from vision.assessment.heldview import Fault, framed
from vision.geometry.view import View
from vision.posefinder import PoseFinder


def picture(at: Pose | None = None) -> NDArray[np.uint8]:
    return np.asarray(draw(Scene(), at or pose()), np.uint8)


def fault(shown: NDArray[np.uint8]) -> Fault | None:
    return framed(shown, finder(), "left").fault


def finder() -> PoseFinder:
    return PoseFinder(table(), Path(), {"left": lens()})


@pytest.mark.parametrize("side", range(-180, 180, 45))
def test_a_steady_picture_from_any_side_makes_a_view(side: int) -> None:
    assert fault(picture(pose(side, 600, 520))) is None


def test_a_picture_that_was_looked_through_has_its_pose() -> None:
    held, shown = finder(), picture()
    framed(shown, held, "left")
    first = held.view(shown, "left#1")
    assert first.camera == "left#1"
    assert first.pose is held.view(shown, "left").pose
    assert held.view(picture(), "left").pose is not first.pose


def test_where_the_board_lies_is_told_for_the_page_to_draw() -> None:
    rim = framed(picture(), finder(), "left").rim
    assert len(rim) == 4
    assert all(0 < share < 1 for corner in rim for share in corner)
    middle = np.mean(rim, axis=0)
    assert abs(middle - 0.5).max() < 0.1


def test_what_is_wrong_is_told() -> None:
    good = picture()
    assert fault(np.asarray(good // 8, np.uint8)) is Fault.DARK
    assert fault(np.asarray(cv2.GaussianBlur(good, (0, 0), 3.5), np.uint8)) is Fault.BLURRED
    hidden = good.copy()
    hidden[:, : good.shape[1] * 2 // 3] = 180
    hidden[: good.shape[0] // 2] = 180
    assert fault(hidden) is Fault.FRAME


def test_a_board_that_reaches_out_of_the_picture_is_told() -> None:
    near = pose(-85, 640, 360)
    shifted = Pose(near.rotation, near.translation_mm + np.array((-230, 0, 0)), near.markers, 0.0)
    assert fault(picture(shifted)) is Fault.CUT_OFF


def test_a_phone_that_looks_down_from_near_may_show_a_part() -> None:
    over = pose(-85, 470, 90)
    for away_mm, expected in ((80, None), (160, Fault.CUT_OFF)):
        shifted = Pose(over.rotation, over.translation_mm + np.array((0, away_mm, 0)), over.markers, 0.0)
        view = View("left", picture(), lens(), shifted)
        corners = view.project(heldview._rim_mm(table()))
        assert not ((corners >= 0) & (corners <= view.lens.size)).all()
        assert heldview._badly_placed(view, corners, table()) is expected


def test_a_picture_of_another_size_is_refused() -> None:
    with pytest.raises(CalibrationError, match="left"):
        fault(np.zeros((10, 10, 3), np.uint8))


@pytest.mark.parametrize(
    ("place", "expected"),
    [((-85, 600, 520), None), ((-85, 4400, 2400), Fault.FAR), ((-85, 200, 1500), Fault.LOW)],
)
def test_too_far_and_too_low_are_told(place: tuple[int, int, int], expected: Fault | None) -> None:
    view = View("left", picture(), lens(), pose(*place))
    corners = view.project(heldview._rim_mm(table()))
    assert heldview._badly_placed(view, corners, table()) is expected

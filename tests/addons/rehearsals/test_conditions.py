"""What a rehearsal holds for, measured from pictures: a lamp, a smear on the lens, a camera that was pushed."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.pose import Pose
from calibration.table import load_table
from referee.addons.rehearsals.conditions import conditions_of
from referee.addons.rehearsals.validity import Conditions, Reason, lapses
from tests.demo.table import RECORDING
from vision.geometry.view import View
from vision.posefinder import PoseFinder

Picture = NDArray[np.uint8]
TABLE = load_table(RECORDING.folder)
FINDER = PoseFinder(TABLE, RECORDING.folder)
RIM = np.array([[-160.0, -160, 0], [160, -160, 0], [160, 160, 0], [-160, 160, 0]])


def view_of(picture: Picture) -> View:
    return FINDER.view(picture, "cam0")


def measured(*pictures: Picture) -> Conditions:
    return conditions_of(TABLE, [view_of(picture) for picture in pictures])


def lamp_off(picture: Picture) -> Picture:
    """Take one of two lamps away, the one on the right, and let the camera make up for the darkness."""
    rim = view_of(picture).project(RIM)[:, 0]
    across = np.clip((np.arange(picture.shape[1]) - rim.min()) / np.ptp(rim), 0, 1)[None, :, None]
    left, right = 1 / (0.5 + across) ** 2, 1 / (1.5 - across) ** 2
    return np.clip(1.4 * picture * left / (left + right), 0, 255).astype(np.uint8)


def smeared(picture: Picture) -> Picture:
    """Lay grease over the upper half of the picture: it blurs, and veils the dark."""
    soft = np.clip(0.8 * cv2.GaussianBlur(picture, (0, 0), 2.0) + 40, 0, 255)
    return np.concatenate([soft[: len(picture) // 2], picture[len(picture) // 2 :]]).astype(np.uint8)


def pushed(picture: Picture, mm: float) -> Picture:
    """Show the board's plane as from a camera that stands so much further to the right."""
    view = view_of(picture)
    centre = view.pose.centre_mm + np.array([mm, 0, 0])
    other = Pose(view.pose.rotation, -view.pose.rotation @ centre, 0, 0.0)
    ends = [each.project(RIM, view.lens).astype(np.float32) for each in (view.pose, other)]
    height, width = picture.shape[:2]
    return np.asarray(
        cv2.warpPerspective(picture, cv2.getPerspectiveTransform(*ends), (width, height), borderValue=(90, 90, 90)),
        np.uint8,
    )


@pytest.mark.parametrize(
    ("change", "reasons"),
    [
        (lambda picture: picture, []),
        (lamp_off, [Reason.LIGHT]),
        (lambda picture: (0.5 * picture).astype(np.uint8), [Reason.LIGHT]),
        (smeared, [Reason.SMEARED]),
        (lambda picture: pushed(picture, 10.0), [Reason.MOVED]),
        (lambda picture: pushed(picture, 2.0), []),
    ],
    ids=["nothing", "lamp off", "dimmed", "smeared", "moved 10 mm", "moved 2 mm"],
)
def test_what_makes_a_rehearsal_lapse(change: Callable[[Picture], Picture], reasons: list[Reason]) -> None:
    looks = [look.load()["cam0"] for look in RECORDING.looks[:3]]
    rehearsed = measured(*looks[:2])
    assert [each.reason for each in lapses(rehearsed, measured(change(looks[2])))] == reasons


def test_a_phone_in_the_hand_is_no_moved_camera() -> None:
    picture = RECORDING.looks[0].load()["cam0"]
    views = [View(f"cam0#{number}", one.picture_bgr, one.lens, one.pose)
             for number, one in enumerate((view_of(picture), view_of(pushed(picture, 30.0))), 1)]  # fmt: skip
    first, second = (conditions_of(TABLE, [view]) for view in views)
    assert first.cameras[0].at_mm is None
    assert lapses(first, second) == ()

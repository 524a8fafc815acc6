"""A phone that nobody calibrated: pictures from several sides go in as a phone sends them, a lens file comes out."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.lens import load_lens
from calibration.lenses import lens_path
from calibration.pose import Pose
from referee.daemon.phonelenses import PhoneLenses
from tests.scene import Scene, draw, lens, pose, table, write_table
from tests.vision.sources.patience import PATIENT, eventually
from vision.sources.address import parse_source
from vision.sources.camera import Camera

pytestmark = [pytest.mark.process, pytest.mark.long]
SIDES = [(-85 + 70 * k, 560.0 + 60 * (k % 4), 330.0 + 80 * (k % 3), 40.0 * (k % 4) - 60) for k in range(14)]
"""Direction, height and distance of the phone, and how far askew it is held, degrees."""


@pytest.fixture
def phone() -> Iterator[Camera]:
    with Camera("left", parse_source("phone:left"), patience=PATIENT) as camera:
        yield camera


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = write_table(tmp_path / "table")
    shutil.rmtree(folder / "calibration")
    return folder


def picture(number: int, seed: int = 0) -> bytes:
    """Return what the phone sees from a side."""
    side, height_mm, distance_mm, askew_deg = SIDES[number]
    straight, turn = pose(side, height_mm, distance_mm), np.radians(askew_deg)
    askew = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    held = Pose(askew @ straight.rotation, askew @ straight.translation_mm, 0, 0.0)
    drawn = draw(Scene(), held, seed=seed)
    return bytes(cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, 95])[1])


def told(lenses: PhoneLenses) -> str:
    words = lenses.words("left")
    return "" if words is None else words.text()


def shown(phone: Camera, lenses: PhoneLenses, number: int) -> None:
    """Hold the phone still on a side, until it was looked at there a few times."""
    for seed in range(5):
        sent(phone, picture(number, seed))
        lenses.look()


def sent(phone: Camera, jpeg: bytes) -> None:
    """Send a picture until it is seen: of a phone that was silent for two seconds the first one may be lost."""
    before = number_of(phone)
    eventually(lambda: phone.offer(jpeg, 0.0) and number_of(phone) > before)


def number_of(phone: Camera) -> int:
    newest = phone.newest()
    return 0 if newest is None else newest.number


@pytest.mark.parametrize(
    ("held", "words"), [((), "Fix the phone in its place"), (("left",), "Go on showing the table")]
)
def test_a_phone_that_is_moved_finds_its_lens(phone: Camera, folder: Path, held: tuple[str, ...], words: str) -> None:
    lenses = PhoneLenses(folder, replace(table(), held=held), {"left": phone}, frozenset)
    try:
        assert "the whole printed frame" in told(lenses)
        for number in range(len(SIDES)):
            if number in (1, 3):
                assert "Turn the phone" in told(lenses)
            shown(phone, lenses, number)
            if lens_path(folder, "left").exists():
                break
        assert words in told(lenses)
    finally:
        lenses.close()
    found, true = load_lens(lens_path(folder, "left")), lens()
    assert abs(found.matrix[0, 0] / true.matrix[0, 0] - 1) < 0.003
    assert abs(found.matrix[:2, 2] - true.matrix[:2, 2]).max() < 3.0


@pytest.mark.parametrize(
    ("source", "calibrated"), [("phone:left", frozenset({"left"})), ("http://127.0.0.1:9/video", frozenset())]
)
def test_what_is_no_phone_or_is_calibrated_is_left_alone(
    folder: Path, source: str, calibrated: frozenset[str]
) -> None:
    with Camera("left", parse_source(source)) as camera:
        lenses = PhoneLenses(folder, table(), {"left": camera}, lambda: calibrated)
        assert lenses.words("left") is None
        lenses.close()


def test_nobody_is_asked_for_sides_once_the_camera_takes_part(phone: Camera, folder: Path) -> None:
    """Its lens came into the table's folder another way, as when it was measured with the target meanwhile."""
    taking_part: set[str] = set()
    lenses = PhoneLenses(folder, table(), {"left": phone}, lambda: frozenset(taking_part))
    try:
        shown(phone, lenses, 0)
        assert "show the frame from 3 more sides" in told(lenses)
        taking_part.add("left")
        assert told(lenses) == ""
    finally:
        lenses.close()

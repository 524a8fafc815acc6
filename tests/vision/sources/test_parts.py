"""The parts of the camera sources that need no process: the ring, JPEG's headers, what is held fixed, the words."""

from __future__ import annotations

import os
from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.values.words import LANGUAGES
from tests.vision.sources.webcam import picture
from vision.sources.controls import CameraControls, lock_now, lock_when_settled
from vision.sources.jpeg import jpeg_size
from vision.sources.packet import Packet, Why, shrink
from vision.sources.ring import SLOTS, Ring, create_ring
from vision.sources.state import SourceHealth, SourceState
from vision.sources.words import camera_words


def test_the_ring_keeps_the_newest_frames() -> None:
    fd = create_ring()
    ours, theirs = Ring(fd), Ring(fd)
    os.close(fd)
    for number in range(1, SLOTS + 4):
        grey = np.full((120, 160), number, np.uint8)
        assert theirs.write(number, grey, bytes([number]) * 1000) == 1000
    assert ours.frame(3, 1000) is None
    assert ours.grey(3, (120, 160)) is None
    kept = ours.frame(SLOTS + 3, 1000)
    assert kept is not None
    assert (kept == SLOTS + 3).all()
    grey_kept = ours.grey(4, (120, 160))
    assert grey_kept is not None
    assert (grey_kept == 4).all()


def test_the_ring_refuses_giants() -> None:
    fd = create_ring()
    ring = Ring(fd)
    os.close(fd)
    with pytest.raises(ValueError, match="too large"):
        ring.write(1, np.zeros((120, 160), np.uint8), np.zeros((4097, 4096, 3), np.uint8))


def test_the_size_of_a_jpeg() -> None:
    whole = picture(0, (320, 240))
    assert jpeg_size(whole) == (320, 240)
    assert jpeg_size(whole + b"\0" * 500) == (320, 240)
    for cut in (0, 2, 20, 200, len(whole) // 2, len(whole) - 2):
        assert jpeg_size(whole[:cut]) is None
    assert jpeg_size(b"\x89PNG" + whole) is None


@pytest.mark.parametrize("size", [(1280, 960), (640, 480), (320, 240), (100, 80), (480, 640)])
def test_small_pictures_are_160_wide(size: tuple[int, int]) -> None:
    full = np.repeat(np.linspace(0, 255, size[0]).astype(np.uint8)[None], size[1], 0)
    colour = np.repeat(full[..., None], 3, 2)
    jpeg = bytes(cv2.imencode(".jpg", colour)[1])
    for packet in (Packet(0.0, bgr=colour), Packet(0.0, jpeg=jpeg)):
        seen = shrink(packet)
        assert seen is not None
        assert seen.size == size
        assert seen.grey.shape == (round(size[1] * 160 / size[0]), 160)
        assert np.abs(seen.grey[5].astype(int) - np.linspace(0, 255, 160)).max() < 6


class Control:
    """A camera's controls as V4L2 has them: those in ``deaf`` take a value and don't keep it."""

    def __init__(self, *deaf: int) -> None:
        self.deaf = deaf
        self.values = {cv2.CAP_PROP_AUTO_EXPOSURE: 3.0, cv2.CAP_PROP_EXPOSURE: 250.0, cv2.CAP_PROP_AUTOFOCUS: 1.0}
        self.values |= {cv2.CAP_PROP_FOCUS: 30.0, cv2.CAP_PROP_AUTO_WB: 1.0, cv2.CAP_PROP_WB_TEMPERATURE: 4200.0}

    def get(self, prop: int, /) -> float:
        return self.values.get(prop, -1.0)

    def set(self, prop: int, value: float, /) -> bool:
        if prop not in self.deaf:
            self.values[prop] = value
        return True


def test_what_has_settled_is_held() -> None:
    camera = Control()
    at_frame = lock_when_settled(camera, settle_s=3.0)
    assert at_frame(100.0) is None
    camera.values[cv2.CAP_PROP_EXPOSURE] = 180.0  # the automatic is still at work
    assert at_frame(102.9) is None
    assert at_frame(103.0) == CameraControls(("exposure", "focus", "white-balance"), ())
    assert camera.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 1.0
    assert camera.values[cv2.CAP_PROP_EXPOSURE] == 180.0


def test_what_can_not_be_held_is_told() -> None:
    locks = lock_now(Control(cv2.CAP_PROP_AUTOFOCUS))
    assert locks == CameraControls(("exposure", "white-balance"), ("focus",))
    live = SourceState("cam0", "usb:x", SourceHealth.LIVE, held=locks.held)
    assert camera_words(live).text() == "cam0 sees the table."
    assert "does not let the referee hold its focus" in camera_words(replace(live, free=locks.free)).text()


@pytest.mark.parametrize("health", list(SourceHealth))
def test_every_state_has_words(health: SourceHealth) -> None:
    state = SourceState("cam0", "http://10.0.0.5", health, detail="640x480/1280x960")
    for language in LANGUAGES:
        assert "cam0" in camera_words(state).text(language)
        assert "10.0.0.5" not in camera_words(state).text(language)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("folder:stills", "waits for its folder stills, which is not there"),
        ("file:evening.mp4", "waits for its film evening.mp4, which is not there"),
        ("usb:/dev/video0", "Plug it in"),
    ],
)
def test_what_is_not_there_is_named(source: str, told: str) -> None:
    state = SourceState("cam0", source, SourceHealth.FAILED, detail=Why.ABSENT)
    assert told in str(camera_words(state))

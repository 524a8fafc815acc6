"""A phone as a camera: pictures handed down to a real child process, late, too fast, garbled, or not at all."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator

import pytest

from tests.vision.sources.patience import HASTY, eventually
from tests.vision.sources.webcam import picture
from vision.sources.address import LIVE, Scheme, SourceError, parse_source
from vision.sources.camera import Camera
from vision.sources.phone import LARGEST_JPEG, PhoneFeed
from vision.sources.state import SourceHealth
from vision.sources.words import camera_words

pytestmark = pytest.mark.process


@pytest.fixture
def phone() -> Iterator[Camera]:
    with Camera("cam0", parse_source("phone:left"), patience=HASTY) as camera:
        yield camera


def send(camera: Camera, number: int, age_s: float = 0.0) -> None:
    """Send one picture; tried again while the child is not up yet."""
    eventually(lambda: camera.offer(picture(number), age_s))


def test_what_a_phone_sends_is_seen(phone: Camera) -> None:
    for number in range(3):
        send(phone, number)
        eventually(lambda: phone.newest() is not None)
    assert phone.state.health is SourceHealth.LIVE
    newest = phone.newest()
    assert newest is not None
    assert newest.load() is not None


def test_a_picture_is_as_old_as_the_phone_says(phone: Camera) -> None:
    send(phone, 1, age_s=0.75)
    eventually(lambda: phone.newest() is not None)
    newest = phone.newest()
    assert newest is not None
    assert time.monotonic() - newest.at_s >= 0.75


def test_a_picture_from_before_the_phone_was_locked_is_not_how_the_table_is(phone: Camera) -> None:
    send(phone, 1, age_s=9.9)
    assert not phone.wait(0, 1.0)
    assert not phone.state.seeing
    send(phone, 2)
    eventually(lambda: phone.state.health is SourceHealth.LIVE)


def test_a_phone_that_is_locked_is_silent_and_comes_back_to_the_same_child(phone: Camera) -> None:
    send(phone, 1)
    eventually(lambda: phone.state.health is SourceHealth.LIVE)
    child = phone.pid
    eventually(lambda: phone.state.health is SourceHealth.SILENT)
    assert "/camera" in camera_words(phone.state).text("en")
    assert phone.newest() is None
    send(phone, 2)
    eventually(lambda: phone.state.health is SourceHealth.LIVE)
    assert phone.pid == child


def test_a_child_that_hangs_is_started_anew(phone: Camera) -> None:
    send(phone, 1)
    eventually(lambda: phone.state.health is SourceHealth.LIVE)
    child = phone.pid
    assert child is not None
    os.kill(child, signal.SIGSTOP)
    eventually(lambda: phone.pid not in (child, None))
    send(phone, 2)
    eventually(lambda: phone.state.health is SourceHealth.LIVE)


def test_garbage_is_no_picture_and_stops_nothing(phone: Camera) -> None:
    send(phone, 1)
    eventually(lambda: len(phone.since(0)) == 1)
    assert phone.offer(b"\xff\xd8 no picture \xff\xd9", 0.0)
    send(phone, 2)
    eventually(lambda: len(phone.since(0)) == 2)


def test_more_than_a_picture_is_not_taken(phone: Camera) -> None:
    send(phone, 1)
    assert not phone.offer(b"\xff\xd8" + bytes(LARGEST_JPEG), 0.0)


def test_a_child_that_reads_nothing_holds_nobody_up() -> None:
    """What can't be handed down in a second is given up, and the child with it: half a picture is down there."""
    feed = PhoneFeed()
    began_s = time.monotonic()
    assert not feed.offer(bytes(LARGEST_JPEG), 0.0)
    assert time.monotonic() - began_s < 5
    assert not feed.offer(b"", 0.0)


def test_other_cameras_take_no_pictures_from_phones() -> None:
    with Camera("cam0", parse_source("usb:/dev/video99"), patience=HASTY) as camera:
        assert not camera.offer(picture(1), 0.0)


def test_a_phone_has_a_short_name() -> None:
    assert parse_source("phone:left-2").public == "phone:left-2"
    assert Scheme.PHONE in LIVE
    for bad in ("phone:", "phone:Left", "phone:a/b", "phone:" + "a" * 25, "phone:left?size=10x10"):
        with pytest.raises(SourceError):
            parse_source(bad)

"""A fixed camera, as the turn loop looks through it: whether somebody was seen to change the board."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import count, cycle, repeat

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.daemon.livecameras import RESTLESS_S, LiveFrameSource
from referee.daemon.notices import notices
from referee.match.live import CameraState
from referee.session.capture import Capture
from referee.storage.evidence import Keeping
from referee.values.words import say
from tests.vision.gate.stills import board_region, picture
from tests.vision.sources.patience import PATIENT, eventually
from vision.gate.gate import GateStatus, begin
from vision.sources.address import parse_source
from vision.sources.camera import Camera

pytestmark = [pytest.mark.process]


@pytest.fixture
def source() -> Iterator[tuple[LiveFrameSource, Camera]]:
    changed = threading.Condition()
    with Camera("left", parse_source("phone:left"), changed=changed, patience=PATIENT) as camera:
        yield LiveFrameSource({"left": camera}, changed), camera


def sent(source: tuple[LiveFrameSource, Camera], picture: NDArray[np.uint8]) -> bool:
    """Send a picture and take in what has come; whether it was taken."""
    sight, camera = source
    taken = camera.offer(bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 97])[1]), 0.0)
    sight.wait(0.05)
    return taken


def shown(
    source: tuple[LiveFrameSource, Camera], still: NDArray[np.uint8], before: Sequence[NDArray[np.uint8]] = ()
) -> Capture:
    """Send some pictures once and one again and again, until the board in that is a new one."""
    sight, _ = source
    waiting, found = list(before), []

    def told() -> bool:
        if sent(source, waiting[0] if waiting else still):
            del waiting[:1]
        capture = sight.changed()
        found.extend([capture] if capture is not None and not waiting else [])
        return bool(found)

    eventually(told)
    return found[0]


def test_a_board_that_changes_is_told_and_whether_nobody_was_seen_at_it(
    source: tuple[LiveFrameSource, Camera],
) -> None:
    first, second, third = (picture([(7, 7), (7, 8), *more]) for more in ((), [(7, 9)], [(7, 9), (8, 8)]))
    assert not shown(source, first).unseen
    assert shown(source, second).unseen
    arms = [picture([(7, 7), (7, 8), (7, 9)], (8, col)) for col in (14, 12, 10, 8, 10, 12)]
    assert not shown(source, third, arms).unseen


def test_a_board_whose_pictures_are_gone_before_they_are_fetched_is_told_with_newer_ones(
    source: tuple[LiveFrameSource, Camera], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A camera keeps full pictures for less than a second: a computer that is busy comes too late for them."""
    sight, _ = source
    first, second = (picture([(7, 7), (7, 8), *more]) for more in ((), [(7, 9)]))
    shown(source, first)
    (watched,) = sight._watched
    eventually(lambda: sent(source, second) and watched.news)
    late = {number: replace(glimpse, load=lambda: None) for number, glimpse in watched.kept.items()}
    with monkeypatch.context() as busy:
        busy.setattr(watched, "kept", late)
        assert sight.changed() is None
    assert np.abs(shown(source, second).newest["left"].mean(axis=-1) - second).mean() < 3


def seen_as(source: tuple[LiveFrameSource, Camera]) -> GateStatus:
    """Return what the gate makes of the newest picture."""
    (watched,) = source[0]._watched
    return watched.gate.sight


def test_boards_are_told_while_something_lies_still_over_the_rim(source: tuple[LiveFrameSource, Camera]) -> None:
    """At first it may be an arm; once it has lain for long it is part of the table, and later boards count."""
    sight, _ = source
    pieces, arm = [(7, 7), (7, 8)], (12, 11)
    shown(source, picture(pieces))
    for watched in sight._watched:  # no frame is printed on this board that tells where it lies
        watched.gate = begin(board_region())
    shown(source, picture(pieces))
    covered = picture(pieces, arm)
    eventually(lambda: sent(source, covered) and seen_as(source) is GateStatus.COVERED)
    eventually(lambda: sent(source, covered) and seen_as(source) is GateStatus.STILL, 90.0)
    assert sight.changed() is None  # what lies there is no board of its own
    for piece in ((7, 9), (8, 8)):
        pieces = [*pieces, piece]
        board = picture(pieces, arm)
        told = shown(source, board).newest["left"]
        assert np.abs(told.mean(axis=-1) - board).mean() < 3  # it is this board that is told


def test_a_camera_that_was_only_just_started_is_no_trouble() -> None:
    started = CameraState("left", False, say("left is being opened."), opening=True)
    lost = CameraState("right", False, say("right can't be reached."))
    assert [notice.id for notice in notices(True, (started, lost), Keeping.ON)] == ["camera-right"]


def test_a_look_names_the_camera_that_is_off_the_one_that_never_stands_still_and_the_one_that_was_moved() -> None:
    changed, still = threading.Condition(), picture([(7, 7), (7, 8)])
    away = np.roll(still, 60, axis=1)
    with ExitStack() as parts:
        cameras = {
            name: parts.enter_context(Camera(name, parse_source(f"phone:{name}"), changed=changed, patience=PATIENT))
            for name in ("left", "right", "off")
        }
        sight = LiveFrameSource(cameras, changed)
        sides = [(sight, cameras[name]) for name in ("left", "right")]

        def told(left: NDArray[np.uint8], right: Iterator[NDArray[np.uint8]], words: str) -> None:
            began_s = time.monotonic()

            def says() -> bool:
                for side, shown in zip(sides, (left, next(right)), strict=True):
                    sent(side, shown)
                capture = sight.fresh(began_s, 1)
                return capture is not None and words in " ".join(one.text() for one in capture.troubles.values())

            eventually(says, 30.0)

        told(still, repeat(still), "off sent no pictures.")
        told(still, cycle([still, away]), "right did not show the board standing still in time.")
        told(still, repeat(still), "off sent no pictures.")
        for watched in sight._watched:  # no frame is printed on this board that tells where it lies
            watched.gate = begin(board_region())
        told(still, repeat(still), "off sent no pictures.")
        told(np.roll(still, (4, 5), (0, 1)), repeat(still), "left was moved since the turn before")
        sight.board_agreed()
        assert not any("moved" in words.text() for words in sight._troubles(("left", "right")).values())


def test_a_board_that_one_camera_shows_still_is_told_though_another_never_stands_still() -> None:
    changed, before = threading.Condition(), picture([(7, 7), (7, 8)])
    after, now_s = picture([(7, 7), (3, 3)]), [time.monotonic()]  # stands still, however long all this takes
    with ExitStack() as parts:
        cameras = {
            name: parts.enter_context(Camera(name, parse_source(f"phone:{name}"), changed=changed, patience=PATIENT))
            for name in ("left", "right")
        }
        sight = LiveFrameSource(cameras, changed, clock=lambda: now_s[0])
        # A camera that is busy leaves pictures out: no two of these are alike.
        restless = (np.roll(before, 37 * number, axis=1) for number in count())

        def goes_on(left: NDArray[np.uint8]) -> Capture | None:
            sent((sight, cameras["left"]), left)
            sent((sight, cameras["right"]), next(restless))
            return sight.changed()

        def stands_still(left: NDArray[np.uint8]) -> bool:
            found.append(goes_on(left))
            return sight._watched[0].news

        def told() -> bool:
            found.append(goes_on(after))
            return found[-1] is not None

        found: list[Capture | None] = []
        eventually(lambda: stands_still(before))
        eventually(lambda: stands_still(after))
        assert not any(found)  # whoever moves in one picture may be about to change the board
        assert sight.waiting() is not None
        now_s[0] = time.monotonic() + RESTLESS_S + 1.0
        eventually(told)
        assert found[-1] is not None
        assert list(found[-1].newest) == ["left"]
        assert list(found[-1].troubles) == ["right"]
        assert sight.waiting() is None

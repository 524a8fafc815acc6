"""A fixed camera, as the turn loop looks through it: whether somebody was seen to change the board."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.daemon.livecameras import LiveFrameSource
from referee.session.capture import Capture
from tests.vision.gate.stills import picture
from tests.vision.sources.patience import eventually
from vision.sources.address import parse_source
from vision.sources.camera import Camera

pytestmark = [pytest.mark.process]


@pytest.fixture
def source() -> Iterator[tuple[LiveFrameSource, Camera]]:
    changed = threading.Condition()
    with Camera("left", parse_source("phone:left"), changed=changed) as camera:
        yield LiveFrameSource({"left": camera}, changed), camera


def shown(
    source: tuple[LiveFrameSource, Camera], still: NDArray[np.uint8], before: Sequence[NDArray[np.uint8]] = ()
) -> Capture:
    """Send some pictures once and one again and again, until the board in that is a new one."""
    sight, camera = source
    waiting, found = list(before), []

    def told() -> bool:
        one = waiting[0] if waiting else still
        if camera.offer(bytes(cv2.imencode(".jpg", one, [cv2.IMWRITE_JPEG_QUALITY, 97])[1]), 0.0):
            del waiting[:1]
        sight.wait(0.05)
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

"""Phones in hands, as the turn loop asks them: views while they are wanted, and what to do where none comes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.lens import Lens
from referee.daemon.livecameras import LiveFrameSource
from tests.daemon.sending import sent
from tests.scene import Scene, draw, lens, pose, table
from vision.posefinder import PoseFinder
from vision.sources.address import parse_source
from vision.sources.camera import Camera

pytestmark = [pytest.mark.process]
LENSES: dict[str, Lens] = {"left": lens()}


@pytest.fixture
def source() -> Iterator[tuple[LiveFrameSource, Camera]]:
    changed = threading.Condition()
    with Camera("left", parse_source("phone:left"), changed=changed) as camera:
        finder = PoseFinder(table(), Path("nowhere"), LENSES)
        yield LiveFrameSource({"left": camera}, changed, finder, held=("left",)), camera


def test_each_picture_is_a_view_once_and_only_while_views_are_wanted(source: tuple[LiveFrameSource, Camera]) -> None:
    sight, camera = source
    assert sight.held
    assert sight.blind_for_s() < 0.1
    advice = sight.framing().advice
    assert advice is not None
    assert advice.id == "show"
    assert all(state.ok for state in sight.cameras())
    sent(camera, np.asarray(draw(Scene(), pose(-85, 600, 520)), np.uint8))
    assert sight.view(None) is None
    assert sight.view(0.0) is None
    sent(camera, np.asarray(draw(Scene(), pose(-20, 600, 520)), np.uint8))
    view = sight.view(0.0)
    assert view is not None
    assert list(view.newest) == ["left"]
    assert sight.view(0.0) is None
    assert sight.changed() is None
    assert sight.fresh(0.0, 1) is None


def test_a_picture_from_before_the_turn_ended_is_no_view(source: tuple[LiveFrameSource, Camera]) -> None:
    sight, camera = source
    sent(camera, np.asarray(draw(Scene(), pose(-85, 600, 520)), np.uint8))
    newest = camera.newest()
    assert newest is not None
    assert sight.view(newest.at_s + 1.0) is None


def test_a_blurred_picture_is_left_out_and_that_is_told(source: tuple[LiveFrameSource, Camera]) -> None:
    sight, camera = source
    clear = np.asarray(draw(Scene(), pose(-85, 600, 520)), np.uint8)
    sent(camera, np.asarray(cv2.GaussianBlur(clear, (0, 0), 3.5), np.uint8))
    assert sight.view(0.0) is None
    advice = sight.framing().advice
    assert advice is not None
    assert advice.id == "blurred"
    sent(camera, clear)
    assert sight.view(0.0) is not None
    assert sight.framing().advice is None


def test_a_side_that_was_shown_just_now_is_no_new_view(source: tuple[LiveFrameSource, Camera]) -> None:
    """Whoever stands still would use the look up."""
    sight, camera = source
    sent(camera, np.asarray(draw(Scene(), pose(-85, 600, 520)), np.uint8))
    assert sight.view(1.0) is not None
    sent(camera, np.asarray(draw(Scene(), pose(-84, 600, 520), seed=2), np.uint8))
    assert sight.view(1.0) is None
    advice = sight.framing().advice
    assert advice is not None
    assert advice.id == "done"
    sent(camera, np.asarray(draw(Scene(), pose(-50, 600, 520)), np.uint8))
    assert sight.view(1.0) is not None
    sent(camera, np.asarray(draw(Scene(), pose(-50, 600, 520), seed=3), np.uint8))
    assert sight.view(2.0) is not None

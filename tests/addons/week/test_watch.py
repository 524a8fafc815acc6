"""What is noted of a camera that gives pictures, is lost, and comes back elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import cv2
import pytest

from referee.addons.week.linefile import CameraLineFile
from referee.addons.week.watch import CameraWatch
from referee.values.camerahealth import Befell, CameraSample
from tests.scene import Scene, draw, lens, pose, table
from tests.untyped import untyped
from tests.vision.sources.patience import eventually
from vision.sources.address import parse_source
from vision.sources.camera import Camera

SEEDS = count(1)


def jpeg(azimuth_deg: float) -> bytes:
    """Return a picture with noise of its own: a camera that sends the same one again and again is given up."""
    return bytes(cv2.imencode(".jpg", draw(Scene(), pose(azimuth_deg), seed=next(SEEDS)))[1])


def befallen(file: CameraLineFile) -> set[Befell]:
    return {one.what for one in file.events(0.0)}


@pytest.mark.process
def test_a_phone_that_sends_is_lost_and_comes_back_elsewhere(tmp_path: Path) -> None:
    told: dict[str, CameraSample] = {}
    with ExitStack() as parts:
        camera = parts.enter_context(Camera("left", parse_source("phone:left")))
        watch = CameraWatch({"left": camera}, table(), lambda _: lens(), told.__setitem__, every_s=0.0, opening_s=0.0)

        def sends(azimuth_deg: float, seen: Callable[[], bool]) -> Callable[[], bool]:
            """Let the phone send while something is waited for: after two seconds of silence it is lost."""
            return lambda: camera.offer(jpeg(azimuth_deg), 0.0) and seen()

        def measured() -> bool:
            samples, events = watch.measured()
            assert events == ()
            return samples["left"].markers is not None

        eventually(sends(-85, lambda: camera.newest() is not None))
        eventually(sends(-85, lambda: not watch.glanced() and camera.state.seeing))
        assert watch.measured(busy=lambda: True) == ({}, ())  # a look is being read
        eventually(sends(-85, measured))
        assert told["left"].markers == 8
        assert told["left"].reprojection_px is not None

        eventually(lambda: camera.newest() is None)
        events = watch.glanced()
        assert [one.what for one in events] == [Befell.LOST]
        assert "/camera" in events[0].words.text("en")
        assert watch.glanced() == ()

        eventually(sends(-82, lambda: Befell.BACK in [one.what for one in watch.glanced()]))

        file = parts.enter_context(CameraLineFile(tmp_path / "cameras.sqlite"))
        parts.callback(watch.close)
        watch.start(file, lambda: False)
        eventually(sends(-82, lambda: Befell.MOVED in befallen(file)))
        (cam,) = untyped(watch.view(1, "en"))["cameras"]
        assert any("was moved" in one["words"] for one in cam["events"])
        assert len(cam["lines"]) == 8

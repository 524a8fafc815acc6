"""The drawing process as a camera: frames come, stop when its cable is pulled, and come again."""

from __future__ import annotations

import socket
import threading
import time
from pathlib import Path

import pytest

from referee.daemon.livecameras import LiveFrameSource
from referee.virtual.drawing_process import DrawingProcess
from referee.virtual.folder import make_table
from referee.virtual.scene import TableScene
from tests.virtual.laid import BOARDS
from tests.vision.sources.patience import eventually
from vision.sources.address import SourceError, parse_source
from vision.sources.camera import Camera, Patience
from vision.sources.state import SourceHealth
from vision.sources.virtual import HEAD


def _becomes(camera: Camera, health: SourceHealth, patience_s: float = 60.0) -> None:
    with camera.changed:
        assert camera.changed.wait_for(lambda: camera.state.health is health, patience_s), camera.state


@pytest.mark.parametrize("folder", ["table", f"{'deep' * 40}/table"])
def test_a_virtual_camera_is_unplugged_and_plugged_in(tmp_path: Path, folder: str) -> None:
    table = make_table(tmp_path / folder, "torres")
    lies = TableScene(BOARDS["torres"])
    patience = Patience(stall_s=20.0, answer_s=20.0, open_s=60.0, pauses_s=(0.1,))
    with DrawingProcess(tmp_path / folder) as drawing:
        drawing.show(lies)
        source = parse_source("virtual:left", tmp_path / folder)
        with Camera("left", source, (1280, 960), patience) as camera:
            _becomes(camera, SourceHealth.LIVE)
            glimpse = camera.newest()
            assert glimpse is not None
            assert glimpse.size == (1280, 960)
            drawing.show(TableScene(BOARDS["torres"], unplugged=("left",)))
            _becomes(camera, SourceHealth.FAILED)
            drawing.show(lies)
            _becomes(camera, SourceHealth.LIVE)
    assert table.cameras == ("left", "right")


def test_a_virtual_camera_that_is_drawn_late_is_not_told_as_an_unplugged_one(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(str(tmp_path / "left.socket"))
        listening.listen()
        listening.settimeout(60.0)
        hasty = Patience(stall_s=0.3, open_s=0.6, answer_s=20.0, pauses_s=(600.0,))
        with Camera("left", parse_source("virtual:left", tmp_path), (320, 240), hasty) as camera:
            drawing, _ = listening.accept()
            with drawing, camera.changed:
                assert not camera.changed.wait_for(lambda: camera.state.health is not SourceHealth.OPENING, 1.2)
                drawing.sendall(HEAD.pack(320, 240, time.monotonic()) + bytes(320 * 240 * 3))
                assert camera.changed.wait_for(lambda: camera.state.health is SourceHealth.LIVE, 60.0), camera.state
                assert not camera.changed.wait_for(lambda: not camera.state.seeing, 0.9)
            _becomes(camera, SourceHealth.FAILED)  # its connection ended: the cable was pulled


@pytest.mark.parametrize(
    "text", ["virtual:", "virtual:../left", "virtual:/tmp/left", "virtual:Left", "virtual:left#a=b"]
)
def test_a_virtual_camera_has_a_short_name(text: str) -> None:
    with pytest.raises(SourceError):
        parse_source(text)


def test_a_virtual_camera_is_called_by_its_name_alone(tmp_path: Path) -> None:
    source = parse_source("virtual:left", tmp_path)
    assert (str(source), source.location) == ("virtual:left", str(tmp_path / "left.socket"))
    assert source.live


def test_cameras_are_there_at_the_first_look_once_they_were_waited_for(tmp_path: Path) -> None:
    table = make_table(tmp_path / "table", "torres")
    never_again = Patience(stall_s=60.0, answer_s=60.0, open_s=60.0, pauses_s=(600.0,))
    with DrawingProcess(tmp_path / "table") as drawing:
        drawing.await_cameras(table.cameras, lambda seconds: True)  # all is to stop: nothing is waited for
        drawing.show(TableScene(BOARDS["torres"]))
        drawing.await_cameras(table.cameras, threading.Event().wait)
        source = parse_source("virtual:right", tmp_path / "table")
        with Camera("right", source, (1280, 960), never_again) as camera:
            _becomes(camera, SourceHealth.LIVE)


def test_a_board_that_is_drawn_otherwise_was_not_changed_by_nobody(tmp_path: Path) -> None:
    """A busy computer draws a hand too seldom, or not at all."""
    make_table(tmp_path / "table", "torres")
    changed = threading.Condition()
    unseen: list[bool] = []
    with DrawingProcess(tmp_path / "table") as drawing:
        drawing.show(TableScene(BOARDS["torres"]))
        source = parse_source("virtual:left", tmp_path / "table")
        with Camera("left", source, (1280, 960), changed=changed) as camera:
            sight = LiveFrameSource({"left": camera}, changed)

            def told() -> bool:
                sight.wait(0.05)
                capture = sight.changed()
                unseen.extend([capture.unseen] if capture is not None else [])
                return bool(unseen)

            eventually(told)
            unseen.clear()
            drawing.show(TableScene(BOARDS["torres"].replace("0", "3", 4)))
            eventually(told)
    assert unseen == [False]

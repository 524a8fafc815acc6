"""What the set-up page says of a camera that sends no picture: what to do depends on what it is."""

from __future__ import annotations

from pathlib import Path

from calibration.table import load_table
from referee.daemon.cameracheck import CameraCheck
from referee.demo.recording import BUNDLED
from vision.reader import TableReader
from vision.sources.address import parse_source
from vision.sources.camera import Camera


def said(source: str) -> str:
    """The advice on a camera that has just been opened and has sent nothing."""
    with Camera("cam0", parse_source(source)) as camera:
        glance = CameraCheck(camera, TableReader(load_table(BUNDLED), BUNDLED), "table", lambda: True).newest()
    return glance.words.text("en")


def test_nobody_is_told_to_plug_in_a_folder(tmp_path: Path) -> None:
    words = said(f"folder:{tmp_path}?watch=yes")
    assert "plugged" not in words
    assert words.startswith("cam0 ")


def test_a_camera_that_is_not_there_may_be_unplugged() -> None:
    assert "plugged in" in said("usb:/dev/video77")

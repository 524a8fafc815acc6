"""What the set-up page says of a camera that sends no picture: what to do depends on what it is."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from shutil import rmtree

import cv2
import pytest

from calibration.table import load_table
from referee.daemon.cameracheck import CameraCheck
from referee.daemon.certificates import keep
from referee.daemon.setupguide import SetupGuide
from referee.demo.recording import BUNDLED
from referee.games import game_named
from referee.match.events import Event
from tests.certificate.figures import certificate
from tests.scene import Scene, draw, pose, table_json, write_table
from tests.untyped import untyped
from tests.vision.sources.patience import eventually
from vision.reader import TableReader
from vision.sources.address import parse_source
from vision.sources.camera import Camera
from web.tableview import Outcome


def said(source: str) -> str:
    """Return the advice on a camera that has just been opened and has sent nothing."""
    with Camera("cam0", parse_source(source)) as camera:
        glance = CameraCheck(camera, TableReader(load_table(BUNDLED), BUNDLED), "table", lambda: True).newest()
    return glance.words.text("en")


def test_nobody_is_told_to_plug_in_a_folder(tmp_path: Path) -> None:
    words = said(f"folder:{tmp_path}?watch=yes")
    assert "plugged" not in words
    assert words.startswith("cam0 ")


def test_a_camera_that_is_not_there_may_be_unplugged() -> None:
    assert "plugged in" in said("usb:/dev/video77")


@pytest.mark.process
def test_a_phone_finds_its_lens_and_asks_for_no_pictures_of_a_target(tmp_path: Path) -> None:
    folder = write_table(tmp_path / "table")
    rmtree(folder / "calibration")
    with ExitStack() as parts:
        eyes = {"cam0": parts.enter_context(Camera("cam0", parse_source("phone:cam0")))}
        guide = SetupGuide(
            folder,
            game_named("terra-turrium"),
            TableReader(load_table(folder), folder),
            eyes,
            frozenset,
            nobody,
            "en",
        )
        jpeg = bytes(cv2.imencode(".jpg", draw(Scene(), pose(0, 560, 330), seed=1))[1])
        eventually(lambda: eyes["cam0"].offer(jpeg, 0.0) and eyes["cam0"].newest() is not None)
        shown = untyped(guide.view())
    (lens,) = (check for check in shown["cameras"][0]["checks"] if check["what"] == "Lens")
    (step,) = (step for step in shown["steps"] if step["id"] == "lenses")
    assert "open /camera on it" in lens["advice"]
    assert "open /camera on it" in step["words"]
    assert step["command"] == ""


def nobody(note: Event) -> Outcome:
    raise AssertionError(note)


@pytest.mark.parametrize("calibrated", [frozenset[str](), frozenset({"left"})])
def test_a_phone_in_the_hand_that_is_off_is_no_fault(tmp_path: Path, calibrated: frozenset[str]) -> None:
    folder = write_table(tmp_path / "table")
    told = table_json() | {"cameras": ["left"], "held": ["left"]}
    (folder / "table.json").write_text(json.dumps(told), encoding="utf-8")
    reader = TableReader(load_table(folder), folder)
    keep(folder, certificate(), "20261126-090000", "en")
    with Camera("left", parse_source("phone:left")) as phone:
        guide = SetupGuide(
            folder, game_named("terra-turrium"), reader, {"left": phone}, lambda: calibrated, nobody, "en"
        )
        (shown,) = untyped(guide.view())["cameras"]
        done = [step["done"] for step in untyped(guide.view())["steps"]]
        notices = [(one.tone, one.words.text("en")) for one in guide.notices]
    if calibrated:
        assert (shown["light"], shown["words"]) == (
            "good",
            "This phone’s camera is off until somebody shows the board.",
        )
        assert done == [True] * 5
        assert notices == []
    else:
        assert shown["light"] == "warning"
        assert shown["words"].startswith("First show the phone the board")
        assert notices == []


def test_a_phone_beside_fixed_cameras_needs_no_step(tmp_path: Path) -> None:
    """It photographs what they leave unsure, so that neither its light nor a step of the set-up waits for it."""
    folder = write_table(tmp_path / "table")
    told = table_json() | {"cameras": ["left", "phone"], "held": ["phone"]}
    (folder / "table.json").write_text(json.dumps(told), encoding="utf-8")
    reader = TableReader(load_table(folder), folder)
    keep(folder, certificate(), "20261126-090000", "en")
    with Camera("left", parse_source("phone:left")) as left, Camera("phone", parse_source("phone:phone")) as phone:
        cameras = {"left": left, "phone": phone}
        guide = SetupGuide(
            folder, game_named("terra-turrium"), reader, cameras, lambda: frozenset({"left"}), nobody, "en"
        )
        shown = untyped(guide.view())
    lights = {camera["name"]: camera["light"] for camera in shown["cameras"]}
    words = {step["id"]: step["words"] for step in shown["steps"]}
    assert lights["phone"] == "good"
    assert words["lenses"] == "1 of 1 cameras are calibrated."
    assert words["sheets"] == "0 of 1 cameras see the frame."

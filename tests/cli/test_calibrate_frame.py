"""``referee calibrate frame`` on the bundled pictures."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.table import load_table
from calibration.writing import write_markers
from referee.cli import main
from tests.vision.sources.webcam import webcam

CLUB = Path(__file__).parent.parent / "data" / "tables" / "club"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Copy a bundled table; its pictures lie where the frame's are looked for."""
    place = tmp_path / "club"
    shutil.copytree(CLUB, place)
    (place / "pictures").rename(place / "frame")
    return place


def run(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["calibrate", "frame", *words])
    return result.exit_code, result.stdout, result.stderr


def test_a_picture_that_is_not_there_is_named(folder: Path) -> None:
    _, _, err = run("--table", str(folder), str(folder / "missing.jpg"))
    assert err == f"referee calibrate frame: {folder / 'missing.jpg'}: there is no such file\n"


def test_a_wrong_layout_is_put_right_and_the_old_one_kept(folder: Path) -> None:
    true = load_table(folder)
    shifted = {**true.markers, 3: true.markers[3] + np.array([3.5, -1.0, 0.0])}
    write_markers(folder, shifted)
    before = (folder / "table.json").read_text()
    status, out, err = run("--table", str(folder))
    assert (status, err) == (0, "")
    assert "marker 3: 3." in out
    assert "7 of 8 markers lie within 0.5 mm" in out
    assert "mm to the left, 1." in out
    assert "lay this strip again" in out
    assert "table-before-2.json" in out
    assert (folder / "table-before-2.json").read_text() == before
    found = load_table(folder)
    for number, at in true.markers.items():
        assert np.linalg.norm(found.markers[number] - at, axis=1).max() < 0.4, number
    assert {k: v for k, v in json.loads(before).items() if k != "markers"} == {
        k: v for k, v in json.loads((folder / "table.json").read_text()).items() if k != "markers"
    }


def test_a_dry_run_writes_nothing(folder: Path) -> None:
    before = sorted(path.name for path in folder.iterdir()), (folder / "table.json").read_bytes()
    status, out, _ = run("--table", str(folder), "--dry-run", f"cam0={folder / 'frame' / '001_cam0.jpg'}")
    assert status == 0
    assert "measured in 1 pictures" in out or "measured in 1 picture" in out
    assert before == (sorted(path.name for path in folder.iterdir()), (folder / "table.json").read_bytes())


def test_pictures_that_show_nothing_are_left_out(folder: Path) -> None:
    (folder / "frame" / "broken_cam1.jpg").write_text("no picture")
    status, out, _ = run("--table", str(folder), "--dry-run")
    assert status == 0
    assert "broken_cam1.jpg left out: cannot be read as a picture" in out


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("empty", "holds no picture"),
        ("none", "take three or four of the empty board with each camera"),
        ("unnamed", "which camera took it? Name it after one of cam0, cam1"),
        ("swapped", "its lens was calibrated at"),
        ("no lens", "cam0 has no lens"),
    ],
)
def test_errors_say_what_to_do(folder: Path, change: str, says: str) -> None:
    place = folder / "frame"
    if change in ("empty", "none"):
        shutil.rmtree(place)
    if change == "empty":
        place.mkdir()
    if change == "unnamed":
        (place / "000_cam0.jpg").rename(place / "left.jpg")
    if change == "swapped":
        (place / "000_cam0.jpg").rename(place / "9_cam1.jpg")
    if change == "no lens":
        (folder / "calibration" / "cam0.json").unlink()
    before = (folder / "table.json").read_bytes()
    status, out, err = run("--table", str(folder))
    assert (status, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1
    assert (folder / "table.json").read_bytes() == before


def test_pictures_taken_from_cameras(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One camera gives pictures, the other is told about; what was taken is kept."""
    monkeypatch.setenv("REFEREE_SETTINGS", "")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    place = tmp_path / "stills"
    place.mkdir()
    (folder / "frame" / "001_cam0.jpg").rename(place / "1.jpg")
    shutil.rmtree(folder / "frame")
    monkeypatch.setenv("REFEREE_CAMERAS_CAM0", f"folder:{place}")
    status, out, err = run("--table", str(folder), "--live")
    assert status == 0, err
    assert "cam1: the settings do not say where its pictures come from" in err
    assert "measured in 1 picture," in out
    assert [path.name for path in (folder / "frame").iterdir()] == ["live1_cam0.jpg"]
    assert run("--table", str(folder), "--live", "somewhere")[0] == 2
    monkeypatch.delenv("REFEREE_CAMERAS_CAM0")
    status, _, err = run("--table", str(folder), "--live")
    assert status == 2
    assert "no camera gave a picture" in err


@pytest.mark.long
def test_pictures_taken_from_a_network_camera(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real stream over HTTP: the camera is given time to settle, then a few pictures are taken."""
    still = cv2.imread(str(folder / "frame" / "001_cam0.jpg"))
    assert still is not None
    rng = np.random.default_rng(1)
    noisy = [np.clip(still + rng.normal(0, 2, still.shape), 0, 255).astype(np.uint8) for _ in range(2)]
    jpegs = [bytes(cv2.imencode(".jpg", one)[1]) for one in noisy]  # a camera's noise is never twice the same
    shutil.rmtree(folder / "frame")
    monkeypatch.setenv("REFEREE_SETTINGS", "")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    with webcam() as server:

        def content() -> bytes:
            server.sent += 1
            return jpegs[server.sent % 2]

        monkeypatch.setattr(server, "content", content)
        monkeypatch.setenv("REFEREE_CAMERAS_CAM0", server.url())
        monkeypatch.setattr("referee.cli.frames.PATIENCE_S", 600.0)  # a busy computer shows nothing for long
        status, out, err = run("--table", str(folder), "--live", "--dry-run")
    assert status == 0, err
    assert "measured in 4 pictures" in out
    assert len(list((folder / "frame").glob("live*_cam0.jpg"))) == 4


@pytest.mark.parametrize("command", [("calibrate", "frame"), ("calibrate", "check")])
def test_a_phone_sends_nothing_to_a_command_and_that_is_said_at_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setenv("REFEREE_SETTINGS", "")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    for camera in ("CAM0", "CAM1"):
        monkeypatch.setenv(f"REFEREE_CAMERAS_{camera}", f"phone:{camera.lower()}")
    result = CliRunner().invoke(main, [*command, "--table", str(folder), "--live"])
    assert result.exit_code == 2
    assert "cam0 is a phone, which sends pictures to 'referee run' only" in result.stderr
    assert "no camera gave a picture" in result.stderr
    assert not (folder / "certificates").exists()

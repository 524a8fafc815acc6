"""``referee calibrate check`` on real pictures: a recorded set-up, and boards that are none."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.lenses import read_picture
from calibration.writing import add_phone
from referee.certificate.values import Certificate
from referee.cli import main
from referee.demo.recording import BUNDLED

TABLES = Path(__file__).parent.parent / "data" / "tables"


def run(folder: Path, *words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["calibrate", "check", "--table", str(folder), *words])
    return result.exit_code, result.stdout, result.stderr


def copy_of(folder: Path, tmp_path: Path) -> Path:
    place = tmp_path / "oak"
    shutil.copytree(folder, place)
    return place


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return copy_of(BUNDLED, tmp_path)


def looks(folder: Path) -> list[str]:
    """Return the pictures of the set-up in the bundled recording, as options."""
    return [
        word for camera in ("cam0", "cam1") for word in ("--image", f"{camera}={folder}/pictures/000_{camera}.jpg")
    ]


@pytest.mark.long
def test_a_recorded_set_up_is_certified(table: Path) -> None:
    status, out, err = run(table, *looks(table))
    assert (status, err) == (0, "")
    assert "Set-up as read: just as the rules say" in out
    kept = sorted((table / "certificates").iterdir())
    assert [path.suffix for path in kept] == [".html", ".json"]
    assert out.strip().endswith(str(kept[0]))
    certificate = Certificate.from_json(json.loads(kept[1].read_text(encoding="utf-8")))
    assert certificate.table == "oak"
    assert [part.name for part in certificate.cameras] == ["cam0", "cam1"]
    assert certificate.cameras[0].at_mm == pytest.approx((0, -430, 640), abs=60)
    assert "Set-up as read" in kept[0].read_text(encoding="utf-8")


@pytest.mark.long
def test_live_cameras_of_the_settings(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures come from the sources themselves; a camera that gives none is told and counts as lost."""
    (table / "left").mkdir()
    shutil.copy(table / "pictures" / "000_cam0.jpg", table / "left")
    monkeypatch.setenv("REFEREE_SETTINGS", "")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(table))
    monkeypatch.setenv("REFEREE_CAMERAS_CAM0", "folder:left")
    status, out, err = run(table, "--live")
    assert status == 0
    assert "cam1: the settings do not say" in err
    assert "Cameras: 1 of 2 pictures without fault" in out
    assert "no picture of it was given" in out
    status, _, err = run(table, "--live", "--image", "cam0=x.jpg")
    assert (status, "not both" in err) == (2, True)


@pytest.mark.long
def test_a_phone_beside_fixed_cameras_is_no_lost_camera(table: Path) -> None:
    add_phone(table, "phone")
    status, out, err = run(table, *looks(table))
    assert (status, err) == (0, "")
    assert "Cameras: 2 of 2 pictures without fault" in out
    assert "no picture of it was given" not in out


@pytest.mark.long
def test_faults_of_cameras_and_set_up_are_found(table: Path) -> None:
    """One camera out of focus and too dark, the other one missing, and the flags not as the seats say."""
    picture = read_picture(Path(looks(table)[1].partition("=")[2]))
    assert picture is not None
    dim = (cv2.GaussianBlur(picture, (0, 0), 2.5) * 0.3).astype(np.uint8)
    cv2.imwrite(str(table / "dim.png"), dim)
    status, out, _ = run(table, "--image", f"cam0={table / 'dim.png'}", "--json")
    data = json.loads(out)
    assert (status, data["verdict"]) == (1, "bad")
    by_name = {check["what"]["template"]: check["grade"] for check in data["cameras"][0]["checks"]}
    assert by_name["Sharpness"] != "good"
    assert by_name["Exposure"] != "good"
    assert data["cameras"][1]["checks"][0]["grade"] == "bad"


@pytest.mark.long
def test_a_board_in_the_middle_of_a_game_is_no_set_up(tmp_path: Path) -> None:
    table = copy_of(TABLES / "kitchen", tmp_path)
    images = [
        word for camera in ("cam0", "cam1") for word in ("--image", f"{camera}={table}/pictures/001_{camera}.jpg")
    ]
    status, out, _ = run(table, *images, "--seats", "nw=red,ne=yellow,se=green,sw=blue", "--language", "de")
    assert status == 1
    assert "Nicht tauglich" in out
    assert "weicht an" in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "--image cam0=cam0.jpg"),
        (("--image", "cam0"), "no CAMERA=FILE"),
        (("--image", "cam9=x.jpg"), "no camera 'cam9'"),
        (("--image", "cam0=nowhere.jpg"), "there is no picture"),
        (("--image", "cam0=a.jpg", "--image", "cam0=b.jpg"), "given twice"),
        (("--image", "cam0=a.jpg", "--seats", "red"), "no NAME=VALUE"),
    ],
)
def test_mistakes_are_told_in_a_line(table: Path, words: tuple[str, ...], told: str) -> None:
    status, out, err = run(table, *words)
    assert (status, out) == (2, "")
    assert told in err
    assert err.count("\n") == 1
    assert not (table / "certificates").exists()


def test_impossible_seats_are_refused(table: Path) -> None:
    status, _, err = run(table, *looks(table), "--seats", "nw=red,ne=red,se=red,sw=red")
    assert status == 2
    assert "seats" in err

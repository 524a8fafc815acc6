from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.lens import load_lens
from referee.cli import main
from tests.calibration.target_scenes import held, picture
from tests.calibration.targets import TILTS, target_picture
from tests.scene import table_json


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "table.json").write_text(json.dumps(table_json()))
    place = tmp_path / "calibration" / "left"
    place.mkdir(parents=True)
    for seed, tilt in enumerate(TILTS):
        cv2.imwrite(str(place / f"{seed}.png"), target_picture(tilt, seed))
    return tmp_path


def run(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["calibrate", "lenses", *words])
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.long
def test_a_lens_is_solved_and_written(folder: Path) -> None:
    (folder / "calibration" / "left" / "blank.png").write_bytes(
        cv2.imencode(".png", np.zeros((480, 640, 3), np.uint8))[1].tobytes()
    )
    (folder / "calibration" / "left" / "broken.jpg").write_text("no picture")
    status, out, err = run("--table", str(folder), "--camera", "left")
    assert (status, err) == (0, "")
    assert "8 of 10 pictures" in out
    assert "blank.png left out: the target is not found" in out
    assert "broken.jpg left out" in out
    assert load_lens(folder / "calibration" / "left.json").matrix[0, 0] == pytest.approx(700, rel=0.005)


@pytest.mark.long
def test_every_camera_is_tried(folder: Path) -> None:
    status, out, err = run("--table", str(folder))
    assert status == 2
    assert "left: rms" in out
    assert "right: there are no pictures" in err


@pytest.mark.parametrize("words", [("--camera", "top"), ()])
def test_errors_are_one_line(tmp_path: Path, folder: Path, words: tuple[str, ...]) -> None:
    place = folder if words else tmp_path / "nowhere"
    status, out, err = run("--table", str(place), *words)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("referee calibrate lenses: ")


def test_pictures_of_two_sizes(folder: Path) -> None:
    cv2.imwrite(str(folder / "calibration" / "left" / "x.png"), np.zeros((240, 320, 3), np.uint8))
    status, _, err = run("--table", str(folder), "--camera", "left")
    assert status == 2
    assert "320 x 240, 640 x 480" in err


@pytest.mark.long
def test_a_lens_that_should_be_better_is_written_with_status_1(folder: Path) -> None:
    place = folder / "calibration" / "left"
    for seed, tilt in enumerate([(0, 0), (35, 5), (-35, 0), (0, 35), (5, -35), (25, 25)]):
        cv2.imwrite(str(place / f"{seed}.png"), picture(*held((320, 240), tilt, 640), seed=seed))
    for seed in (6, 7):
        (place / f"{seed}.png").unlink()
    status, out, err = run("--table", str(folder), "--camera", "left", "--fixed-focus")
    assert status == 1
    assert "written to" in out
    assert "left: play may go on with this lens, but" in err
    assert "the target covered only" in err
    assert load_lens(folder / "calibration" / "left.json").matrix[0, 0] == pytest.approx(700, rel=0.03)

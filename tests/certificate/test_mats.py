"""The certificate of a mat on which dice are rolled: cameras that see dice large enough, and places shown to them."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.lens import Lens
from calibration.pose import Pose
from referee.certificate.figures import CameraFigures, SetupFigures, TableFigures
from referee.certificate.values import Certificate, Check, Grade
from referee.daemon.tablecheck import Occasion, certify
from referee.games import game_named
from referee.kinds.ledger.tablejudge import MatFigures, MatSightFigures, judge_mat
from vision.assessment.legibility import Eye
from vision.assessment.matsight import die_px, rolled_in_view
from vision.ledger.plane import Area
from vision.ledger.reader import MatReader

OAK = Path(__file__).parents[1] / "data" / "mats" / "oak"
GAME = game_named("terrabilis")
SOUND = CameraFigures(
    "cam0", (1280, 960), (0.0, -300.0, 700.0), 20, 20, 0.2, 2.2, 0.0, 0.0, 190.0, None, None, 30.0, (0.0, 0.0), 0
)  # fmt: skip
AREA = Area((-50.0, -50.0), (50.0, 50.0))


def checked(folder: Path, picture: NDArray[np.uint8] | None) -> Certificate:
    pictures = {} if picture is None else {"cam0": picture}
    return certify(GAME, MatReader.open(folder), pictures, {}, Occasion("oak", "2026-11-23T12:00:00+0100"))


def pictured() -> NDArray[np.uint8]:
    return np.asarray(cv2.imread(str(OAK / "002.jpg")), np.uint8)


def named(checks: tuple[Check, ...]) -> dict[str, Check]:
    return {check.what.text(): check for check in checks}


def judged(*cameras: tuple[bool, float], taught: int = 24) -> dict[str, Check]:
    names = [f"cam{k}" for k in range(len(cameras))]
    sights = {name: MatSightFigures(*camera) for name, camera in zip(names, cameras, strict=True)}
    figures = tuple(replace(SOUND, name=name) for name in names)
    found = TableFigures("oak", "Terrabilis", "2026-11-23", (230.0, 165.0), figures, SetupFigures(0))
    certificate = judge_mat(found, MatFigures(sights, spaces=taught))
    assert Certificate.from_json(certificate.to_json()) == certificate
    every = named(certificate.checks)
    return every | {
        f"{part.name} {check.what.text()}": check for part in certificate.cameras for check in part.checks
    }


def test_a_mat_under_one_camera_is_fit_and_told_what_more_would_bring() -> None:
    found = checked(OAK, pictured())
    every = named(found.checks)
    assert set(every) == {"Cameras", "Cameras that see dice", "Places shown to the cameras"}
    assert every["Cameras that see dice"].grade is Grade.WARNING
    assert "Three cameras" in (every["Cameras that see dice"].advice or found.checks[0].what).text()
    assert every["Places shown to the cameras"].grade is Grade.GOOD
    assert "24 spaces of the track" in every["Places shown to the cameras"].value.text()
    part = named(found.cameras[0].checks)
    assert part["Where dice are rolled"].grade is Grade.GOOD
    assert found.grade is not Grade.BAD


def test_a_camera_without_a_picture_is_lost() -> None:
    assert checked(OAK, None).grade is Grade.BAD


def test_burnt_out_paper_is_told() -> None:
    bright = np.clip(pictured().astype(np.float32) * 2.5, 0, 255).astype(np.uint8)
    assert named(checked(OAK, bright).cameras[0].checks)["Exposure"].grade is not Grade.GOOD


def test_places_nobody_showed_are_asked_for(tmp_path: Path) -> None:
    folder = tmp_path / "oak"
    shutil.copytree(OAK, folder)
    (folder / "places.json").unlink()
    found = named(checked(folder, pictured()).checks)["Places shown to the cameras"]
    assert found.grade is Grade.WARNING
    assert "/mat" in (found.advice or found.what).text()


def test_damaged_places_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "oak"
    shutil.copytree(OAK, folder)
    (folder / "places.json").write_text('{"version": 1, "track": 7}')
    with pytest.raises(CalibrationError, match=r"places\.json.*track"):
        checked(folder, pictured())


@pytest.mark.parametrize(
    ("cameras", "grade"),
    [
        ([(True, 30.0)] * 3, Grade.GOOD),
        ([(True, 30.0)] * 2, Grade.WARNING),
        ([(True, 30.0)], Grade.WARNING),
        ([(False, 30.0), (True, 2.0)], Grade.BAD),
    ],
)
def test_cameras_that_see_dice_are_counted(cameras: list[tuple[bool, float]], grade: Grade) -> None:
    assert judged(*cameras)["Cameras that see dice"].grade is grade


def test_dice_too_small_in_a_picture_are_told() -> None:
    found = judged((True, 30.0), (True, 10.0), (True, 4.0))
    grades = [found[f"cam{k} A die in the picture, at least"].grade for k in range(3)]
    assert grades == [Grade.GOOD, Grade.WARNING, Grade.BAD]


def above(height_mm: float, focal_px: float = 1000.0) -> Eye:
    """Return a camera that looks straight down on the mat's middle."""
    lens = Lens((1280, 960), np.array([[focal_px, 0, 640], [0, focal_px, 480], [0, 0, 1]]), np.zeros(5), 0.1)
    return Eye(lens, Pose(np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, height_mm]), 8, 0.1))


def test_a_die_is_as_large_in_a_picture_as_geometry_says() -> None:
    # Straight below, 16 mm wide with its top 500 mm under the camera: 1000 px * 16 / 500.
    assert die_px(above(516.0), AREA, 16.0) == pytest.approx(32.0, rel=1e-6)
    assert die_px(above(1016.0), AREA, 16.0) == pytest.approx(16.0, rel=1e-6)


def test_an_area_that_leaves_the_picture_is_told() -> None:
    assert rolled_in_view(above(516.0), AREA, 16.0)
    assert not rolled_in_view(above(116.0), AREA, 16.0)
    assert not rolled_in_view(above(10.0), AREA, 16.0), "a die higher than the camera"

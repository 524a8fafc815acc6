from __future__ import annotations

import json
import os
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.files import write_atomic
from calibration.lens import Lens, load_lens, project, save_lens, undistort_points
from calibration.lenses import find_lens, read_picture
from calibration.solve import solve_lens
from tests.calibration.targets import TARGET, TILTS, TRUE, target_picture
from tests.scene import lens, table


@pytest.fixture(scope="module")
def pictures() -> list[tuple[str, NDArray[np.uint8]]]:
    return [(f"{seed}.png", target_picture(tilt, seed)) for seed, tilt in enumerate(TILTS)]


def test_the_lens_is_found(pictures: list[tuple[str, NDArray[np.uint8]]]) -> None:
    solution = solve_lens(pictures, TARGET)
    found = solution.lens
    assert solution.left_out == ()
    assert found.rms_px < 0.3
    assert found.matrix[0, 0] == pytest.approx(700, rel=0.005)
    assert found.matrix[:2, 2] == pytest.approx((325, 236), abs=3)
    frame = np.array([[0.0, 0.0], [639, 0], [639, 479], [0, 479]])
    assert np.abs(undistort_points(frame, found) - frame).max() < 2.5


def test_bad_pictures_are_left_out_and_named(pictures: list[tuple[str, NDArray[np.uint8]]]) -> None:
    bent = cv2.warpPerspective(
        pictures[1][1],
        np.array([[1.0, 0.25, 0], [0, 1, 0], [0, 0, 1]]),
        TRUE.size,  # a sheared target is no view of a flat sheet through this lens
    ).astype(np.uint8)
    blank = np.full((480, 640, 3), 90, np.uint8)
    solution = solve_lens([*pictures, ("bent.png", bent), ("blank.png", blank)], TARGET)
    assert {name for name, _ in solution.left_out} == {"bent.png", "blank.png"}
    assert len(solution.used) == len(pictures)
    assert solution.lens.matrix[0, 0] == pytest.approx(700, rel=0.005)


def test_pictures_that_give_no_lens(pictures: list[tuple[str, NDArray[np.uint8]]]) -> None:
    with pytest.raises(CalibrationError, match="no pictures"):
        solve_lens([], TARGET)
    with pytest.raises(CalibrationError, match="differ in size"):
        solve_lens([*pictures, ("small", np.zeros((240, 320, 3), np.uint8))], TARGET)
    with pytest.raises(CalibrationError, match="found in 2 of 3"):
        solve_lens([*pictures[:2], ("blank", np.zeros((480, 640, 3), np.uint8))], TARGET)


@given(
    turn=st.tuples(*[st.floats(-1, 1)] * 3),
    point=st.tuples(*[st.floats(-150, 150)] * 3),
)
def test_projection_is_opencvs(turn: tuple[float, float, float], point: tuple[float, float, float]) -> None:
    through = lens()
    rotation = np.asarray(cv2.Rodrigues(np.array(turn))[0], np.float64)
    shift = np.array([5.0, -7.0, 600.0])
    points = np.array([point])
    known, _ = cv2.projectPoints(points, np.array(turn), shift, through.matrix, through.distortion)
    assert project(points, rotation, shift, through) == pytest.approx(np.asarray(known).reshape(1, 2), abs=1e-6)


def test_points_behind_the_camera_are_nowhere() -> None:
    assert np.isnan(project(np.array([[0.0, 0, -5]]), np.eye(3), np.zeros(3), lens())).all()


def test_undistorting_goes_back() -> None:
    straight = np.array([[100.0, 80], [480, 360], [900, 700]])
    rays = (straight - lens().matrix[:2, 2]) / lens().matrix[0, 0]
    seen = project(np.column_stack([rays, np.ones(3)]), np.eye(3), np.zeros(3), lens())
    assert undistort_points(seen, lens()) == pytest.approx(straight, abs=1e-3)


@pytest.mark.parametrize("tilt", [(0.0, 0.0), (0.5, 0.1)])
@pytest.mark.parametrize("moved", [False, True])
def test_pictures_from_one_side_do_not_determine_a_lens(tilt: tuple[float, float], moved: bool) -> None:
    alike = [(f"{number}.png", target_picture(tilt, number if moved else 0)) for number in range(4)]
    with pytest.raises(CalibrationError, match="tilt the target more"):
        solve_lens(alike, TARGET)


def test_a_lens_file_goes_round(tmp_path: Path) -> None:
    save_lens(tmp_path / "cam.json", lens())
    back = load_lens(tmp_path / "cam.json")
    assert back.size == lens().size
    assert np.array_equal(back.matrix, lens().matrix)
    assert np.array_equal(back.distortion, lens().distortion)
    assert [path.name for path in tmp_path.iterdir()] == ["cam.json"]


@pytest.mark.parametrize(
    ("key", "value"),
    [("size", [640]), ("matrix", [[1, 2], [3, 4]]), ("distortion", [0, 0]), ("rms_px", -1), ("extra", 1)],
)
def test_a_spoilt_lens_file_is_named(tmp_path: Path, key: str, value: object) -> None:
    save_lens(tmp_path / "cam.json", lens())
    data = json.loads((tmp_path / "cam.json").read_text()) | {key: value}
    (tmp_path / "cam.json").write_text(json.dumps(data))
    with pytest.raises(CalibrationError, match=rf"cam\.json: {key}"):
        load_lens(tmp_path / "cam.json")


def test_nonsense_is_no_lens() -> None:
    with pytest.raises(CalibrationError, match="distortion"):
        Lens((10, 10), np.eye(3), np.zeros(4), 0)
    with pytest.raises(CalibrationError, match="positive focal"):
        Lens((10, 10), -np.eye(3), np.zeros(5), 0)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_atomic(tmp_path / "f", b"old")

    def broken(_handle: int) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(OSError, match="disk full"):
        write_atomic(tmp_path / "f", b"new")
    assert (tmp_path / "f").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["f"]


class TestFindLens:
    @pytest.fixture
    def folder(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pictures: list[tuple[str, NDArray[np.uint8]]]
    ) -> Path:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        place = tmp_path / "table" / "calibration" / "left"
        place.mkdir(parents=True)
        for name, picture in pictures:
            cv2.imwrite(str(place / name), picture)
        return tmp_path / "table"

    @pytest.mark.long
    def test_solved_once_then_from_the_cache(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        first = find_lens(folder, table(), "left")
        monkeypatch.setattr("calibration.lenses.solve_lens", None)  # would fail if it were called again
        again = find_lens(folder, table(), "left")
        assert np.array_equal(first.matrix, again.matrix)
        assert not (folder / "calibration" / "left.json").exists()

    @pytest.mark.long
    def test_other_pictures_are_solved_anew(self, folder: Path) -> None:
        first = find_lens(folder, table(), "left")
        (folder / "calibration" / "left" / "0.png").unlink()
        assert not np.array_equal(first.matrix, find_lens(folder, table(), "left").matrix)

    @pytest.mark.long
    def test_a_spoilt_cache_is_ignored(self, folder: Path, tmp_path: Path) -> None:
        first = find_lens(folder, table(), "left")
        for path in (tmp_path / "cache").rglob("*.json"):
            path.write_text("{")
        assert find_lens(folder, table(), "left").matrix == pytest.approx(first.matrix, rel=1e-6)

    @pytest.mark.long
    def test_without_a_cache_it_still_works(
        self, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "file").write_text("no folder")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
        assert find_lens(folder, table(), "left").rms_px < 0.3

    def test_the_lens_file_comes_first(self, folder: Path) -> None:
        save_lens(folder / "calibration" / "left.json", lens())
        assert np.array_equal(find_lens(folder, table(), "left").matrix, lens().matrix)

    def test_neither_file_nor_pictures(self, folder: Path) -> None:
        with pytest.raises(CalibrationError, match="run referee calibrate lenses"):
            find_lens(folder, table(), "right")


def test_what_is_no_picture(tmp_path: Path) -> None:
    assert read_picture(tmp_path / "missing.jpg") is None
    for content in (b"", b"no picture"):
        (tmp_path / "bad.jpg").write_bytes(content)
        assert read_picture(tmp_path / "bad.jpg") is None

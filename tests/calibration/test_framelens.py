"""A lens from the printed frame alone: what comes out, how sure it is said to be, and what is admitted."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from calibration.errors import CalibrationError
from calibration.framelens import FrameSight, solve_frame_lens, turned
from calibration.lens import Lens, project
from calibration.pose import find_markers, find_pose
from calibration.table import load_table
from tests.calibration.framesights import SIZE, TABLE, lens, looking, sight
from tests.shared import TABLES

pytestmark = pytest.mark.long


AROUND = [(35.0, 40.0 * k, 700.0 + 30 * k) for k in range(8)]


@pytest.mark.parametrize("focal", [1150.0, 1450.0, 2300.0])
def test_pictures_from_all_around_give_the_lens(focal: float) -> None:
    true = lens(focal)
    places = [(tilt, around, far * focal / 1450) for tilt, around, far in AROUND]
    solved = solve_frame_lens([sight(f"{k}", true, place, k) for k, place in enumerate(places)], TABLE)
    off = abs(float(solved.lens.matrix[0, 0]) - focal)
    assert off < max(3 * solved.deviations["focal"], 0.005 * focal)
    assert off < 0.02 * focal
    assert solved.rms_px < 0.3
    assert "focal" not in solved.held


@pytest.mark.parametrize("seed", [0, 1])
def test_a_camera_moved_around_the_table_tells_its_lens_as_a_target_would(seed: int) -> None:
    """Eight pictures from all around, nearer and farther: focal length within 0.3 %, principal point within 3 px."""
    draw, true = np.random.default_rng(seed), lens()
    places = [(draw.uniform(15, 55), draw.uniform(0, 360), draw.uniform(550, 900)) for _ in range(8)]
    solved = solve_frame_lens([sight(f"{k}", true, place, 100 * seed + k) for k, place in enumerate(places)], TABLE)
    off = solved.lens.matrix - true.matrix
    assert abs(float(off[0, 0])) < 0.003 * 1450.0
    assert float(np.hypot(off[0, 2], off[1, 2])) < 3.0


def test_one_picture_from_above_tells_no_focal_length_and_says_so() -> None:
    solved = solve_frame_lens([sight("above", lens(), (0.5, 0, 800), 1)], TABLE)
    assert {"focal", "cx", "cy"} <= set(solved.held)
    off = abs(float(np.log(solved.lens.matrix[0, 0] / 1450.0)))
    assert off < 2 * solved.deviations["focal"] / float(solved.lens.matrix[0, 0])


def test_what_the_picture_says_of_itself_settles_what_it_does_not_show() -> None:
    above = [sight("above", lens(), (0.5, 0, 800), 1)]
    told = solve_frame_lens(above, TABLE, focal_px=1430.0)
    assert abs(float(told.lens.matrix[0, 0]) - 1450.0) < 100
    assert told.deviations["focal"] < solve_frame_lens(above, TABLE).deviations["focal"] / 2


def test_pictures_from_one_place_are_not_counted_as_many() -> None:
    one = [sight(f"{k}", lens(), (35, 20, 800), k) for k in range(12)]
    solved = solve_frame_lens(one, TABLE)
    assert len(solved.used) == 2


def test_a_picture_of_another_lens_is_left_out() -> None:
    sights = [sight(f"{k}", lens(), place, k) for k, place in enumerate(AROUND)]
    sights.append(sight("zoomed", lens(2200.0, k1=0.2), (30, 10, 700), 99))
    solved = solve_frame_lens(sights, TABLE)
    assert [name for name, _ in solved.left_out] == ["zoomed"]
    assert abs(float(solved.lens.matrix[0, 0]) - 1450.0) < 30


def test_pictures_without_the_frame_are_an_error_that_says_what_to_do() -> None:
    with pytest.raises(CalibrationError, match="have the whole frame in view"):
        solve_frame_lens([FrameSight("blind", SIZE, {})], TABLE)


def test_a_lens_turned_by_a_quarter_sees_the_same() -> None:
    true = Lens(SIZE, np.array([[1450.0, 0, 799.5], [0, 1450.0, 599.5], [0, 0, 1]]), lens().distortion, 0.0)
    rotation, shift = looking(35, 20, 800)
    quarter = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    points = np.random.default_rng(3).uniform(-150, 150, (20, 3)) * [1, 1, 0.3]
    lying = project(points, rotation, shift, true)
    upright = project(points, quarter @ rotation, quarter @ shift, turned(true))
    assert np.allclose(np.stack([SIZE[1] - 1 - lying[:, 1], lying[:, 0]], axis=1), upright)


@pytest.mark.skipif(not TABLES.is_dir(), reason="the photographed tables are not here")
@pytest.mark.parametrize(("name", "camera"), [("study", 0), ("club", 1), ("kitchen", 0)])
def test_photographed_tables_are_seen_as_with_their_true_lens(name: str, camera: int) -> None:
    """Calibration withheld, single pictures: where stacks stand is off by less than a pixel, or little more."""
    folder = TABLES / name
    table = load_table(folder)
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))["lenses"][camera]
    true = Lens(tuple(truth["size"]), np.array(truth["matrix"]), np.array(truth["distortion"]), 0.0)
    pictures = [cv2.imread(str(path)) for path in sorted(folder.glob(f"game*/*_cam{camera}.jpg"))[:8]]
    sights = [FrameSight(f"{k}", true.size, find_markers(one, table)) for k, one in enumerate(pictures)]
    solved = solve_frame_lens(sights, table)
    known, found = find_pose(pictures[0], true, table), find_pose(pictures[0], solved.lens, table)
    grid = np.stack(np.meshgrid([-90, 0, 90], [-90, 0, 90], [0, 20, 40, 80]), axis=-1).reshape(-1, 3).astype(float)
    off_px = np.linalg.norm(known.project(grid, true) - found.project(grid, solved.lens), axis=1)
    assert float(off_px.max()) < 2.0
    assert abs(float(solved.lens.matrix[0, 0]) - true.matrix[0, 0]) < 3 * solved.deviations["focal"]

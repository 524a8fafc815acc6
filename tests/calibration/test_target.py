"""Targets in pictures: chessboards, sharpness, and the accuracy on photographs where there are some."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.coverage import coverage_of
from calibration.errors import CalibrationError
from calibration.lens import project, undistort_points
from calibration.lenses import pictures_in, solve_from_files, target_pictures
from calibration.solve import solve_lens
from calibration.table import Charuco, load_table
from calibration.target import Chessboard, TargetFinder, TargetView, parse_chessboard
from tests.calibration.target_scenes import LENS, TARGET, held, picture
from tests.shared import SHARED

BOARD = Chessboard((7, 5), 30.0)
LEANS = ((0.0, 0.0), (25.0, 5.0), (-25.0, 0.0), (0.0, 25.0), (5.0, -25.0), (20.0, 20.0))


def chessboard(
    at_px: tuple[float, float], tilt_deg: tuple[float, float], seed: int, wall: int = 90, shaded: float = 0.0
) -> NDArray[np.uint8]:
    """Draw a plain chessboard of 8 x 6 squares where the ChArUco target would hang.

    wall: how bright it is behind the board. shaded: share of the picture, from the left, that lies in shadow.
    """
    squares = np.kron(np.indices((6, 8)).sum(axis=0) % 2, np.ones((120, 120))) * 225 + 15
    rotation, translation = held(at_px, tilt_deg, 480.0)
    corners = np.array([[-15.0, -15, 0], [255, -15, 0], [255, 195, 0], [-15, 195, 0]])
    places = project(corners, rotation, translation, LENS)
    sheet = cv2.copyMakeBorder(squares.astype(np.uint8), 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=240)
    source = np.array([[-0.5, -0.5], [1079.5, -0.5], [1079.5, 839.5], [-0.5, 839.5]], np.float32)
    warp = cv2.getPerspectiveTransform(source, places.astype(np.float32))
    seen = cv2.warpPerspective(sheet, warp, LENS.size, flags=cv2.INTER_AREA, borderValue=wall).astype(np.float64)
    seen[:, : int(shaded * LENS.size[0])] *= 0.35
    seen = cv2.GaussianBlur(seen, (0, 0), 0.8) + np.random.default_rng(seed).normal(0, 3, seen.shape)
    return np.clip(seen, 0, 255).astype(np.uint8)


@pytest.mark.long
def test_a_plain_chessboard_gives_a_lens() -> None:
    pictures = [
        (f"{k}.png", chessboard((300.0 + 20 * (k % 3), 235.0 + 8 * (k % 2)), tilt, k)) for k, tilt in enumerate(LEANS)
    ]
    solution = solve_lens([*pictures, ("blank.png", np.full((480, 640), 90, np.uint8))], BOARD)
    assert solution.lens.rms_px < 0.3
    assert solution.lens.matrix[0, 0] == pytest.approx(700, rel=0.01)
    assert solution.left_out == (
        ("blank.png", "the chessboard is not found: all of it must be seen, with a white rim around it"),
    )


@pytest.mark.parametrize("tilt", [(10.0, 0.0), (35.0, 20.0)])
def test_a_chessboard_half_in_shadow_is_found_by_the_older_way(tilt: tuple[float, float]) -> None:
    shaded = chessboard((320.0, 240.0), tilt, 0, wall=200, shaded=0.5)
    assert not cv2.findChessboardCornersSB(shaded, BOARD.corners, flags=cv2.CALIB_CB_NORMALIZE_IMAGE)[0]
    seen = TargetFinder(BOARD).find(shaded)
    plain = TargetFinder(BOARD).find(chessboard((320.0, 240.0), tilt, 1))
    assert isinstance(seen, TargetView)
    assert isinstance(plain, TargetView)
    either = (seen.seen_px, seen.seen_px[::-1])  # a chessboard may be counted from either end
    off = min((np.linalg.norm(each - plain.seen_px, axis=1) for each in either), key=np.median)
    assert np.median(off) < 0.2
    assert off.max() < 1.5  # beside the shadow's edge


@pytest.mark.parametrize("squares", [(8, 6), (7, 4)])
def test_a_board_drawn_before_opencv_4_6_is_read(squares: tuple[int, int]) -> None:
    """Its markers stand on the other squares where the rows are even; the corners are the same."""
    target = Charuco(squares, 30.0, 22.0, "DICT_5X5_100")
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    found = []
    for old in (True, False):
        board = cv2.aruco.CharucoBoard(squares, 30.0, 22.0, dictionary)
        board.setLegacyPattern(old)
        sheet = cv2.copyMakeBorder(
            board.generateImage((60 * squares[0], 60 * squares[1])), 50, 50, 50, 50, cv2.BORDER_CONSTANT, value=255
        )
        seen = TargetFinder(target).find(np.asarray(cv2.GaussianBlur(sheet, (0, 0), 0.8), np.uint8))
        assert isinstance(seen, TargetView)
        assert len(seen.ids) == (squares[0] - 1) * (squares[1] - 1)
        found.append(seen.seen_px)
    assert found[0] == pytest.approx(found[1], abs=0.05)


@pytest.mark.parametrize("text", ["", "9", "9x", "9 by 6", "2x9", "9x61", "0x0"])
def test_what_is_no_chessboard(text: str) -> None:
    with pytest.raises(CalibrationError, match="inner corners"):
        parse_chessboard(text)


def test_a_chessboard_as_people_write_it() -> None:
    assert parse_chessboard("9x6") == parse_chessboard(" 9 X 6 ") == Chessboard((9, 6))


@pytest.mark.long
def test_blur_is_measured_and_left_out() -> None:
    finder = TargetFinder(TARGET)
    widths = []
    for blur in (0.8, 1.6, 2.4):
        seen = finder.find(picture(*held((320.0, 240.0)), blur=blur))
        assert isinstance(seen, TargetView)
        widths.append(seen.edge_px)
    assert 2.0 < widths[0] < 3.0
    assert widths[0] + 1.0 < widths[1] < widths[2] - 0.8
    shots = [(f"{k}.png", picture(*held((320.0, 240.0), tilt), seed=k)) for k, tilt in enumerate(LEANS)]
    shots.append(("shaken.png", picture(*held((320.0, 240.0)), blur=2.4)))
    ((name, why),) = solve_lens(shots, TARGET).left_out
    assert name == "shaken.png"
    assert "blurred" in why


def test_motion_blur_shows_in_one_direction() -> None:
    finder = TargetFinder(TARGET)
    sharp = picture(*held((320.0, 240.0)))
    smear = np.zeros((7, 7))
    smear[3] = 1 / 7
    seen = finder.find(cv2.filter2D(sharp, -1, smear).astype(np.uint8))
    assert isinstance(seen, TargetView)
    assert seen.edge_px > 5


def test_the_picture_of_another_size_is_named() -> None:
    shots = [(f"{k}.png", picture(*held((320.0, 240.0), tilt))) for k, tilt in enumerate(LEANS)]
    shots.insert(2, ("zoomed.png", np.zeros((240, 320, 3), np.uint8)))
    with pytest.raises(CalibrationError, match=r"zoomed\.png is not 640 x 480 like the other 6"):
        solve_lens(shots, TARGET)


def test_coverage_names_what_is_bare() -> None:
    right = np.array([[330.0, 0], [639, 0], [639, 479], [330, 479]], np.float32)
    cover = coverage_of([right, right], (640, 480))
    assert cover.share == pytest.approx(0.5, abs=0.05)
    assert cover.bare == ("upper left", "left", "lower left")
    assert cover.cells.max() == 2


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the photographed tables")
@pytest.mark.parametrize("name", ["club", "kitchen", "study"])
def test_lenses_of_photographed_tables(name: str) -> None:
    folder = SHARED / "tables" / name
    table, truth = load_table(folder), json.loads((folder / "truth.json").read_text())
    for camera, true in zip(table.cameras, truth["lenses"], strict=True):
        solution = solve_from_files(target_pictures(folder, camera), table.charuco, camera)
        lens, matrix = solution.lens, np.array(true["matrix"])
        assert lens.matrix[[0, 1], [0, 1]] == pytest.approx(matrix[[0, 1], [0, 1]], rel=0.001)
        assert lens.matrix[:2, 2] == pytest.approx(matrix[:2, 2], abs=1.5)
        right, lower = lens.size[0] - 1, lens.size[1] - 1
        corners = np.array([[0.0, 0], [right, 0], [right, lower], [0, lower]])
        known = type(lens)(lens.size, matrix, np.array(true["distortion"]), 0.0)
        off = undistort_points(corners, lens) - undistort_points(corners, known)
        assert np.linalg.norm(off, axis=1).max() < 1.0
        assert solution.focus is None
        assert solution.left_out == ()


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the chessboard photographs")
def test_lens_of_real_chessboard_photographs() -> None:
    solution = solve_from_files(pictures_in(SHARED / "photos" / "chessboard"), Chessboard((9, 6), 25.0), "camera")
    assert solution.lens.rms_px < 0.25
    assert solution.lens.matrix[0, 0] == pytest.approx(535.9157, rel=0.005)
    assert solution.focus is None
    assert len(solution.used) == 13

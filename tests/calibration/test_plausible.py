"""Lenses that no camera has are refused, and what to photograph is said; targets that can't be used are named."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.errors import CalibrationError
from calibration.lens import Lens
from calibration.lenses import pictures_in, read_picture
from calibration.plausible import SPREAD, SQUEEZED, TILTED, doubts, nonsense, shortcomings
from calibration.solve import Shot, solve_shots
from calibration.table import Charuco
from calibration.target import MIRRORED, WHITE_ON_BLACK, Chessboard, TargetFinder, TargetView, needed_corners
from tests.calibration.target_scenes import TARGET, held, picture, sight
from tests.shared import SHARED

CHESSBOARDS = SHARED / "photos" / "chessboard"


def lens(across: float = 900, down: float = 900, x: float = 640, y: float = 360) -> Lens:
    return Lens((1280, 720), np.array([[across, 0, x], [0, down, y], [0, 0, 1]]), np.zeros(5), 0.3)


@pytest.mark.parametrize(
    ("odd", "deviations", "told", "photograph"),
    [
        (lens(621, 537), {}, "621 px across and 537 px down would need pixels that are not square", TILTED),
        (lens(930, 900), {"fx": 3.0, "fy": 3.0}, "930 px across and 900 px down would need pixels", SQUEEZED),
        (lens(930, 900), {"fx": 30.0, "fy": 30.0}, "930 px across and 900 px down would need pixels", TILTED),
        (lens(x=639.5 + 180), {}, "the principal point would lie 180 px from the picture's middle", SPREAD),
        (lens(782, 782), {"fx": 60.0}, "the focal length is not known: 782 px ± 60 px", TILTED),
        (lens(100, 100), {}, "no usual lens has a focal length of 100 px", TILTED),
        (lens(99_000, 99_000), {}, "no usual lens has a focal length of 99000 px", TILTED),
    ],
)
def test_a_lens_no_camera_has_is_refused(odd: Lens, deviations: dict[str, float], told: str, photograph: str) -> None:
    (fault,) = nonsense(odd, deviations)
    assert told in fault.what
    assert fault.remedy == photograph


def test_usual_lenses_are_taken_without_a_word() -> None:
    for usual in (lens(), lens(905, 900), lens(x=640 + 40), lens(400, 400), lens(4000, 4010)):
        assert list(nonsense(usual, {"fx": 4.0, "fy": 4.0})) == []
        assert list(shortcomings(usual, {"fx": 0.4, "fy": 0.4})) == []
        assert list(doubts(usual, {"fx": 4.0, "fy": 4.0})) == []


def test_odd_lenses_are_taken_with_a_word() -> None:
    (apart,) = doubts(lens(915, 900), {"fx": 3.0, "fy": 3.0})
    assert "differ by 1.7 %" in apart
    assert list(doubts(lens(915, 900), {"fx": 30.0, "fy": 3.0})) == []
    (off,) = doubts(lens(x=639.5 + 100), {})
    assert "100 px from the picture's middle" in off


def test_pictures_that_lead_to_nonsense_are_refused_when_they_are_solved() -> None:
    """Pictures squeezed in one direction, as by a film stored with pixels that are not square."""
    shots = []
    for number, (tilt, at) in enumerate(
        [((25, 0), 200), ((-25, 0), 420), ((0, 25), 320), ((0, -25), 260), ((18, 18), 360)]
    ):
        found = sight(*held((at, 240), tilt, 480), noise_px=0.1, seed=number)
        assert isinstance(found, TargetView)
        squeezed = (found.seen_px * np.array([1.0, 0.8], np.float32)).astype(np.float32)
        shots.append(Shot(f"{number}.jpg", TargetView(found.ids, found.target_mm, squeezed, 2.5)))
    with pytest.raises(CalibrationError, match=r"can't be right, so .* not square: set the camera to a picture size"):
        solve_shots(shots, (640, 384), ())


@pytest.mark.parametrize(
    ("size", "rms_px", "p1", "deviation", "covered", "told"),
    [
        ((1280, 720), 0.6, 0.0, 0.001, 0.6, (False, "0.60 px (rms)")),
        ((1280, 720), 1.1, 0.0, 0.001, 0.6, (True, "1.10 px (rms)")),
        ((3840, 2160), 0.9, 0.0, 0.001, 0.6, None),
        ((1280, 720), 0.3, -0.012, 0.001, 0.6, (False, "tangential term p1 of -0.012")),
        ((1280, 720), 0.3, 0.012, 0.006, 0.6, (True, "tangential term p1 of 0.012")),
        ((1280, 720), 0.3, 0.0, 0.001, 0.2, (False, "covered only 20 %")),
        ((1280, 720), 0.3, 0.0, 0.001, 0.1, (True, "covered only 10 %")),
    ],
)
def test_what_is_refused_and_what_play_may_go_on_with(
    size: tuple[int, int],
    rms_px: float,
    p1: float,
    deviation: float,
    covered: float,
    told: tuple[bool, str] | None,
) -> None:
    matrix = np.array([[1500.0, 0, (size[0] - 1) / 2], [0, 1500, (size[1] - 1) / 2], [0, 0, 1]])
    odd = Lens(size, matrix, np.array([0, 0, p1, 0.001, 0]), rms_px)
    known = {"fx": 1.0, "fy": 1.0, "p1": deviation, "p2": 0.0001}
    refused, faults = list(nonsense(odd, known, covered)), list(shortcomings(odd, known, covered))
    assert bool(refused) == (told is not None and told[0])
    assert [told is not None and told[1] in fault.what for fault in faults] == [True] * (told is not None)


@pytest.mark.parametrize(("total", "needed"), [(6, 6), (12, 6), (16, 8), (24, 12), (35, 12), (200, 12)])
def test_small_boards_need_a_share_of_their_corners(total: int, needed: int) -> None:
    assert needed_corners(total) == needed


def test_a_board_of_twelve_corners_is_found_though_some_are_hidden() -> None:
    target = Charuco((5, 4), 40.0, 30.0, "DICT_4X4_50")
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    board = cv2.aruco.CharucoBoard(target.squares, target.square_mm, target.marker_mm, dictionary)
    image = cv2.copyMakeBorder(board.generateImage((500, 400)), 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=255)
    image[:, :190] = 128  # an arm over a third of it
    found = TargetFinder(target).find(np.asarray(image, np.uint8))
    assert isinstance(found, TargetView)
    assert 6 <= len(found.ids) < 12


@pytest.mark.parametrize("larger", [1, 3])
def test_a_target_printed_wrongly_is_named(larger: int) -> None:
    finder = TargetFinder(TARGET)
    seen = picture(*held((320, 240), (10, 0), 330))
    seen = np.asarray(cv2.resize(seen, None, fx=larger, fy=larger, interpolation=cv2.INTER_CUBIC), np.uint8)
    assert isinstance(finder.find(seen), TargetView)
    assert finder.find(np.asarray(255 - seen, np.uint8)) == WHITE_ON_BLACK
    assert finder.find(np.ascontiguousarray(seen[:, ::-1])) == MIRRORED
    assert finder.find(np.full_like(seen, 90)) == "the target is not found"


@pytest.mark.skipif(not CHESSBOARDS.is_dir(), reason="the real pictures are not here")
def test_every_real_picture_of_a_chessboard_shows_it() -> None:
    finder = TargetFinder(Chessboard((9, 6)))
    paths = pictures_in(CHESSBOARDS)
    assert len(paths) == 13
    for path in paths:
        seen = read_picture(path)
        assert seen is not None
        assert isinstance(finder.find(seen), TargetView), path.name


def test_a_chessboard_on_a_dark_table_is_found_the_older_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the newer way finds nothing, the older one is tried."""
    squares = np.kron(np.indices((7, 10)).sum(axis=0) % 2, np.ones((40, 40))) * 200 + 30
    board = cv2.copyMakeBorder(squares.astype(np.uint8), 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=235)
    monkeypatch.setattr(cv2, "findChessboardCornersSB", lambda *args, **options: (False, None))
    found = TargetFinder(Chessboard((9, 6))).find(np.asarray(board, np.uint8))
    assert isinstance(found, TargetView)
    assert len(found.ids) == 54

"""A lens found while a camera is moved: what is asked for, when it is content, and that a fixed view never is."""

from __future__ import annotations

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.framelens import FrameSight
from calibration.lens import Lens
from calibration.lenssearch import FEWEST_VIEWS, LensSearch, Wanted, is_sure, looked
from calibration.pose import find_markers
from calibration.table import Charuco, TableSetup, load_table
from tests.calibration.framesights import SIZE, TABLE, lens, sight
from tests.shared import TABLES

AROUND = [(30.0 + 7 * (k % 4), 75.0 * k, 560.0 + 45 * (k % 5)) for k in range(12)]


def shown(search: LensSearch, true: Lens, place: tuple[float, float, float], seed: int) -> LensSearch:
    """Hold a place still: show two pictures of it."""
    for number in range(2):
        search = looked(search, sight(f"{seed}", true, place, 2 * seed + number), TABLE)
    return search


def moved(true: Lens) -> LensSearch:
    search = LensSearch()
    for seed, place in enumerate(AROUND):
        search = shown(search, true, place, seed)
    return search


@pytest.mark.long
def test_a_camera_that_is_moved_is_known_to_three_thousandths_and_three_pixels() -> None:
    focal = 1450.0
    true = replace(lens(focal, 811.0, 588.0), distortion=np.array([-0.12, 0.04, 0.0008, -0.0006, 0.0]))
    search = moved(true)
    assert search.wanted is Wanted.NOTHING
    assert search.found is not None
    off = search.found.lens.matrix - true.matrix
    assert abs(float(off[0, 0])) < 0.003 * focal
    assert float(np.hypot(off[0, 2], off[1, 2])) < 3.0
    assert len(search.views) >= FEWEST_VIEWS


def test_a_fixed_camera_is_asked_to_be_moved_however_long_it_looks() -> None:
    search = LensSearch()
    for seed in range(40):
        search = looked(search, sight(f"{seed}", lens(), (40.0, 10.0, 700.0), seed), TABLE)
    assert search.wanted is Wanted.ANOTHER_SIDE
    assert (len(search.views), search.missing) == (1, FEWEST_VIEWS - 1)


def test_going_nearer_straight_ahead_tells_too_little() -> None:
    """Views along one line of sight: none of them tells the principal point from the camera's tilt."""
    search = LensSearch()
    for seed in range(6):
        search = shown(search, lens(), (3.0, 10.0, 560.0 + 90 * seed), seed)
    assert search.wanted is not Wanted.NOTHING
    assert search.found is None or not is_sure(search.found)


def test_a_picture_taken_on_the_way_is_not_used() -> None:
    search = LensSearch()
    for seed, place in enumerate(AROUND):
        search = looked(search, sight(f"{seed}", lens(), place, seed), TABLE)
        assert search.wanted is Wanted.STILLNESS
    assert search.views == ()


def test_without_the_frame_the_frame_is_asked_for() -> None:
    search = looked(LensSearch(), FrameSight("blind", SIZE, {}), TABLE)
    assert search.wanted is Wanted.FRAME


def test_a_phone_that_is_turned_begins_anew() -> None:
    search = shown(shown(LensSearch(), lens(), AROUND[0], 0), lens(), AROUND[1], 1)
    assert len(search.views) == 2
    upright = FrameSight("upright", (SIZE[1], SIZE[0]), sight("s", lens(), AROUND[2], 9).seen_px)
    search = looked(looked(search, upright, TABLE), upright, TABLE)
    assert [view.size for view in search.views] == [upright.size]


def test_once_it_is_known_it_stays() -> None:
    search = moved(lens())
    assert looked(search, FrameSight("blind", SIZE, {}), TABLE) is search


def border_of(table: TableSetup) -> TableSetup:
    """Take the calibration target's outer markers for the markers of a frame."""
    charuco: Charuco = table.charuco
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, charuco.dictionary))
    board = cv2.aruco.CharucoBoard(charuco.squares, charuco.square_mm, charuco.marker_mm, dictionary)
    corners = np.array(board.getObjPoints(), np.float64)
    middles = corners.mean(axis=1)[:, :2]
    edge = 1.1 * charuco.square_mm
    outer = ((middles < middles.min(axis=0) + edge) | (middles > middles.max(axis=0) - edge)).any(axis=1)
    numbers = np.asarray(board.getIds()).reshape(-1)
    markers = {int(number): at for number, at, out in zip(numbers, corners, outer, strict=True) if out}
    return replace(table, markers=markers, marker_dictionary=charuco.dictionary, marker_size_mm=charuco.marker_mm)


@pytest.mark.long
@pytest.mark.skipif(not TABLES.is_dir(), reason="the photographed tables are not here")
@pytest.mark.parametrize(("name", "camera"), [("study", 0), ("kitchen", 0), ("club", 1), ("quay", 1)])
def test_photographed_from_several_sides_the_lens_is_found(name: str, camera: int) -> None:
    """Pictures of a pattern from several sides, of which only the outer markers are used, as a frame has them."""
    folder = TABLES / name
    table = border_of(load_table(folder))
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))["lenses"][camera]
    search = LensSearch()
    for path in sorted((folder / "calibration" / table.cameras[camera]).glob("*.jpg")):
        picture = cv2.imread(str(path))
        seen = FrameSight(path.name, tuple(truth["size"]), find_markers(picture, table))
        search = looked(looked(search, seen, table), seen, table)
    assert search.wanted is Wanted.NOTHING
    assert search.found is not None
    off = search.found.lens.matrix - np.array(truth["matrix"])
    assert abs(float(off[0, 0])) < 0.003 * truth["matrix"][0][0]
    assert float(np.hypot(off[0, 2], off[1, 2])) < 3.0

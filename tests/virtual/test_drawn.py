"""What virtual cameras draw: true to geometry, the same whichever way a scene came about, and read by the reader."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from calibration.pose import find_pose
from referee.virtual.drawing.eye import DrawnCamera
from referee.virtual.lenses import lens_of, pose_of
from referee.virtual.scene import HandPlace, TableScene
from tests.virtual.laid import BOARDS, laid
from vision.reader import TableReader

pytestmark = pytest.mark.long

GAMES = sorted(BOARDS)


@pytest.mark.parametrize("game", GAMES)
def test_a_camera_finds_itself_where_it_is_drawn_to_stand(game: str) -> None:
    table, kit = laid(game)
    picture = DrawnCamera("left", table, kit).picture(TableScene(BOARDS[game]))
    assert picture.shape == (960, 1280, 3)
    found, true = find_pose(picture, lens_of("left"), table), pose_of("left", table, kit)
    assert np.linalg.norm(found.centre_mm - true.centre_mm) < 2.0
    assert found.reprojection_px < 0.4


@pytest.mark.parametrize("game", ["terra-turrium", "torres"])
def test_what_lies_there_is_read(game: str, tmp_path: Path) -> None:
    table, kit = laid(game)
    pictures = {name: DrawnCamera(name, table, kit).picture(TableScene(BOARDS[game])) for name in table.cameras}
    lenses = {name: lens_of(name) for name in table.cameras}
    reading = TableReader(table, tmp_path, lenses, kit).read(pictures)
    # Whether something stands on a field that a tower hides may stay open.
    assert reading.text.replace("~", "") == BOARDS[game]
    assert reading.text.count("~") <= 1
    assert reading.clear


@pytest.mark.parametrize("game", GAMES)
def test_a_part_drawn_anew_is_as_if_all_were(game: str) -> None:
    table, kit = laid(game)
    after = TableScene(BOARDS[game], light=0.7, stones={"nw": (2, "#b92d25")})
    before = TableScene("" if game == "turris" else BOARDS[game].replace("1", "2"), light=0.7)
    camera, fresh = DrawnCamera("right", table, kit), DrawnCamera("right", table, kit)
    fresh.picture(before)  # so that both give the same noise next
    camera.picture(before)
    once = fresh.picture(after).astype(int)
    other = DrawnCamera("right", table, kit)
    other.picture(after)
    whole = other.picture(after).astype(int)
    assert np.abs(once - whole).max() <= 6
    assert (np.abs(once - whole) > 1).mean() < 1e-4


def test_two_frames_of_a_table_at_rest_are_never_the_same() -> None:
    table, kit = laid("torres")
    camera = DrawnCamera("left", table, kit)
    one, two = (camera.picture(TableScene(BOARDS["torres"])).copy() for _ in range(2))
    assert not np.array_equal(one, two)
    assert np.abs(one.astype(int) - two).mean() < 4


def test_a_hand_hides_what_lies_below_and_a_bump_moves_the_picture() -> None:
    table, kit = laid("terra-turrium")
    camera = DrawnCamera("left", table, kit)
    at_rest = camera.picture(TableScene(BOARDS["terra-turrium"])).copy()
    hand = camera.picture(TableScene(BOARDS["terra-turrium"], HandPlace(0, 0, 60, 20))).copy()
    assert 0.02 < (np.abs(hand.astype(int) - at_rest).max(axis=2) > 30).mean() < 0.5
    bumped = camera.picture(TableScene(BOARDS["terra-turrium"], bumps={"left": 1}))
    moved = find_pose(bumped, lens_of("left"), table).centre_mm - pose_of("left", table, kit).centre_mm
    assert np.linalg.norm(moved) > 3

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from calibration.errors import CalibrationError
from calibration.table import TableSetup
from referee.games.terra_turrium.colours import Colour
from referee.values.belief import BoardBelief, Prior
from tests.scene import SEATS, Scene, draw, pose, table_json, write_table
from tests.vision.beliefs import belief
from vision import reader as module
from vision.heights.change import Look
from vision.heights.pieces import Pieces
from vision.reader import TableReader, what_may_stand

SCENE = Scene(heights={(2, 3): 2, (4, 1): 3}, flags={(4, 1): "red"}, stones={"nw": 1, "ne": 2, "se": 3, "sw": 4})
LEFT, RIGHT = pose(-85), pose(20)


@pytest.fixture
def cameras_asked(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Replace the scorer by one that knows the scene; return the list of the cameras it was given."""
    asked: list[list[str]] = []

    def score(
        look: Look, _table: TableSetup, _expect: Prior | None, _pieces: Pieces, _compared: frozenset[str]
    ) -> dict[str, BoardBelief]:
        asked.append(list(look))
        return dict.fromkeys(look, belief(SCENE))

    monkeypatch.setattr(module, "score_views", score)
    return asked


@pytest.fixture
def reader(tmp_path: Path) -> TableReader:
    return TableReader.open(write_table(tmp_path / "table"))


@pytest.mark.long
def test_a_reading_from_two_cameras(reader: TableReader, cameras_asked: list[list[str]]) -> None:
    reading = reader.read({"left": draw(SCENE, LEFT), "right": draw(SCENE, RIGHT)})
    assert cameras_asked == [["left", "right"]]
    assert reading.text == "000000/03r0000/000000/000200/000000/000000"
    assert reading.clear
    assert reading.blocked == ()
    assert reading.stones == SCENE.stones
    assert {name: view.markers for name, view in reading.cameras.items()} == {"left": 8, "right": 8}
    assert not reading.lost
    assert reading.duration_ms > 0


def test_a_camera_that_lost_the_frame_is_left_out(reader: TableReader, cameras_asked: list[list[str]]) -> None:
    blank = np.full((720, 960, 3), 70, np.uint8)
    reading = reader.read({"left": draw(SCENE, LEFT), "right": blank})
    assert cameras_asked == [["left"]]
    assert reading.cameras["right"].reprojection_px is None
    assert "right can’t see the frame" in str(reading.cameras["right"].problem)
    assert not reading.lost


def test_a_camera_without_colours_is_left_out(reader: TableReader, cameras_asked: list[list[str]]) -> None:
    grey = np.repeat(draw(SCENE, RIGHT)[..., 1:2], 3, axis=2)
    reading = reader.read({"left": draw(SCENE, LEFT), "right": grey})
    assert cameras_asked == [["left"]]
    assert "no colours" in str(reading.cameras["right"].problem)
    assert reader.read({"right": grey}).lost


def test_a_table_nobody_sees_is_lost(reader: TableReader, cameras_asked: list[list[str]]) -> None:
    reading = reader.read({"left": np.zeros((720, 960, 3), np.uint8)})
    assert reading.lost
    assert not reading.clear
    assert set(reading.text) <= set("?~/")
    assert reading.stones == dict.fromkeys(SEATS)


def test_under_a_hand_no_stone_is_told(reader: TableReader, cameras_asked: list[list[str]]) -> None:
    reading = reader.read({"left": draw(SCENE.with_(arm=(120, 150, 200)), LEFT)})
    assert not reading.clear
    assert reading.blocked
    assert reading.stones == dict.fromkeys(SEATS)


@pytest.mark.long
def test_a_bumped_camera_needs_nothing(reader: TableReader, cameras_asked: list[list[str]]) -> None:
    for azimuth_deg in (-85, -70):
        assert reader.read({"left": draw(SCENE, pose(azimuth_deg))}).clear


def test_wrong_cameras_and_sizes(reader: TableReader, cameras_asked: list[list[str]]) -> None:
    with pytest.raises(CalibrationError, match="no camera 'top': it has left, right"):
        reader.read({"top": draw(SCENE, LEFT)})
    with pytest.raises(CalibrationError, match="left: the picture is 100 x 50"):
        reader.read({"left": np.zeros((50, 100, 3), np.uint8)})


def test_lenses_are_found_only_when_asked_for(tmp_path: Path) -> None:
    folder = write_table(tmp_path / "table")
    (folder / "calibration" / "right.json").write_text("spoilt")
    reader = TableReader.open(folder, ["left"])
    assert reader.lens("left").size == (960, 720)
    with pytest.raises(CalibrationError, match=r"right\.json"):
        reader.lens("right")
    with pytest.raises(CalibrationError, match=r"right\.json"):
        TableReader.open(folder, ["left", "right"])


def test_a_table_never_calibrated_is_told_at_once(tmp_path: Path) -> None:
    import json

    (tmp_path / "table.json").write_text(json.dumps(table_json()))
    with pytest.raises(CalibrationError, match="run referee calibrate lenses"):
        TableReader.open(tmp_path)


def test_what_may_stand_is_the_highest_likely() -> None:
    scores = belief(SCENE, 20.0)
    heights = scores.heights.copy()
    heights[0, 0, 4] = np.log(0.1)
    heights[0, 1, 9] = np.log(0.01)
    flags = scores.flags.copy()
    flags[0, 0, int(Colour.BLUE)] = np.log(0.2)
    tall, bears = what_may_stand(BoardBelief(heights, flags, "rygb"), None, 0.05)
    assert (tall[0, 0], tall[0, 1], tall[4, 1]) == (4, 0, 3)
    assert bears[0, 0]
    assert bears[4, 1]
    assert bears.sum() == 2

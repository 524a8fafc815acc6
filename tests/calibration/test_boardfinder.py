"""A board without a printed frame: its files, its look learnt from touched corners, its pose in other pictures."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from calibration.boardfile import load_touches, touches_path
from calibration.boardfinder import BoardFinder, upright
from calibration.errors import CalibrationError, PoseError
from calibration.lens import Lens, project, save_lens, undistort_points
from calibration.pose import Pose
from calibration.table import load_table, parse_table
from referee.cli import main
from tests.calibration.bareboard import HIGH, LENS, LOW, TOUCHED, touches
from tests.scene import draw, lens, pose, table_json, write_bare_table
from vision.reader import TableReader

Picture = NDArray[np.uint8]


def bare(folder: Path, corners: Mapping[str, list[float]], focal_35: int = 41) -> BoardFinder:
    written = write_bare_table(folder, draw(LOW, TOUCHED, LENS), corners, focal_35)
    return BoardFinder(load_table(written), written)


@pytest.fixture(scope="module")
def finder(tmp_path_factory: pytest.TempPathFactory) -> BoardFinder:
    return bare(tmp_path_factory.mktemp("bare") / "table", touches(9.0))  # 1 % of the picture's width


def off_fields(found: tuple[Lens, Pose], true: Pose) -> float:
    """Return how far off a field is placed on the board at most, in fields."""
    along = np.linspace(-90, 90, 7)
    fields = np.stack(np.meshgrid(along, along, [0.0]), axis=-1).reshape(-1, 3)
    through, at = found
    ideal = undistort_points(project(fields, true.rotation, true.translation_mm, LENS), through)
    ways = np.column_stack([ideal, np.ones(len(ideal))]) @ np.linalg.inv(through.matrix).T @ at.rotation
    placed = at.centre_mm - ways * (at.centre_mm[2] / ways[:, 2])[:, None]
    return float(np.linalg.norm((placed - fields)[:, :2], axis=1).max()) / 30


@pytest.mark.long
@pytest.mark.parametrize("azimuth_deg", [60, 170])
def test_a_plain_board_is_found_from_other_sides_with_towers_on_it(finder: BoardFinder, azimuth_deg: float) -> None:
    true = pose(azimuth_deg, 600, 500)
    assert off_fields(finder.placed(draw(HIGH, true, LENS), "left", "left#2"), true) < 0.06


def test_a_picture_without_the_board_is_left_out_with_the_reason(finder: BoardFinder) -> None:
    aside = Pose(TOUCHED.rotation, TOUCHED.translation_mm + np.array([900.0, 0.0, 0.0]), 0, 0.0)
    with pytest.raises(PoseError) as told:
        finder.placed(draw(LOW, aside, LENS), "left", "left#2")
    assert told.value.words.text() == (
        "The board can’t be found in left#2’s picture: show all of its edge, and hold the phone still."
    )


@pytest.mark.long
@pytest.mark.parametrize(("corners", "focal_35"), [("nw se sw", 41), ("nw ne se sw", 0)])
def test_three_corners_do_and_so_does_a_picture_without_its_focal_length(
    tmp_path: Path, corners: str, focal_35: int
) -> None:
    finder = bare(tmp_path / "table", {name: touches(5.0)[name] for name in corners.split()}, focal_35)
    true = pose(10, 550, 500)
    assert off_fields(finder.placed(draw(LOW, true, LENS), "left", "left#2"), true) < 0.06


def test_a_board_whose_size_is_not_told_is_asked_for(tmp_path: Path) -> None:
    folder = write_bare_table(tmp_path / "table", np.zeros((60, 80, 3), np.uint8), touches(0.0))
    data = json.loads((folder / "table.json").read_text(encoding="utf-8")) | {"board": {}}
    (folder / "table.json").write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(
        CalibrationError, match=r"table.json, line 1: board.size: the board is found by its edge: measure"
    ):
        BoardFinder(load_table(folder), folder).require_touches()


def test_touches_far_from_the_board_are_refused(tmp_path: Path) -> None:
    corners = {name: [x / 3, y / 3] for name, (x, y) in touches(0.0).items()}
    finder = bare(tmp_path / "table", corners)
    with pytest.raises(CalibrationError, match=r"board.json: touches: the edge of the board is not seen"):
        finder.lens("left")


def test_a_lens_file_holds_for_pictures_of_its_size_lying_and_standing(tmp_path: Path) -> None:
    finder = bare(tmp_path / "table", touches(0.0))
    save_lens(tmp_path / "table" / "calibration" / "left.json", lens())
    assert finder.lens("left", (960, 720)).matrix[0, 2] == 484
    standing = finder.lens("left", (720, 960))
    assert (standing.matrix[0, 2], standing.matrix[1, 2]) == (352, 959 - 484)


def test_an_upright_lens_shows_what_the_lying_one_does() -> None:
    points = np.array([[0.3, 0.2, 1.0], [-0.2, 0.25, 1.0]])
    turn = np.array([[0.0, 1, 0], [-1, 0, 0], [0, 0, 1]])
    lying = project(points, np.eye(3), np.zeros(3), lens())
    standing = project(points, turn, np.zeros(3), upright(lens()))
    assert np.allclose(standing, np.column_stack([lying[:, 1], 959 - lying[:, 0]]))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, r"board.json: missing; it says where the board lies: touch the outer corners"),
        ('{"touches": []}', r"board.json, line 1: touches: .* at least 1 item"),
        (
            '{"touches": [{"picture": "touched.jpg",\n "corners": {"nw": [1, 2], "se": [3, 4]}}]}',
            r"board.json, line 2: touches.0.corners: 3 corners are needed, not 2",
        ),
        (
            '{"touches": [{"picture": "none.jpg", "corners": {"nw": [1, 2], "se": [3, 4], "sw": [5, 6]}}]}',
            r"touches.0.picture: there is no picture 'none.jpg'",
        ),
        ('{"touched": 1}', r"board.json, line 1: touched: unknown key"),
        ("{", r"board.json: Invalid JSON"),
    ],
)
def test_touches_that_can_not_be_used_are_named_with_file_line_and_key(
    tmp_path: Path, text: str | None, told: str
) -> None:
    folder = write_bare_table(tmp_path / "table", np.zeros((60, 80, 3), np.uint8), {})
    touches_path(folder).unlink()
    if text is not None:
        touches_path(folder).write_text(text, encoding="utf-8")
    with pytest.raises(CalibrationError, match=told):
        load_touches(folder)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"board": {"size": [268]}}, r"board.size"),
        ({"board": {"size": [190, 260]}}, r"board.size.0: the fields reach 90 mm .* 6 mm further"),
        ({"board": {"wide": 3}}, r"board.wide: unknown key"),
        (
            {"board": {}, "markers": table_json()["markers"]},
            r"markers: a table has a printed frame or a board without",
        ),
        ({}, r"markers: this key is missing"),
    ],
)
def test_a_table_has_a_frame_or_a_board_without_one(changes: dict[str, object], told: str) -> None:
    data = {key: value for key, value in table_json().items() if key not in ("markers", "charuco")}
    with pytest.raises(CalibrationError, match=told):
        parse_table(json.dumps(data | changes))


@pytest.mark.long
def test_a_board_without_a_frame_is_read(tmp_path: Path) -> None:
    folder = write_bare_table(tmp_path / "table", draw(LOW, TOUCHED, LENS), touches(9.0))
    reader = TableReader.open(folder)
    pictures = {"left": draw(LOW, TOUCHED, LENS, seed=1)}
    reading = reader.read(pictures)
    assert reading.clear
    assert not reading.lost
    assert reading.cameras["left"].outline
    assert reader.explain(pictures, reading).size


@pytest.mark.parametrize(
    "command", ["calibrate sheets --table {} --out x.pdf", "calibrate lenses --table {}", "rehearse {}"]
)
def test_commands_that_need_a_frame_say_so(tmp_path: Path, command: str) -> None:
    folder = write_bare_table(tmp_path / "table", draw(LOW, TOUCHED, LENS), touches(0.0), 41)
    result = CliRunner().invoke(main, command.format(folder).split())
    assert result.exit_code == 2
    assert re.search(r"table.json, line \d+: board: this needs a printed frame", result.stderr)


def test_a_bare_board_is_played_at_by_photographs_alone(tmp_path: Path) -> None:
    folder = write_bare_table(tmp_path / "table", draw(LOW, TOUCHED, LENS), touches(0.0), 41)
    result = CliRunner().invoke(main, ["run", str(folder)])
    assert result.exit_code == 2
    assert re.search(r"table.json, line \d+: cameras: .* name every camera under \"held\"", result.stderr)

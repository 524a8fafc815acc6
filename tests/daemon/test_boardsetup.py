"""A bare board is learnt from photographs whose corners are touched, until the first turn."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.boardfile import touches_path
from calibration.boardfinder import BoardFinder
from calibration.cornerguess import BoardSizes, guessed_corners
from calibration.decoding import LONGEST_PX, smaller
from calibration.exif import focal_length_px, picture_note
from calibration.masked import FLAT
from calibration.picturefile import decode_picture
from calibration.table import load_table
from referee.daemon.boardsetup import BoardSetup
from tests.calibration.bareboard import HIGH, LENS, LOW, TOUCHED, touches
from tests.scene import SIZE, draw, pose, write_bare_table
from tests.shared import TABLES
from vision.posefinder import PoseFinder

FOCAL_PX = focal_length_px(41, SIZE)


class Learning:
    """A table whose board nobody has shown yet."""

    def __init__(self, folder: Path) -> None:
        self.folder = write_bare_table(folder, np.zeros((60, 80, 3), np.uint8), {})
        touches_path(self.folder).unlink()
        reader = PoseFinder(load_table(self.folder), self.folder)
        assert reader.board is not None
        self.board = reader.board
        self.kept: dict[str, bytes] = {}
        self.is_open, self.looked_again = True, 0
        self.setup = BoardSetup(reader, lambda: self.is_open, self.kept.update)
        self.setup.again = self._again

    def _again(self) -> None:
        self.looked_again += 1

    def touch(self, corners: Mapping[str, list[float]]) -> bool:
        shares = {name: [x / SIZE[0], y / SIZE[1]] for name, (x, y) in corners.items()}
        number = self.setup.view("en")["picture"]
        assert isinstance(number, int)
        return self.setup.touch(number, shares).accepted


GUESSED: dict[bytes, NDArray[np.float64] | None] = {}


def guessed_once(picture: NDArray[np.uint8], focal_px: float | None, sizes: BoardSizes) -> NDArray[np.float64] | None:
    """Guess the corners in a picture once: that takes seconds, and these tests begin with the same one."""
    shown = picture.tobytes()
    if shown not in GUESSED:
        GUESSED[shown] = guessed_corners(picture, focal_px, sizes)
    return GUESSED[shown]


@pytest.fixture
def learning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Learning:
    monkeypatch.setattr("calibration.boardfinder.guessed_corners", guessed_once)
    return Learning(tmp_path / "table")


@pytest.mark.long
def test_a_board_is_learnt_where_it_was_touched_and_of_the_picture_only_that_is_kept(learning: Learning) -> None:
    assert learning.setup.view("en")["picture"] == 0
    learning.setup.ask(draw(LOW, TOUCHED, LENS), FOCAL_PX)
    assert learning.setup.view("en")["size"] == list(SIZE)
    assert not learning.touch({name: [x / 2, y / 2] for name, (x, y) in touches(0.0).items()})
    assert not learning.setup.known
    assert not touches_path(learning.folder).exists()
    assert learning.touch(touches(9.0))
    assert learning.setup.known
    assert learning.looked_again == 1
    content = learning.kept["calibration/board-1.jpg"]
    assert picture_note(content).focal_35_mm == 41
    shown = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    assert np.abs(shown[:40, :40].astype(int) - FLAT).max() < 4
    assert np.abs(shown[300:400, 430:530].astype(int) - FLAT).max() > 20
    _, found = BoardFinder(load_table(learning.folder), learning.folder).photographed(
        draw(HIGH, pose(60, 600, 500), LENS), FOCAL_PX, "phone"
    )
    assert np.linalg.norm(found.centre_mm - pose(60, 600, 500).centre_mm) < 15


@pytest.mark.long
def test_pictures_of_the_set_up_tell_more_until_the_disk_is_full_or_the_game_begins(
    learning: Learning, monkeypatch: pytest.MonkeyPatch
) -> None:
    learning.setup.ask(draw(LOW, TOUCHED, LENS), FOCAL_PX)
    assert learning.touch(touches(5.0))
    before, tried, replace = touches_path(learning.folder).read_bytes(), [], Path.replace

    def full(path: Path, target: Path) -> Path:
        tried.append(target)
        if target == touches_path(learning.folder):
            raise OSError(28, "No space left on device")
        return replace(path, target)

    with monkeypatch.context() as disk:
        disk.setattr(Path, "replace", full)
        shown = draw(LOW, pose(60, 600, 500), LENS)
        learning.setup.placed(shown, FOCAL_PX, *learning.board.photographed(shown, FOCAL_PX, "phone"))
    assert touches_path(learning.folder) in tried
    assert touches_path(learning.folder).read_bytes() == before
    assert learning.setup.known
    for azimuth, count in ((60, 2), (62, 2), (170, 3)):
        shown = draw(LOW, pose(azimuth, 600, 500), LENS)
        learning.setup.placed(shown, FOCAL_PX, *learning.board.photographed(shown, FOCAL_PX, "phone"))
        told = json.loads(touches_path(learning.folder).read_text(encoding="utf-8"))
        assert len(told["touches"]) == count
    learning.is_open = False
    assert not learning.setup.forget().accepted
    learning.is_open = True
    assert learning.setup.forget().accepted
    assert not learning.setup.known
    assert not touches_path(learning.folder).exists()


def test_where_sides_look_alike_one_is_proposed_that_nobody_saw(learning: Learning) -> None:
    learning.setup.ask(draw(LOW, TOUCHED, LENS), FOCAL_PX)
    assert learning.touch(touches(5.0))
    beyond = pose(105, 700, 380)
    learning.setup.ask(draw(LOW, beyond, LENS), FOCAL_PX, [(LENS, TOUCHED), (LENS, beyond)])
    corners = learning.setup.view("en")["corners"]
    assert isinstance(corners, dict)
    true = beyond.project(np.array([-130.0, 130.0, 0.0]), LENS) / SIZE
    assert np.abs(np.array(corners["nw"]) - true).max() < 0.01


def test_another_picture_may_be_asked_for(learning: Learning) -> None:
    picture = draw(LOW, TOUCHED, LENS)
    for number in (1, 2):
        learning.setup.ask(picture, FOCAL_PX)
        assert learning.setup.view("en")["picture"] == number
        assert learning.setup.picture(number) is not None
        assert learning.setup.leave(number).accepted
        assert learning.setup.picture(number) is None
    assert not learning.touch(touches(0.0))


TERRACE = TABLES / "terrace"


@pytest.mark.long
@pytest.mark.skipif(not TERRACE.is_dir(), reason="needs the table terrace in REFEREE_SHARED")
def test_what_is_kept_of_a_touched_picture_shows_what_the_board_lies_on(tmp_path: Path) -> None:
    """A chequered cloth has two colours: late in a game, by the one alone a picture was not placed."""
    folder = tmp_path / "table"
    (folder / "calibration").mkdir(parents=True)
    (folder / "table.json").write_bytes((TERRACE / "table.json").read_bytes())
    setup = BoardSetup(PoseFinder(load_table(folder), folder), lambda: True, lambda files: None)
    setup.ask(*photographed("game1a/000_0.jpg"))
    view = setup.view("en")
    number, corners = view["picture"], view["corners"]
    assert isinstance(number, int)
    assert isinstance(corners, dict)
    assert setup.touch(number, corners).accepted
    setup.board.photographed(*photographed("game1b/003_3.jpg"), "phone")


def photographed(name: str) -> tuple[NDArray[np.uint8], float]:
    """Return a picture of the table terrace, upright, and its focal length, pixels."""
    content = (TERRACE / name).read_bytes()
    picture = smaller(decode_picture(content, LONGEST_PX))
    focal_35_mm = picture_note(content).focal_35_mm
    assert focal_35_mm is not None
    return picture, focal_length_px(focal_35_mm, (max(picture.shape[:2]), min(picture.shape[:2])))

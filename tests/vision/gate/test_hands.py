"""Which fields hands came near, in films of the bundled game."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.pose import find_pose
from referee.demo.recording import BUNDLED
from tests.vision.gate.film import Film, bumped, place, stone, table
from vision.gate.gate import GateState
from vision.gate.hands import Hands, Spaces, Standpoint, begun, followed, spaces_of
from vision.reader import TableReader

pytestmark = pytest.mark.long

START = 8
"""By this frame the board is known to stand."""
FPS = 15.0


@cache
def vantage() -> tuple[Standpoint, TableReader]:
    reader = TableReader.open(BUNDLED)
    camera = reader.table.cameras[0]
    path = sorted((BUNDLED / "pictures").glob(f"*_{camera}.jpg"))[0]
    picture = np.asarray(cv2.imread(str(path)), np.uint8)
    pose = find_pose(picture, reader.lens(camera), reader.table)
    return Standpoint(reader.lens(camera), pose, table()[1]), reader


def flat_spaces() -> Spaces:
    """Return the spaces over a board on which every stack is one high."""
    one, reader = vantage()
    heights = np.ones((reader.table.rows, reader.table.columns), np.int8)
    return spaces_of({"cam0": one}, reader.table, heights)["cam0"]


def field_at(x: float, y: float) -> tuple[int, int]:
    """Return the field whose stack's top is shown nearest to a place in the film's picture."""
    one, reader = vantage()
    centres = reader.table.centres_mm()
    tops = np.concatenate([centres, np.full((*centres.shape[:2], 1), reader.table.cube_mm[2])], axis=2)
    shares = (one.pose.project(tops.reshape(-1, 3), one.lens) + 0.5) / np.array(one.lens.size)
    off = np.hypot(*(shares * np.array([640, 480]) - np.array([x, y])).T)
    row, col = np.unravel_index(int(off.argmin()), centres.shape[:2])
    return int(row), int(col)


def through(states: list[GateState], spaces: dict[str, Spaces], skip: range = range(0)) -> Hands:
    hands = begun(spaces, START / FPS)
    for number, state in enumerate(states):
        if number > START and number not in skip:
            for camera in spaces:
                hands = followed(hands, camera, state, number / FPS)
    return hands


def reaching(tmp_path: Path) -> list[GateState]:
    film = Film()
    film.wait(1.0)
    film.reach(place(2, 1), then=stone(place(2, 1)))
    film.wait(0.6)
    return film.watched(tmp_path)


def test_fields_under_a_hand_are_reached_and_those_far_from_it_left_alone(tmp_path: Path) -> None:
    alone = through(reaching(tmp_path), {"cam0": flat_spaces()}).alone
    assert alone is not None
    assert not alone[field_at(*place(2, 1))]
    assert not alone[field_at(*place(3, 0.6))]  # the arm
    assert alone[field_at(*place(-3.5, 1))]
    assert alone[field_at(*place(-2, -3))]
    assert 25 <= alone.sum() <= 85


def test_a_board_nobody_reaches_for_is_left_alone(tmp_path: Path) -> None:
    film = Film()
    film.wait(2.0)
    alone = through(film.watched(tmp_path), {"cam0": flat_spaces()}).alone
    assert alone is not None
    assert alone.all()


def test_nothing_is_said_when_frames_are_missing(tmp_path: Path) -> None:
    states = reaching(tmp_path)
    assert through(states, {"cam0": flat_spaces()}, skip=range(12, 18)).alone is None
    assert through(states, {"cam0": flat_spaces()}, skip=range(12, 15)).alone is not None


def test_nothing_is_said_once_the_camera_was_bumped(tmp_path: Path) -> None:
    film = Film()
    film.wait(1.0)
    film.stay.append(bumped)
    film.wait(1.5)
    alone = through(film.watched(tmp_path), {"cam0": flat_spaces()}).alone
    assert alone is None or not alone.any()


def test_a_second_camera_frees_what_it_shows_free_and_nothing_once_it_missed_something(tmp_path: Path) -> None:
    states = reaching(tmp_path)
    one = flat_spaces()
    corner = replace(one, pixels=np.zeros_like(one.pixels))  # a camera in whose picture the hand covers no field
    alone = through(states, {"cam0": one, "cam1": corner}).alone
    assert alone is not None
    assert alone.all()
    by_one = through(states, {"cam0": one}).alone
    hands = begun({"cam0": one, "cam1": corner}, START / FPS)
    for number, state in enumerate(states):
        if number > START:
            hands = followed(hands, "cam0", state, number / FPS)
            if number < START + 3:
                hands = followed(hands, "cam1", state, number / FPS)
    late = followed(hands, "cam1", states[-1], len(states) / FPS).alone
    assert late is not None
    assert by_one is not None
    assert (late <= by_one).all()


def test_a_stack_over_which_no_camera_sees_is_never_left_alone(tmp_path: Path) -> None:
    one, reader = vantage()
    heights = np.zeros((reader.table.rows, reader.table.columns), np.int8)
    heights[...] = 12
    heights[5, 5] = 0
    spaces = spaces_of({"cam0": one}, reader.table, heights)
    film = Film()
    film.wait(1.5)
    alone = through(film.watched(tmp_path), spaces).alone
    assert alone is not None
    assert not alone[5, 5]

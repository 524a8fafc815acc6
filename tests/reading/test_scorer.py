"""The scorer at work, on pictures of the bundled game whose starting position the players agreed on."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.demo.recording import BUNDLED
from referee.games.terra_turrium.colours import parse_board
from referee.values.belief import log_probabilities
from vision.heights.scorer import LEVELS, score_board
from vision.reader import TableReader
from vision.reading import Reading

SET_UP = json.loads((BUNDLED / "game.json").read_text(encoding="utf-8"))
BOARD = parse_board(SET_UP["position"]["board"])


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return TableReader.open(BUNDLED)


def look(reader: TableReader, cameras: tuple[str, ...], darker: float = 1.0) -> Reading:
    names = SET_UP["looks"][0]["pictures"]
    pictures: dict[str, NDArray[np.uint8]] = {}
    for camera in cameras:
        picture = cv2.imread(str(BUNDLED / names[camera]))
        assert picture is not None
        pictures[camera] = np.asarray(picture * darker, np.uint8)
    return reader.read(pictures)


def told_wrong_and_open(reading: Reading) -> tuple[int, int]:
    """Heights told wrong, and heights not told."""
    belief = log_probabilities(reading.belief.heights)
    told = belief.max(axis=2) > np.log(0.9)
    wrong = told & (belief.argmax(axis=2) != BOARD.heights)
    return int(wrong.sum()), int((~told).sum())


@pytest.mark.parametrize(
    ("cameras", "darker", "most_open"),
    [(("cam0", "cam1"), 1.0, 3), (("cam0",), 1.0, 25), (("cam1",), 1.0, 25), (("cam0", "cam1"), 0.4, 6)],
    ids=["both", "cam0", "cam1", "both in the dark"],
)
def test_the_set_up_is_read(reader: TableReader, cameras: tuple[str, ...], darker: float, most_open: int) -> None:
    reading = look(reader, cameras, darker)
    wrong, open_ = told_wrong_and_open(reading)
    assert wrong == 0
    assert open_ <= most_open
    flags = log_probabilities(reading.belief.flags)
    said = np.where(flags.max(axis=2) > np.log(0.8), flags.argmax(axis=2), 0)
    assert ((said > 0) & (BOARD.flags == 0)).sum() <= (1 if len(cameras) == 2 else 3)
    if len(cameras) == 2:
        assert (said == BOARD.flags)[BOARD.flags > 0].mean() > 0.9


def test_without_a_camera_everything_is_open(reader: TableReader) -> None:
    belief = score_board({}, reader.table)
    assert belief.heights.shape == (10, 10, LEVELS)
    assert np.ptp(belief.heights) == 0
    assert np.ptp(belief.flags) == 0

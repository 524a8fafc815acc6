"""What stayed as it was between two looks, on pictures of the bundled game whose boards are known."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from referee.demo.recording import BUNDLED
from referee.games.terra_turrium.colours import board_of, parse_board
from referee.values.belief import BoardBelief, ReferenceLook, Unchanged, corrected
from vision.heights.change import LEAST_NATS, MOST_NATS, Look, unchanged
from vision.reader import TableReader

GAME = json.loads((BUNDLED / "game.json").read_text(encoding="utf-8"))
BOARDS = [
    parse_board(text)
    for text in (
        GAME["position"]["board"],
        "1011111111/111b1111r11r0/111b11111r11/11b12b2b2211r1/1113b22r2111r/"
        "11122g32111/111223y2y111/0111111y11y1y/1111g1g111y11/111g1g1g11111",
        "1111110111/011b1111r11r1/111b11111r11/11b12b2b2211r1/1112b22r2111r/"
        "11122g4y3111/1112222y111/11111111y11/0111g1g111y1y1y/111g1g1g11111",
    )
]
"""What stands on the table in the first three looks."""


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return TableReader.open(BUNDLED)


def look(reader: TableReader, number: int, darker: float = 1.0) -> Look:
    names = GAME["looks"][number]["pictures"]
    pictures = {camera: cv2.imread(str(BUNDLED / name)) for camera, name in names.items()}
    return reader.read({c: np.asarray(p * darker, np.uint8) for c, p in pictures.items() if p is not None}).look


@pytest.mark.long
@pytest.mark.parametrize(("before", "after"), [(0, 1), (1, 2), (2, 1)])
def test_what_changed_is_never_called_unchanged(reader: TableReader, before: int, after: int) -> None:
    one, other = BOARDS[before], BOARDS[after]
    same = unchanged(look(reader, before), look(reader, after), one, reader.table)
    moved = one.heights != other.heights
    assert moved.any()
    assert (same.stacks[moved] <= 0.5).all()
    flags = (one.flags != other.flags) & ~moved
    assert (same.flags[flags] <= 0.5).all()
    still = ~moved & (one.flags == other.flags)
    assert (same.stacks[still] > 2).mean() > 0.7
    assert (same.stacks[still] < 0).mean() < 0.15


@pytest.mark.long
def test_in_other_light_a_board_is_still_the_same(reader: TableReader) -> None:
    same = unchanged(look(reader, 0), look(reader, 0, darker=0.6), BOARDS[0], reader.table)
    assert (same.stacks > 2).mean() > 0.8
    assert same.stacks.min() >= LEAST_NATS
    assert same.stacks.max() <= MOST_NATS


def test_a_camera_without_an_earlier_look_says_nothing(reader: TableReader) -> None:
    now = look(reader, 0)
    for then in ({}, {"another": now["cam0"]}):
        same = unchanged(then, now, BOARDS[0], reader.table)
        assert not same.stacks.any()
        assert not same.flags.any()


def test_what_did_not_change_keeps_its_height() -> None:
    """A belief torn between two heights is settled by pictures that show no change, and by nothing else."""
    scores = np.full((2, 2, 4), -9.0)
    scores[..., 1] = scores[..., 2] = 0.0
    belief = BoardBelief(scores, np.zeros((2, 2, 5)), "rygb")
    board = board_of(np.full((2, 2), 2, np.int8), np.zeros((2, 2), np.int8))
    nats = np.array([[4.0, 0.0], [-1.0, 0.0]])
    settled = corrected(belief, ReferenceLook(belief, board, Unchanged(nats, np.zeros((2, 2)))))
    lead = settled.heights[..., 2] - settled.heights[..., 1]
    assert np.array_equal(lead, nats)

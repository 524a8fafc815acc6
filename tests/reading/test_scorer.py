"""The scorer at work, on pictures of the bundled game whose starting position the players agreed on."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.demo.recording import BUNDLED
from referee.games.terra_turrium.colours import parse_board
from referee.values.belief import Prior, log_probabilities
from vision.heights.change import CameraLook
from vision.heights.pieces import Pieces
from vision.heights.scorer import (
    AUGMENTATIONS,
    COLOURS,
    COMPARED_AUGMENTATIONS,
    LEVELS,
    STEEP_AUGMENTATIONS,
    SweepVariant,
    as_shown,
    augmentations_for,
    normalised,
    score_view,
    score_views,
    together,
)
from vision.heights.sweep import CELL_PX, Sweep
from vision.reader import TableReader
from vision.reading import Reading

SET_UP = json.loads((BUNDLED / "game.json").read_text(encoding="utf-8"))
BOARD = parse_board(SET_UP["position"]["board"])


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return TableReader.open(BUNDLED)


def pictures_of(cameras: tuple[str, ...], darker: float = 1.0) -> dict[str, NDArray[np.uint8]]:
    names = SET_UP["looks"][0]["pictures"]
    pictures: dict[str, NDArray[np.uint8]] = {}
    for camera in cameras:
        picture = cv2.imread(str(BUNDLED / names[camera]))
        assert picture is not None
        pictures[camera] = np.asarray(picture * darker, np.uint8)
    return pictures


def look(reader: TableReader, cameras: tuple[str, ...], darker: float = 1.0) -> Reading:
    return reader.read(pictures_of(cameras, darker))


def told_wrong_and_open(reading: Reading) -> tuple[int, int]:
    """Count heights told wrong, and heights not told."""
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
    belief = together({}, reader.table)
    assert belief.heights.shape == (10, 10, LEVELS)
    assert np.ptp(belief.heights) == 0
    assert np.ptp(belief.flags) == 0


def test_a_glance_shows_what_the_mirrored_or_shifted_sweep_would() -> None:
    rng = np.random.default_rng(3)
    stack = rng.integers(0, 255, (2, 8 * CELL_PX, 6 * CELL_PX, 3), dtype=np.uint8)
    slope = rng.normal(size=(2, 8 * CELL_PX, 6 * CELL_PX)).astype(np.float32)
    plain = normalised(stack, slope)
    turned = slope[:, :, ::-1] * np.array([-1, 1], np.float32)[:, None, None]
    mirrored = normalised(np.ascontiguousarray(stack[:, :, ::-1]), np.ascontiguousarray(turned))
    assert np.allclose(as_shown(plain, SweepVariant(mirrored=True)), mirrored)
    # The brightness is measured on the board, whose rows shift too: compared are pictures without a measure of it.
    shifted = as_shown(plain, SweepVariant(up=1))
    assert np.array_equal(shifted[:, :COLOURS, :-1], plain[:, :COLOURS, 1:])
    assert np.array_equal(shifted[:, COLOURS:], plain[:, COLOURS:])


def test_a_mirrored_picture_says_the_mirrored_board(reader: TableReader) -> None:
    """What one showing says of the picture the other says of its mirror image."""
    seen = look(reader, ("cam0",)).look["cam0"].sweep
    slope = np.ascontiguousarray(seen.slope[:, :, ::-1] * np.array([-1, 1], np.float32)[:, None, None])
    other = Sweep(np.ascontiguousarray(seen.stack[:, :, ::-1]), slope, np.ascontiguousarray(seen.cells[:, ::-1]))
    assert np.allclose(
        score_view(other, augmentations=(SweepVariant(),)),
        score_view(seen, augmentations=(SweepVariant(mirrored=True),)),
        atol=1e-3,
    )


def test_both_sets_look_from_nearly_above_and_one_glance_does_beside_an_earlier_look(reader: TableReader) -> None:
    oblique = look(reader, ("cam0",)).look["cam0"]
    above = CameraLook(oblique.sweep, np.array([20.0, 30.0, 700.0]))
    assert augmentations_for(oblique, reader.table) == AUGMENTATIONS["flags"]
    assert augmentations_for(above, reader.table) == STEEP_AUGMENTATIONS["flags"]
    assert augmentations_for(above, reader.table, Pieces("wn", (0, 7, 8))) == STEEP_AUGMENTATIONS["pieces"]
    assert augmentations_for(above, reader.table, compared=True) == COMPARED_AUGMENTATIONS["flags"]


def test_each_augmentation_uses_the_network_it_names(reader: TableReader) -> None:
    """Two sets say what each says by itself, averaged; levels too high to matter are shown to one alone."""
    seen = look(reader, ("cam0",)).look["cam0"].sweep
    own, other = SweepVariant(), SweepVariant(weights="pieces")
    apart = [score_view(seen, augmentations=(one,)) for one in (own, other)]
    assert not np.allclose(apart[0], apart[1], atol=0.5)
    both = score_view(seen, augmentations=(own, other))
    mean = (apart[0] + apart[1]) / 2
    mean -= mean.max(axis=(2, 3), keepdims=True)
    plain = (apart[0] > -11.5) & (apart[1] > -11.5)  # above the floor, under which nothing is told apart
    assert np.abs(both - mean)[plain].mean() < 0.5 * min(np.abs(both - one)[plain].mean() for one in apart)


def test_a_look_at_a_known_board_is_shown_twice_unless_an_earlier_look_helps(reader: TableReader) -> None:
    pictures, known = pictures_of(("cam0",)), Prior(frozenset({1, 2, 3, 4}), 6, previous=BOARD)
    first = reader.read(pictures, known)
    later = reader.read(pictures, known, since=(first.look, BOARD))
    twice, once = (
        score_views(first.look, reader.table, known, compared=compared)["cam0"]
        for compared in (frozenset(), {"cam0"})
    )
    assert np.array_equal(first.belief.heights, twice.heights)
    assert np.array_equal(later.belief.heights, once.heights)
    assert not np.allclose(twice.heights, once.heights, atol=0.5)

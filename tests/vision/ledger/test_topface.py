"""Cuts of top faces: where they lie, what of their colours is left, and what two networks make of a place."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.ledger.dice import DieSeen
from vision.ledger.reader import MatReader
from vision.ledger.topface import CUT_PX, FACE_PX, DiceLook, TopCutter, cut_inputs, looked_at_closely, top_scores

OAK = Path(__file__).parents[2] / "data" / "mats" / "oak"
ROTATION = np.array([[1.0, 0, 0], [0, -np.cos(0.5), -np.sin(0.5)], [0, np.sin(0.5), -np.cos(0.5)]])
EYE = np.array([30.0, -350.0, 600.0])
MATRIX = np.array([[900.0, 0, 320], [0, 900.0, 240], [0, 0, 1]])
DIE_MM = 16.0


def cutter(picture: NDArray[np.uint8]) -> TopCutter:
    return TopCutter(picture, MATRIX, ROTATION, -ROTATION @ EYE, DIE_MM, (0.0, 0.0))


def marked(spot_mm: tuple[float, float, float]) -> NDArray[np.uint8]:
    """Draw a dark picture with a light mark on a place of the table."""
    picture = np.zeros((480, 640, 3), np.uint8)
    seen = MATRIX @ (ROTATION @ (np.array(spot_mm) - EYE))
    u, v = seen[:2] / seen[2]
    cv2.circle(picture, (round(u * 8), round(v * 8)), 16, (255, 255, 255), -1, shift=3)
    return picture


def middle_of(cut: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the mark's place in a cut, in dice from its middle, right and down."""
    rows, columns = np.nonzero(cut[..., 0])
    light = cut[rows, columns, 0].astype(float)
    spot = np.array([(columns * light).sum(), (rows * light).sum()]) / light.sum()
    return (spot - (CUT_PX - 1) / 2) / FACE_PX


@pytest.mark.parametrize("turn", [0.0, 1.0, -2.5])
def test_a_cut_shows_its_place_on_the_plane_of_the_tops(turn: float) -> None:
    cut = cutter(marked((20.0, -10.0, DIE_MM))).cut((20.0, -10.0), turn)
    assert np.allclose(middle_of(cut), 0, atol=0.05)


@pytest.mark.parametrize("turn", [0.0, 0.8, 3.0])
def test_the_foot_of_a_die_lies_where_the_slope_says(turn: float) -> None:
    """The slope tells the network where a die's sides are to be seen."""
    eyes = cutter(marked((20.0, -10.0, 0.0)))
    assert np.allclose(middle_of(eyes.cut((20.0, -10.0), turn)), eyes.slope((20.0, -10.0), turn), atol=0.08)


def test_unturned_the_camera_stands_below() -> None:
    across, down = cutter(np.zeros((480, 640, 3), np.uint8)).slope((0.0, 0.0), 0.0)
    assert abs(across) < 1e-9
    assert down == pytest.approx(np.hypot(30, 350) / (600 - DIE_MM))


@settings(max_examples=20)
@given(st.integers(0, 99), st.floats(0.4, 3.0), st.tuples(*[st.floats(-60, 60)] * 3), st.booleans())
def test_any_two_colours_become_the_same_picture(
    seed: int, more: float, offset: tuple[float, float, float], negative: bool
) -> None:
    """What is told to the network hardly changes with brightness, contrast or tint; a negative turns its sign."""
    cut = cv2.GaussianBlur(
        np.random.default_rng(seed).uniform(60, 190, (CUT_PX, CUT_PX, 3)).astype(np.float32), (0, 0), 1
    )
    sign = -1.0 if negative else 1.0
    changed = (sign * more * cut + np.array(offset, np.float32)).astype(np.float32)
    slopes = np.array([[0.1, 0.7]])
    one, other = (cut_inputs(each[None], slopes)[0] for each in (cut, changed))
    assert np.abs(one[:6] - sign * other[:6]).mean() < 0.08
    assert (other[6:] == one[6:]).all()


def test_an_even_face_is_not_made_of_noise() -> None:
    """Differences no camera tells are not made larger until they look like pips."""
    even = np.full((1, CUT_PX, CUT_PX, 3), 120.0, np.float32)
    even[0, ::7, ::5] += 0.5
    assert np.abs(cut_inputs(even, np.zeros((1, 2)))[0, :6]).max() < 0.5


def test_places_are_told_in_their_order_and_none_is_needed() -> None:
    eyes = cutter(np.full((480, 640, 3), 90, np.uint8))
    assert top_scores(eyes, []).shape == (0, 7)
    assert looked_at_closely([DiceLook(eyes, [])], DIE_MM) == ()
    both = top_scores(eyes, [(0.0, 0.0), (30.0, 10.0)])
    assert np.allclose(both[1], top_scores(eyes, [(30.0, 10.0)])[0], atol=1e-4)


def test_an_even_mat_has_no_dice_whatever_the_first_network_thought() -> None:
    eyes = cutter(np.full((480, 640, 3), 90, np.uint8))
    unsure = DieSeen((0.0, 0.0), 0.5, (1 / 6,) * 6)
    (told,) = looked_at_closely([DiceLook(eyes, [unsure])], DIE_MM)
    assert told.there < 0.1
    assert sum(told.faces) == pytest.approx(1.0)


def test_a_place_that_one_camera_lists_is_looked_at_by_all_that_see_it() -> None:
    """The second camera lists nothing and sees an even mat: it speaks against a die, but may be hindered."""
    blank = np.full((480, 640, 3), 90, np.uint8)
    (alone,) = looked_at_closely([DiceLook(cutter(blank), [DieSeen((0.0, 0.0), 0.9, (1 / 6,) * 6)])], DIE_MM)
    (both,) = looked_at_closely(
        [DiceLook(cutter(blank), [DieSeen((0.0, 0.0), 0.9, (1 / 6,) * 6)]), DiceLook(cutter(blank), [])], DIE_MM
    )
    assert both.there < alone.there
    assert both.at_mm == (0.0, 0.0)


def test_a_camera_sees_what_lies_wholly_in_its_picture() -> None:
    eyes = cutter(np.zeros((480, 640, 3), np.uint8))
    assert eyes.holds((0.0, 0.0))
    edge = next(x for x in np.arange(0.0, 600.0, 1.0) if not eyes.holds((x, 0.0)))
    seen = MATRIX @ (ROTATION @ (np.array([edge, 0.0, DIE_MM]) - EYE))
    assert 0 < 640 - seen[0] / seen[2] < 2 * DIE_MM * MATRIX[0, 0] / np.linalg.norm(EYE)
    assert not eyes.holds((0.0, 3000.0))


def test_nothing_lies_on_the_empty_mat() -> None:
    seen = MatReader.open(OAK).read({"cam0": np.asarray(cv2.imread(str(OAK / "000.jpg")), np.uint8)})
    assert seen.pair is None
    assert all(die.there < 0.2 for die in seen.dice)


@pytest.mark.long
def test_most_pairs_of_the_mat_are_told() -> None:
    reader, told = MatReader.open(OAK), 0
    for truth in json.loads((OAK / "truth.json").read_text(encoding="utf-8"))["pictures"]:
        pair = reader.read({"cam0": np.asarray(cv2.imread(str(OAK / truth["file"])), np.uint8)}).pair
        assert pair is None or list(pair) == truth["dice"]
        told += pair is not None
    assert told >= 2


def test_a_die_is_told_though_its_middle_was_found_beside_it() -> None:
    """As with dice that touch: the first network may put a middle a fifth of a die off, which shows half a top."""
    reader = MatReader.open(OAK)
    truth = json.loads((OAK / "truth.json").read_text(encoding="utf-8"))["pictures"][0]
    picture = np.asarray(cv2.imread(str(OAK / truth["file"])), np.uint8)
    (view,), _ = reader.views({"cam0": picture})
    own = TopCutter(
        picture, view.lens.matrix, view.pose.rotation, view.pose.translation_mm, reader.die_mm, (110.0, -45.0)
    )
    for die in reader.read({"cam0": picture}).dice[:2]:
        beside = (die.at_mm[0] - 0.14 * reader.die_mm, die.at_mm[1] - 0.14 * reader.die_mm)
        (told,) = looked_at_closely([DiceLook(own, [DieSeen(beside, 0.7, (1 / 6,) * 6)])], reader.die_mm)
        assert told.face == die.face

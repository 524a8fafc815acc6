from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.lens import Lens
from referee.values.belief import BoardBelief, Prior
from referee.values.board import Board
from tests.scene import Scene, draw, lens, pose, table, view
from vision.geometry.view import View
from vision.heights import portrait
from vision.heights.pieces import FLAGS
from vision.heights.portrait import with_portraits
from vision.heights.upright import BELOW_PX, HEIGHT_PX, PX_PER_FIELD, WIDTH_PX, cut_upright, facing

MIDDLE = (WIDTH_PX - 1) / 2, HEIGHT_PX - BELOW_PX - 0.5


def spot(cut: np.ndarray) -> tuple[float, float]:
    """Return the middle (x, y) of what is bright in a cut-out."""
    weight = cut.astype(np.float64).sum(axis=2)
    ys, xs = np.mgrid[: cut.shape[0], : cut.shape[1]]
    return float((weight * xs).sum() / weight.sum()), float((weight * ys).sum() / weight.sum())


@given(st.floats(-180, 180), st.floats(300, 900), st.floats(0, 60), st.floats(0, 25))
def test_a_point_over_a_stack_appears_as_high_as_it_is_seen_upright(
    azimuth_deg: float, camera_mm: float, top_mm: float, over_mm: float
) -> None:
    at, known, pinhole = pose(azimuth_deg, camera_mm), table(), lens(distorted=False)
    pitch = known.pitch_mm[0]
    top = np.array([[*known.centre_mm(2, 3), top_mm]])
    point = top + np.array([0.0, 0.0, over_mm])
    picture = np.zeros((pinhole.size[1], pinhole.size[0], 3), np.uint8)
    x, y = at.project(point, pinhole)[0]
    if not (20 < x < pinhole.size[0] - 20 and 20 < y < pinhole.size[1] - 20):
        return
    cv2.circle(picture, (round(x * 16), round(y * 16)), 4 * 16, (255, 255, 255), -1, cv2.LINE_AA, 4)
    (cut,) = cut_upright(picture, pinhole.matrix, at.rotation, at.translation_mm, top, pitch)
    (across,), (up,) = facing(at.rotation, at.translation_mm, top)
    assert abs(across @ up) < 1e-9
    assert up[2] >= 0
    rise_px = float((point - top)[0] @ up) * PX_PER_FIELD / pitch
    # The point lies a little before the plane of the cut-out, towards the camera: by no more than a tenth here.
    assert spot(cut)[0] == pytest.approx(MIDDLE[0], abs=0.7)
    assert spot(cut)[1] == pytest.approx(MIDDLE[1] - rise_px, abs=0.7 + 0.1 * rise_px)


def looked_at(scene: Scene, azimuth_deg: float) -> View:
    at, pinhole = pose(azimuth_deg), lens(distorted=False)
    return View("left", draw(scene, at, pinhole), pinhole, at)


def belief_in(scene: Scene, flags: np.ndarray) -> BoardBelief:
    known = table()
    heights = np.full((known.rows, known.columns, 11), -20.0)
    heights[..., 0] = 0.0
    for place, stones in scene.heights.items():
        heights[place] = -20.0
        heights[(*place, stones)] = 0.0
    return BoardBelief(heights, flags, "rygb")


def test_a_portrait_settles_what_the_sweep_left_open() -> None:
    scene = Scene(heights={(2, 3): 2, (4, 1): 3}, flags={(4, 1): "red", (2, 3): "blue"})
    views = [looked_at(scene, azimuth) for azimuth in (-85.0, 20.0)]
    flags = np.zeros((6, 6, 5))
    flags[..., 0] = 9.0
    flags[4, 1], flags[2, 3], flags[1, 1] = 0.0, 0.0, 0.0
    said = with_portraits(belief_in(scene, flags), views, table(), None, FLAGS)
    assert FLAGS.letters[said.flags[4, 1].argmax() - 1] == "r"
    assert FLAGS.letters[said.flags[2, 3].argmax() - 1] == "b"
    assert said.flags[1, 1].argmax() == 0
    sure = flags[..., 0] > 0
    assert np.allclose(np.diff(said.flags[sure], axis=1), np.diff(flags[sure], axis=1))


def test_without_a_camera_and_without_a_question_the_belief_is_as_it_was() -> None:
    flags = np.zeros((6, 6, 5))
    belief = belief_in(Scene(), flags)
    assert with_portraits(belief, [], table(), None, FLAGS) is belief
    flags = flags.copy()
    flags[..., 0] = 9.0
    sure = belief_in(Scene(), flags)
    assert with_portraits(sure, [view(Scene())], table(), None, FLAGS) is sure


def test_what_plainly_stands_still_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene(heights={(2, 3): 2, (4, 1): 3}, flags={(4, 1): "red", (2, 3): "blue"})
    flags = np.zeros((6, 6, 5))
    flags[..., 0] = 9.0
    flags[4, 1] = flags[2, 3] = [0.0, 9.0, 0.0, 0.0, 0.0]  # both look red, but blue stood on the second
    asked: list[int] = []

    def score(_view: View, _table: object, _tops: np.ndarray, wanted: np.ndarray, _pieces: object) -> np.ndarray:
        asked.extend(np.flatnonzero(wanted))
        return np.zeros((int(wanted.sum()), 5))

    monkeypatch.setattr(portrait, "score_portraits", score)
    stood = np.zeros((6, 6), np.int8)
    stood[4, 1], stood[2, 3] = 1, 4
    belief = belief_in(scene, flags)
    board = Board(belief.likeliest.heights, stood, "rygb")
    with_portraits(belief, [view(scene)], table(), Prior(frozenset({1, 2, 3, 4}), 6, previous=board), FLAGS)
    assert asked == [2 * 6 + 3]
    with_portraits(belief, [view(scene)], table(), None, FLAGS)
    assert asked[1:] == [2 * 6 + 3, 4 * 6 + 1]


def test_a_stack_of_doubtful_height_is_looked_at_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene(heights={(2, 3): 2})
    belief = belief_in(scene, np.zeros((6, 6, 5)))
    heights = belief.heights.copy()
    heights[2, 3, 3] = -1.0
    asked: list[float] = []

    def score(_view: View, _table: object, tops: np.ndarray, wanted: np.ndarray, _pieces: object) -> np.ndarray:
        asked.extend(tops[wanted][:, 2])
        scores = np.zeros((int(wanted.sum()), 5))
        scores[np.isclose(tops[wanted][:, 2], 3 * table().cube_mm[2]), 1] = 9.0
        return scores

    monkeypatch.setattr(portrait, "score_portraits", score)
    said = with_portraits(BoardBelief(heights, belief.flags, "rygb"), [view(scene)], table(), None, FLAGS)
    assert len(asked) == 37
    one, other = np.exp(said.flags[2, 3] / portrait.PORTRAIT_SHARE)[[1, 2]]
    chance = 1 / (1 + np.e)
    assert one / other == pytest.approx((0.2 * (1 - chance) + chance) / (0.2 * (1 - chance)), rel=0.01)


def test_the_picture_of_a_lens_that_bends_is_straightened_first() -> None:
    scene = Scene(heights={(4, 1): 3}, flags={(4, 1): "red"})
    flags = np.zeros((6, 6, 5))
    bent: Lens = lens()
    shown = [View("left", draw(scene, at, bent), bent, at) for at in (pose(-85), pose(20))]
    said = with_portraits(belief_in(scene, flags), shown, table(), None, FLAGS)
    assert FLAGS.letters[said.flags[4, 1].argmax() - 1] == "r"


def test_a_picture_is_shown_to_the_network_again_only_where_another_stack_is_cut_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scene = Scene(heights={(2, 3): 2, (4, 1): 3}, flags={(4, 1): "red", (2, 3): "blue"})
    first, second = looked_at(scene, -85.0), looked_at(scene, 20.0)
    shown: list[str] = []

    def brightness(cuts: np.ndarray) -> float:
        shown.append("picture")
        return float(np.median(cuts))

    monkeypatch.setattr(portrait, "brightness_of", brightness)
    flags = np.zeros((6, 6, 5))
    flags[..., 0] = 9.0
    flags[4, 1] = flags[2, 3] = 0.0
    belief = belief_in(scene, flags)
    with_portraits(belief, [first], table(), None, FLAGS)
    both = with_portraits(belief, [first, second], table(), None, FLAGS)
    assert len(shown) == 2
    fresh = [looked_at(scene, -85.0), looked_at(scene, 20.0)]
    assert np.array_equal(both.flags, with_portraits(belief, fresh, table(), None, FLAGS).flags)
    assert len(shown) == 4
    higher = belief_in(scene.with_(heights={(2, 3): 3, (4, 1): 3}), flags)
    other = with_portraits(higher, [first], table(), None, FLAGS)
    assert len(shown) == 5
    assert not np.array_equal(other.flags, with_portraits(belief, [first], table(), None, FLAGS).flags)

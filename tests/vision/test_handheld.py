"""Several pictures by one camera in a hand: each has its own pose, poor ones are left out, all add up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from calibration.pose import Pose
from calibration.table import TableSetup
from referee.values.belief import BoardBelief
from tests.scene import SIZE, Scene, draw, lens, pose, table, view, write_table
from tests.vision.beliefs import belief
from vision import reader as module
from vision.geometry.view import View, camera_of, number_of, roaming_name, roams
from vision.heights import contradiction
from vision.heights.change import CameraLook, Look, comparable, unchanged
from vision.heights.contradiction import contradicting
from vision.heights.pieces import FLAGS
from vision.heights.portrait import with_portraits
from vision.heights.scorer import as_far_as_seen, least_trust, rectified, score_views, together
from vision.reader import TableReader

SCENE = Scene(heights={(2, 3): 2, (4, 1): 3}, flags={(4, 1): "red"}, stones={"nw": 1, "ne": 2, "se": 3, "sw": 4})
MOVED = SCENE.with_(heights={(2, 3): 1, (4, 1): 3, (0, 4): 2, (5, 5): 1}, flags={(4, 1): "red"})
AZIMUTHS_DEG = (-85.0, 20.0, 100.0, 170.0)
Picture = NDArray[np.uint8]


def around(scene: Scene = SCENE, first: int = 1) -> dict[str, Picture]:
    return {roaming_name("left", first + k): draw(scene, pose(at)) for k, at in enumerate(AZIMUTHS_DEG)}


@pytest.fixture(scope="module")
def walk() -> dict[str, Picture]:
    return around()


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TableReader:
    """Return a reader whose scorer knows the scene, and from ``left#5`` on the one in which stones were moved."""

    def score(look: Look, *_: object) -> dict[str, BoardBelief]:
        return {name: belief(SCENE if number_of(name) < 5 else MOVED) for name in look}

    monkeypatch.setattr(module, "score_views", score)
    return TableReader.open(write_table(tmp_path / "table"))


def test_pictures_are_named_after_their_camera_and_their_number() -> None:
    name = roaming_name("phone", 3)
    assert (camera_of(name), number_of(name), roams(name)) == ("phone", 3, True)
    assert (camera_of("cam0"), number_of("cam0"), roams("cam0")) == ("cam0", 0, False)


def test_pictures_are_compared_with_each_other_where_history_tells_few_levels() -> None:
    few = {name: rectified(view(SCENE, azimuth_deg=at), SETUP, 4) for name, at in zip(NAMES, (-85, 20), strict=False)}
    assert contradicting(few, {name: said([]) for name in few}, STANDING, SETUP) == ()


@pytest.mark.long
def test_each_picture_has_its_own_pose_and_all_add_up(reader: TableReader, walk: Mapping[str, Picture]) -> None:
    reading = reader.read(walk)
    assert reading.clear
    assert list(reading.cameras) == list(walk)
    assert all(view.markers == 8 for view in reading.cameras.values())
    centres = np.stack([one.centre_mm for one in reading.look.values()])
    assert np.linalg.norm(centres - centres[0], axis=1)[1:].min() > 200
    assert np.ptp(reading.belief.heights) == pytest.approx(4 * np.ptp(belief(SCENE).heights))
    assert reading.text == "000000/03r0000/000000/000200/000000/000000"


@pytest.mark.long
def test_a_picture_is_looked_at_once_however_often_the_look_goes_on(
    reader: TableReader, walk: Mapping[str, Picture], monkeypatch: pytest.MonkeyPatch
) -> None:
    swept: list[str] = []

    def counted(seen: View, setup: TableSetup, levels: int) -> CameraLook:
        swept.append(seen.camera)
        return rectified(seen, setup, levels)

    monkeypatch.setattr(module, "rectified", counted)
    names = list(walk)
    for count in range(1, len(names) + 1):
        reader.read({name: walk[name] for name in names[:count]})
    assert swept == names
    reader.read({name: picture.copy() for name, picture in walk.items()})
    assert swept == 2 * names


def blurred(picture: Picture) -> Picture:
    return np.asarray(cv2.filter2D(picture, -1, np.full((1, 7), 1 / 7, np.float32)), np.uint8)


def skewed(picture: Picture) -> Picture:
    """Return the picture of a phone that moved to and fro while its lines were read."""
    x, y = np.meshgrid(np.arange(SIZE[0], dtype=np.float32), np.arange(SIZE[1], dtype=np.float32))
    return np.asarray(cv2.remap(picture, x + 7 * np.sin(y / SIZE[1] * 2 * np.pi), y, cv2.INTER_LINEAR), np.uint8)


def grey(picture: Picture) -> Picture:
    return np.repeat(picture[..., 1:2], 3, axis=2)


def cut(picture: Picture) -> Picture:
    out = picture.copy()
    out[:, : SIZE[0] * 3 // 4] = 90
    return out


def an_arm(_: Picture) -> Picture:
    return draw(SCENE.with_(arm=(120, 150, 200)), pose(AZIMUTHS_DEG[1]))


@pytest.mark.long
@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (blurred, "left#2’s picture is blurred: hold the phone still for a moment"),
        (skewed, "left#2’s picture is skewed: the phone moved while it was taken"),
        (grey, "no colours"),
        (cut, "left#2 can’t see the frame"),
        (an_arm, "Something stands in the way in left#2’s picture"),
    ],
)
def test_a_poor_picture_is_left_out_with_its_reason(
    reader: TableReader, spoil: Callable[[Picture], Picture], why: str
) -> None:
    pictures = around()
    reading = reader.read(pictures | {"left#2": spoil(pictures["left#2"])})
    assert why in str(reading.cameras["left#2"].problem)
    assert reading.cameras["left#2"].reprojection_px is None
    assert reading.clear
    assert list(reading.look) == ["left#1", "left#3", "left#4"]


@pytest.mark.long
def test_a_hand_in_most_pictures_ends_the_look(reader: TableReader) -> None:
    reading = reader.read(around(SCENE.with_(arm=(120, 150, 200))))
    assert not reading.clear
    assert not reading.contradicted
    assert reading.blocked


@pytest.mark.long
def test_a_board_changed_between_pictures_ends_the_look(reader: TableReader, walk: Mapping[str, Picture]) -> None:
    reading = reader.read({**walk, **around(MOVED, first=5)})
    assert reading.contradicted
    assert not reading.clear
    assert {place.name for place in reading.contradicted} == {"D3", "E1", "F6"}
    assert {place.name for place in reading.blocked} >= {"D3", "E1", "F6"}


SETUP = table()
NAMES = [roaming_name("left", number) for number in range(1, 9)]
STANDING = np.zeros((6, 6), np.int64)
sayings = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 3), st.floats(0.0, 11.0)), max_size=6
)


@cache
def looked() -> Look:
    """Return what eight pictures show, each side twice."""
    return {
        name: rectified(view(SCENE, azimuth_deg=at), SETUP)
        for name, at in zip(NAMES, (*AZIMUTHS_DEG, *AZIMUTHS_DEG), strict=True)
    }


def said(what: list[tuple[int, int, int, float]]) -> BoardBelief:
    heights = np.zeros((6, 6, 11))
    for row, col, height, nats in what:
        heights[row, col, height] += nats
    return BoardBelief(heights, np.zeros((6, 6, 5)), "rygb")


@given(st.lists(sayings, min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_pictures_does_not_matter(each: list[list[tuple[int, int, int, float]]], rng: Random) -> None:
    names = NAMES[: len(each)]
    beliefs = dict(zip(names, map(said, each), strict=True))
    order = list(names)
    rng.shuffle(order)
    ahead, other = ({name: looked()[name] for name in some} for some in (names, order))
    found = [contradicting(look, beliefs, STANDING, SETUP) for look in (ahead, other)]
    assert set(found[0]) == set(found[1])
    sums = [together({name: beliefs[name] for name in look}, SETUP) for look in (ahead, other)]
    assert np.allclose(sums[0].heights[..., :11], sums[1].heights[..., :11])


@given(st.lists(sayings, min_size=1, max_size=7))
def test_a_picture_that_sees_nothing_changes_nothing(each: list[list[tuple[int, int, int, float]]]) -> None:
    names = NAMES[: len(each)]
    beliefs = dict(zip(names, map(said, each), strict=True))
    blind = NAMES[len(each)]
    more = {**beliefs, blind: said([])}
    assert np.array_equal(together(beliefs, SETUP).heights, together(more, SETUP).heights)
    without, beside = (
        contradicting({name: looked()[name] for name in some}, some, STANDING, SETUP) for some in (beliefs, more)
    )
    assert set(beside) <= set(without)  # one more way to part them: never surer for it


@pytest.mark.parametrize(
    ("nats", "fields", "changed"), [(11.0, 4, True), (11.0, 1, False), (4.0, 6, False), (9.0, 6, True)]
)
def test_what_one_field_says_alone_changes_no_board(nats: float, fields: int, changed: bool) -> None:
    before = said([(k, k, 0, nats) for k in range(fields)])
    after = said([(k, k, 2, nats) for k in range(fields)])
    look = {name: looked()[name] for name in NAMES[:2]}
    found = contradicting(look, dict(zip(look, (before, after), strict=True)), STANDING, SETUP)
    assert bool(found) is changed
    assert len(found) in (0, fields)


@pytest.mark.parametrize(("plain", "changed"), [(0, True), (2, False)])
def test_pictures_that_take_a_hidden_top_for_two_others_show_no_change(
    plain: int, changed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One stone lies on each field, as two pictures show; two more can't, and take it for seven and for nine."""
    stands, high, higher = (said([(k, k, height, 11.0) for k in range(4)]) for height in (1, 7, 9))
    each = dict(zip(NAMES, (high, higher, *[stands] * plain), strict=False))
    in_sight = np.ones((len(each), 6, 6, 11), np.bool_)
    in_sight[:2, ..., :5] = False
    monkeypatch.setattr(contradiction, "_tops", lambda *_: in_sight)
    assert bool(contradicting({name: looked()[name] for name in each}, each, STANDING, SETUP)) is changed


@pytest.mark.parametrize(("name", "says"), [("left#1", False), ("left", True)])
def test_a_picture_from_the_hand_says_nothing_of_what_a_tower_hides(name: str, says: bool) -> None:
    """A camera that stands still may guess at it: it has no other side to show."""
    standing = np.zeros((6, 6), np.intp)
    standing[1, 3] = 9
    heights, flags = np.zeros((6, 6, 11)), np.zeros((6, 6, 5))
    heights[..., 0], flags[..., 1] = 8.0, 8.0
    low = pose(-90, height_mm=250).centre_mm
    found = as_far_as_seen(low, SETUP, standing, heights, flags, least_trust(name))
    hidden, seen = (2, 3), (2, 0)
    assert np.ptp(found[0][hidden][:3]) == (pytest.approx(0.0) if not says else pytest.approx(0.8, abs=0.3))
    assert bool(np.ptp(found[1][hidden])) is says
    assert np.ptp(found[0][seen]) > 5
    assert np.ptp(found[1][seen]) > 5


def test_a_picture_says_nothing_of_fields_beyond_its_edge() -> None:
    at = pose(-85.0, 640, 360)
    shifted = Pose(at.rotation, at.translation_mm + np.array((-230, 0, 0)), at.markers, 0.0)
    shown = View("left#1", draw(SCENE, shifted), lens(), shifted)
    cut_off = rectified(shown, SETUP)
    whole = rectified(view(SCENE, azimuth_deg=-85.0), SETUP)
    assert whole.part is None
    assert cut_off.part is not None
    beyond = ~cut_off.part[..., 0]
    assert 0 < beyond.sum() < beyond.size
    said = score_views({"left#1": cut_off}, SETUP)["left#1"]
    assert np.ptp(said.heights, axis=2)[beyond].max() == 0
    assert np.ptp(said.flags, axis=2)[beyond].max() == 0
    assert np.ptp(said.heights, axis=2)[~beyond].max() > 3
    scene = BoardBelief(belief(SCENE).heights, np.zeros((6, 6, 5)), "rygb")
    with_pieces = with_portraits(scene, [shown], SETUP, None, FLAGS)
    assert np.ptp(with_pieces.flags, axis=2)[beyond].max() == pytest.approx(0)
    same = unchanged({"left#1": cut_off}, {"left#2": cut_off}, scene.likeliest, SETUP)
    assert (same.stacks[beyond] == 0).all()


def test_pictures_from_the_hand_are_compared_with_an_earlier_look_only_from_the_same_place() -> None:
    then, near, far = (rectified(view(SCENE, azimuth_deg=at), SETUP) for at in (-85.0, -84.5, -70.0))
    assert comparable({"left#1": then}, {"left#3": near, "left#1": far}) == {"left#3": "left#1"}
    assert comparable({"left": then}, {"left": far}) == {"left": "left"}
    assert comparable({"right#1": then}, {"left#1": near}) == {}

"""What is told of dice: pairs only where nothing is open, cameras added up, rolling dice told from still ones."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.ledger.dice import HIDDEN, OTHER_NUMBER, SLIP, DieSeen, joined, pair_of, places_of, still, thrown
from vision.ledger.plane import CELL_PX, DIE_PX, Area, folded, top_plane


def die(face: int, x: float = 0.0, y: float = 0.0, there: float = 0.99, sure: float = 0.98) -> DieSeen:
    rest = (1 - sure) / 5
    return DieSeen((x, y), there, tuple(sure if k == face else rest for k in range(1, 7)))


@pytest.mark.parametrize(
    ("dice", "pair"),
    [
        ([die(3, x=50.0), die(5)], (5, 3)),
        ([die(3), die(3, x=20.0)], (3, 3)),
        ([die(3)], None),
        ([], None),
        ([die(3), die(5, x=20.0), die(1, x=40.0)], None),
        ([die(3), die(5, x=20.0, sure=0.9)], (3, 5)),
        ([die(3), die(5, x=20.0, sure=0.8)], None),
        ([die(3), die(5, x=20.0, there=0.4)], (3, 5)),
        ([die(3), die(5, x=20.0, there=0.1)], None),
        ([die(3), die(5, x=20.0, there=0.05)], None),
        ([die(3), die(5, x=20.0), die(1, x=40.0, there=0.6)], (3, 5)),
        ([die(3), die(5, x=20.0), die(1, x=40.0, there=0.85)], None),
        ([die(3), die(5, x=20.0), die(1, x=40.0, there=0.95)], None),
        ([die(3), die(5, x=20.0, there=0.9), die(1, x=40.0, there=0.9)], None),
    ],
)
def test_a_pair_is_told_where_two_dice_are_by_far_the_likeliest(
    dice: list[DieSeen], pair: tuple[int, ...] | None
) -> None:
    """Two dice are thrown: a second place that may be one is one, a third is none, unless it surely is."""
    assert pair_of(dice) == pair


def by_hand(dice: list[DieSeen]) -> float:
    """Compute how likely the likeliest two places are the dice thrown, every number of dice written out."""
    ways = {}
    for chosen in product([False, True], repeat=len(dice)):
        chance = float(np.prod([d.there if on else 1 - d.there for d, on in zip(dice, chosen, strict=True)]))
        ways[chosen] = chance * (1.0 if sum(chosen) == 2 else OTHER_NUMBER)
    return max(way for chosen, way in ways.items() if sum(chosen) == 2) / sum(ways.values())


@given(st.lists(st.floats(0.01, 0.99), min_size=2, max_size=6))
def test_every_number_of_dice_is_weighed(there: list[float]) -> None:
    dice = [die(1, x=20.0 * k, there=chance, sure=1.0) for k, chance in enumerate(there)]
    assert thrown(dice)[1] == pytest.approx(by_hand(dice))


EVEN = (1 / 6,) * 6


def told(face: int, sure: float = 0.9) -> tuple[float, ...]:
    return tuple(sure if k == face else (1 - sure) / 5 for k in range(1, 7))


def odds_of(there: float) -> float:
    return float(np.log(there / (1 - there)))


@given(st.floats(-9, 9), st.integers(1, 6), st.floats(0.2, 1.0))
def test_one_camera_is_believed_but_for_slips(odds: float, face: int, sure: float) -> None:
    one = joined((3.0, 4.0), [odds], [told(face, sure)])
    assert one.at_mm == (3.0, 4.0)
    assert one.there == pytest.approx(1 / (1 + np.exp(-odds)))
    assert one.faces == pytest.approx([(1 - SLIP) * part + SLIP / 6 for part in told(face, sure)])


def written_out(odds: list[float], faces: list[tuple[float, ...]]) -> tuple[float, list[float]]:
    """Write out every way in which cameras see the top or don't, but that none does.

    Return how likely a die lies there, and the faces.
    """
    ways = np.zeros(6)
    nobody = HIDDEN ** len(odds)
    for seeing in product([False, True], repeat=len(odds)):
        if any(seeing):
            chance = np.ones(6)
            for sees, one, face in zip(seeing, odds, faces, strict=True):
                shown = (1 - SLIP) * np.array(face) + SLIP / 6
                chance = chance * ((1 - HIDDEN) * np.exp(one) * shown * 6 if sees else HIDDEN)
            ways += chance
    likely = float(ways.mean()) / (1 - nobody)
    return likely / (1 + likely), list(ways / ways.sum())


@given(st.lists(st.tuples(st.floats(-9, 9), st.integers(1, 6), st.floats(0.2, 1.0)), min_size=1, max_size=4))
def test_cameras_are_added_up_as_written_out(said: list[tuple[float, int, float]]) -> None:
    odds, faces = [one for one, _, _ in said], [told(face, sure) for _, face, sure in said]
    die = joined((0.0, 0.0), odds, faces)
    there, shown = written_out(odds, faces)
    assert die.there == pytest.approx(there)
    assert list(die.faces) == pytest.approx(shown)


def test_a_second_camera_settles_what_one_leaves_open() -> None:
    unsure = (0.0, 0.45, 0.0, 0.0, 0.55, 0.0)
    assert joined((0.0, 0.0), [odds_of(0.9)], [unsure]).face is None
    both = joined((0.0, 0.0), [odds_of(0.9)] * 2, [unsure, told(2)])
    assert both.face == 2
    assert both.there > 0.98


def test_cameras_that_contradict_each_other_leave_a_die_open() -> None:
    assert joined((0.0, 0.0), [5.0, 5.0], [told(2, 0.99), told(5, 0.99)]).face is None


def test_a_camera_that_cannot_see_a_die_does_not_take_it_away() -> None:
    """A hand or another die may stand before it; what it makes of the face then is nothing."""
    one = joined((0.0, 0.0), [8.0, -9.0], [told(4, 0.99), told(1, 0.99)])
    assert one.face == 4
    assert joined((0.0, 0.0), [2.0, -9.0, -9.0], [told(4), EVEN, EVEN]).there < 0.1


def test_touching_dice_stay_two() -> None:
    places = places_of([[die(2), die(5, x=16.0)], [die(5, x=16.5), die(2, x=0.5)]], 16.0)
    assert [[one and one.at_mm[0] for one in place] for place in places] == [[0.0, 0.5], [16.0, 16.5]]


def test_a_place_knows_which_cameras_list_it() -> None:
    places = places_of([[], [die(2)], [die(3, x=40.0), die(2, x=1.0)]], 16.0)
    assert [[one is not None for one in place] for place in places] == [[False, True, True], [False, False, True]]


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(-5, 5)), max_size=4, unique_by=lambda one: one[1]))
def test_dice_that_stay_are_still(lying: list[tuple[int, int]]) -> None:
    dice = [die(face, x=30.0 * x) for face, x in lying]
    assert still(dice, dice[::-1], 16.0)
    if dice:
        assert not still(dice, dice[1:], 16.0)
        assert not still(dice, [die(lying[0][0], x=30.0 * lying[0][1] + 4.0), *dice[1:]], 16.0)
        assert not still(dice, [die(lying[0][0] % 6 + 1, x=30.0 * lying[0][1]), *dice[1:]], 16.0)


ROTATION = np.array([[1.0, 0, 0], [0, -np.cos(0.5), -np.sin(0.5)], [0, np.sin(0.5), -np.cos(0.5)]])
EYE = np.array([30.0, -350.0, 600.0])
MATRIX = np.array([[900.0, 0, 320], [0, 900.0, 240], [0, 0, 1]])


@pytest.mark.parametrize(("turn", "mirror"), [(None, False), (0.3, False), (-2.0, True)])
def test_a_mark_on_the_plane_of_tops_is_found_where_it_is(turn: float | None, mirror: bool) -> None:
    picture = np.zeros((480, 640, 3), np.uint8)
    spot = np.array([40.0, -25.0, 16.0])
    seen = MATRIX @ (ROTATION @ (spot - EYE))
    u, v = seen[:2] / seen[2]
    picture[round(float(v)), round(float(u))] = 255
    plane = top_plane(picture, MATRIX, ROTATION, -ROTATION @ EYE, Area((-60, -60), (60, 60)), 16.0, turn, mirror)
    rows, cols = np.nonzero(plane.picture[..., 0])
    light = plane.picture[rows, cols, 0].astype(float)
    middle = np.array([[(cols * light).sum(), (rows * light).sum()]]) / light.sum()
    assert np.allclose(plane.places_mm(middle)[0], spot[:2], atol=0.8)
    assert all(side % (2 * CELL_PX) == 0 for side in plane.picture.shape[:2])
    assert folded(plane).shape == (14, plane.picture.shape[0] // 2, plane.picture.shape[1] // 2)


def test_the_camera_stands_below_and_a_dies_foot_towards_it() -> None:
    plane = top_plane(
        np.full((480, 640, 3), 90, np.uint8), MATRIX, ROTATION, -ROTATION @ EYE, Area((-60, -60), (60, 60)), 16.0
    )
    across, down = plane.slope.mean(axis=(1, 2))
    assert abs(across) < 0.01
    assert down == pytest.approx(np.hypot(30, 350) / (600 - 16), rel=0.02)
    scale = np.linalg.norm(plane.to_mm[:2, 0])
    assert scale == pytest.approx(16.0 / DIE_PX)

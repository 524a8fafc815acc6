"""What is told of dice: pairs only where nothing is open, cameras added up, rolling dice told from still ones."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.ledger.dice import OTHER_NUMBER, DieSeen, pair_of, still, thrown, together
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
        ([die(3), die(5, x=20.0, sure=0.8)], None),
        ([die(3), die(5, x=20.0, there=0.6)], (3, 5)),
        ([die(3), die(5, x=20.0, there=0.4)], None),
        ([die(3), die(5, x=20.0, there=0.05)], None),
        ([die(3), die(5, x=20.0), die(1, x=40.0, there=0.4)], (3, 5)),
        ([die(3), die(5, x=20.0), die(1, x=40.0, there=0.6)], None),
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
    """How likely the likeliest two places are the dice thrown, every number of dice written out."""
    ways = {}
    for chosen in product([False, True], repeat=len(dice)):
        chance = float(np.prod([d.there if on else 1 - d.there for d, on in zip(dice, chosen, strict=True)]))
        ways[chosen] = chance * (1.0 if sum(chosen) == 2 else OTHER_NUMBER)
    return max(way for chosen, way in ways.items() if sum(chosen) == 2) / sum(ways.values())


@given(st.lists(st.floats(0.01, 0.99), min_size=2, max_size=6))
def test_every_number_of_dice_is_weighed(there: list[float]) -> None:
    dice = [die(1, x=20.0 * k, there=chance, sure=1.0) for k, chance in enumerate(there)]
    assert thrown(dice)[1] == pytest.approx(by_hand(dice))


def test_a_second_camera_settles_what_one_leaves_open() -> None:
    unsure = DieSeen((0.0, 0.0), 0.9, (0.0, 0.45, 0.0, 0.0, 0.55, 0.0))
    other = DieSeen((1.5, 0.0), 0.9, (0.02, 0.9, 0.02, 0.02, 0.02, 0.02))
    assert unsure.face is None
    (both,) = together([[unsure], [other]], 16.0)
    assert both.face == 2
    assert both.there == pytest.approx(0.99)


def test_cameras_that_contradict_each_other_leave_a_die_open() -> None:
    (both,) = together([[die(2)], [die(5)]], 16.0)
    assert both.face is None


def test_touching_dice_stay_two() -> None:
    assert len(together([[die(2), die(5, x=16.0)], [die(2, x=0.5), die(5, x=16.5)]], 16.0)) == 2


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

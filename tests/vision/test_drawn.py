"""Stacks in doubt are drawn as pictures would show them: the height that stands there fits best."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.table import TableSetup
from referee.values.belief import BoardBelief
from tests.scene import Scene, draw, lens, pose, table
from tests.vision.beliefs import belief
from vision.geometry.view import View
from vision.heights import drawn
from vision.heights.pieces import FLAGS, Pieces

TABLE: TableSetup = table()
STANDING = {(r, c): 1 + (r + 2 * c) % 3 for r in range(6) for c in range(6) if (r * 5 + c * 3) % 4}
SCENE = Scene(heights=STANDING)
CASTLES = Pieces("wk", (0, 7, 9))


@pytest.fixture(scope="module")
def views() -> list[View]:
    return [
        View(f"phone#{k}", draw(SCENE, pose(side)), lens(), pose(side)) for k, side in enumerate((-85, 20, 130), 1)
    ]


def wavering(places: dict[tuple[int, int], tuple[int, int]]) -> BoardBelief:
    """Return a belief that is sure of the scene but for fields at which two heights are as likely."""
    sure = belief(SCENE)
    heights = sure.heights.copy()
    for place, pair in places.items():
        heights[place] = np.where(np.isin(np.arange(11), pair), 0.0, -8.0)
    return BoardBelief(heights, sure.flags, sure.letters)


@pytest.mark.parametrize(
    ("place", "other"), [((1, 1), 1), ((1, 1), -1), ((2, 3), 1), ((3, 3), 1), ((4, 2), 1), ((4, 2), -1)]
)
def test_the_height_that_stands_there_is_drawn_best(views: list[View], place: tuple[int, int], other: int) -> None:
    true = STANDING.get(place, 0)
    doubt = wavering({place: (true, true + other)})
    told = drawn.with_drawn(doubt, views, TABLE, None, FLAGS)
    assert told.heights[(*place, true)] - told.heights[(*place, true + other)] > 1.0
    rest = np.ones((6, 6), np.bool_)
    rest[place] = False
    assert np.array_equal(told.heights[rest], doubt.heights[rest])


def test_no_picture_says_more_than_is_allowed(views: list[View]) -> None:
    doubt = wavering({(2, 3): (STANDING.get((2, 3), 0), STANDING.get((2, 3), 0) + 1)})
    one = drawn.with_drawn(doubt, views[:1], TABLE, None, FLAGS)
    assert np.ptp((one.heights - doubt.heights)[2, 3]) <= 2 * drawn.MOST_NATS


def test_what_is_sure_is_not_drawn(views: list[View]) -> None:
    sure = belief(SCENE)
    assert np.array_equal(drawn.with_drawn(sure, views, TABLE, None, FLAGS).heights, sure.heights)


def test_castles_are_told_by_the_networks_alone(views: list[View]) -> None:
    doubt = wavering({(2, 3): (1, 2)})
    assert drawn.with_drawn(doubt, views, TABLE, None, CASTLES) is doubt


def test_a_picture_that_cuts_a_stack_off_says_nothing_of_it(views: list[View]) -> None:
    """Seen from so near, the picture's edge runs through the board."""
    near = pose(-85, height_mm=250, distance_mm=60)
    view = View("phone#1", draw(SCENE, near), lens(), near)
    doubt = wavering({(row, col): (1, 2) for row in range(6) for col in range(6)})
    part = drawn.part_of(view, TABLE)
    assert part is not None
    told = drawn.with_drawn(doubt, [view], TABLE, None, FLAGS)
    cut = ~part[..., :3].all(axis=2)
    assert cut.any()
    assert np.array_equal(told.heights[cut], doubt.heights[cut])

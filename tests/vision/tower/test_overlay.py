"""What was told of a tower is drawn where it stands, as sure as it is; nearer bars hide farther ones."""

from __future__ import annotations

import numpy as np
import pytest

from referee.values.tower import TowerTold
from tests.vision.tower import scene
from vision.explain import DOUBTFUL, OPEN, PLAIN
from vision.tower.overlay import tower_overlay

TOWER = ".ew..SEWN"
SIDES = frozenset({"south"})


def colours(plain: str, surest: str, turned: float = 3) -> dict[tuple[int, ...], int]:
    """How many pixels bear each line's colour."""
    (view,) = scene.views(TOWER, (turned,))
    drawn = tower_overlay(view, scene.table(), TowerTold(plain, surest, SIDES))
    return {colour: int((drawn == colour).all(axis=2).sum()) for colour in (PLAIN, DOUBTFUL, OPEN)}


@pytest.mark.parametrize(
    ("plain", "surest", "there"),
    [
        (TOWER, TOWER, {PLAIN}),
        (TOWER, ".ew..S??N", {PLAIN, DOUBTFUL}),
        (".ew..S??N", ".ew..S??N", {PLAIN, OPEN}),
        ("", "", set()),
    ],
)
def test_lines_are_as_sure_as_what_was_told(plain: str, surest: str, there: set[tuple[int, ...]]) -> None:
    found = colours(plain, surest)
    assert {colour for colour, count in found.items() if count > 20} == there


def test_what_stands_behind_is_hidden() -> None:
    """Rows of a text go from north to south, and the camera stands in the south."""
    wall = "/".join(["......ew."] * 4)
    doubted = wall.replace("......ew.", "ew....ew.")
    seen_from_south = colours(doubted, wall.replace("......ew.", "??....ew."))
    seen_from_north = colours(doubted, wall.replace("......ew.", "??....ew."), turned=183)
    assert seen_from_south[DOUBTFUL] < seen_from_north[DOUBTFUL] / 2


def test_the_picture_stays_as_it_is_beside_the_tower() -> None:
    (view,) = scene.views(TOWER, (3,))
    before = view.picture_bgr.copy()
    drawn = tower_overlay(view, scene.table(), TowerTold("", "", SIDES))
    assert np.array_equal(view.picture_bgr, before), "what was taken is not written on"
    assert drawn.shape[0] <= before.shape[0]

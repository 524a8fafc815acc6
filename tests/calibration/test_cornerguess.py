"""Corners that are guessed in a picture of which nothing is known."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.cornerguess import guessed_corners
from tests.web.barewalk import LARGE, SIDES_DEG, BareWalk, straighten
from tests.web.inhand import boards


def test_corners_of_a_board_on_planks_are_guessed_to_a_hundredth(monkeypatch: pytest.MonkeyPatch) -> None:
    straighten(monkeypatch)
    walk, start = BareWalk(), boards(1).start
    for side in SIDES_DEG[:2]:
        true = np.array(list(walk.corners(side).values())) / LARGE[0] * 1280
        found = guessed_corners(walk.picture(start, side))
        assert found is not None
        off = np.linalg.norm(true[:, None] - found[None], axis=-1).min(axis=1)
        assert off.max() < 0.01 * 1280


def test_nothing_is_guessed_where_there_is_nothing() -> None:
    assert guessed_corners(np.full((720, 960, 3), 140, np.uint8)) is None

"""What a camera can see of a field, against towers whose shadows anybody can work out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from calibration.table import TableSetup, load_table
from referee.demo.recording import BUNDLED
from vision.geometry.visibility import seen_share, tops_seen

TABLE: TableSetup = load_table(BUNDLED)
STONE = TABLE.cube_mm[2]
LEVELS = np.arange(11) * STONE


def low_camera_in_the_south(elevation_deg: float = 40.0, distance_mm: float = 900.0) -> NDArray[np.float64]:
    angle = np.deg2rad(elevation_deg)
    return np.array([0.0, -np.cos(angle) * distance_mm, np.sin(angle) * distance_mm])


def flat() -> NDArray[np.int8]:
    return np.zeros((TABLE.rows, TABLE.columns), np.int8)


def test_on_a_bare_board_everything_is_seen() -> None:
    assert (seen_share(low_camera_in_the_south(), flat(), LEVELS, TABLE) == 1.0).all()


def test_a_tower_hides_the_fields_behind_it_and_no_others() -> None:
    heights = flat()
    heights[2, 4] = 5
    share = seen_share(low_camera_in_the_south(), heights, LEVELS, TABLE)
    # 5 stones of 20 mm throw a shadow of 100 / tan(40 degrees) = 119 mm, five fields of 22 mm.
    assert share[3, 4, 0] < 0.3
    assert share[4, 4, 0] < 0.3
    assert share[9, 4, 0] == 1.0
    assert (share[:, :3] == 1.0).all()
    assert (share[:2] == 1.0).all()
    assert (share[2] == 1.0).all()


def test_a_stack_as_high_as_the_one_before_it_is_seen() -> None:
    heights = flat()
    heights[2, 4] = heights[3, 4] = 5
    share = seen_share(low_camera_in_the_south(), heights, LEVELS, TABLE)
    assert share[3, 4, 5] > 0.8
    assert share[3, 4, 2] < 0.4


@given(st.integers(0, 2**32 - 1), st.floats(-np.pi, np.pi), st.floats(0.5, 1.5))
@settings(max_examples=15)
def test_higher_is_never_seen_less(seed: int, azimuth: float, elevation: float) -> None:
    heights = np.random.default_rng(seed).integers(0, 7, (TABLE.rows, TABLE.columns)).astype(np.int8)
    centre = 900.0 * np.array(
        [np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)]
    )
    share = seen_share(centre, heights, np.array([0.0, 3.0, 12.0]) * STONE, TABLE)
    assert share.min() >= 0.0
    assert share[..., 2] == pytest.approx(1.0)
    assert (share[..., 1] >= share[..., 0] - 0.21).all()  # a spot of five may slip behind an edge


def test_a_piece_hides_what_is_behind_it_as_far_as_it_stands() -> None:
    standing = flat() > 0
    standing[4, 4] = True
    centre = low_camera_in_the_south()
    alone, behind = (tops_seen(centre, flat(), TABLE, standing=pieces) for pieces in (None, standing))
    assert (alone == 1.0).all()
    assert behind[5, 4] < 1.0
    assert (behind[:5] == 1.0).all()
    assert (behind[:, :4] == 1.0).all()
    assert (tops_seen(centre, flat(), TABLE, TABLE.flag.tallest_mm, standing=standing) == 1.0).all()

"""How well fields are seen, against geometry that can be worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.lens import Lens
from calibration.table import TableSetup, load_table
from referee.demo.recording import BUNDLED
from vision.assessment.legibility import Eye, legibility, played_boards, px_per_level
from vision.assessment.vantage import best_vantage, looking_at_the_middle
from vision.geometry.visibility import seen_share, tops_seen

TABLE: TableSetup = load_table(BUNDLED)
LENS = Lens((1280, 960), np.array([[1500.0, 0, 639.5], [0, 1500, 479.5], [0, 0, 1]]), np.zeros(5), 0.1)
SETUP = np.ones((TABLE.rows, TABLE.columns), np.int8)
SETUP[3:7, 3:7] = 2


def eye(azimuth_deg: float, elevation_deg: float, distance_mm: float = 850.0) -> Eye:
    return Eye(LENS, looking_at_the_middle(azimuth_deg, elevation_deg, distance_mm))


@given(seed=st.integers(0, 10_000), azimuth=st.floats(0, 360), elevation=st.floats(30, 85))
@settings(max_examples=25)
def test_tops_are_the_level_that_stands(seed: int, azimuth: float, elevation: float) -> None:
    heights = np.random.default_rng(seed).integers(0, 6, SETUP.shape).astype(np.int8)
    centre = looking_at_the_middle(azimuth, elevation, 850.0).centre_mm
    every = seen_share(centre, heights, np.arange(7) * TABLE.cube_mm[2], TABLE)
    own = np.take_along_axis(every, heights[..., None].astype(np.intp), axis=2)[..., 0]
    assert tops_seen(centre, heights, TABLE) == pytest.approx(own)
    some = heights % 2 == 0
    assert tops_seen(centre, heights, TABLE, wanted=some) == pytest.approx(np.where(some, own, 0.0))


def test_pixels_a_level_are_the_stone_seen_from_the_side() -> None:
    """In the middle a stone of 20 mm seen 60 degrees from the table is 10 mm long across the line of sight."""
    expected = 1500.0 * TABLE.cube_mm[2] * np.cos(np.radians(60.0)) / 850.0
    middle = px_per_level(eye(-90.0, 60.0), TABLE, SETUP * 0)[4:6, 4:6]
    assert middle == pytest.approx(np.full((2, 2), expected), rel=0.06)


def test_from_straight_above_heights_are_hard_to_tell() -> None:
    above, aslant = (legibility([eye(-90.0, degrees)], TABLE, SETUP) for degrees in (88.0, 60.0))
    assert above.best_px.min() < 1.5
    assert aslant.best_px.min() > 10
    # The fields right below it count as not seen, though nothing stands in the way.
    assert above.hidden[4:6, 4:6].mean() > 0.9


def test_fields_outside_the_picture_are_not_seen() -> None:
    near = legibility([eye(-90.0, 60.0, 250.0)], TABLE, SETUP)
    assert np.isnan(near.px_per_level).any()
    assert near.hidden[np.isnan(near.px_per_level[0])].min() == 1


@pytest.mark.long
def test_a_second_camera_helps_and_the_best_place_is_not_behind_the_first() -> None:
    first = eye(-90.0, 55.0)
    alone, both = legibility([first], TABLE, SETUP), legibility([first, eye(30.0, 55.0)], TABLE, SETUP)
    assert both.fields_hidden < 0.6 * alone.fields_hidden
    assert (both.hidden <= alone.hidden + 1e-9).all()
    place = best_vantage([first], TABLE, SETUP)
    assert place is not None
    turned = abs((place.azimuth_deg + 90.0 + 180.0) % 360.0 - 180.0)
    assert turned >= 45
    assert place.after < 0.5 * place.before
    # It stands where the whole frame is in the picture, and hardly farther.
    corners = np.concatenate(list(TABLE.markers.values()))
    pose = looking_at_the_middle(place.azimuth_deg, place.elevation_deg, place.distance_mm)
    seen = pose.project(corners, LENS)
    assert ((seen > 0) & (seen < np.array(LENS.size))).all()
    nearer = looking_at_the_middle(place.azimuth_deg, place.elevation_deg, 0.9 * place.distance_mm)
    seen = nearer.project(corners, LENS)
    border = 0.04 * np.array(LENS.size)
    assert not ((seen > border) & (seen < np.array(LENS.size) - border)).all()


def test_without_a_camera_there_is_no_advice() -> None:
    assert best_vantage([], TABLE, SETUP) is None


def test_played_boards_keep_every_stone() -> None:
    boards = played_boards(SETUP)
    assert (boards.sum(axis=(1, 2)) == SETUP.sum()).all()
    assert boards.min() == 0
    assert boards.max() >= 4
    assert (played_boards(SETUP) == boards).all()
    assert (boards[-1] != SETUP).mean() > (boards[0] != SETUP).mean()

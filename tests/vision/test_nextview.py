"""Which side to look from next: what is chosen follows the board, is new, and shows what was hidden."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.values.belief import BoardBelief
from referee.values.board import Field
from tests.scene import table
from vision.geometry.sightlines import sightlines
from vision.geometry.visibility import tops_seen
from vision.nextview import STEEPEST_DEG, NextView, next_view, place_at, place_near, side_of

SIZE, LEVELS, FAR_MM = 6, 8, 560.0
TABLE: TableSetup = table()
BOARDS = st.lists(st.integers(0, 5), min_size=SIZE * SIZE, max_size=SIZE * SIZE).map(
    lambda flat: np.array(flat, np.int8).reshape(SIZE, SIZE)
)
PLACES = st.builds(Field, st.integers(0, SIZE - 1), st.integers(0, SIZE - 1))
SIDES = st.tuples(st.integers(0, 23).map(lambda n: 15 * n), st.sampled_from((35, 45, 55)))


def seen(heights: NDArray[np.int8], in_doubt: list[Field]) -> BoardBelief:
    """Return a belief from pictures that tell every field but those in doubt."""
    scores = np.where(np.arange(LEVELS) == heights[..., None], 0.0, -12.0)
    flags = np.full((SIZE, SIZE, 3), -12.0)
    flags[..., 0] = 0.0
    for place in in_doubt:
        flags[place.row, place.col] = 0.0
        scores[place.row, place.col] = np.where(
            np.abs(np.arange(LEVELS) - heights[place.row, place.col]) <= 1, 0, -12
        )
    return BoardBelief(scores, flags, "ab")


def asked(heights: NDArray[np.int8], in_doubt: list[Field], *sides: tuple[int, int]) -> NextView | None:
    belief = seen(heights, in_doubt)
    return next_view(belief, belief, in_doubt, [place_at(*side, FAR_MM) for side in sides], TABLE)


def share(heights: NDArray[np.int8], place: Field, azimuth_deg: float, elevation_deg: float) -> float:
    """Return how much of a field's top face is in sight, by the test that the reader uses."""
    return float(tops_seen(place_at(azimuth_deg, elevation_deg, FAR_MM), heights, TABLE)[place.row, place.col])


def plain(tower: Field, high: int = 5) -> NDArray[np.int8]:
    heights = np.ones((SIZE, SIZE), np.int8)
    heights[tower.row, tower.col] = high
    return heights


def test_sides_are_counted_as_the_formats_say() -> None:
    """Azimuth 0 is the side of row 1, 90 that of the last column."""
    for azimuth, (row, col) in ((0, (0, 2)), (90, (2, SIZE - 1)), (180, (SIZE - 1, 2)), (270, (2, 0))):
        towards = np.array(TABLE.centre_mm(row, col))
        place = place_at(azimuth, 40, FAR_MM)
        axis = int(np.argmax(np.abs(towards)))
        assert np.sign(place[axis]) == np.sign(towards[axis])
        assert abs(place[1 - axis]) < 1e-6
        assert side_of(place) == pytest.approx((azimuth, 40))


@pytest.mark.parametrize(("last", "hidden"), [(0, (3, 2)), (90, (2, 1)), (180, (1, 2)), (270, (2, 3))])
def test_the_tower_in_the_way_is_named(last: int, hidden: tuple[int, int]) -> None:
    tower, place = Field(2, 2), Field(*hidden)
    found = asked(plain(tower), [place], (last, 40))
    assert found is not None
    assert found.fields == (place,)
    assert found.hidden_by == ((place, tower),)
    assert share(plain(tower), place, last, 40) < 0.5
    assert share(plain(tower), place, found.azimuth_deg, found.elevation_deg) >= 0.8


@pytest.mark.long
@settings(max_examples=settings().max_examples // 3)
@given(BOARDS, PLACES, SIDES)
def test_what_a_tower_hides_is_seen_from_the_chosen_side(
    heights: NDArray[np.int8], place: Field, last: tuple[int, int]
) -> None:
    found = asked(heights, [place], last)
    best = max(
        share(heights, place, azimuth, elevation) for azimuth in range(0, 360, 15) for elevation in (35, 45, 55, 65)
    )
    if found is None:
        assert best <= share(heights, place, *last) + 0.4
        return
    assert found.fields == (place,)
    # A field deep between towers may be in sight from nowhere; then the piece on it may be.
    assert share(heights, place, found.azimuth_deg, found.elevation_deg) >= min(best, 0.8) - 0.41


@settings(max_examples=settings().max_examples // 3)
@given(BOARDS, st.lists(PLACES, min_size=1, max_size=6, unique=True), SIDES, st.integers(1, 3))
def test_turning_board_and_views_turns_the_answer(
    heights: NDArray[np.int8], in_doubt: list[Field], last: tuple[int, int], quarters: int
) -> None:
    found = asked(heights, in_doubt, last)
    # np.rot90 turns what is printed with row 0 on top, that is the other way round.
    turned = np.ascontiguousarray(np.rot90(heights, -quarters))
    where = np.arange(SIZE * SIZE).reshape(SIZE, SIZE)
    moved = {int(old): Field(*divmod(k, SIZE)) for k, old in enumerate(np.rot90(where, -quarters).reshape(-1))}
    other = asked(
        turned, [moved[one.row * SIZE + one.col] for one in in_doubt], ((last[0] + 90 * quarters) % 360, last[1])
    )
    if found is None or other is None:
        assert found is other
        return
    assert other.gain_nats == pytest.approx(found.gain_nats, abs=1e-4)
    assert (other.azimuth_deg, other.elevation_deg) == (
        (found.azimuth_deg + 90 * quarters) % 360,
        found.elevation_deg,
    )
    assert {moved[one.row * SIZE + one.col] for one in found.fields} == set(other.fields)


@pytest.mark.long
@settings(max_examples=settings().max_examples // 3)
@given(BOARDS, st.lists(PLACES, min_size=1, max_size=6, unique=True), SIDES)
def test_a_side_once_taken_is_not_chosen_again(
    heights: NDArray[np.int8], in_doubt: list[Field], first: tuple[int, int]
) -> None:
    taken, gains = [first], []
    while (found := asked(heights, in_doubt, *taken)) is not None:
        side = found.azimuth_deg, found.elevation_deg
        assert side not in taken
        taken.append(side)
        gains.append(found.gain_nats)
        assert len(taken) < 24, "a look ends"


@pytest.mark.parametrize("pit", [Field(2, 2), Field(4, 1), Field(1, 4)])
def test_a_pit_is_looked_down_into_from_near_and_once(pit: Field) -> None:
    heights = np.full((SIZE, SIZE), 7, np.int8)
    heights[pit.row, pit.col] = 0
    belief, first = seen(heights, [pit]), place_at(0, 50, FAR_MM)
    found = next_view(belief, belief, [pit], [first], TABLE)
    assert found is not None
    assert (found.towards, found.fields) == (pit, (pit,))
    assert found.distance_mm is not None
    assert found.elevation_deg <= STEEPEST_DEG
    field = TABLE.centre_mm(pit.row, pit.col)
    there = place_near(found.azimuth_deg, found.elevation_deg, found.distance_mm, field)
    assert np.linalg.norm(there - (*field, 0.0)) == pytest.approx(found.distance_mm)
    assert tops_seen(there, heights, TABLE)[pit.row, pit.col] > tops_seen(first, heights, TABLE)[pit.row, pit.col]
    again = next_view(belief, belief, [pit], [first, there], TABLE)
    assert again is None or again.gain_nats < found.gain_nats / 2
    assert next_view(belief, belief, [], [first], TABLE) is None


def test_what_other_places_show_well_is_not_looked_into_from_near() -> None:
    for hidden in (Field(3, 2), Field(1, 2), Field(2, 1)):
        found = asked(plain(Field(2, 2)), [hidden], (0, 40))
        assert found is None or found.towards is None


def test_of_sides_about_as_good_the_nearer_one_is_taken() -> None:
    """A tower hides what stands behind it from one side only: a few steps suffice."""
    for last in (0, 90, 180, 270):
        place = {0: Field(3, 2), 90: Field(2, 1), 180: Field(1, 2), 270: Field(2, 3)}[last]
        found = asked(plain(Field(2, 2)), [place], (last, 45))
        assert found is not None
        assert abs((found.azimuth_deg - last + 180) % 360 - 180) <= 75


def test_without_earlier_views_the_tower_does_not_hide_the_field() -> None:
    found = asked(plain(Field(2, 2)), [Field(3, 2)])
    assert found is not None
    assert found.hidden_by == ()
    assert share(plain(Field(2, 2)), Field(3, 2), found.azimuth_deg, found.elevation_deg) >= 0.8


def test_chances_on_a_known_board_agree_with_the_reader_s_test() -> None:
    rng = np.random.default_rng(38)
    fields = [Field(row, col) for row in range(SIZE) for col in range(SIZE)]
    differences = []
    for _ in range(30):
        heights = rng.integers(0, rng.integers(2, 7), (SIZE, SIZE)).astype(np.int8)
        place = place_at(int(rng.integers(360)), int(rng.integers(35, 66)), FAR_MM)
        chances = (np.arange(LEVELS) == heights[..., None]).astype(np.float64)
        found = sightlines(place[None], fields, chances, TABLE).tops.mean(axis=-1).reshape(SIZE, SIZE)
        differences.append(found - tops_seen(place, heights, TABLE))
    # The reader checks points a fifth of a field apart, so it lets some lines pass the edge of a stack.
    assert np.mean(np.abs(differences)) < 0.05
    assert np.max(np.abs(differences)) < 0.65


def test_of_sides_about_as_good_the_one_is_taken_that_shows_what_the_next_turn_starts_from() -> None:
    """The tower on C3 hides C4 as well from the left as from the right; one more hides what is open besides."""
    for beside, tower in ((0, 1), (5, 4)):
        heights = plain(Field(2, 2))
        heights[1:4, tower] = 5
        doubt, later = Field(3, 2), Field(2, beside)
        alone = asked(heights, [doubt], (0, 45))
        belief = seen(heights, [doubt, later])
        found = next_view(belief, belief, [doubt], [place_at(0, 45, FAR_MM)], TABLE)
        assert alone is not None
        assert found is not None
        assert found.fields == alone.fields == (doubt,)
        shown = [share(heights, later, one.azimuth_deg, one.elevation_deg) for one in (alone, found)]
        assert shown[1] >= 0.6
        assert shown[1] >= shown[0]

"""Cells, bars and tower texts: they go round, and what is none is refused with what to do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.contract import RequestError
from referee.games.turris.bars import BarColour, parse_place, place_of, places_up_to
from referee.games.turris.cells import (
    cell_name,
    cells_in,
    column_of,
    footprint,
    is_centre,
    level_of,
    levels_hold,
    lowest_open,
    parse_cell,
    row_of,
    spans,
)
from referee.games.turris.completions import parse_reading
from referee.games.turris.tower import NO_TOWER, parse_tower, place_through, text_of, tower_of
from tests.games.turris.positions import built
from tests.games.turris.reference import bar_cells, tower_set
from tests.games.turris.reference import text_of as slow_text
from tests.games.turris.towers import shows, some_tower

EXAMPLE = "......EWu/........d"


@given(cell=st.integers(0, 9 * 99 - 1))
def test_cells_go_round(cell: int) -> None:
    assert parse_cell(cell_name(cell)) == cell
    assert cell == 9 * (level_of(cell) - 1) + 3 * row_of(cell) + column_of(cell)
    assert is_centre(cell) is cell_name(cell).startswith("b2.")


@pytest.mark.parametrize(
    "text", ["d1.1", "a4.1", "a0.1", "a1.0", "a1.01", "a1.100", "A1.1", "a1", "", 5, None, ["a1.1"]]
)
def test_what_is_no_cell_is_refused(text: object) -> None:
    with pytest.raises(RequestError, match=r"no cell.*b2\.4") as caught:
        parse_cell(text)
    assert caught.value.code == "cell"


@pytest.mark.parametrize("place", places_up_to(3), ids=str)
def test_places_go_round_and_lie_as_the_reference_has_them(place: object) -> None:
    assert parse_place(str(place)) == place
    found = parse_place(str(place))
    cells = bar_cells(found.name)
    assert tuple((column_of(c), row_of(c), level_of(c)) for c in found.cells) == cells
    assert place_of(found.bit) == found
    assert sorted(cells_in(found.mask)) == sorted(found.cells)
    assert found.standing is (cells[0][2] != cells[1][2])


@pytest.mark.parametrize(
    "text", ["a1b2.1", "b1a1.1", "a2a1.1", "a1a3.1", "a1a1.1", "a1b1.1^", "a1.1", "a1b1", "c3.0^", "^", "", 3, None]
)
def test_what_is_no_bar_is_refused(text: object) -> None:
    with pytest.raises(RequestError, match="is no bar") as caught:
        parse_place(text)
    assert caught.value.code == "bar"


def test_the_example_of_the_rules() -> None:
    tower = parse_tower(EXAMPLE)
    assert {(bar.colour, bar.place.name) for bar in tower.bars} == {
        (BarColour.LIGHT, "a1b1.1"),
        (BarColour.DARK, "c1.1^"),
    }
    assert tower.text == EXAMPLE
    assert (tower.levels, tower.count(BarColour.LIGHT), tower.count(BarColour.DARK)) == (2, 1, 1)


@given(seed=st.integers(0, 10**9))
def test_towers_go_round(seed: int) -> None:
    tower = some_tower(seed)
    assert parse_tower(tower.text) == tower
    assert tower_of(tower.bars) == tower
    assert slow_text(tower_set(tower.text)) == tower.text
    assert shows(parse_reading(tower.text), tower)
    for bar in tower.bars:
        assert tower.has(bar)
        assert not tower.turned(bar).has(bar)


def test_the_empty_tower_is_the_empty_text() -> None:
    assert parse_tower("") == NO_TOWER
    assert NO_TOWER.text == ""
    assert NO_TOWER.levels == 0
    assert text_of({}) == ""


FAULTY = [
    (5, "a text of levels"),
    (None, "a text of levels"),
    ("EW......", "level 1 has 8 characters"),
    ("EW.......|.........", "level 1 has 19 characters"),
    ("EW......./", "level 2 has 0 characters"),
    ("EW......./.........", "level 2 is empty"),
    (".........", "level 1 is empty"),
    ("ZZ.......", "'Z' in level 1"),
    ("1........", "'1' in level 1"),
    ("E........", "at a3.1"),
    ("EE.......", "at a3.1"),
    ("Ew.......", "at a3.1"),
    ("W........", "at a3.1"),
    ("..E......", "at c3.1"),
    ("N........", "at a3.1"),
    ("......S..", "at a1.1"),
    (".......S.", "at b1.1"),
    ("u........", "at a3.1"),
    ("........D", "at c1.1"),
    ("U......../d........", "at a3.1"),
    ("EW......./" * 99 + "EW.......", "at most 99 levels"),
]


@pytest.mark.parametrize("key", ["tower", "observed"])
@pytest.mark.parametrize(("text", "message"), FAULTY, ids=[str(text)[:24] for text, _ in FAULTY])
def test_what_is_no_tower_is_refused(text: object, message: str, key: str) -> None:
    with pytest.raises(RequestError, match=message) as caught:
        parse_tower(text) if key == "tower" else parse_reading(text)
    assert caught.value.code == "tower"
    assert str(caught.value).startswith("tower: ")


@pytest.mark.parametrize("letter", "xX?")
def test_a_position_knows_all_its_cells(letter: str) -> None:
    with pytest.raises(RequestError, match="knows all its cells"):
        parse_tower(f"{letter}........")
    assert parse_reading(f"{letter}........").partly


@pytest.mark.parametrize("text", ["Ex.......", "eX.......", "E.......?", "Xw.......", "?E......."])
def test_halves_must_match_in_readings_too(text: str) -> None:
    with pytest.raises(RequestError, match="no other half"):
        parse_reading(text)


@pytest.mark.parametrize(
    "text", ["EX.......", "ex.......", "E?.......", "?W.......", "U......../X........", "?........"]
)
def test_a_half_may_point_at_what_is_not_known(text: str) -> None:
    assert parse_reading(text).partly


def test_a_letter_identifies_its_bar() -> None:
    assert place_through(4, "e") is not None
    assert place_through(2, "E") is None
    assert place_through(3, "w") is None
    assert place_through(0, "d") is None
    assert str(place_through(9, "d")) == "a1.1^"


def test_levels_and_widths() -> None:
    full = parse_tower(built("D a1b1.1, L c1c2.1, D b3c3.1, L a2.1^, D a3.1^, L b2.1^"))
    assert lowest_open(0) == 1
    assert lowest_open(full.filled) == 2
    assert levels_hold(full.filled | 1 << 9 * 3)
    assert not levels_hold(full.filled | 1 << 9 * 4)
    assert footprint(full.filled) == 511
    assert spans(full.filled)
    assert not spans(parse_tower(built("D a1.1^, D c2c3.1")).filled & ~(1 << 8))
    assert spans(parse_tower(built("D a1b1.1, D c2c3.1")).filled)
    assert not spans(0)


@pytest.mark.parametrize("missing", [0b001001001, 0b010010010, 0b100100100, 0b111, 0b111000, 0b111000000])
def test_a_tower_spans_three_squares_only_without_an_empty_line(missing: int) -> None:
    assert not spans(0b111111111 & ~missing)
    assert not spans((0b111111111 & ~missing) << 9)
    one = missing & -missing
    assert spans((0b111111111 & ~missing) << 9 | one)

"""The five pictures and their areas."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.turris.bars import COLOURS, BarColour
from referee.games.turris.cells import cell_name
from referee.games.turris.scoring import (
    FACES,
    PICTURES,
    ROOF,
    Picture,
    Score,
    SeenCell,
    largest_area,
    pictures_of,
    scores_json,
    scores_of,
    total,
    winners_of,
)
from referee.games.turris.tower import Tower, parse_tower
from tests.games.turris.positions import built
from tests.games.turris.towers import some_tower

LIGHT, DARK = BarColour.LIGHT, BarColour.DARK


def drawn(rows: str) -> Picture:
    """Return a picture from rows, the highest first: L light, D dark, . empty."""
    lines = rows.split()
    return {
        (x, len(lines) - 1 - y): SeenCell(0, LIGHT if letter == "L" else DARK, 0)
        for y, line in enumerate(lines)
        for x, letter in enumerate(line)
        if letter != "."
    }


SHEET = [
    # the sheet's example, dark and light: its pictures are lost, so these are drawn to its numbers
    ("LDD LLD LLD LLD DLD DLD DLD DLD DLD", 10, 12),
    ("LDD L.D L.D L.D L.D L.D L.D L.D L.D", 10, 9),
    ("DDD DDD DLL LLL LLL LLL LLL LLL LLL", 7, 20),
    ("DDD DDD DDD DDD DDD LLL LLL LLL LDD", 15, 10),
    ("DLL DLL DDL", 4, 5),
]


@pytest.mark.parametrize(("rows", "dark", "light"), SHEET)
def test_the_areas_of_the_sheets_example(rows: str, dark: int, light: int) -> None:
    assert len(largest_area(drawn(rows), DARK)) == dark
    assert len(largest_area(drawn(rows), LIGHT)) == light


def test_the_result_of_the_sheets_example() -> None:
    scores = {
        colour: tuple(
            Score(name, largest_area(drawn(rows), colour)) for name, (rows, _, _) in zip(PICTURES, SHEET, strict=True)
        )
        for colour in COLOURS
    }
    assert {colour.word: total(each) for colour, each in scores.items()} == {"light": 56, "dark": 46}
    assert winners_of(scores) == (LIGHT,)
    assert scores_json(scores)["dark"] == {
        "south": 10,
        "east": 10,
        "north": 7,
        "west": 15,
        "roof": 4,
        "total": 46,
    }


@pytest.mark.parametrize(
    ("rows", "colour", "count"),
    [
        ("LD DL", LIGHT, 1),  # corners do not connect
        ("LL DL", LIGHT, 3),
        ("L.L LDL LLL", LIGHT, 7),
        ("LLL DDD LLL", LIGHT, 3),
        ("DDD", LIGHT, 0),
        ("", LIGHT, 0),
    ],
)
def test_areas_are_connected_by_sides(rows: str, colour: BarColour, count: int) -> None:
    assert len(largest_area(drawn(rows), colour)) == count


@given(rows=st.lists(st.text("LD.", min_size=3, max_size=3), min_size=1, max_size=9), colour=st.sampled_from(COLOURS))
def test_areas_are_those_that_spreading_squares_meet(rows: list[str], colour: BarColour) -> None:
    """Every square takes the smallest number of those beside it, until nothing changes."""
    picture = drawn(" ".join(rows))
    own = {square: n for n, square in enumerate(sorted(picture)) if picture[square].colour is colour}
    for _ in range(len(own)):
        own = {(x, y): min(own.get(beside, own[x, y]) for beside in around(x, y)) for x, y in own}
    areas = [{square for square in own if own[square] == n} for n in sorted(set(own.values()))]
    assert largest_area(picture, colour) == (max(areas, key=len) if areas else set())


def around(x: int, y: int) -> list[tuple[int, int]]:
    return [(x, y), (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]


def test_of_equal_areas_the_first_from_the_left_is_shown() -> None:
    assert largest_area(drawn("LDL LDL"), LIGHT) == {(0, 0), (0, 1)}


# South: a light bar in front on a1, b1; a dark one standing at c2; a light one standing far off at c3.
SOME = parse_tower(built("L a1b1.1, D c2.1^, L a3b3.1, D b3c3.2"))


def row(tower: Tower, face: str, recessed: bool = True) -> dict[tuple[int, int], tuple[str, str, int]]:
    seen = pictures_of(tower, recessed)[face]
    return {square: (cell_name(s.cell), s.colour.word, s.depth) for square, s in seen.items()}


def test_a_face_shows_the_first_filled_cell_from_the_left() -> None:
    assert row(SOME, "south") == {
        (0, 0): ("a1.1", "light", 0),
        (1, 0): ("b1.1", "light", 0),
        (2, 0): ("c2.1", "dark", 1),
        (1, 1): ("b3.2", "dark", 2),
        (2, 1): ("c2.2", "dark", 1),
    }
    assert row(SOME, "north") == {
        (0, 0): ("c2.1", "dark", 1),
        (1, 0): ("b3.1", "light", 0),
        (2, 0): ("a3.1", "light", 0),
        (0, 1): ("c3.2", "dark", 0),
        (1, 1): ("b3.2", "dark", 0),
    }
    assert row(SOME, "east") == {
        (0, 0): ("b1.1", "light", 1),
        (1, 0): ("c2.1", "dark", 0),
        (2, 0): ("b3.1", "light", 1),
        (1, 1): ("c2.2", "dark", 0),
        (2, 1): ("c3.2", "dark", 0),
    }
    assert row(SOME, "west") == {
        (0, 0): ("a3.1", "light", 0),
        (1, 0): ("c2.1", "dark", 2),
        (2, 0): ("a1.1", "light", 0),
        (0, 1): ("b3.2", "dark", 1),
        (1, 1): ("c2.2", "dark", 2),
    }
    assert row(SOME, ROOF) == {
        (0, 0): ("a1.1", "light", 1),
        (1, 0): ("b1.1", "light", 1),
        (2, 1): ("c2.2", "dark", 0),
        (0, 2): ("a3.1", "light", 1),
        (1, 2): ("b3.2", "dark", 0),
        (2, 2): ("c3.2", "dark", 0),
    }


def test_recessed_squares_may_be_left_out_of_faces_only() -> None:
    assert row(SOME, "south", recessed=False) == {(0, 0): ("a1.1", "light", 0), (1, 0): ("b1.1", "light", 0)}
    assert row(SOME, ROOF, recessed=False) == row(SOME, ROOF)


@given(seed=st.integers(0, 10**9), recessed=st.booleans())
def test_a_picture_gives_no_more_than_it_shows(seed: int, recessed: bool) -> None:
    tower = some_tower(seed, random.Random(seed).randrange(1, 40), 6)
    seen = pictures_of(tower, recessed)
    scores = scores_of(tower, recessed)
    assert tuple(seen) == (*FACES, ROOF)
    for i, (name, picture) in enumerate(seen.items()):
        assert len(picture) <= (9 if name == ROOF else 3 * tower.levels)
        for colour in COLOURS:
            area = scores[colour][i].area
            assert all(picture[square].colour is colour for square in area)
        assert sum(scores[colour][i].points for colour in COLOURS) <= len(picture)
    turned = parse_tower(tower.text.swapcase())
    swapped = scores_of(turned, recessed)
    assert [total(swapped[colour]) for colour in COLOURS] == [total(scores[colour.other]) for colour in COLOURS]


def test_equal_results_share_the_win() -> None:
    even = scores_of(parse_tower(built("L a1b1.1, D a3b3.1")), True)
    assert winners_of(even) == COLOURS

"""Where a walk through doors leads, by the three readings and by the card."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.torres.geometry import INDEX, NAMES, bits, mask_of
from referee.games.torres.search.doors import exits
from referee.games.torres.terrain import Terrain, terrain
from tests.games.torres.fields import FIELDS
from tests.games.torres.reference import Slow
from tests.games.torres.tables import position_data, text_of


def led(fields: dict[str, str], start: str, reading: str, pieces: str = "", rising: bool = False) -> set[str]:
    heights = tuple(int(fields.get(name, "0")) for name in NAMES)
    walls = mask_of(INDEX[name] for name in pieces.split())
    return {NAMES[i] for i in bits(exits(heights, INDEX[start], reading, walls, rising))}


ROW = {"B1": "1", "C1": "2", "D1": "1"}
"""A castle of three along the edge, higher in the middle."""


@pytest.mark.parametrize("reading", ["any", "path", "closed"])
def test_from_the_ground_a_walk_leads_to_the_ground_on_every_side(reading: str) -> None:
    assert led(ROW, "A1", reading) == {"B2", "C2", "D2", "E1"}


def test_a_walk_leads_down_or_along_but_not_up() -> None:
    assert led(ROW, "B1", "any") == {"A1", "B2", "C2", "D2", "E1", "D1"}
    assert "B1" not in led(ROW, "A1", "any")


def test_one_does_not_enter_a_stack_that_is_not_higher() -> None:
    assert led({"B1": "1"}, "B1", "any") == set()
    assert led({"B1": "1", "C1": "1"}, "B1", "any") == set()


def test_inside_the_way_may_rise_only_where_any_door_is_open() -> None:
    """From level 1 through 2, a stack of 1, and 2 again: on a way that never rises the floor falls to the ground."""
    fields = {"A1": "1", "B1": "2", "C1": "1", "D1": "2", "E1": "1"}
    assert "E1" in led(fields, "A1", "any")
    assert "E1" not in led(fields, "A1", "path")
    assert "F1" in led(fields, "A1", "path")


def test_occupied_stacks_are_closed_where_the_table_says_so() -> None:
    assert led(ROW, "A1", "path", "C1") == {"B2", "C2", "D2", "E1"}
    assert led(ROW, "A1", "closed", "C1") == {"B2"}
    assert led(ROW, "A1", "closed", "B1") == set()


def test_the_card_leads_up_too_but_not_through_closed_stacks() -> None:
    assert led(ROW, "A1", "any", rising=True) == {"B1", "D1", "B2", "C2", "D2", "E1"}
    assert led(ROW, "A1", "path", rising=True) == {"B1", "D1", "B2", "C2", "D2", "E1"}
    assert led(ROW, "A1", "closed", "C1", rising=True) == {"B2"}
    assert led(ROW, "A1", "closed", rising=True) == {"B1", "D1", "B2", "C2", "D2", "E1"}


heights = st.lists(st.sampled_from("000111223"), min_size=64, max_size=64)


@settings(max_examples=40, deadline=None)
@given(
    heights,
    st.sampled_from(NAMES),
    st.sets(st.sampled_from(NAMES), max_size=6),
    st.sampled_from(["any", "path", "closed"]),
    st.booleans(),
)
def test_walks_lead_where_the_slow_referee_says(
    levels: list[str], start: str, pieces: set[str], reading: str, rising: bool
) -> None:
    fields = dict(zip(FIELDS, levels, strict=True))
    request = {"position": position_data(options={"doors": reading}, stacks={"blue": []}, reserve=0)}
    slow = Slow(request | {"observed": text_of({})}, "blue", frozenset(), ())
    standing = dict.fromkeys(pieces - {start}, "o")
    found = slow.exits({field: int(level) for field, level in fields.items()}, standing, start, rising, False)
    assert led(fields, start, reading, " ".join(pieces - {start}), rising) == found


@given(heights)
def test_castles_part_the_blocks(levels: list[str]) -> None:
    ground = terrain(tuple(map(int, levels)))
    assert isinstance(ground, Terrain)
    assert sum(ground.castles) == ground.blocks
    for castle in ground.castles:
        assert all(ground.castle(i) == castle for i in bits(castle))
    assert ground.castle(63) == 0 or ground.heights[63]
    assert [ground.at_most[h] >> i & 1 for i, h in enumerate(ground.heights)] == [1] * 64

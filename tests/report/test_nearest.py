"""Nearest turns are legal turns, and what they lack is just what differs."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games import game_named, records_named
from referee.games.record import parse_record
from referee.kinds.tower.drawing import tower_svg
from referee.kinds.tower.report import places, tower_text
from referee.report.drawing import changed_places
from referee.report.nearest import nearest_turns
from tests.games.terra_turrium.positions import after, position

pytestmark = pytest.mark.long

TERRA = game_named("terra-turrium")
TURRIS = game_named("turris")
BUILT = """[game "turris"]
[edition "fr"]
[seats "south=light north=dark"]
[first "light"]

1. light +b3.1^
"""


@pytest.mark.parametrize("acts", [("-E8",), ("-E8", "+C3", "+C4"), ("-A10", "-B10", "-C10", "+D5", "+E5", "+F5")])
def test_boards_near_an_illegal_one_are_legal(acts: tuple[str, ...]) -> None:
    before: Any = TERRA.position(position())
    text = after(before.board.text, *acts)
    assert not TERRA.check(before, before.observed.like(text)).legal
    found = nearest_turns(TERRA, before, text)
    assert found
    for near in found:
        assert near.lacks
        legal = _with(text, {name: wanted for name, wanted, _ in near.lacks})
        assert TERRA.check(before, before.observed.like(legal)).legal
        assert set(changed_places(legal, text, before.observed, TERRA.kit)) == set(near.lacks)
    assert [len(near.lacks) for near in found] == sorted(len(near.lacks) for near in found)


def test_turns_that_share_more_of_what_was_seen_come_first() -> None:
    before: Any = TERRA.position(position())
    text = after(before.board.text, "-E8", "+C3", "+C4")
    ruling = TERRA.check(before, before.observed.like(text))
    first, *_ = found = nearest_turns(TERRA, before, text, ruling.acts)
    assert {"-E8", "+C3", "+C4"} <= {act.text for act in first.acts}, (
        "and not cubes taken and put back in their place"
    )
    assert all({"-E8", "+C3", "+C4"} & {act.text for act in near.left} for near in found)
    assert len(first.acts) - len(first.left) <= 2


def _with(text: str, stands: dict[str, str]) -> str:
    """Return a board text with other fields."""
    rows = len(text.split("/"))
    fields: dict[str, str] = {}
    for number, line in enumerate(text.split("/")):
        column = -1
        for sign in line:
            if sign.isdigit() or sign.isupper():
                column += 1
                fields[f"{chr(65 + column)}{rows - number}"] = sign
            else:
                fields[f"{chr(65 + column)}{rows - number}"] += sign
    fields |= stands
    lines = [[fields[name] for name in fields if name[1:] == str(row)] for row in range(rows, 0, -1)]
    return "/".join(map("".join, lines))


def _tower() -> Any:
    rules = records_named("turris")
    record = parse_record(BUILT)
    start = rules.start(record)
    ruling = rules.play(start, record.turns[0])
    assert ruling.next is not None
    return ruling.next


def test_a_tower_with_a_bar_too_many_is_near_to_one_without_it() -> None:
    before = _tower()
    cells = dict(places(before.observed.text, before.observed, TURRIS.kit))
    cells |= {"a3.1": "u", "a3.2": "d", "c3.1": "u", "c3.2": "d"}
    text = tower_text(cells, TURRIS.kit)
    ruling = TURRIS.check(before, TURRIS.observation(text))
    assert not ruling.legal
    found = nearest_turns(TURRIS, before, text, ruling.acts)
    assert {tuple(sorted(name for name, _, _ in near.lacks)) for near in found} >= {
        ("a3.1", "a3.2"),
        ("c3.1", "c3.2"),
    }


def test_a_text_that_is_not_told_has_nothing_near() -> None:
    before: Any = TERRA.position(position())
    assert nearest_turns(TERRA, before, "?" + before.board.text[1:]) == ()


def test_a_tower_text_goes_round_and_is_drawn_cell_by_cell() -> None:
    text = ".e....w..u/.........d"[:9] + "/" + "nxX?sEWUD"
    assert tower_text(places(text, TURRIS.observation(""), TURRIS.kit), TURRIS.kit) == text
    drawn = tower_svg(text, TURRIS.kit, {"b2.2": "wrong"}, "a <tower>", {"d": "D", "l": "H"})
    assert drawn.count('class="cell') == 18
    assert drawn.count(">?<") == 1
    assert drawn.count('class="wrong"') == 1
    assert "<tower>" not in drawn

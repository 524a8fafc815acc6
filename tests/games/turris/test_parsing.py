"""Positions: every key is looked at, absent ones have their value at the start, and they go round."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.contract import RequestError
from referee.games.turris.bars import COLOURS, BarColour
from referee.games.turris.parsing import parse_position
from referee.games.turris.ruleset import OPTIONS
from tests.games.turris.positions import BASE, built, data, position, some_options, some_world


def test_absent_keys_have_their_value_at_the_start() -> None:
    found = parse_position(BASE)
    assert found.to_json() == BASE | {
        "variants": [],
        "options": {},
        "turn": 1,
        "tower": "",
        "left": {"light": 20, "dark": 20},
        "last": {"light": [], "dark": []},
        "barred": [],
    }


@pytest.mark.long
@given(seed=st.integers(0, 10**9))
def test_positions_go_round(seed: int) -> None:
    rnd = random.Random(seed)
    given_data = some_world(rnd, rnd.randrange(20), some_options(rnd, ())).data
    found = parse_position(given_data)
    assert parse_position(found.to_json()) == found
    for key, value in given_data.items():
        if key != "last":
            assert found.to_json()[key] == value


FAULTY: list[tuple[Any, str, str]] = [
    ({"game": "chess"}, "game", "game is 'chess': use one of turris"),
    ({"edition": "de"}, "edition", "edition is 'de': use one of fr"),
    ({"variants": ["queens"]}, "variants", "the game has none"),
    ({"variants": None}, "variants", "the game has none"),
    ({"colour": "red"}, "position", "unknown key 'colour'"),
    ({"to_move": "red"}, "to_move", "use one of light, dark"),
    ({"to_move": 3}, "to_move", "to_move is 3: use one of"),
    ({"first": ["light"]}, "first", "use one of light, dark"),
    ({"seats": ["light"]}, "seats", "is an object"),
    ({"seats": {"south": "light"}}, "seats", "two sides"),
    ({"seats": {"south": "light", "north": "light"}}, "seats", "two sides"),
    ({"seats": {"south": "light", "up": "dark"}}, "seats", "two sides"),
    ({"seats": {"south": [], "north": "dark"}}, "seats", "two sides"),
    ({"options": []}, "options", "is an object"),
    ({"options": {"frame": "round"}}, "options", "options: frame is 'round': use one of fixed, floating"),
    ({"options": {"colour": "yes"}}, "options", "unknown key 'colour'"),
    ({"options": {"pass": ["free"]}}, "options", "options: pass is a list: use one of"),
    ({"turn": 0}, "turn", "a whole number from 1"),
    ({"turn": "one"}, "turn", "whole number"),
    ({"turn": True}, "turn", "whole number"),
    ({"left": {"light": -1, "dark": 20}}, "left", "a whole number from 0"),
    (
        {"left": {"light": 19}},
        "left",
        "Light: 0 in the tower and 19 beside it do not make 20 bars: change the tower or the bars left",
    ),
    ({"left": {"red": 20}}, "left", "use one of light, dark"),
    ({"left": []}, "left", "is an object"),
    ({"tower": "EW.......", "left": {}}, "left", "Light: 1 in the tower and 20 beside it do not make 20 bars"),
    ({"tower": "?........"}, "tower", "knows all its cells"),
    ({"barred": ["d4.1"]}, "cell", "no cell"),
    ({"barred": "a1.1"}, "barred", "is a list"),
    ({"last": {"light": ["a1c1.1"]}}, "bar", "no bar"),
    ({"last": {"light": "a1b1.1"}}, "last", "is a list"),
    ({"last": []}, "last", "is an object"),
    ({"finished": "yes"}, "finished", "give true or false"),
    ({"winners": ["red"]}, "winners", "use one of light, dark"),
]


@pytest.mark.parametrize(("changes", "code", "message"), FAULTY, ids=[str(changes)[:50] for changes, _, _ in FAULTY])
def test_what_is_no_position_is_refused(changes: dict[str, Any], code: str, message: str) -> None:
    with pytest.raises(RequestError, match=message) as caught:
        parse_position(BASE | changes)
    assert caught.value.code == code


@pytest.mark.parametrize("key", BASE)
def test_keys_that_must_be_there(key: str) -> None:
    with pytest.raises(RequestError, match=f"the key {key} is missing"):
        parse_position({name: value for name, value in BASE.items() if name != key})


@pytest.mark.parametrize("what", [[], None, "x", 5])
def test_a_position_is_an_object(what: object) -> None:
    with pytest.raises(RequestError, match="is an object"):
        parse_position(what)


@pytest.mark.parametrize(("key", "value"), [(key, value) for key, values in OPTIONS.items() for value in values])
def test_every_option_is_taken_and_given_back(key: str, value: str) -> None:
    assert position(options={key: value}).to_json()["options"] == {key: value}
    assert position().rules == position(options={}).rules
    first = position(options={key: OPTIONS[key][0]}).rules
    assert all(
        getattr(first, name) == getattr(position().rules, name) for name in vars(first) if name != "options"
    ), "the first value is the default"


def test_colours() -> None:
    assert [colour.word for colour in COLOURS] == ["light", "dark"]
    assert [colour.other for colour in COLOURS] == [BarColour.DARK, BarColour.LIGHT]


def test_frames_are_shifted_as_far_as_the_tower_allows() -> None:
    floating = {"frame": "floating"}
    bars = "L a1b1.1, D a2.1^"
    assert len(position(built(bars)).frames) == 1
    assert len(position("", options=floating).frames) == 1
    found = position(
        built(bars), options=floating, last={"light": ["a1b1.1"], "dark": ["b3c3.1"]}, barred=["c1.1", "a1.1"]
    ).frames
    assert len(found) == 4
    assert found[0].tower.text == built(bars)
    moved = next(each for each in found if each.tower.text == built("L b2c2.1, D b3.1^"))
    assert [place.name for place in moved.last[BarColour.LIGHT]] == ["b2c2.1"]
    assert moved.last[BarColour.DARK] == ()
    assert moved.to_json()["barred"] == ["b2.1"]
    assert {each.tower.text for each in found} == {
        built(text) for text in (bars, "L b1c1.1, D b2.1^", "L a2b2.1, D a3.1^", "L b2c2.1, D b3.1^")
    }


def test_data_helper_adds_supplies_up() -> None:
    assert data(built("L a1b1.1"))["left"] == {"light": 19, "dark": 20}

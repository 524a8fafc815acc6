"""Positions that are none: each is refused with the key named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.games import game_named
from referee.games.contract import RequestError
from referee.games.terra_turrium.position.parsing import parse_position
from tests.games.terra_turrium.positions import SEATS, position, start_flags, start_stacks

STACKS = start_stacks("kosmos-1990", 4)
FLAGS = start_flags("kosmos-1990", 4)

BAD: dict[str, dict[str, Any]] = {
    "unknown key": {"colour": "red"},
    "another game": {"game": "chess"},
    "edition": {"edition": "kosmos-1991"},
    "edition of another type": {"edition": ["kosmos-1990"]},
    "variants no list": {"variants": "team"},
    "unknown variant": {"variants": ["queens"]},
    "variant twice": {"variants": ["pro", "pro"]},
    "variants that don't combine": {"variants": ["pro", "team"]},
    "variant of the other edition": {"variants": ["burgenland"]},
    "options no object": {"options": []},
    "unknown option": {"options": {"colour": "red"}},
    "unknown value": {"options": {"exterior": "diagonal"}},
    "value of another type": {"options": {"exterior": {}}},
    "seats no object": {"seats": ["red"]},
    "seats of another board": {"seats": {"nw": "red", "xx": None}},
    "one player": {"seats": {"nw": "red", "ne": None, "se": None, "sw": None}},
    "seat of no colour": {"seats": {"nw": "purple", "ne": "red", "se": "green", "sw": "blue"}},
    "first": {"first": "purple"},
    "to_move": {"to_move": 3},
    "turn no number": {"turn": "one"},
    "turn a truth": {"turn": True},
    "turn 0": {"turn": 0},
    "turn disagrees": {"turn": 2},
    "board no text": {"board": 5},
    "board too small": {"board": "1111111111"},
    "in_hand no object": {"in_hand": [1]},
    "in_hand negative": {"in_hand": {"red": -1}},
    "in_hand of nobody": {"in_hand": {"purple": 1}},
    "a seventh flag": {"in_hand": {"red": 1}},
    "attacks": {"attacks": {"red": 6}},
    "reserve without the variant": {"reserve": {"red": 2}},
    "teams without the variant": {"teams": [["red", "yellow"], ["green", "blue"]]},
    "teams missing": {"variants": ["team"]},
    "teams no lists": {"variants": ["team"], "teams": "red"},
    "teams across": {"variants": ["team"], "teams": [["red", "green"], ["yellow", "blue"]]},
    "a player twice": {"variants": ["team"], "teams": [["red", "red"], ["green", "blue"]]},
    "captures_open no truth": {"captures_open": "yes"},
    "captures_open without the variant": {"captures_open": True},
    "captures_left": {"captures_left": {"red": 3}},
    "holding without the variant": {"holding": {"red": ["A1"]}},
    "holding no object": {"variants": ["pro"], "holding": ["A1"]},
    "holding no fields": {"variants": ["pro"], "holding": {"red": []}},
    "holding off the board": {"variants": ["pro"], "holding": {"red": ["K1"]}},
    "winners no list": {"winners": "red"},
    "winner of no colour": {"winners": [["red"]]},
    "a cube too many": {"stacks": STACKS | {"A1": 2}},
    "a flag on no cube": {"stacks": STACKS | {"A10": 0, "B1": 2}},
    "no board": {"board": None},
    "turn too large": {"turn": 10**9 + 1},
    "turn a fraction": {"turn": 1.0},
    "seven in hand": {"in_hand": {"red": 7}},
    "in_hand of one who has no seat": {"seats": SEATS[3], "in_hand": {"blue": 1}},
    "attacks negative": {"attacks": {"blue": -1}},
    "reserve larger than the game": {"variants": ["handicap"], "reserve": {"red": 117}},
    "reserve beside a full board": {"variants": ["handicap"], "reserve": {"red": 2}},
    "captures_left negative": {"captures_left": {"red": -1}},
    "teams of lists and words": {"variants": ["team"], "teams": [["red", "yellow"], "green"]},
    "one team": {"variants": ["team"], "teams": [["red", "yellow"]]},
    "team of one": {"variants": ["team"], "teams": [["red"], ["yellow", "green", "blue"]]},
    "teams of a stranger": {"variants": ["team"], "teams": [["red", "pink"], ["green", "blue"]]},
    "holding of seven": {"variants": ["pro"], "holding": {"red": ["A1"] * 7}},
    "holding of a stranger": {"variants": ["pro"], "holding": {"pink": ["A1"]}},
    "holding a number": {"variants": ["pro"], "holding": {"red": [1]}},
    "final_round no truth": {"final_round": 1},
    "finished no truth": {"finished": "no"},
    "winner without a seat": {"seats": SEATS[3], "winners": ["blue"]},
    "three seats for one": {"seats": {"nw": "red", "ne": "red", "se": "red", "sw": "blue"}},
    "two and one and one": {"seats": {"nw": "red", "ne": "red", "se": "green", "sw": "blue"}},
    "two and a null": {"seats": {"nw": "red", "ne": "red", "se": "blue", "sw": None}},
    "seat a number": {"seats": {"nw": 1, "ne": "red", "se": "green", "sw": "blue"}},
    "a long value": {"edition": "kosmos" * 20},
    "a long variant twice": {"variants": ["burgenland"] * 9},
    "three options, one wrong": {"options": {"two_player_territories": "both"}},
    "nobody begins": {"first": None},
    "turn disagrees with first": {"first": "yellow", "turn": 3},
}


WORDS: dict[str, list[str]] = json.loads((Path(__file__).parent / "data" / "refusals.json").read_text("utf-8"))


@pytest.mark.parametrize("case", BAD)
def test_words_of_a_refusal(case: str) -> None:
    """Code and message word for word: each names the key, shows the value and says what to do."""
    changes = BAD[case]
    with pytest.raises(RequestError) as caught:
        parse_position(position() | changes if "edition" in changes else position(**changes))
    assert [caught.value.code, str(caught.value)] == WORDS[case]


@pytest.mark.parametrize("key", ["game", "edition", "seats", "first", "to_move", "board"])
def test_missing_keys(key: str) -> None:
    data = position()
    del data[key]
    with pytest.raises(RequestError, match=key):
        parse_position(data)


def test_cubes_and_flags_out_of_place() -> None:
    outside = start_stacks("kosmos-1990", 3) | {"A1": 1, "B2": 0}
    with pytest.raises(RequestError, match="A1"):
        parse_position(position(players=3, stacks=outside))
    with pytest.raises(RequestError, match="Blue"):
        parse_position(position(players=3, flags=start_flags("kosmos-1990", 3) | {"E5": "blue"}))


@pytest.mark.parametrize("data", [None, [], "x", 5])
def test_wrong_positions_are_refused(data: object) -> None:
    with pytest.raises(RequestError):
        parse_position(data)


@pytest.mark.parametrize("name", [None, "chess", 3, ["terra-turrium"]])
def test_unknown_games_are_refused(name: object) -> None:
    with pytest.raises(RequestError, match="terra-turrium"):
        game_named(name)


@pytest.mark.parametrize(("edition", "players"), [(e, n) for e in ("kosmos-1990", "ludibay-fr") for n in (2, 3, 4)])
def test_a_start_goes_round(edition: str, players: int) -> None:
    start = parse_position(position(edition, players))
    assert parse_position(start.to_json()) == start
    assert start.to_json()["in_hand"] == {player.word: 0 for player in start.players}

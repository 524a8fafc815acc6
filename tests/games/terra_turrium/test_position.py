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

BAD: dict[str, tuple[dict[str, Any], str]] = {
    "unknown key": ({"colour": "red"}, "colour"),
    "another game": ({"game": "chess"}, "game"),
    "edition": ({"edition": "kosmos-1991"}, "edition"),
    "edition of another type": ({"edition": ["kosmos-1990"]}, "edition"),
    "variants no list": ({"variants": "team"}, "variants"),
    "unknown variant": ({"variants": ["queens"]}, "variants"),
    "variant twice": ({"variants": ["pro", "pro"]}, "variants"),
    "variants that don't combine": ({"variants": ["pro", "team"]}, "variants"),
    "variant of the other edition": ({"variants": ["burgenland"]}, "variants"),
    "options no object": ({"options": []}, "options"),
    "unknown option": ({"options": {"colour": "red"}}, "options"),
    "unknown value": ({"options": {"exterior": "diagonal"}}, "exterior"),
    "value of another type": ({"options": {"exterior": {}}}, "exterior"),
    "seats no object": ({"seats": ["red"]}, "seats"),
    "seats of another board": ({"seats": {"nw": "red", "xx": None}}, "seats"),
    "one player": ({"seats": {"nw": "red", "ne": None, "se": None, "sw": None}}, "seats"),
    "seat of no colour": ({"seats": {"nw": "purple", "ne": "red", "se": "green", "sw": "blue"}}, "seats"),
    "first": ({"first": "purple"}, "first"),
    "to_move": ({"to_move": 3}, "to_move"),
    "turn no number": ({"turn": "one"}, "turn"),
    "turn a truth": ({"turn": True}, "turn"),
    "turn 0": ({"turn": 0}, "turn"),
    "turn disagrees": ({"turn": 2}, "turn"),
    "board no text": ({"board": 5}, "board"),
    "board too small": ({"board": "1111111111"}, "board"),
    "in_hand no object": ({"in_hand": [1]}, "in_hand"),
    "in_hand negative": ({"in_hand": {"red": -1}}, "in_hand"),
    "in_hand of nobody": ({"in_hand": {"purple": 1}}, "in_hand"),
    "a seventh flag": ({"in_hand": {"red": 1}}, "in_hand"),
    "attacks": ({"attacks": {"red": 6}}, "attacks"),
    "reserve without the variant": ({"reserve": {"red": 2}}, "reserve"),
    "teams without the variant": ({"teams": [["red", "yellow"], ["green", "blue"]]}, "teams"),
    "teams missing": ({"variants": ["team"]}, "teams"),
    "teams no lists": ({"variants": ["team"], "teams": "red"}, "teams"),
    "teams across": ({"variants": ["team"], "teams": [["red", "green"], ["yellow", "blue"]]}, "teams"),
    "a player twice": ({"variants": ["team"], "teams": [["red", "red"], ["green", "blue"]]}, "teams"),
    "captures_open no truth": ({"captures_open": "yes"}, "captures_open"),
    "captures_open without the variant": ({"captures_open": True}, "captures_open"),
    "captures_left": ({"captures_left": {"red": 3}}, "captures_left"),
    "holding without the variant": ({"holding": {"red": ["A1"]}}, "holding"),
    "holding no object": ({"variants": ["pro"], "holding": ["A1"]}, "holding"),
    "holding no fields": ({"variants": ["pro"], "holding": {"red": []}}, "holding"),
    "holding off the board": ({"variants": ["pro"], "holding": {"red": ["K1"]}}, "holding"),
    "winners no list": ({"winners": "red"}, "winners"),
    "winner of no colour": ({"winners": [["red"]]}, "winners"),
    "a cube too many": ({"stacks": STACKS | {"A1": 2}}, "116"),
    "a flag on no cube": ({"stacks": STACKS | {"A10": 0, "B1": 2}}, "A10"),
    "no board": ({"board": None}, "board"),
    "turn too large": ({"turn": 10**9 + 1}, "turn"),
    "turn a fraction": ({"turn": 1.0}, "turn"),
    "seven in hand": ({"in_hand": {"red": 7}}, "in_hand"),
    "in_hand of one who has no seat": ({"seats": SEATS[3], "in_hand": {"blue": 1}}, "in_hand"),
    "attacks negative": ({"attacks": {"blue": -1}}, "attacks"),
    "reserve larger than the game": ({"variants": ["handicap"], "reserve": {"red": 117}}, "reserve"),
    "reserve beside a full board": ({"variants": ["handicap"], "reserve": {"red": 2}}, "118"),
    "captures_left negative": ({"captures_left": {"red": -1}}, "captures_left"),
    "teams of lists and words": ({"variants": ["team"], "teams": [["red", "yellow"], "green"]}, "teams"),
    "one team": ({"variants": ["team"], "teams": [["red", "yellow"]]}, "teams"),
    "team of one": ({"variants": ["team"], "teams": [["red"], ["yellow", "green", "blue"]]}, "teams"),
    "teams of a stranger": ({"variants": ["team"], "teams": [["red", "pink"], ["green", "blue"]]}, "teams"),
    "holding of seven": ({"variants": ["pro"], "holding": {"red": ["A1"] * 7}}, "holding"),
    "holding of a stranger": ({"variants": ["pro"], "holding": {"pink": ["A1"]}}, "holding"),
    "holding a number": ({"variants": ["pro"], "holding": {"red": [1]}}, "holding"),
    "final_round no truth": ({"final_round": 1}, "final_round"),
    "finished no truth": ({"finished": "no"}, "finished"),
    "winner without a seat": ({"seats": SEATS[3], "winners": ["blue"]}, "winners"),
    "three seats for one": ({"seats": {"nw": "red", "ne": "red", "se": "red", "sw": "blue"}}, "seats"),
    "two and one and one": ({"seats": {"nw": "red", "ne": "red", "se": "green", "sw": "blue"}}, "seats"),
    "two and a null": ({"seats": {"nw": "red", "ne": "red", "se": "blue", "sw": None}}, "seats"),
    "seat a number": ({"seats": {"nw": 1, "ne": "red", "se": "green", "sw": "blue"}}, "seats"),
    "a long value": ({"edition": "kosmos" * 20}, "edition"),
    "a long variant twice": ({"variants": ["burgenland"] * 9}, "variants"),
    "three options, one wrong": ({"options": {"two_player_territories": "both"}}, "two_player_territories"),
    "nobody begins": ({"first": None}, "first"),
    "turn disagrees with first": ({"first": "yellow", "turn": 3}, "turn"),
}


@pytest.mark.parametrize("case", BAD)
def test_wrong_values_are_refused(case: str) -> None:
    changes, word = BAD[case]
    with pytest.raises(RequestError, match=word):
        parse_position(position() | changes if "edition" in changes else position(**changes))


WORDS: dict[str, list[str]] = json.loads((Path(__file__).parent / "data" / "refusals.json").read_text("utf-8"))


@pytest.mark.parametrize("case", BAD)
def test_words_of_a_refusal(case: str) -> None:
    """Code and message word for word: each names the key, shows the value and says what to do."""
    changes, _ = BAD[case]
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

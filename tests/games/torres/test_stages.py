"""The stages outside turns: castles laid, knights placed, the king put and moved; and set-ups seen all at once."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.contract import RequestError
from referee.games.torres.engine import GAME
from referee.games.torres.position.position import TorresPosition
from referee.games.torres.ruleset import START_FIELDS
from referee.games.torres.text.setup_words import castle_count
from referee.values.words import LANGUAGES
from tests.games.torres.tables import position_data, text_of

START = dict.fromkeys(START_FIELDS, "1")


def stage(name: str, before: dict[str, str], change: dict[str, str], **keys: Any) -> Any:
    position = GAME.position(position_data(before, stage=name, **keys))
    return GAME.check(position, GAME.observation(text_of({**before, **change})))


def test_a_knight_is_put_on_a_free_castle() -> None:
    ruling = stage("knights", START, {"C6": "1b"})
    assert ruling.turn == {"player": "blue", "acts": [{"place": "C6"}], "cost": 0}
    assert (ruling.next.stage, ruling.next.to_move.word) == ("knights", "orange")


def test_the_last_of_them_puts_the_king() -> None:
    before = {**START, "C6": "1b"}
    king = stage("knights", before, {"F6": "1o"}, to_move="orange").next
    assert (king.stage, king.to_move.word) == ("king", "orange")
    ruling = stage("king", {**before, "F6": "1o"}, {"D8": "1k"}, to_move="orange")
    assert ruling.turn["acts"] == [{"king": "D8"}]
    assert (ruling.next.stage, ruling.next.to_move.word, ruling.next.play_turn) == ("play", "blue", 1)


def test_in_the_master_game_castles_are_laid_three_steps_apart() -> None:
    keys: dict[str, Any] = {"variants": ["master"], "start_fields": ["A1"]}
    ruling = stage("castles", {"A1": "1"}, {"B3": "1"}, **keys)
    assert ruling.turn["acts"] == [{"castle": "B3"}]
    assert ruling.next.start_fields == ("A1", "B3")
    assert (ruling.next.stage, ruling.next.to_move.word) == ("castles", "orange")


def test_after_the_eighth_castle_knights_are_placed() -> None:
    seven = dict.fromkeys(START_FIELDS[:7], "1")
    keys: dict[str, Any] = {"variants": ["master"], "start_fields": list(START_FIELDS[:7]), "to_move": "orange"}
    then = stage("castles", seven, {START_FIELDS[7]: "1"}, **keys).next
    assert (then.stage, then.to_move.word, then.start_fields) == ("knights", "blue", START_FIELDS)


NOTHING: dict[str, str] = {
    "castles": "No block was laid: Blue lays one on the ground",
    "knights": "No knight was put: Blue puts one on a free castle",
    "king": "The king was not put: Blue puts him on a free castle",
}


@pytest.mark.parametrize("name", NOTHING)
def test_nothing_done_is_called_so(name: str) -> None:
    keys: dict[str, Any] = {"variants": ["master"], "start_fields": ["A1"]} if name == "castles" else {}
    ruling = stage(name, {"A1": "1"} if name == "castles" else START, {}, **keys)
    assert str(ruling.violations[0].words).startswith(NOTHING[name])


WRONG: dict[str, tuple[str, dict[str, str], dict[str, str], dict[str, Any], str]] = {
    "no knight": ("knights", START, {}, {}, "setup.knight"),
    "two knights": ("knights", START, {"C6": "1b", "F6": "1b"}, {}, "setup.knight"),
    "a foreign knight": ("knights", START, {"C6": "1o"}, {}, "setup.knight"),
    "a knight on the ground": ("knights", START, {"C7": "0b"}, {}, "setup.knight"),
    "a knight in another's place": ("knights", {**START, "C6": "1o"}, {"C6": "1b"}, {}, "setup.knight"),
    "a knight and a block": ("knights", START, {"C6": "2b"}, {}, "setup.knight"),
    "no king": ("king", START, {}, {}, "setup.king"),
    "the king on the ground": ("king", START, {"C7": "0k"}, {}, "setup.king"),
    "a knight for a king": ("king", START, {"C6": "1b"}, {}, "setup.king"),
    "no castle": ("castles", {"A1": "1"}, {}, {"variants": ["master"]}, "setup.castles"),
    "a castle two steps away": ("castles", {"A1": "1"}, {"C1": "1"}, {"variants": ["master"]}, "setup.castles"),
    "a castle of two": ("castles", {"A1": "1"}, {"D1": "2"}, {"variants": ["master"]}, "setup.castles"),
    "on another castle": ("castles", {"A1": "1"}, {"A1": "2"}, {"variants": ["master"]}, "setup.castles"),
    "a knight too early": ("castles", {"A1": "1"}, {"D1": "1b"}, {"variants": ["master"]}, "setup.castles"),
    "the king to the ground": ("king", {**START, "C6": "1k"}, {"C6": "1", "C7": "0k"}, {}, "king.move"),
    "the king gone": ("king", {**START, "C6": "1k"}, {"C6": "1"}, {}, "king.move"),
    "the king on a knight": ("king", {**START, "C6": "1k", "F6": "1b"}, {"C6": "1", "F6": "1k"}, {}, "king.move"),
    "the king and a block": ("king", {**START, "C6": "1k"}, {"C6": "1", "F6": "2k"}, {}, "king.move"),
    "a knight moved": ("king", {**START, "C6": "1k", "F6": "1b"}, {"F6": "1", "E1": "1b"}, {}, "king.move"),
    "king and knight change": (
        "king",
        {**START, "C6": "1k", "F6": "1b"},
        {"C6": "1b", "F6": "1k"},
        {},
        "king.move",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_anything_else_breaks_the_stages_own_rule(name: str) -> None:
    which, before, change, keys, rule = WRONG[name]
    ruling = stage(which, before, change, **keys)
    assert [violation.rule for violation in ruling.violations] == [rule]
    assert ruling.alternatives == ()
    assert ruling.next is None
    for language in LANGUAGES:
        assert ruling.violations[0].words.text(language)


def new_game(**choice: Any) -> TorresPosition:
    return GAME.new_game({"edition": "fr-1999", "players": ["blue", "orange"]} | choice)


def begin(position: TorresPosition, board: dict[str, str]) -> TorresPosition:
    return GAME.start_from_setup(position, GAME.observation(text_of(board)))


def test_a_game_begins_with_the_castles_or_with_all_that_is_set_up() -> None:
    then = begin(new_game(), START)
    assert (then.stage, then.start_fields) == ("knights", START_FIELDS)
    then = begin(new_game(), {**START, "C6": "1b", "F6": "1o", "D8": "1k"})
    assert (then.stage, then.to_move.word) == ("play", "blue")


def test_the_fields_of_the_castles_are_learnt_from_the_board() -> None:
    other = dict.fromkeys(("A1", "D1", "G1", "A4", "D4", "G4", "A7", "D7"), "1")
    assert begin(new_game(), other).start_fields == tuple(other)


def test_in_the_master_game_the_board_may_be_empty() -> None:
    then = begin(new_game(variants=["master"]), {})
    assert (then.stage, then.start_fields) == ("castles", ())
    assert begin(new_game(variants=["master"]), START).stage == "knights"


DIFFERENCES: dict[str, tuple[dict[str, str], list[str]]] = {
    "a castle is missing": ({"E1": "0"}, ["setup.castles"]),
    "a castle of two": ({"E1": "2"}, ["setup.castles"]),
    "a colour that does not play": ({"E1": "1r", "C6": "1b", "F6": "1o", "D8": "1k"}, ["setup.knight"]),
    "no knight": ({"F6": "1o", "D8": "1k"}, ["setup.knight"]),
    "two knights": ({"C6": "1b", "E1": "1b", "F6": "1o", "D8": "1k"}, ["setup.knight"]),
    "a knight on the ground": ({"C7": "0b", "F6": "1o", "D8": "1k"}, ["setup.knight"]),
    "no king": ({"C6": "1b", "F6": "1o"}, ["setup.king"]),
    "the king on the ground": ({"C6": "1b", "F6": "1o", "C7": "0k"}, ["setup.king"]),
}


def test_one_castle_is_told_as_one() -> None:
    told = castle_count(1)
    assert [told.text(language).split(",")[0] for language in ("en", "de", "fr")] == [
        "1 castle stands",
        "Es steht 1 Burg",
        "Il y a 1 château",
    ]


@pytest.mark.parametrize("name", DIFFERENCES)
def test_what_differs_from_a_set_up_is_named(name: str) -> None:
    change, rules = DIFFERENCES[name]
    board = GAME.observation(text_of({**START, **change}))
    found = GAME.setup_differences(new_game(), board)
    assert [violation.rule for violation in found] == rules
    for language in LANGUAGES:
        assert found[0].words.text(language)
    with pytest.raises(RequestError):
        GAME.start_from_setup(new_game(), board)

"""Positions that players make: begun, let stand, corrected, given up; new games; how far a turn has come."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.contract import RequestError, RuleId
from referee.games.terra_turrium.colours import Colour, parse_board
from referee.games.terra_turrium.engine import GAME
from referee.values.board import Board, Field
from referee.values.words import LANGUAGES
from tests.games.terra_turrium.positions import FOUR, SEATS, Flags, Stacks, position, start_flags, start_stacks, text
from tests.untyped import untyped

RED, YELLOW, GREEN, BLUE = Colour.RED, Colour.YELLOW, Colour.GREEN, Colour.BLUE
START = GAME.position(position())


def board(stacks: Stacks | None = None, flags: Flags | None = None, players: int = 4) -> Board:
    """Return the set-up with some fields changed; a flag of "" is taken away."""
    shown = start_flags("kosmos-1990", players) | (flags or {})
    return parse_board(
        text(start_stacks("kosmos-1990", players) | (stacks or {}), {k: v for k, v in shown.items() if v})
    )


def own(colour: str) -> str:
    """Return some field with a flag of a colour in the set-up."""
    return next(name for name, word in start_flags("kosmos-1990", 4).items() if word == colour)


def test_a_game_begins_with_the_flags_where_they_stand() -> None:
    new = GAME.new_game({"edition": "kosmos-1990", "seats": FOUR})
    assert (new.in_hand[RED], new.turn, new.to_move) == (6, 1, RED)
    assert not new.board.flags.any()
    begun = GAME.start_from_setup(new, board())
    assert begun == GAME.position(position(first="red", to_move="red"))
    with pytest.raises(RequestError, match="6 flags"):
        GAME.start_from_setup(new, board(flags={own("red"): ""}))


@pytest.mark.parametrize("edition", ["kosmos-1990", "ludibay-fr"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_choice_there_is_makes_a_game(edition: str, players: int) -> None:
    choices = GAME.choices()
    offered = next(e for e in choices.editions if e.choice.id == edition)
    for variants in dict(offered.variants)[players]:
        choice: dict[str, Any] = {"edition": edition, "seats": SEATS[players], "variants": list(variants)}
        if "team" in variants:
            choice["teams"] = [["red", "yellow"], ["green", "blue"]]
        if "handicap" in variants:
            words = list(dict.fromkeys(c for c in SEATS[players].values() if c))
            choice |= {"reserve": {words[0]: 3}, "giver": words[1]}
        new = GAME.new_game(choice)
        assert GAME.setup_differences(new, new.board) or players == 0
        seen = parse_board(text(_stacks(new.board), start_flags(edition, players)))
        if not set(_stacks(new.board)) >= set(start_flags(edition, players)):
            continue  # a cube given away lay under a flag of the usual set-up
        assert GAME.start_from_setup(new, seen).in_hand == dict.fromkeys(new.players, 0)


def _stacks(seen: Board) -> Stacks:
    return {Field(row, col).name: int(h) for row, line in enumerate(seen.heights) for col, h in enumerate(line) if h}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_choice_is_explained(language: str) -> None:
    told = untyped(GAME.choices().to_json(language))
    for what in (*told["editions"], *told["variants"]):
        assert what["name"]
        assert what["explains"]
    assert {o["id"] for o in told["options"]} == {"exterior", "returned_cubes", "two_player_territories"}


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"edition": "tin"}, "edition"),
        ({"seats": {"nw": "red"}}, "seats"),
        ({"sets": 1}, "key"),
        ({"variants": ["team", "pro"]}, "variants"),
        ({"variants": ["handicap"], "reserve": {"red": 3}}, "giver"),
        ({"variants": ["handicap"], "reserve": {"red": 300}, "giver": "yellow"}, "reserve"),
        ({"first": "purple"}, "first"),
        ({"seats": {"nw": "red", "ne": "blue", "se": "red", "sw": "blue"}, "options": {}}, "seats"),
    ],
)
def test_a_choice_that_makes_no_game_is_refused(changes: dict[str, Any], code: str) -> None:
    with pytest.raises(RequestError) as refused:
        GAME.new_game({"edition": "kosmos-1990", "seats": FOUR, **changes})
    assert refused.value.code == code


def test_an_accepted_turn_counts_what_is_missing_as_captured() -> None:
    place = own("yellow")
    free = "E5"
    after = GAME.accepted(START, board(flags={place: "", own("red"): "", free: "red"}))
    assert (after.turn, after.to_move) == (2, YELLOW)
    assert dict(after.in_hand) == {RED: 0, YELLOW: 1, GREEN: 0, BLUE: 0}
    assert after.attacks[RED] == 1  # the flag stood outside red's territory
    own_flag = GAME.accepted(START, board(flags={own("red"): ""}))
    assert (own_flag.in_hand[RED], own_flag.attacks[RED]) == (1, 0)


def test_an_accepted_turn_never_makes_a_sixth_attack() -> None:
    spent = GAME.position(position(attacks={"red": 5}))
    assert GAME.accepted(spent, board(flags={own("yellow"): ""})).attacks[RED] == 5


@pytest.mark.parametrize(
    ("stacks", "flags", "code"),
    [
        ({"A1": 2}, {}, "board"),
        ({"A1": 0}, {}, "board"),
        ({}, {"E5": "red"}, "flags"),
        ({own("red"): 0, "E5": 3}, {}, "board"),
    ],
    ids=["a cube too many", "a cube missing", "a seventh flag", "a flag on no cube"],
)
def test_boards_no_position_can_have_say_what_to_put_right(stacks: Stacks, flags: Flags, code: str) -> None:
    with pytest.raises(RequestError) as refused:
        GAME.accepted(START, board(stacks, flags))
    assert refused.value.code == code
    assert str(refused.value)


def test_an_accepted_turn_can_win() -> None:
    towers = {"A10": 6, "B10": 5, "C10": 4, "D10": 3, "E10": 2, "E9": 1}
    stacks = start_stacks("kosmos-1990", 4) | {f"{c}{r}": 0 for c in "ABCDEFGHIJ" for r in (2, 3)} | towers
    stacks["J10"] += 116 - sum(stacks.values())
    flags = dict.fromkeys(towers, "red")
    before = GAME.position(
        position(stacks=stacks, flags=flags, in_hand={"red": 0, "yellow": 6, "green": 6, "blue": 6}, first="red")
    )
    after = GAME.accepted(before, before.board)
    assert (after.winners, after.final_round, after.finished) == ((RED,), True, False)


def test_corrections_bring_hands_and_turns_along() -> None:
    fewer = board(flags={own("yellow"): ""})
    assert GAME.corrected(START, {"board": fewer.text}).in_hand[YELLOW] == 1
    assert GAME.corrected(START, {"to_move": "green"}).turn == 3
    assert GAME.corrected(START, {"attacks": {"red": 2}}).attacks[RED] == 2
    changes: Mapping[str, object]
    for changes, code in (
        ({"edition": "ludibay-fr"}, "key"),
        ({"board": "1"}, "board"),
        ({"to_move": "purple"}, "to_move"),
        ({"in_hand": {"red": 1}}, "flags"),
        ({"tea": 1}, "key"),
    ):
        with pytest.raises(RequestError) as refused:
            GAME.corrected(START, changes)
        assert refused.value.code == code


def test_who_is_left_alone_has_won() -> None:
    assert GAME.resigned(START, frozenset({RED})) == START
    over = GAME.resigned(START, frozenset({RED, GREEN, BLUE}))
    assert (over.winners, over.finished) == ((YELLOW,), True)
    assert GAME.position(over.to_json()) == over
    team = GAME.position(position(variants=["team"], teams=[["red", "yellow"], ["green", "blue"]]))
    assert GAME.resigned(team, frozenset({RED})) == team
    assert GAME.resigned(team, frozenset({RED, YELLOW})).winners == (GREEN, BLUE)
    with pytest.raises(RequestError):
        GAME.resigned(START, frozenset(START.players))
    assert (GAME.passed(START).turn, GAME.passed(START).board) == (2, START.board)


def test_every_rule_is_cited_where_it_is_written() -> None:
    cited = GAME.citation(START, RuleId("take.count"))
    assert (cited.sheet, cited.paragraph) == ("Terra Turrium (1990)", "Bausteine nehmen")
    french = GAME.position(position("ludibay-fr"))
    assert GAME.citation(french, RuleId("move.points")).paragraph == "Déplacer un drapeau"


def test_how_far_a_turn_has_come() -> None:
    def told(*seen: Board) -> dict[str, int]:
        return {part.id: part.value for part in GAME.progress(START, seen)}

    assert told() == {"taken": 0, "placed": 0, "in_hand": 0, "points": 0}
    took = board({"E1": 0, "E2": 0})
    assert told(took) == {"taken": 2, "placed": 0, "in_hand": 2, "points": 0}
    placed = board({"E1": 0, "E2": 0, "E3": 2})
    assert told(took, placed) == {"taken": 2, "placed": 1, "in_hand": 1, "points": 0}
    jumped = board(flags={own("red"): "", "J5": "red"})
    assert "points" not in told(jumped)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_whatever_is_accepted_is_a_position_or_says_what_is_wrong(data: st.DataObject) -> None:
    """Any board at all: a position that holds together comes out, or a sentence."""
    names = sorted(start_stacks("kosmos-1990", 4))
    stacks = data.draw(st.dictionaries(st.sampled_from(names), st.integers(0, 3), max_size=3))
    flags = data.draw(st.dictionaries(st.sampled_from(names), st.sampled_from(["", "red", "yellow"]), max_size=3))
    seen = board(stacks, flags)
    try:
        after = GAME.accepted(START, seen)
    except RequestError:
        after = None
    assert after is None or (GAME.position(after.to_json()) == after and after.board == seen)

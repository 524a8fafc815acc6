"""Positions and declarations as JSON: they go round, and what is wrong is named by its key."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.contract import RequestError
from referee.games.torres.engine import GAME
from referee.games.torres.ruleset import KINDS, OPTIONS
from tests.games.torres.tables import BEFORE, check, position_data, text_of
from tests.games.torres.wrong import DECLARED, GONE, WRONG


def test_absent_keys_are_those_of_the_start() -> None:
    position = GAME.position({k: v for k, v in position_data().items() if k != "cards"})
    assert position.to_json() == {
        "game": "torres",
        "edition": "fr-1999",
        "variants": [],
        "options": {},
        "players": ["blue", "orange"],
        "first": "blue",
        "to_move": "blue",
        "stage": "play",
        "phase": 1,
        "round": 1,
        "turn": 1,
        "board": text_of(BEFORE),
        "start_fields": ["D8", "C6", "F6", "H5", "A4", "C3", "F3", "E1"],
        "stacks": {"blue": [3, 3, 3, 3], "orange": [3, 3, 3, 3]},
        "reserve": 60,
        "cards": {"blue": {"held": 0, "played": []}, "orange": {"held": 0, "played": []}},
        "score": {"blue": 0, "orange": 0},
        "master": None,
    }


@pytest.mark.parametrize(
    ("players", "stacks", "reserve"),
    [
        (["red", "blue"], [3, 3, 3, 3], 60),
        (["red", "blue", "white"], [3, 3, 2, 2], 54),
        (["red", "blue", "white", "black"], [2, 2, 2, 2], 52),
    ],
)
def test_supplies_at_the_start(players: list[str], stacks: list[int], reserve: int) -> None:
    position = GAME.position({**position_data(board={"A1": "1"}, players=players), "cards": {}})
    assert list(position.stacks.values()) == [tuple(stacks)] * len(players)
    assert position.reserve == reserve


def test_ten_cards_are_held_in_the_master_game() -> None:
    position = GAME.position({**position_data(variants=["master"], master="edge"), "cards": {}})
    assert [hand.held for hand in position.cards.values()] == [10, 10]
    assert position.start_fields == ()


@given(
    options=st.fixed_dictionaries({}, optional={name: st.sampled_from(values) for name, values in OPTIONS.items()}),
    least=st.integers(0, 6),
    played=st.lists(st.sampled_from(KINDS), max_size=5),
    score=st.integers(0, 300),
    stacks=st.lists(st.integers(1, 9), max_size=5),
)
def test_a_position_goes_round(
    options: dict[str, Any], least: int, played: list[str], score: int, stacks: list[int]
) -> None:
    data = position_data(
        options=options | {"master_min": least},
        cards={"blue": {"held": 2, "played": played}, "orange": {"held": 0, "played": []}},
        score={"blue": score, "orange": 0},
        stacks={"blue": stacks, "orange": []},
        turn=4,
        round=2,
        to_move="orange",
    )
    position = GAME.position(data)
    assert position.to_json() == {**GAME.position(position_data()).to_json(), **data}
    assert GAME.position(position.to_json()) == position


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_named_by_its_key(name: str) -> None:
    changes, told = WRONG[name]
    data = {key: value for key, value in (position_data() | changes).items() if value is not GONE}
    with pytest.raises(RequestError) as refused:
        GAME.position(None if "" in changes else data)
    assert told in str(refused.value)
    assert refused.value.code


@pytest.mark.parametrize("name", DECLARED)
def test_what_is_wrong_in_a_declaration_is_named(name: str) -> None:
    said, told = DECLARED[name]
    with pytest.raises(RequestError) as refused:
        check(declared=said)
    assert told in str(refused.value)


def test_null_is_as_if_absent() -> None:
    said = dict.fromkeys(("card", "bought", "points", "stack", "leftover", "start"))
    assert check(declared=said).next == check().next


def test_a_stack_may_be_said_as_a_form_says_it() -> None:
    stacks = {"blue": [3, 2], "orange": []}
    assert check(declared={"stack": "2"}, stacks=stacks).next == check(declared={"stack": 2}, stacks=stacks).next


def test_a_leftover_is_looked_at_in_legal_turns_only() -> None:
    assert not check({"A8": "2"}, declared={"leftover": [30]}).legal


def test_a_game_that_is_over_has_no_turn() -> None:
    with pytest.raises(RequestError, match="over"):
        check(stage="finished")


def test_the_number_of_a_turn_counts_the_set_up_and_kings_moves_too() -> None:
    """Numbers go on by one from step to step, so that a record can say which turn it means."""
    play = GAME.position(position_data(phase=2, turn=9))
    king = GAME.position(position_data(phase=2, turn=9, stage="king", to_move="orange"))
    assert (play.turn, king.turn) == (2 + 1 + 1 + 9, 2 + 1 + 9)
    assert GAME.position(position_data(board={"A1": "1"}, stage="king")).turn == 3
    assert GAME.position(position_data(board={"A1": "1"}, stage="knights", to_move="orange")).turn == 2
    laid = position_data(board={"A1": "1"}, stage="castles", variants=["master"])
    assert GAME.position(laid).turn == 2

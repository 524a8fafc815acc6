"""New games: what can be chosen, and the position before the set-up that a choice leads to."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.contract import RequestError
from referee.games.terra_turrium.engine import GAME
from referee.games.terra_turrium.ruleset import PREFERENCE
from tests.games.terra_turrium.positions import FOUR, SEATS, THREE, TWO, after, position, start_stacks, text


def game(edition: str = "kosmos-1990", **choice: Any) -> dict[str, Any]:
    return GAME.new_game({"edition": edition, "seats": FOUR} | choice).to_json()


@pytest.mark.parametrize("edition", ["kosmos-1990", "ludibay-fr"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_stacks_stand_and_all_flags_are_in_hand(edition: str, players: int) -> None:
    seats = SEATS[players]
    data = game(edition, seats=seats)
    colours = list(dict.fromkeys(colour for colour in seats.values() if colour))
    assert data["board"] == text(start_stacks(edition, players), {})
    assert data["in_hand"] == dict.fromkeys(colours, 6)
    assert data["seats"] == seats
    assert (data["first"], data["to_move"], data["turn"]) == (colours[0], colours[0], 1)
    assert data["edition"] == edition


def test_what_is_chosen_is_kept() -> None:
    data = game(first="blue", variants=["pro"], options={"exterior": "line"}, game="terra-turrium")
    assert (data["first"], data["to_move"]) == ("blue", "blue")
    assert (data["variants"], data["options"]) == (["pro"], {"exterior": "line"})
    teams = [["red", "yellow"], ["green", "blue"]]
    assert game(variants=["team"], teams=teams)["teams"] == teams
    opposite = {"nw": "red", "ne": "blue", "se": "red", "sw": "blue"}
    assert game(seats=opposite, options={"two_player_territories": "opposite"})["seats"] == opposite


@pytest.mark.parametrize(
    ("players", "giver", "given", "missing"),
    [
        # The giver's outermost fields from the board's corner on, row by row.
        (4, "yellow", 2, "J6 J7"),
        (4, "red", 3, "A6 A7 A8"),
        (3, "green", 1, "F2"),
    ],
)
def test_a_reserve_is_taken_from_the_givers_edge(players: int, giver: str, given: int, missing: str) -> None:
    data = game(seats=SEATS[players], variants=["handicap"], reserve={"red": given}, giver=giver)
    bare = text(start_stacks("kosmos-1990", players), {})
    assert data["board"] == after(bare, *(f"-{name}" for name in missing.split()))
    assert data["reserve"]["red"] == given


def test_no_reserve_needs_no_giver() -> None:
    assert game(variants=["handicap"], reserve={"red": 0})["board"] == game()["board"]


@pytest.mark.parametrize(
    ("choice", "code", "message"),
    [
        (
            {"colour": "red"},
            "key",
            "unknown key 'colour' for a new game: use "
            "game, edition, variants, options, seats, first, teams, reserve, giver",
        ),
        ({"edition": "klein"}, "edition", "edition is 'klein': use one of kosmos-1990, ludibay-fr"),
        ({"game": "chess"}, "game", "game is 'chess', not 'terra-turrium'"),
        ({"seats": TWO, "options": {"two_player_territories": "opposite"}}, "seats", None),
        (
            {
                "seats": {"nw": "red", "ne": "blue", "se": "red", "sw": "blue"},
                "options": {"two_player_territories": "adjacent"},
            },
            "seats",
            "seats: the territories are not adjacent: seat the players so, or choose the other",
        ),
        (
            {"seats": {"nw": "red", "ne": "blue", "se": "red", "sw": "blue"}, "options": {}},
            "seats",
            "seats: the territories are not adjacent: seat the players so, or choose the other",
        ),
        ({"options": {"two_player_territories": "both"}, "seats": TWO}, "options", None),
        ({"options": "line"}, "options", "options is an object {...}, not 'line'"),
        (
            {"variants": ["handicap"], "reserve": {"red": 1}},
            "giver",
            "giver is null: say who gives the reserve's cubes, one of red, yellow, green, blue",
        ),
        (
            {"seats": THREE, "variants": ["handicap"], "reserve": {"red": 1}, "giver": "blue"},
            "giver",
            "giver is 'blue': say who gives the reserve's cubes, one of red, yellow, green",
        ),
        (
            {"variants": ["handicap"], "reserve": {"red": 20, "blue": 6}, "giver": "green"},
            "reserve",
            "reserve: at most 25 cubes can be given from green's territory",
        ),
        ({"reserve": {"red": 1}, "giver": "blue"}, "reserve", None),
        ({"variants": ["handicap"], "reserve": 3}, "reserve", None),
        ({"variants": ["handicap"], "reserve": {"red": "3"}}, "reserve", None),
        ({"variants": ["handicap"], "reserve": {"red": True}}, "reserve", None),
        ({"first": "pink"}, "first", None),
    ],
)
def test_what_can_t_be_chosen(choice: dict[str, Any], code: str, message: str | None) -> None:
    with pytest.raises(RequestError) as caught:
        game(**choice)
    assert caught.value.code == code
    assert message is None or str(caught.value) == message


@pytest.mark.parametrize("key", ["edition", "seats"])
def test_missing_choices_are_named(key: str) -> None:
    choice = {name: value for name, value in (("edition", "kosmos-1990"), ("seats", FOUR)) if name != key}
    with pytest.raises(RequestError, match=f"key '{key}' is missing for a new game: give it") as caught:
        GAME.new_game(choice)
    assert caught.value.code == "key"


def test_the_choices() -> None:
    """Every set of variants that is offered makes a game, and no other does."""
    told: Any = GAME.choices().to_json()
    assert (told["game"], told["title"]) == ("terra-turrium", "Terra Turrium")
    assert [place["id"] for place in told["places"]] == ["nw", "ne", "se", "sw"]
    assert told["colours"] == ["red", "yellow", "green", "blue"]
    assert [edition["id"] for edition in told["editions"]] == ["kosmos-1990", "ludibay-fr"]
    assert [variant["id"] for variant in told["variants"]] == ["team", "handicap", "pro", "burgenland"]
    assert {option["id"]: [value["id"] for value in option["values"]] for option in told["options"]} == {
        "exterior": ["path", "line"],
        "returned_cubes": ["allowed", "forbidden"],
        "two_player_territories": ["adjacent", "opposite"],
    }
    german, french = GAME.choices().editions
    assert dict(german.variants)[4] == (
        (),
        ("handicap",),
        ("pro",),
        ("team",),
        ("handicap", "pro"),
        ("team", "handicap"),
    )
    assert dict(german.variants)[2] == dict(german.variants)[3] == ((), ("handicap",), ("pro",), ("handicap", "pro"))
    assert dict(french.variants) == dict.fromkeys((2, 3, 4), ((), ("burgenland",)))


@pytest.mark.parametrize(("edition", "sheet"), [("kosmos-1990", "1990"), ("ludibay-fr", "français")])
def test_every_rule_is_cited(edition: str, sheet: str) -> None:
    start = GAME.position(position(edition))
    for rule in PREFERENCE:
        citation = GAME.citation(start, rule)
        assert sheet in citation.sheet
        assert citation.paragraph

"""Seats that the flags of a set-up show, where they are others than those agreed on."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games import package_named
from referee.games.contract import InfersSetup
from referee.games.terra_turrium.colours import LETTERS
from referee.games.terra_turrium.engine import GAME
from referee.games.terra_turrium.geometry import TERRITORIES
from referee.games.terra_turrium.position.position import TerraPosition
from referee.opponents import Opponent, Strength
from referee.values.board import Board, Field

COLOURS = ("red", "yellow", "green", "blue")
PACKAGE = package_named("terra-turrium")


def new(*owners: str | None, **said: Any) -> TerraPosition:
    """Return a new game, the owners of the territories from the top left clockwise."""
    seats = dict(zip(TERRITORIES, owners, strict=True))
    return GAME.new_game({"edition": "kosmos-1990", "seats": seats} | said)


def laid(position: TerraPosition, seed: int = 1) -> Board:
    board: Board = Opponent(PACKAGE, Strength.MIDDLE, seed).set_up(position)
    return board


def without(board: Board, *letters: str) -> Board:
    """Return a board before some have placed their flags."""
    flags = board.flags.copy()
    for letter in letters:
        flags[flags == board.letters.index(letter) + 1] = 0
    return Board(board.heights, flags, board.letters)


@given(st.permutations(COLOURS), st.permutations(COLOURS), st.integers(0, 99))
def test_four_players_in_any_corners_are_found_and_seats_that_are_right_stay(
    agreed: list[str], real: list[str], seed: int
) -> None:
    position, wanted = new(*agreed, first="green"), new(*real, first="green")
    found = GAME.other_setup(position, laid(wanted, seed))
    if agreed == real:
        assert found is None
    else:
        assert found is not None
        assert found.position == wanted


def test_it_is_asked_in_words() -> None:
    found = GAME.other_setup(new(*COLOURS), laid(new("yellow", "red", "green", "blue")))
    assert isinstance(GAME, InfersSetup)
    assert found is not None
    assert found.words.text() == (
        "The flags stand in other corners than chosen: Yellow at the top left, Red at the top right, "
        "Green at the bottom right and Blue at the bottom left. Play with these seats?"
    )


@pytest.mark.parametrize(
    "real",
    [
        ("red", "yellow", None, "blue"),
        ("yellow", None, "green", "blue"),
        ("red", "red", "blue", "blue"),
    ],
)
def test_other_numbers_of_players_are_found(real: tuple[str | None, ...]) -> None:
    wanted = new(*real)
    found = GAME.other_setup(new(*COLOURS), laid(wanted))
    assert found is not None
    assert found.position.seats == wanted.seats
    assert GAME.setup_differences(found.position, laid(wanted)) == ()


def test_two_players_across_the_board_are_found_where_their_flags_show_it() -> None:
    wanted = new("blue", "red", "blue", "red", options={"two_player_territories": "opposite"})
    board = wanted.board
    for name in ("B9", "C9", "D9", "G3", "H3", "I3"):
        board = board.with_field(Field.from_name(name), 1, LETTERS.index("b") + 1)
    for name in ("G9", "H9", "I9", "B3", "C3", "D3"):
        board = board.with_field(Field.from_name(name), 1, LETTERS.index("r") + 1)
    found = GAME.other_setup(new(*COLOURS), board)
    assert found is not None
    assert found.position.seats == wanted.seats
    one_corner = laid(wanted)  # all flags of each player in one of the two territories: who owns the others is open
    assert GAME.other_setup(new(*COLOURS), one_corner) is None


def test_nothing_is_offered_before_it_is_clear() -> None:
    board = laid(new("yellow", "red", "blue", "green"))
    assert GAME.other_setup(new(*COLOURS), without(board, "y", "g", "b")) is None
    assert GAME.other_setup(new(*COLOURS), without(board, "g", "b")) is None
    almost = GAME.other_setup(new(*COLOURS), without(board, "g"))
    assert almost is not None
    assert almost.position.seats == new("yellow", "red", "blue", "green").seats, (
        "whose flags lack sits where nobody does"
    )
    assert GAME.other_setup(new(*COLOURS), without(board, *"rygb")) is None


def test_one_flag_in_a_foreign_corner_is_no_other_seat() -> None:
    position = new(*COLOURS)
    board = laid(position)
    row, col = next(zip(*(board.flags == 1).nonzero(), strict=True))
    moved = board.with_field(Field(int(row), int(col)), int(board.heights[row, col]), 0).with_field(Field(0, 0), 1, 1)
    assert GAME.other_setup(position, moved) is None


def test_cubes_in_a_reserve_were_taken_from_a_corner_that_is_known() -> None:
    position = new(*COLOURS, variants=["handicap"], reserve={"red": 2}, giver="blue")
    assert GAME.other_setup(position, laid(new("yellow", "red", "green", "blue"))) is None


def test_teams_sit_together() -> None:
    teams = {"variants": ["team"], "teams": [["red", "yellow"], ["green", "blue"]]}
    position = new(*COLOURS, **teams)
    found = GAME.other_setup(position, laid(new("yellow", "red", "blue", "green", **teams)))
    assert found is not None
    assert found.position.teams == position.teams
    assert GAME.other_setup(position, laid(new("red", "green", "yellow", "blue"))) is None, "across is not beside"

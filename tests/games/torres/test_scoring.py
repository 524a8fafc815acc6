"""Scoring: castles, the king's castle, master cards, markers on the track, and who is last."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.torres.colours import KnightColour
from referee.games.torres.engine import GAME
from referee.games.torres.outcome.scoring import CastleScore, PhaseScore, advanced, moved, phase_scores, scored
from referee.games.torres.position.position import TorresPosition
from tests.games.torres.tables import position_data

BLUE, ORANGE, RED = KnightColour.BLUE, KnightColour.ORANGE, KnightColour.RED


def at(board: dict[str, str], phase: int = 1, **keys: Any) -> TorresPosition:
    options = keys.pop("options", {})
    keys.setdefault("turn", GAME.position(position_data(board, **keys)).rules.turn_number(phase, 1, 0))
    return GAME.position(position_data(board, phase=phase, options=options, **keys))


def gained(board: dict[str, str], phase: int = 1, **keys: Any) -> dict[KnightColour, PhaseScore]:
    position = at(board, phase, **keys)
    return phase_scores(position, position.board)


def test_a_castle_counts_its_area_times_the_level_of_the_highest_knight() -> None:
    board = {"A1": "3b", "A2": "1b", "A3": "1", "B1": "2o", "B2": "1", "D1": "1", "F5": "0b"}
    found = gained(board)
    assert [castle.to_json() for castle in found[BLUE].castles] == [
        {"fields": ["A1", "B1", "A2", "B2", "A3"], "area": 5, "level": 3, "points": 15}
    ]
    assert found[ORANGE].total == 10


@pytest.mark.parametrize(
    ("levels", "total"),
    [(("2b", "4b"), 16 + 10), (("1b", "2b"), 8 + 10), (("1b", "4b"), 16), (("2o", "1b"), 4)],
)
def test_the_kings_castle_gives_a_bonus_for_the_level_of_the_phase(levels: tuple[str, str], total: int) -> None:
    """The checks of the sheet: area 4 in phase 2; it prints 26 for the second, a slip."""
    board = {"A1": levels[0], "A2": levels[1], "A3": "1", "B1": "3k", "H8": "1"}
    assert gained(board, phase=2)[BLUE].total == total


@pytest.mark.parametrize(("phase", "bonus"), [(1, 5), (2, 10), (3, 15)])
def test_the_bonus_grows_and_is_given_once(phase: int, bonus: int) -> None:
    board = {"A1": f"{phase}b", "A2": f"{phase}b", "B1": "1k"}
    assert gained(board, phase)[BLUE].king == bonus


def test_without_a_king_in_a_castle_there_is_no_bonus() -> None:
    assert gained({"A1": "1b"})[BLUE].king == 0
    assert gained({"A1": "1b", "C1": "0k"})[BLUE].king == 0


MASTER: dict[str, tuple[str, dict[str, str], int, int]] = {
    "one level": ("level", {"A1": "2b", "C3": "2b"}, 3, 50),
    "one level on the ground": ("level", {"A1": "0b", "C3": "0b"}, 3, 50),
    "two levels": ("level", {"A1": "2b", "C3": "1b"}, 3, 0),
    "one level in phase 2": ("level", {"A1": "2b", "C3": "2b"}, 2, 0),
    "one knight is one level": ("level", {"A1": "2b"}, 3, 50),
    "no knight is nothing": ("level", {"A1": "2o"}, 3, 0),
    "different levels": ("levels", {"A1": "2b", "C3": "1b", "D3": "0b"}, 3, 40),
    "a level twice": ("levels", {"A1": "2b", "C3": "1b", "D3": "1b"}, 3, 0),
    "a group": ("group", {"A1": "2b", "A2": "0b", "B2": "5b"}, 3, 40),
    "corners are no group": ("group", {"A1": "2b", "B2": "5b"}, 3, 0),
    "a row": ("line", {"A1": "1b", "C1": "1b", "H1": "1b"}, 3, 50),
    "a column": ("line", {"A1": "1b", "A8": "1b"}, 3, 50),
    "a diagonal": ("line", {"A2": "1b", "C4": "1b"}, 3, 50),
    "the other diagonal": ("line", {"C2": "1b", "A4": "1b"}, 3, 50),
    "no line": ("line", {"A2": "1b", "C4": "1b", "D4": "1b"}, 3, 0),
    "a square": ("square", {"A1": "1b", "D1": "1b", "A4": "1b", "D4": "1b", "H8": "0b"}, 3, 50),
    "no square": ("square", {"A1": "1b", "D1": "1b", "A4": "1b", "E4": "1b"}, 3, 0),
    "three are no square": ("square", {"A1": "1b", "D1": "1b", "A4": "1b"}, 3, 0),
    "four castles": ("castles", {"A1": "1b", "C1": "1b", "E1": "1b", "G1": "1b", "H8": "0b"}, 1, 5),
    "three castles": ("castles", {"A1": "1b", "C1": "1b", "E1": "1b", "E2": "1b"}, 1, 0),
    "five castles in phase 2": ("castles", {"A1": "1b", "C1": "1b", "E1": "1b", "G1": "1b", "G3": "1b"}, 2, 15),
    "most on the diagonals": ("diagonals", {"A1": "1b", "H1": "1b", "D5": "1o"}, 1, 6),
    "as many on the diagonals": ("diagonals", {"A1": "1b", "D5": "1o"}, 2, 5),
    "none on the diagonals": ("diagonals", {"A2": "1b"}, 3, 0),
    "the edge": ("edge", {"A2": "1b", "H7": "1b", "C8": "0b", "D4": "1o"}, 3, 40),
}


@pytest.mark.parametrize("name", MASTER)
def test_master_cards(name: str) -> None:
    card, board, phase, points = MASTER[name]
    assert gained(board, phase, variants=["master"], master=card)[BLUE].master == points


def test_a_small_square_and_a_least_number_can_be_asked_for() -> None:
    large = {"A1": "1b", "D1": "1b", "A4": "1b", "D4": "1b"}
    small = {"A1": "1b", "B1": "1b", "A2": "1b", "B2": "1b"}
    keys: dict[str, Any] = {"variants": ["master"], "master": "square", "options": {"square": "block"}}
    assert gained(large, 3, **keys)[BLUE].master == 0
    assert gained(small, 3, **keys)[BLUE].master == 50
    keys = {"variants": ["master"], "master": "level", "options": {"master_min": 2}}
    assert gained({"A1": "1b"}, 3, **keys)[BLUE].master == 0
    assert gained({"A1": "1b", "A2": "1b"}, 3, **keys)[BLUE].master == 50


def test_a_marker_goes_on_to_the_next_free_field() -> None:
    score = {BLUE: 3, ORANGE: 5, RED: 6}
    assert moved(score, BLUE, 2)[BLUE] == 7
    assert moved(score, BLUE, 1)[BLUE] == 4
    assert moved(score, BLUE, 0)[BLUE] == 3


def test_each_action_point_is_a_move_of_its_own() -> None:
    assert advanced({BLUE: 0, ORANGE: 1, RED: 3}, BLUE, 2)[BLUE] == 4
    assert advanced({BLUE: 0, ORANGE: 1}, BLUE, 0)[BLUE] == 0


def test_castles_king_and_master_card_are_three_moves_in_the_order_of_players() -> None:
    four = CastleScore((0, 1, 2, 3), 1)
    gains = {BLUE: PhaseScore((four,), 5, 0), ORANGE: PhaseScore((four,), 0, 5)}
    assert scored({BLUE: 0, ORANGE: 0}, (BLUE, ORANGE), gains) == {BLUE: 9, ORANGE: 10}
    assert scored({BLUE: 0, ORANGE: 0}, (ORANGE, BLUE), gains) == {BLUE: 10, ORANGE: 9}


@given(st.lists(st.tuples(st.sampled_from([BLUE, ORANGE, RED]), st.integers(0, 9)), max_size=12))
def test_markers_never_share_a_field_but_the_start(moves: list[tuple[KnightColour, int]]) -> None:
    score = {BLUE: 0, ORANGE: 0, RED: 0}
    for player, points in moves:
        before = score[player]
        score = moved(score, player, points)
        assert score[player] >= before + points
        on_the_way = [place for place in score.values() if place]
        assert len(set(on_the_way)) == len(on_the_way)


def test_among_those_at_the_start_the_later_in_turn_order_is_last() -> None:
    board = {"A1": "1"}
    position = at(board, players=["blue", "orange", "red"], first="orange", to_move="orange", turn=1)
    assert position.ranked() == (ORANGE, RED, BLUE)
    ahead = at(board, players=["blue", "orange", "red"], score={"red": 2})
    assert ahead.ranked() == (RED, BLUE, ORANGE)


def test_winners_are_several_only_where_all_are_at_the_start() -> None:
    over = GAME.position(position_data({"A1": "1"}, stage="finished", score={"blue": 4, "orange": 9}))
    assert over.winners == (ORANGE,)
    assert GAME.position(position_data({"A1": "1"}, stage="finished")).winners == (BLUE, ORANGE)
    assert GAME.position(position_data({"A1": "1"}, score={"blue": 4})).winners == ()

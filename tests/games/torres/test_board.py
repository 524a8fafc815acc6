"""Board text: goes round, and says what is wrong with what is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.contract import RequestError
from referee.games.torres.board import TorresBoard
from referee.games.torres.colours import KING, PIECE_LETTERS, KnightColour
from referee.games.torres.engine import GAME
from referee.values.board import Board, BoardError

ROW = "00000000"
EMPTY = "/".join([ROW] * 8)

boards = st.builds(
    TorresBoard,
    st.lists(st.integers(0, 35), min_size=64, max_size=64).map(tuple),
    st.lists(st.sampled_from(["", *PIECE_LETTERS]), min_size=64, max_size=64).map(tuple),
)


@pytest.mark.long
@given(boards)
def test_text_goes_round(board: TorresBoard) -> None:
    assert TorresBoard.parse(board.text) == board
    assert str(board) == board.text
    assert TorresBoard.of(board.shared) == board
    assert board.shared.text == board.text


@pytest.mark.long
@given(boards)
def test_masks_hold_every_piece_once(board: TorresBoard) -> None:
    assert sum(mask.bit_count() for mask in board.masks.values()) == sum(1 for piece in board.pieces if piece)
    assert board.king == board.masks.get(KING, 0)
    assert board.blocks.bit_count() == sum(1 for height in board.heights if height)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (5, "is a string"),
        ("", "has 1 rows"),
        ("/".join([ROW] * 7), "has 7 rows"),
        (EMPTY + "/", "has 9 rows"),
        (EMPTY.replace(ROW, "0" * 9, 1), "row 8 has 9 fields"),
        (EMPTY.replace(ROW, "0" * 7, 1), "row 8 has 7 fields"),
        (EMPTY.replace(ROW, "r" + ROW, 1), "'r' stands on no field"),
        (EMPTY.replace(ROW, "0rr" + ROW[1:], 1), "'r' stands on no field"),
        (EMPTY.replace(ROW, "a" + ROW, 1), "'a' is neither a height"),
    ],
)
def test_what_is_no_board_is_refused_with_the_row(text: object, told: str) -> None:
    with pytest.raises(RequestError, match=told):
        GAME.observation(text)


def test_another_size_is_no_board() -> None:
    with pytest.raises(BoardError, match="8 rows of 8 fields"):
        TorresBoard((0,) * 63, ("",) * 63)
    small = Board.parse("00/00", 2, 2, PIECE_LETTERS)
    with pytest.raises(RequestError, match="8 rows of 8 fields"):
        GAME.setup_differences(GAME.new_game({"edition": "fr-1999", "players": ["red", "blue"]}), small)


def test_black_knights_have_a_letter_of_their_own() -> None:
    assert KnightColour.BLACK.letter == "n"
    assert [colour.code for colour in KnightColour] == list(range(1, 9))

"""Boards of which not everything is known: one text, which goes round, and rows of the old kind."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.values.board import Board, BoardError
from referee.values.partial import UNKNOWN, PartialBoard


def parsed(text: str, rows: int, cols: int) -> list[tuple[str, int | None, str | None]]:
    board = PartialBoard.parse(text, rows, cols, "rygb")
    return [(place.name, height, letter) for place, height, letter in board.fields()]


def test_unknown_heights_and_pieces() -> None:
    assert parsed("11?1~?r2", 1, 6) == [
        ("A1", 1, ""),
        ("B1", 1, ""),
        ("C1", None, ""),
        ("D1", 1, None),
        ("E1", None, "r"),
        ("F1", 2, ""),
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1?2", "1~2"),  # two fields: the mark can only be a piece's
        ("??2", "?~2"),
        ("1r??", "1r?~"),
        ("?1?", "?1~"),
    ],
)
def test_a_row_of_the_old_kind_is_read_where_it_can_be_cut_in_one_way(old: str, new: str) -> None:
    assert PartialBoard.parse(old, 1, 2, "rygb") == PartialBoard.parse(new, 1, 2, "rygb")


@pytest.mark.parametrize("text", ["1??", "???", "111", "1", "r1", "1x", "1~~", "1?~2"])
def test_what_fits_no_row_of_two_fields_is_refused(text: str) -> None:
    with pytest.raises(BoardError, match="row 1"):
        PartialBoard.parse(text, 1, 2, "rygb")


grids = st.integers(1, 4).flatmap(
    lambda rows: st.integers(1, 4).flatmap(
        lambda cols: st.lists(
            st.tuples(st.integers(UNKNOWN, 35), st.integers(UNKNOWN, 4)), min_size=rows * cols, max_size=rows * cols
        ).map(lambda cells: np.array(cells, np.int8).reshape(rows, cols, 2))
    )
)


@given(grids)
def test_text_goes_round(cells: np.ndarray[tuple[int, ...], np.dtype[np.int8]]) -> None:
    board = PartialBoard(cells[..., 0], cells[..., 1], "rygb")
    rows, cols = board.heights.shape
    again = PartialBoard.parse(board.text, rows, cols, "rygb")
    assert again == board
    assert (again.heights == board.heights).all()
    assert (again.pieces == board.pieces).all()


def test_a_whole_board_is_a_partial_one_with_everything_known() -> None:
    board = Board.parse("11r/1y1", 2, 2, "rygb")
    assert PartialBoard.of(board).text == board.text
    assert PartialBoard.of(board).complete
    assert PartialBoard.blank(board).text == "?~?~/?~?~"

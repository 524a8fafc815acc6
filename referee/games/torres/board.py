"""Hold what stands on the board: a stack of blocks on each field and the piece on it, a knight or the king."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from referee.games.torres.colours import KING, PIECE_LETTERS, KnightColour
from referee.games.torres.geometry import COUNT, SIDE, mask_of
from referee.values.board import DIGITS, Board, BoardError

PIECES = frozenset(PIECE_LETTERS)


@dataclass(frozen=True)
class TorresBoard:
    """Stacks and pieces standing still, field A1 first.

    heights: blocks on each field. pieces: the letter of the piece on each field, empty where none stands. Raises
    BoardError for values that are no board.
    """

    heights: tuple[int, ...]
    pieces: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.heights) != COUNT or len(self.pieces) != COUNT:
            raise BoardError("a board has {rows} rows of {columns} fields", rows=SIDE, columns=SIDE)

    @cached_property
    def masks(self) -> dict[str, int]:
        """Return the fields of each piece, by its letter; a letter that stands nowhere is left out."""
        found: dict[str, int] = {}
        for i, piece in enumerate(self.pieces):
            if piece:
                found[piece] = found.get(piece, 0) | 1 << i
        return found

    def knights(self, colour: KnightColour) -> int:
        """Return the fields on which knights of a colour stand."""
        return self.masks.get(colour.letter, 0)

    @cached_property
    def blocks(self) -> int:
        """Return the fields with blocks."""
        return mask_of(i for i, height in enumerate(self.heights) if height)

    @property
    def king(self) -> int:
        """Return the field the king stands on, as a set; empty where he is not on the board."""
        return self.masks.get(KING, 0)

    @property
    def text(self) -> str:
        """Return the board text: the highest row first, joined by ``/``."""
        cells = [DIGITS[h] + piece for h, piece in zip(self.heights, self.pieces, strict=True)]
        return "/".join("".join(cells[i : i + SIDE]) for i in range(COUNT - SIDE, -1, -SIDE))

    @classmethod
    def parse(cls, text: object) -> TorresBoard:
        """Parse board text. Raises BoardError, naming the row, when it is none."""
        if not isinstance(text, str):
            raise BoardError("board text is a string, not {kind}", kind=type(text).__name__)
        lines = text.split("/")
        if len(lines) != SIDE:
            raise BoardError("board text has {count} rows joined by '/', not {rows}", count=len(lines), rows=SIDE)
        heights: list[int] = []
        pieces: list[str] = []
        for row, line in enumerate(reversed(lines), 1):
            row_heights, row_pieces = _parse_row(line, row)
            heights += row_heights
            pieces += row_pieces
        return cls(tuple(heights), tuple(pieces))

    @classmethod
    def of(cls, board: Board) -> TorresBoard:
        """Return the board that cameras and pages know, as this game's. Raises BoardError for another size."""
        pieces = ("", *board.letters)
        return cls(
            tuple(board.heights.ravel().tolist()), tuple(pieces[code] for code in board.flags.ravel().tolist())
        )

    @cached_property
    def shared(self) -> Board:
        """Return the board as cameras and pages know it."""
        codes = {"": 0} | {letter: code for code, letter in enumerate(PIECE_LETTERS, 1)}
        flags = [codes[piece] for piece in self.pieces]
        shape = (SIDE, SIDE)
        return Board(
            np.array(self.heights, np.int8).reshape(shape), np.array(flags, np.int8).reshape(shape), PIECE_LETTERS
        )

    def __str__(self) -> str:
        return self.text


def _parse_row(line: str, row: int) -> tuple[list[int], list[str]]:
    heights: list[int] = []
    pieces: list[str] = []
    for char in line:
        if char in _HEIGHTS:
            heights.append(_HEIGHTS[char])
            pieces.append("")
        elif char in PIECES and heights and not pieces[-1]:
            pieces[-1] = char
        elif char in PIECES:
            raise BoardError(
                "row {row}: the piece {piece} stands on no field of its own in {line}",
                row=row,
                piece=repr(char),
                line=repr(line[:40]),
            )
        else:
            raise BoardError(
                "row {row}: {sign} is neither a height 0-9, A-Z nor a piece {known}",
                row=row,
                sign=repr(char),
                known=", ".join(PIECE_LETTERS),
            )
    if len(heights) != SIDE:
        raise BoardError(
            "row {row} has {count} fields, not {columns}: {line}",
            row=row,
            count=len(heights),
            columns=SIDE,
            line=repr(line[:40]),
        )
    return heights, pieces


_HEIGHTS = {digit: h for h, digit in enumerate(DIGITS)}

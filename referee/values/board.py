"""A board: fields, stacks and pieces, and the board text that identifies them.

A board is a grid of stacks. Row 0 is row "1" of the printed board, column 0 is column "A"; arrays are indexed
``[row, column]`` throughout. The text form is the identity of a board: it parses, prints and goes round.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MAX_HEIGHT = len(DIGITS) - 1


class BoardError(ValueError):
    """Text or arrays that are not a board; the message quotes the offending part.

    template: English, as of Words, which can't be imported here (``board_words`` of referee/values/words.py); values:
    of its placeholders.
    """

    def __init__(self, template: str, /, **values: str | int) -> None:
        super().__init__(template.format(**values) if values else template)
        self.template, self.values = template, values


class Field(NamedTuple):
    """One field of the board: ``row`` 0 is row "1", ``col`` 0 is column "A"."""

    row: int
    col: int

    @property
    def name(self) -> str:
        """Return the field's name, such as ``D4``."""
        return f"{chr(ord('A') + self.col)}{self.row + 1}"

    @classmethod
    def from_name(cls, name: object) -> Field:
        """Parse a name such as ``D4``, or a Cell's such as ``b2.4``. Raises BoardError when it is none."""
        if isinstance(name, str) and (cell := _CELL.fullmatch(name)):
            return Cell.at(ord(cell[1]) - ord("a"), int(cell[2]) - 1, int(cell[3]))
        if isinstance(name, str) and name[:1].isascii() and name[:1].isupper() and name[1:].isdecimal():
            row = int(name[1:]) - 1
            if row >= 0 and name[1:] == str(row + 1):
                return cls(row, ord(name[0]) - ord("A"))
        raise BoardError("{name} is not a field: write a column letter and a row number, such as D4", name=repr(name))


_CELL = re.compile(r"([a-z])([1-9])\.([1-9][0-9]{0,2})")
_ROWS = 9
"""Rows a level can have: those of the next level are counted on from there."""


class Cell(Field):
    """One cell of a tower, where a grid has a field: its rows are counted on from level to level."""

    __slots__ = ()

    @classmethod
    def at(cls, column: int, row: int, level: int) -> Cell:
        """Return the cell of a column and a row, counted from 0, on a level, counted from 1."""
        return cls(_ROWS * (level - 1) + row, column)

    @property
    def name(self) -> str:
        """Return the cell's name, such as ``b2.4``."""
        level, row = divmod(self.row, _ROWS)
        return f"{chr(ord('a') + self.col)}{row + 1}.{level + 1}"


@dataclass(frozen=True, eq=False)
class Board:
    """Stacks and pieces standing still.

    heights: (rows, cols) int8, stones in each stack, 0 is an empty field.
    flags: (rows, cols) int8, the code of the piece on it, 0 is none.
    letters: the pieces' letters in board text, that of code 1 first (Kit.letters).
    Both arrays are copied and locked. Boards are equal whose ``text`` is.
    """

    heights: NDArray[np.int8]
    flags: NDArray[np.int8]
    letters: str

    def __post_init__(self) -> None:
        for name in ("heights", "flags"):
            grid = np.array(getattr(self, name), dtype=np.int8)
            grid.setflags(write=False)
            object.__setattr__(self, name, grid)
        if self.heights.ndim != 2 or self.heights.shape != self.flags.shape:
            heights, flags = repr(self.heights.shape), repr(self.flags.shape)
            raise BoardError("heights {heights} and flags {flags} differ in shape", heights=heights, flags=flags)
        if self.heights.size and (self.heights.min() < 0 or self.heights.max() > MAX_HEIGHT):
            raise BoardError("a stack's height is 0 to {most}", most=MAX_HEIGHT)
        if self.flags.size and (self.flags.min() < 0 or self.flags.max() > len(self.letters)):
            raise BoardError("a piece is 0 or one of {count} kinds", count=len(self.letters))

    @cached_property
    def text(self) -> str:
        """Return the board text of formats.md: the highest row first, joined by ``/``."""
        return "/".join(
            "".join(DIGITS[h] + (self.letters[f - 1] if f else "") for h, f in zip(hs, fs, strict=True))
            for hs, fs in zip(self.heights[::-1].tolist(), self.flags[::-1].tolist(), strict=True)
        )

    @classmethod
    def parse(cls, text: object, rows: int, cols: int, letters: str) -> Board:
        """Parse board text of the given size and letters. Raises BoardError, naming the row, when it is none."""
        if not isinstance(text, str):
            raise BoardError("board text is a string, not {kind}", kind=type(text).__name__)
        lines = text.split("/")
        if len(lines) != rows:
            raise BoardError("board text has {count} rows joined by '/', not {rows}", count=len(lines), rows=rows)
        heights = np.zeros((rows, cols), np.int8)
        flags = np.zeros((rows, cols), np.int8)
        for index, line in enumerate(lines):
            row = rows - 1 - index
            heights[row], flags[row] = _parse_row(line, row, cols, letters)
        return cls(heights, flags, letters)

    @property
    def fields(self) -> Iterator[Field]:
        """Yield the fields, row by row from the first."""
        rows, columns = self.heights.shape
        return (Field(row, column) for row in range(rows) for column in range(columns))

    def stands(self, place: Field) -> str:
        """Return height and piece of one field as board text."""
        piece = int(self.flags[place.row, place.col])
        return DIGITS[int(self.heights[place.row, place.col])] + (self.letters[piece - 1] if piece else "")

    def with_field(self, place: Field, height: int, piece: int) -> Board:
        """Return the board with another height and piece code on one field."""
        heights, flags = self.heights.copy(), self.flags.copy()
        heights[place.row, place.col], flags[place.row, place.col] = height, piece
        return Board(heights, flags, self.letters)

    def like(self, text: object) -> Board:
        """Parse board text of this board's size and letters. Raises BoardError, naming the row, when it is none."""
        rows, cols = self.heights.shape
        return Board.parse(text, rows, cols, self.letters)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        if self.letters != other.letters:
            return self.text == other.text
        return np.array_equal(self.heights, other.heights) and np.array_equal(self.flags, other.flags)

    def __hash__(self) -> int:
        return hash(self.text)

    def __str__(self) -> str:
        return self.text


def _parse_row(line: str, row: int, cols: int, letters: str) -> tuple[list[int], list[int]]:
    heights: list[int] = []
    flags: list[int] = []
    for char in line:
        if char in DIGITS:
            heights.append(DIGITS.index(char))
            flags.append(0)
        elif char in letters and heights and not flags[-1]:
            flags[-1] = letters.index(char) + 1
        elif char in letters:
            raise BoardError(
                "row {row}: the piece {piece} stands on no field of its own in {line}",
                row=row + 1,
                piece=repr(char),
                line=repr(line[:40]),
            )
        else:
            known = ", ".join(letters)
            raise BoardError(
                "row {row}: {sign} is neither a height 0-9, A-Z nor a piece {known}",
                row=row + 1,
                sign=repr(char),
                known=known,
            )
    if len(heights) != cols:
        raise BoardError(
            "row {row} has {count} fields, not {columns}: {line}",
            row=row + 1,
            count=len(heights),
            columns=cols,
            line=repr(line[:40]),
        )
    return heights, flags


def differing_fields(one: Board, other: Board) -> set[Field]:
    """Return the fields in which two boards of one size differ."""
    differ = (one.heights != other.heights) | (one.flags != other.flags)
    return {Field(int(row), int(col)) for row, col in np.argwhere(differ)}

"""Boards of which some fields are unknown: one value, one parser, one printer.

In text an unknown height is ``?`` and an unknown piece ``~``: ``11?1~?r2`` is 1, 1, an unknown height without a
piece, a 1 with an unknown piece, an unknown height with a red piece, a 2. Until 2026-11 an unknown piece was written
``?`` too; a row of that kind is still read where it can be cut into fields in one way only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.values.board import DIGITS, Board, BoardError, Field

UNKNOWN = -1
"""An unknown value, in both arrays."""


@dataclass(frozen=True, eq=False)
class PartialBoard:
    """Stacks and pieces as far as they are known.

    heights, pieces: (rows, cols) int8, as in a Board, UNKNOWN where it can't be told. letters: as in a Board. Arrays
    are copied and locked; equality and hash go through ``text``.
    """

    heights: NDArray[np.int8]
    pieces: NDArray[np.int8]
    letters: str

    def __post_init__(self) -> None:
        for name in ("heights", "pieces"):
            grid = np.array(getattr(self, name), dtype=np.int8)
            grid.setflags(write=False)
            object.__setattr__(self, name, grid)

    @property
    def text(self) -> str:
        """Return the text, the highest row first, joined by ``/``."""
        return "/".join(
            "".join(self._height(h) + self._piece(p) for h, p in zip(hs, ps, strict=True))
            for hs, ps in zip(self.heights[::-1].tolist(), self.pieces[::-1].tolist(), strict=True)
        )

    def _height(self, height: int) -> str:
        return "?" if height == UNKNOWN else DIGITS[height]

    def _piece(self, piece: int) -> str:
        return "~" if piece == UNKNOWN else self.letters[piece - 1] if piece else ""

    @classmethod
    def parse(cls, text: object, rows: int, cols: int, letters: str) -> PartialBoard:
        """Parse a text of the given size and letters. Raises BoardError, naming the row, when it is none."""
        if not isinstance(text, str):
            raise BoardError("board text is a string, not {kind}", kind=type(text).__name__)
        lines = text.split("/")
        if len(lines) != rows:
            raise BoardError("board text has {count} rows joined by '/', not {rows}", count=len(lines), rows=rows)
        heights = np.zeros((rows, cols), np.int8)
        pieces = np.zeros((rows, cols), np.int8)
        for index, line in enumerate(lines):
            for col, (height, piece) in enumerate(_cut(line, rows - index, cols, letters)):
                heights[rows - 1 - index, col] = UNKNOWN if height == "?" else DIGITS.index(height)
                pieces[rows - 1 - index, col] = UNKNOWN if piece in "?~" and piece else _code(piece, letters)
        return cls(heights, pieces, letters)

    @classmethod
    def of(cls, board: Board) -> PartialBoard:
        """Return a board of which everything is known."""
        return cls(board.heights, board.flags, board.letters)

    @classmethod
    def blank(cls, like: Board) -> PartialBoard:
        """Return a board of another's size of which nothing is known."""
        unknown = np.full(like.heights.shape, UNKNOWN, np.int8)
        return cls(unknown, unknown, like.letters)

    @property
    def complete(self) -> bool:
        """Return whether everything is known."""
        return bool((self.heights != UNKNOWN).all() and (self.pieces != UNKNOWN).all())

    def fields(self) -> Iterator[tuple[Field, int | None, str | None]]:
        """Yield each field, the highest row first, with height (``None``: unknown) and letter (``""``: no piece)."""
        rows, cols = self.heights.shape
        for row in range(rows - 1, -1, -1):
            for col in range(cols):
                height, piece = int(self.heights[row, col]), int(self.pieces[row, col])
                letter = None if piece == UNKNOWN else self.letters[piece - 1] if piece else ""
                yield Field(row, col), None if height == UNKNOWN else height, letter

    def __eq__(self, other: object) -> bool:
        return self.text == other.text if isinstance(other, PartialBoard) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def __str__(self) -> str:
        return self.text


def _code(letter: str, letters: str) -> int:
    return letters.index(letter) + 1 if letter else 0


def _cut(line: str, row: int, cols: int, letters: str) -> list[tuple[str, str]]:
    """Cut a row's text into fields as (height, piece). Raises BoardError."""
    cells: list[tuple[str, str]] = re.findall(f"([0-9A-Z?])([{re.escape(letters)}~]?)", line)
    if len(cells) == cols and "".join(height + piece for height, piece in cells) == line:
        return cells
    cuts = [] if "~" in line else list(_old_cuts(line, cols, letters))
    if len(cuts) != 1:
        raise BoardError(
            "row {row}: the text does not fit a row of {columns} fields: {line}",
            row=row,
            columns=cols,
            line=repr(line[:40]),
        )
    return cuts[0]


def _old_cuts(line: str, cols: int, letters: str) -> Iterator[list[tuple[str, str]]]:
    """Yield the ways, two at most, to cut a row of the old kind, in which ``?`` stands for a height or a piece."""
    # ways[(place, fields)]: the cuts of the line's rest into so many fields, not more than two of them.
    ways: dict[tuple[int, int], list[list[tuple[str, str]]]] = {(len(line), 0): [[]]}
    for place in range(len(line) - 1, -1, -1):
        if line[place] not in DIGITS + "?":
            continue
        for left in range(1, cols + 1):
            found = [[(line[place], ""), *rest] for rest in ways.get((place + 1, left - 1), [])]
            if line[place + 1 : place + 2] in tuple(letters + "?"):
                mark = line[place + 1]
                found += [[(line[place], mark), *rest] for rest in ways.get((place + 2, left - 1), [])]
            if found:
                ways[place, left] = found[:2]
    yield from ways.get((0, cols), [])

"""Define the colours that play, and what a board of this game is."""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from referee.values.board import Board, BoardError


class Colour(IntEnum):
    """A player's colour, and the code of its flags on boards; 0 is kept for "no flag"."""

    RED = 1
    YELLOW = 2
    GREEN = 3
    BLUE = 4

    @property
    def word(self) -> str:
        """Return the colour as formats write it: ``red``, ``yellow``, ``green`` or ``blue``."""
        return self.name.lower()

    @property
    def letter(self) -> str:
        """Return the flag's letter in board text."""
        return self.word[0]

    @classmethod
    def from_word(cls, word: object) -> Colour:
        """Return the colour a word names. Raises BoardError for anything else."""
        if isinstance(word, str) and word in _BY_WORD:
            return _BY_WORD[word]
        raise BoardError("{word} is not a colour: use one of {known}", word=repr(word), known=", ".join(_BY_WORD))


_BY_WORD = {colour.word: colour for colour in Colour}
LETTERS = "".join(colour.letter for colour in Colour)
"""The flags' letters in board text."""
SIZE = 10
"""Rows and columns of the board."""


def board_of(heights: NDArray[np.int8], flags: NDArray[np.int8]) -> Board:
    """Return a board with this game's flags. heights, flags: (10, 10)."""
    return Board(heights, flags, LETTERS)


def parse_board(text: object) -> Board:
    """Parse board text. Raises BoardError, naming the row, when it is none."""
    return Board.parse(text, SIZE, SIZE, LETTERS)

"""Define the colours that play, and the letters of all pieces."""

from __future__ import annotations

from enum import StrEnum


class KnightColour(StrEnum):
    """A player's colour, in the order of the codes of its knights on boards."""

    RED = "red"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    ORANGE = "orange"
    PURPLE = "purple"
    WHITE = "white"
    BLACK = "black"

    @property
    def word(self) -> str:
        """Return the colour as formats write it."""
        return self.value

    @property
    def letter(self) -> str:
        """Return the letter of its knights in board text."""
        return _LETTERS.get(self.value, self.value[0])

    @property
    def code(self) -> int:
        """Return the code of its knights on boards."""
        return PIECE_LETTERS.index(self.letter) + 1


_LETTERS = {"black": "n"}
"""Letters that are not the first of the word."""
KING = "k"
PIECE_LETTERS = "".join(colour.letter for colour in KnightColour) + KING
"""The letters of all pieces, that of code 1 first."""

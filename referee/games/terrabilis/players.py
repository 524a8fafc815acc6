"""Define the countries that play."""

from __future__ import annotations

from enum import Enum

from referee.values.board import BoardError


class Country(Enum):
    """A player: the colour of the pawn and of the country card."""

    RED = "red"
    GREEN = "green"
    BLUE = "blue"
    YELLOW = "yellow"

    @property
    def word(self) -> str:
        """Return the country as formats write it: ``red``, ``green``, ``blue`` or ``yellow``."""
        return self.value

    @classmethod
    def from_word(cls, word: object) -> Country:
        """Return the country a word names. Raises BoardError for anything else."""
        if isinstance(word, str) and word in _BY_WORD:
            return _BY_WORD[word]
        raise BoardError("{word} is not a colour: use one of {known}", word=repr(word), known=", ".join(_BY_WORD))


_BY_WORD = {country.word: country for country in Country}

"""Define the error of a game whose own code fails, for every room that meets it."""

from __future__ import annotations

from referee.values.words import Words


class GameError(Exception):
    """A game that can't be loaded, or whose code failed; ``words`` name its distribution and the place.

    where: distribution, function, place and error alone, for whoever made the game.
    """

    def __init__(self, words: Words, where: str) -> None:
        super().__init__(words.text())
        self.words, self.where = words, where

"""A command as it came, and its arguments, checked one by one as they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from referee.games.contract import RequestError
from referee.match.events import AnyGame, TurnRuled
from referee.match.state import TableState
from referee.values.players import Player
from referee.values.words import Words, say

Choice = TypeVar("Choice", bound=StrEnum)

LONGEST_WORDS = 500
"""Characters a player may write into the journal at a time."""


MOST_TEXTS = 100
"""Texts by name that a command may hold: a field each."""


@dataclass(frozen=True, slots=True)
class Command:
    """Something a player said.

    arguments: as ``ARGUMENTS`` says, JSON-able. by: who said it, as the journal keeps it. seen: number of the newest
    event the sender knew of (``event`` of the view), so that nobody decides on something that is already over.
    player: the word of the one player for whom the sender may act; empty: for the whole table.
    """

    name: str
    arguments: Mapping[str, object] = field(default_factory=dict)
    by: str = ""
    seen: int | None = None
    player: str = ""


class CommandError(Exception):
    """A command that is not carried out; ``code`` is a stable word, ``words`` tells the players why."""

    def __init__(self, code: str, words: Words) -> None:
        super().__init__(words.text())
        self.code = code
        self.words = words


Judge = Callable[[TableState], TurnRuled]
"""Rules in a state in which a ruling is due: on the board that people gave, or on the reading."""


class CommandArguments:
    """A command's arguments, checked one by one as they are asked for. judge: rules on earlier turns again."""

    def __init__(self, command: Command, state: TableState, game: AnyGame, judge: Judge | None = None) -> None:
        self.by = command.by
        self.state = state
        self.game = game
        self.judge = judge
        self._given = command.arguments

    def text(self, key: str) -> str:
        """Return a text of at most LONGEST_WORDS characters, empty where none is given.

        Raises CommandError for others.
        """
        value = self._given.get(key, "")
        if not isinstance(value, str) or len(value) > LONGEST_WORDS:
            raise CommandError(
                "arguments", say("{key} must be a text of at most {n} characters.", key=key, n=LONGEST_WORDS)
            )
        return value

    def texts(self, key: str) -> dict[str, str]:
        """Return texts by name, none where none are given.

        Raises CommandError for anything else, and for more or longer ones than anybody means.
        """
        found = self._given.get(key, {})
        if not isinstance(found, dict) or len(found) > MOST_TEXTS:
            raise CommandError("arguments", say("{key} must be at most {n} texts by name.", key=key, n=MOST_TEXTS))
        if not all(isinstance(text, str) and len(text) <= LONGEST_WORDS for one in found.items() for text in one):
            raise CommandError(
                "arguments", say("{key} must be a text of at most {n} characters.", key=key, n=LONGEST_WORDS)
            )
        return dict(found)

    def one_of(self, key: str, choices: type[Choice]) -> Choice:
        """Return one of an enumeration's words. Raises CommandError for any other word."""
        word = self.text(key)
        if word not in list(choices):
            raise CommandError(
                "arguments", say("{key} must be one of {choices}.", key=key, choices=", ".join(choices))
            )
        return choices(word)

    def number(self, key: str) -> int:
        """Return a whole number. Raises CommandError for anything else."""
        value = self._given.get(key)
        if type(value) is not int:
            raise CommandError("arguments", say("{key} must be a number.", key=key))
        return value

    def mapping(self, key: str) -> Mapping[str, object]:
        """Return an object whose keys are texts."""
        value = self._given.get(key)
        if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
            raise CommandError("arguments", say("{key} must be an object.", key=key))
        return value

    def _player(self, word: Any) -> Player:
        try:
            return self.game.player(word)
        except RequestError as error:
            raise CommandError("arguments", error.words) from None

    def colour(self, key: str) -> Player:
        """Return a player of this game. Raises CommandError for anybody else."""
        colour = self._player(self._given.get(key))
        if colour not in [seat.colour for seat in self.game.seats(self.state.position)]:
            raise CommandError("arguments", say("{who} does not play.", who=colour))
        return colour

    def colours(self, key: str) -> tuple[Player, ...]:
        """Return players of this game, in playing order. Raises CommandError for anybody else."""
        value = self._given.get(key, [])
        if not isinstance(value, list):
            raise CommandError("arguments", say("{key} must be a list of colours.", key=key))
        if not value:
            return ()
        playing = [seat.colour for seat in self.game.seats(self.state.position)]
        named = {self._player(word) for word in value}
        if not named <= set(playing):
            raise CommandError("arguments", say("{key} must be a list of colours.", key=key))
        return tuple(colour for colour in playing if colour in named)

    def observation(self, key: str) -> Any:
        """Return an observation of the table, from the game's text. Raises RequestError for a wrong one."""
        return self.game.observation(self._given.get(key))

    def value(self, key: str) -> object:
        """Return whatever was given, ``None`` for nothing."""
        return self._given.get(key)

    def has(self, key: str) -> bool:
        """Return whether an argument is given."""
        return self._given.get(key) is not None

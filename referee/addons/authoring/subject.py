"""Hold the game that is checked, what it is played through with, and what it says."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from referee.games import GROUP, package_named
from referee.games.contract import Position, Ruling
from referee.games.guarding import guarded
from referee.games.package import GamePackage
from referee.games.record import Record, RecordEntry, parse_record
from referee.values.installed import entries
from referee.values.words import LANGUAGES, Words


@dataclass(frozen=True, slots=True)
class Subject:
    """A game to check.

    raw: as its entry point gives it. package: the same with all its functions guarded: one that fails raises
    GameError, which names it.
    """

    raw: GamePackage
    package: GamePackage

    @classmethod
    def named(cls, name: str) -> Subject:
        """Return an installed game. Raises RequestError for no such game, GameError for one that can't be loaded."""
        package = package_named(name)
        return cls(entries(GROUP)[name].load()(), package)

    @classmethod
    def of(cls, raw: GamePackage, distribution: str) -> Subject:
        """Return a game that is not installed. distribution: its name and version."""
        return cls(raw, guarded(raw, distribution))

    @property
    def _module(self) -> ModuleType:
        name = type(self.raw.game).__module__
        return importlib.import_module(name.rpartition(".")[0] or name)

    @property
    def languages(self) -> tuple[str, ...]:
        """Return the languages its sentences need texts in: those of its catalogues, all where it brings none."""
        folder = Path(str(self._module.__file__)).parent
        brought = {path.parents[1].name.replace("_", "-") for path in folder.glob("locale/*/LC_MESSAGES/*.po")}
        return tuple(language for language in LANGUAGES[1:] if language in brought) or LANGUAGES[1:]

    @property
    def sources(self) -> Iterator[tuple[str, str]]:
        """Yield every Python file of the game's package: its module, and its text."""
        module = self._module
        folder = Path(str(module.__file__)).parent
        for path in sorted(folder.rglob("*.py")) if hasattr(module, "__path__") else [Path(str(module.__file__))]:
            yield path.relative_to(folder.parent).as_posix(), path.read_text(encoding="utf-8")

    @property
    def record(self) -> Record:
        """Return the playthrough. Raises LookupError without one, RecordError."""
        if self.package.playthrough is None:
            raise LookupError("a game brings a playthrough: a record of a short game")
        return parse_record(self.package.playthrough.read_text(encoding="utf-8"))

    @property
    def played(self) -> Iterator[tuple[Position, RecordEntry, Ruling]]:
        """Yield every turn of the playthrough: the position before it, its entry, and what was ruled.

        The first from which no position follows is the last: what was played after it can't be told.
        """
        record = self.record
        position = self.package.records.start(record)
        for entry in record.turns:
            ruling = self.package.records.play(position, entry)
            yield position, entry, ruling
            if ruling.next is None:
                return
            position = ruling.next

    @property
    def starts(self) -> Iterator[Position]:
        """Yield a new game of every edition for every number of players, with nothing else chosen."""
        choices = self.package.game.choices()
        for edition in choices.editions:
            for count, _ in edition.variants:
                seatings = [each for each in choices.seatings if each.players == count]
                groups = seatings[0].groups if seatings else [(place.id,) for place in choices.places[:count]]
                seats: dict[str, str | None] = dict.fromkeys((place.id for place in choices.places), None)
                for colour, group in zip(choices.colours, groups, strict=False):
                    seats |= dict.fromkeys(group, colour.word)
                options = dict(seatings[0].options) if seatings else {}
                said: dict[str, object] = {"edition": edition.choice.id, "seats": seats}
                yield self.package.game.new_game(said | ({"options": options} if options else {}))


Check = Callable[[Subject], Iterator[str]]
"""Yields what is wrong with a game, each in a line."""


def words_in(value: Any) -> Iterator[Words]:
    """Yield all sentences inside a value."""
    if isinstance(value, Words):
        yield value
        yield from words_in(tuple(inner for _, inner in value.values))
    elif is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            yield from words_in(getattr(value, each.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from words_in(item)

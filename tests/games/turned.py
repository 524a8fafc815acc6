"""A game's texts with the board turned or mirrored, colours exchanged and cards renamed; rulings on any acts."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

from referee.games.contract import Ruling
from referee.games.package import GamePackage
from referee.games.record import RecordEntry
from referee.values.declaring import NOTHING_DECLARED

Turned = Callable[[str], str]
SWAPPED = {
    "terra-turrium": ("red", "blue"),
    "torres": ("blue", "orange"),
    "turris": ("light", "dark"),
    "terrabilis": ("red", "blue"),
    "three-stones": ("red", "blue"),
}
"""Two colours of each game that change places. Counters of Terrabilis are green and yellow, too."""
COLOURS = {
    "terra-turrium": ("red", "yellow", "green", "blue"),
    "torres": ("red", "yellow", "green", "blue", "orange", "purple", "white", "black"),
}
"""Colours of which any may change places."""
LETTERS = {"black": "n"}
"""Letters of colours on a board that are not their first."""
BOARDS = {
    "terra-turrium": "ABCDEFGHIJ",
    "torres": "ABCDEFGH",
    "turris": "abc",
    "three-stones": "ABCDEFGHIJ",
}
"""Columns, and so many rows, too."""
CORNERS = {"nw": (0, 1), "ne": (1, 1), "se": (1, 0), "sw": (0, 0)}
POINTS = {"n": (1, 2), "e": (2, 1), "s": (1, 0), "w": (0, 1)}
"""Where a bar of Turris points, from the middle of three by three."""


@dataclass(frozen=True)
class Turning:
    """A way to turn a game's texts, records and positions in JSON alike.

    quarters: how often the board is turned clockwise, after it was mirrored. words: colours and cards by those that
    stand in their place.
    """

    name: str
    quarters: int = 0
    mirrored: bool = False
    words: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def swapped(cls, name: str) -> Turning:
        """Exchange two colours."""
        one, other = SWAPPED[name]
        return cls(name, words={one: other, other: one})

    @classmethod
    def drawn(cls, name: str, rnd: random.Random, cards: tuple[str, ...] = ()) -> Turning:
        """Draw a way; each card's name is read backwards."""
        colours = list(COLOURS.get(name, SWAPPED[name]))
        words = dict(zip(colours, rnd.sample(colours, len(colours)), strict=True)) | {one: one[::-1] for one in cards}
        return cls(name, rnd.randrange(4), rnd.random() < 0.5, words) if name in BOARDS else cls(name, words=words)

    def __call__(self, text: str) -> str:
        """Return a text turned."""
        return self._pattern.sub(self._replaced, text)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        words = sorted({*self.words, *(CORNERS if self.name == "terra-turrium" else ())}, key=len, reverse=True)
        board, tower = (f'(?:(?<=\\[{key} ")|(?<="{key}": "))(?P<{key}>[^"]*)' for key in ("board", "tower"))
        columns = BOARDS.get(self.name)
        places = f"(?:[{columns}][0-9]+)+" if columns else "(?!)"
        named = rf"\b(?:{'|'.join(map(re.escape, words))})\b" if words else "(?!)"
        return re.compile(f"{board}|{tower}|(?P<places>{places})|(?P<word>{named})")

    def _replaced(self, found: re.Match[str]) -> str:
        if found["word"] is not None:
            word = found["word"]
            return self._corner(word) if word in CORNERS else self.words[word]
        if found["places"] is not None:
            places = [self._place(one) for one in re.findall(r"\D\d+", found["places"])]
            return "".join(sorted(places) if self.name == "turris" else places)
        return self._board(found["board"]) if found["board"] is not None else self._tower(found["tower"])

    def _at(self, x: int, y: int, size: int) -> tuple[int, int]:
        x = size - 1 - x if self.mirrored else x
        for _ in range(self.quarters % 4):
            x, y = y, size - 1 - x
        return x, y

    def _place(self, place: str) -> str:
        columns = BOARDS[self.name]
        x, y = self._at(columns.index(place[0]), int(place[1:]) - 1, len(columns))
        return f"{columns[x]}{y + 1}"

    def _corner(self, word: str) -> str:
        there = self._at(*CORNERS[word], 2)
        return next(corner for corner, at in CORNERS.items() if at == there)

    def _laid_out(self, rows: list[list[str]]) -> list[list[str]]:
        size, turned = len(rows), [row[:] for row in rows]
        for number, row in enumerate(rows):
            for x, cell in enumerate(row):
                to_x, to_y = self._at(x, size - 1 - number, size)
                turned[size - 1 - to_y][to_x] = cell
        return turned

    def _board(self, text: str) -> str:
        letters = {LETTERS.get(one, one[0]): LETTERS.get(to, to[0]) for one, to in self.words.items()}
        rows = [re.findall(r"[0-9A-Z][a-z]?", row) for row in text.split("/")]
        turned = self._laid_out(rows)
        return "/".join("".join(cell[0] + letters.get(cell[1:], cell[1:]) for cell in row) for row in turned)

    def _tower(self, text: str) -> str:
        levels = text.split("/") if text else []
        turned = [self._laid_out([list(level[at : at + 3]) for at in (0, 3, 6)]) for level in levels]
        return "/".join("".join(self._pointing(letter) for row in level for letter in row) for level in turned)

    def _pointing(self, letter: str) -> str:
        if letter.lower() in POINTS:
            there = self._at(*POINTS[letter.lower()], 3)
            to = next(point for point, at in POINTS.items() if at == there)
            letter = to if letter.islower() else to.upper()
        return letter.swapcase() if self.words.get("light") == "dark" else letter


def ruled(package: GamePackage, now: Any, entry: RecordEntry) -> Ruling:
    """Rule on what lies there after acts, right or wrong."""
    if package.laid is None or package.records.declared(entry):
        return package.records.play(now, entry)
    return package.game.check(now, package.game.observation(package.laid(now, entry)), (), NOTHING_DECLARED)

"""A game's texts turned half round or played by other colours, and rulings on acts that are right or wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
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
"""Two colours of each game that change places."""
BOARDS = {
    "terra-turrium": ("ABCDEFGHIJ", 10),
    "torres": ("ABCDEFGH", 8),
    "turris": ("abc", 3),
    "three-stones": ("ABCDEFGHIJ", 10),
}
"""Columns and the number of rows."""
SIDES = {"nw": "se", "ne": "sw", "se": "nw", "sw": "ne", "north": "south", "south": "north"}


def recoloured(name: str) -> Turned:
    one, other = SWAPPED[name]
    words = {one: other, other: one}
    letters = str.maketrans(one[0] + other[0], other[0] + one[0])

    def turned(text: str) -> str:
        text = re.sub(rf"\b({one}|{other})\b", lambda found: words[found[0]], text)
        return re.sub(r'(?<=\[board ")[^"]*', lambda found: found[0].translate(letters), text)

    return turned


def half_round(name: str) -> Turned:
    columns, rows = BOARDS[name]

    def place(found: re.Match[str]) -> str:
        return f"{columns[-1 - columns.index(found[1])]}{rows + 1 - int(found[2])}"

    def turned(text: str) -> str:
        text = re.sub(rf"([{columns}])(\d+)", place, text)
        if name == "turris":
            text = re.sub(r"([a-c]\d)([a-c]\d)", lambda found: "".join(sorted(found.groups())), text)
        text = re.sub(r"\w+(?==)", lambda found: SIDES.get(found[0], found[0]), text)
        return re.sub(r'(?<=\[board ")[^"]*', _half_round, text)

    return turned


def _half_round(board: re.Match[str]) -> str:
    rows = reversed(board[0].split("/"))
    return "/".join("".join(reversed(re.findall(r"\d[a-z]?", row))) for row in rows)


def ruled(package: GamePackage, now: Any, entry: RecordEntry) -> Ruling:
    """Rule on what lies there after acts, right or wrong."""
    if package.laid is None or package.records.declared(entry):
        return package.records.play(now, entry)
    return package.game.check(now, package.game.observation(package.laid(now, entry)), (), NOTHING_DECLARED)

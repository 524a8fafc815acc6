"""Towers of bars as reader and judge share them: what may be expected, and what pictures told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from referee.values.board import BoardError, Cell, Field

ROWS = COLUMNS = 3
"""A tower's base, in cells."""
SIDES = ("south", "east", "north", "west")
"""The sides of a tower, counter-clockwise from the front."""

MOST_GONE = 6
"""Cells that may be gone after a turn: three bars taken off. When a tower falls, more are gone, or all."""


@dataclass(frozen=True, slots=True)
class TowerPrior:
    """A prior for reading a tower; it may always be wrong.

    previous: text of the tower known to have stood before, ``None`` where none is known: one bar is new, rarely two,
    and one may be gone.
    """

    previous: str | None = None


@dataclass(frozen=True, slots=True)
class TowerEvidence:
    """Evidence of pictures on a tower.

    plain: its text as read. surest: its text as an accusation may use it, with ``?`` or ``x`` for all else. sides:
    those shown.
    """

    plain: str
    surest: str
    sides: frozenset[str]

    @property
    def text(self) -> str:
        """Return the evidence as one line, which ``parse`` reads."""
        return f"{self.plain} {self.surest} {'+'.join(side for side in SIDES if side in self.sides)}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what ``text`` wrote. Raises ValueError for anything else."""
        plain, surest, sides = text.split(" ")
        return cls(plain, surest, frozenset(sides.split("+")) & frozenset(SIDES))

    @property
    def hidden(self) -> tuple[str, ...]:
        """Return the sides that were not shown."""
        return tuple(side for side in SIDES if side not in self.sides)


def cells_told(text: str) -> Mapping[str, str]:
    """Return the signs of a tower text by the cells' names, without empty cells."""
    found = {}
    for level, signs in enumerate(text.split("/") if text else (), 1):
        for place, sign in enumerate(signs):
            if sign != ".":
                found[_cell(place, level)] = sign
    return found


def tower_of(signs: Mapping[str, str]) -> str:
    """Return the tower text of signs by the cells' names; others are empty. Raises BoardError for no cell."""
    levels: dict[int, list[str]] = {}
    for name, sign in signs.items():
        if not isinstance(Field.from_name(name), Cell) or _column(name) >= COLUMNS or _row(name) >= ROWS:
            raise BoardError("the tower has no cell {name}", name=repr(name))
        if len(sign) != 1:
            raise BoardError("{sign} is no sign of a cell", sign=repr(sign))
        level = levels.setdefault(int(name.split(".")[1]), ["."] * (COLUMNS * ROWS))
        level[(ROWS - 1 - _row(name)) * COLUMNS + _column(name)] = sign
    empty = "." * (COLUMNS * ROWS)
    return _trimmed("/".join("".join(levels.get(level, empty)) for level in range(1, max(levels, default=0) + 1)))


def has_fallen(before: str, now: str) -> bool:
    """Return whether more cells have lost their bar, or changed colour, than any turn could take."""
    stood, stands = cells_told(before), cells_told(now)
    gone = [cell for cell, sign in stood.items() if tone(stands.get(cell, ".")) not in ("?", tone(sign))]
    return len(gone) > MOST_GONE or len(gone) == len(stood) > len("ew")


def agreed(told: TowerEvidence, other: TowerEvidence) -> TowerEvidence:
    """Return the evidence with cells open in ``surest`` where another reading contradicts.

    A reading contradicts when it tells another colour, or that the cell is empty.
    """
    return TowerEvidence(told.plain, _doubted(told.surest, other.plain, open_agrees=True), told.sides)


def as_before(told: TowerEvidence, before: str) -> TowerEvidence:
    """Return the evidence on cells that stand as in another tower's text; the others are left open."""
    plain, surest = (_doubted(text, before, open_agrees=False) for text in (told.plain, told.surest))
    return TowerEvidence(plain, surest, told.sides)


def _doubted(text: str, other: str, open_agrees: bool) -> str:
    """Return a tower's text with every cell open that another text tells differently, by colour or as empty."""
    signs, against = cells_told(text), cells_told(other)
    levels = max(text.count("/"), other.count("/")) + 1
    found = []
    for level in range(1, levels + 1):
        for place in range(COLUMNS * ROWS):
            cell = _cell(place, level)
            one, two = signs.get(cell, "."), against.get(cell, ".")
            found.append(one if (open_agrees and two == "?") or tone(one) == tone(two) else "?")
        found.append("/")
    return _trimmed("".join(found))


def tone(sign: str) -> str:
    """Return a cell's sign by its bar's colour alone."""
    return sign if sign in ".?" else "X" if sign.isupper() else "x"


def squares_told(text: str) -> str:
    """Return a tower's text as told, by colour alone: cells that can't be told are empty in it."""
    return _trimmed("".join(sign if sign == "/" else tone(sign).replace("?", ".") for sign in text))


def _trimmed(text: str) -> str:
    levels = text.strip("/").split("/")
    while levels and not levels[-1].strip("."):
        levels.pop()
    return "/".join(levels)


def _cell(place: int, level: int) -> str:
    """Return a cell's name. place: in the text of its level, from the back row's left. level: from 1."""
    row, column = divmod(place, COLUMNS)
    return f"{chr(ord('a') + column)}{ROWS - row}.{level}"


def _column(cell: str) -> int:
    return ord(cell[0]) - ord("a")


def _row(cell: str) -> int:
    return int(cell[1]) - 1


def outer(cell: str, side: str) -> bool:
    """Return whether a cell, such as ``b2.4``, stands in the outermost row of a side."""
    column, row = _column(cell), _row(cell)
    at = {"west": column == 0, "east": column == COLUMNS - 1, "south": row == 0, "north": row == ROWS - 1}
    return at[side]

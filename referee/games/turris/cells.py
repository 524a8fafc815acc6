"""Number the cells of the tower, 3 x 3 columns on levels counted from 1, from 0 on and as bits of a mask.

Cell ``9 * (level - 1) + 3 * row + column``: a1 to c1, then a2 to c2, then a3 to c3, level after level.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from referee.games.contract import RequestError
from referee.games.turris import complaints
from referee.values.board import Cell

WIDTH = 3
LAYER = 9
"""Cells of a level."""
LEVEL = (1 << LAYER) - 1
"""All cells of level 1."""
MOST_LEVELS = 99
"""The highest level that has a name."""

MIDDLE = 4
"""The centre among the cells of a level."""
OUTER = LEVEL & ~(1 << MIDDLE)
CORNERS = 0b101000101

_NAME = re.compile(r"([abc])([123])\.([1-9][0-9]?)")


def level_of(cell: int) -> int:
    """Return a cell's level, from 1."""
    return cell // LAYER + 1


def column_of(cell: int) -> int:
    """Return a cell's column, 0 for a."""
    return cell % WIDTH


def row_of(cell: int) -> int:
    """Return a cell's row, 0 for row 1."""
    return cell % LAYER // WIDTH


def is_centre(cell: int) -> bool:
    """Return whether a cell lies in column b2."""
    return cell % LAYER == MIDDLE


def cell_at(column: int, row: int, level: int) -> int:
    """Return the cell of a column and row, counted from 0, on a level, counted from 1."""
    return (level - 1) * LAYER + row * WIDTH + column


def cell_name(cell: int) -> str:
    """Return a cell's name, such as ``b2.4``."""
    return field_of(cell).name


def field_of(cell: int) -> Cell:
    """Return a cell as other rooms know it."""
    return Cell.at(column_of(cell), row_of(cell), level_of(cell))


def parse_cell(text: object) -> int:
    """Parse a cell's name. Raises RequestError with code ``cell`` when it is none."""
    match = _NAME.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise RequestError("cell", complaints.no_cell(text))
    return cell_at("abc".index(match[1]), int(match[2]) - 1, int(match[3]))


def cells_in(mask: int) -> Iterator[int]:
    """Yield the cells of a mask in rising order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def lowest_open(filled: int) -> int:
    """Return the lowest level that is not full, from 1."""
    level = 1
    while filled & LEVEL == LEVEL:
        filled >>= LAYER
        level += 1
    return level


def levels_hold(filled: int) -> bool:
    """Return whether at most three levels are unfinished: nothing above the third from the lowest open one."""
    return not filled >> LAYER * (lowest_open(filled) + 2)


def footprint(filled: int) -> int:
    """Return the columns that hold anything, as cells of level 1."""
    columns = 0
    while filled:
        columns |= filled & LEVEL
        filled >>= LAYER
    return columns


def spans(filled: int) -> bool:
    """Return whether the tower is three squares wide both ways."""
    columns = footprint(filled)
    return all(columns & line for line in (0b001001001, 0b010010010, 0b100100100, 0b111, 0b111000, 0b111000000))

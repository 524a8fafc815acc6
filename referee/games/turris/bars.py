"""Describe bars: two cells in one colour, and what lies around them, worked out once for every place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import NamedTuple

from referee.games.contract import RequestError
from referee.games.turris import complaints
from referee.games.turris.cells import (
    LAYER,
    WIDTH,
    cell_name,
    column_of,
    is_centre,
    level_of,
    parse_cell,
    row_of,
)

BARS_EACH = 20
"""Bars of a colour."""

EAST, NORTH, UP = range(3)
STRIDE = (1, WIDTH, LAYER)
"""From a cell to its neighbour east, north and above."""

_STANDING = re.compile(r"([abc][123]\.[1-9][0-9]?)\^")
_LYING = re.compile(r"([abc][123])([abc][123])(\.[1-9][0-9]?)")


class BarColour(Enum):
    """The colour of a bar, and the player it belongs to."""

    LIGHT = "light"
    DARK = "dark"

    @property
    def word(self) -> str:
        """Return the colour as formats write it."""
        return str(self.value)

    @property
    def other(self) -> BarColour:
        """Return the opponent."""
        return BarColour.DARK if self is BarColour.LIGHT else BarColour.LIGHT


COLOURS = tuple(BarColour)
BY_WORD = {colour.word: colour for colour in BarColour}


@dataclass(frozen=True, slots=True)
class BarPlace:
    """Where a bar can be: the cell further down, south or west, and the direction of the other.

    bit: of this place among all places, as towers keep them. mask: its two cells. below: cells it covers from above
    and that must be filled for it to rest. around: cells that share a side with it, flat: those on the same levels.
    centres: its cells in the centre, from below. bed: the bit of the place of one lying bar that fills both cells
    below a lying bar, 0 on level 1 and for a standing bar. top: its highest level.
    """

    cell: int
    direction: int
    cells: tuple[int, int]
    bit: int
    mask: int
    below: int
    above: int
    around: int
    flat: int
    centres: tuple[int, ...]
    bed: int
    top: int

    @property
    def standing(self) -> bool:
        """Return whether a bar here stands upright."""
        return self.direction == UP

    @property
    def name(self) -> str:
        """Return the place as formats write it: ``a1b1.2`` lying, ``c3.2^`` standing on level 2."""
        first, second = self.cells
        if self.standing:
            return f"{cell_name(first)}^"
        return f"{cell_name(first).partition('.')[0]}{cell_name(second)}"

    def __str__(self) -> str:
        return self.name


class Bar(NamedTuple):
    """A bar in the tower."""

    colour: BarColour
    place: BarPlace


@cache
def place_at(cell: int, direction: int) -> BarPlace | None:
    """Return the place of a bar by its first cell and its direction, ``None`` where it would leave the 3 x 3."""
    if (direction == EAST and column_of(cell) == WIDTH - 1) or (direction == NORTH and row_of(cell) == WIDTH - 1):
        return None
    other = cell + STRIDE[direction]
    mask = 1 << cell | 1 << other
    flat = (_flat(cell) | _flat(other)) & ~mask
    below = mask >> LAYER & ~mask
    above = mask << LAYER & ~mask
    return BarPlace(
        cell=cell,
        direction=direction,
        cells=(cell, other),
        bit=1 << 3 * cell + direction,
        mask=mask,
        below=below,
        above=above,
        around=flat | below | above,
        flat=flat,
        centres=tuple(c for c in (cell, other) if is_centre(c)),
        bed=1 << 3 * (cell - LAYER) + direction if direction != UP and cell >= LAYER else 0,
        top=level_of(other),
    )


def place_of(bit: int) -> BarPlace:
    """Return the place a bit of a tower stands for."""
    cell, direction = divmod(bit.bit_length() - 1, 3)
    place = place_at(cell, direction)
    assert place is not None
    return place


@cache
def places_up_to(level: int) -> tuple[BarPlace, ...]:
    """Return every place whose bar reaches no higher than a level."""
    found = (place_at(cell, direction) for cell in range(LAYER * level) for direction in (EAST, NORTH, UP))
    return tuple(place for place in found if place is not None and place.top <= level)


def parse_place(text: object) -> BarPlace:
    """Parse a bar as formats write it. Raises RequestError with code ``bar`` when it is none."""
    if isinstance(text, str):
        if match := _STANDING.fullmatch(text):
            place = place_at(parse_cell(match[1]), UP)
            if place is not None:
                return place
        if match := _LYING.fullmatch(text):
            first, second = parse_cell(match[1] + match[3]), parse_cell(match[2] + match[3])
            for direction in (EAST, NORTH):
                place = place_at(first, direction)
                if place is not None and place.cells[1] == second:
                    return place
    raise RequestError("bar", complaints.no_bar(text))


def _flat(cell: int) -> int:
    """Return the neighbours of a cell on its level, as a mask."""
    mask = 0
    if column_of(cell) > 0:
        mask |= 1 << cell - 1
    if column_of(cell) < WIDTH - 1:
        mask |= 1 << cell + 1
    if row_of(cell) > 0:
        mask |= 1 << cell - WIDTH
    if row_of(cell) < WIDTH - 1:
        mask |= 1 << cell + WIDTH
    return mask

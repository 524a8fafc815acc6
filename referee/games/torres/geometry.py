"""Number the fields, A1 is 0 and H8 is 63, and hold sets of them as numbers with 64 bits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.values.board import Field

SIDE = 8
COUNT = SIDE * SIDE
ALL = (1 << COUNT) - 1

FIELDS = tuple(Field(i // SIDE, i % SIDE) for i in range(COUNT))
NAMES = tuple(field.name for field in FIELDS)
INDEX = {name: i for i, name in enumerate(NAMES)}

_COLUMN_A = sum(1 << i for i in range(0, COUNT, SIDE))
_NOT_A = ALL & ~_COLUMN_A
_NOT_H = ALL & ~(_COLUMN_A << (SIDE - 1))


def spread(fields: int) -> int:
    """Return the fields that share a side with some of the given fields."""
    return ((fields << SIDE) | (fields >> SIDE) | ((fields & _NOT_H) << 1) | ((fields & _NOT_A) >> 1)) & ALL


def spread_diagonally(fields: int) -> int:
    """Return the fields that touch some of the given fields with a corner."""
    sideways = ((fields & _NOT_H) << 1) | ((fields & _NOT_A) >> 1)
    return ((sideways << SIDE) | (sideways >> SIDE)) & ALL


def bits(fields: int) -> Iterator[int]:
    """Yield the fields of a set, A1 first."""
    while fields:
        low = fields & -fields
        yield low.bit_length() - 1
        fields ^= low


def mask_of(fields: Iterable[int]) -> int:
    """Return some fields as a set."""
    mask = 0
    for i in fields:
        mask |= 1 << i
    return mask


def distance(a: int, b: int) -> int:
    """Return the number of orthogonal steps between two fields."""
    return abs(a // SIDE - b // SIDE) + abs(a % SIDE - b % SIDE)


def _leaps(i: int) -> tuple[tuple[int, int], ...]:
    row, col = divmod(i, SIDE)
    found = []
    for up, right in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        if 0 <= row + 2 * up < SIDE and 0 <= col + 2 * right < SIDE:
            found.append((i + up * SIDE + right, i + 2 * (up * SIDE + right)))
    return tuple(found)


BESIDE = tuple(spread(1 << i) for i in range(COUNT))
"""The fields next to each field."""
CORNERWISE = tuple(spread_diagonally(1 << i) for i in range(COUNT))
"""The fields that touch each field with a corner."""
BEYOND = tuple(_leaps(i) for i in range(COUNT))
"""For each field the fields next to it, each with the field beyond in a straight line."""
EDGE = mask_of(i for i in range(COUNT) if i // SIDE in (0, SIDE - 1) or i % SIDE in (0, SIDE - 1))
"""The fields of the border."""
LONG_DIAGONALS = mask_of(i for i in range(COUNT) if i // SIDE in (i % SIDE, SIDE - 1 - i % SIDE))
"""The fields of the two long diagonals."""

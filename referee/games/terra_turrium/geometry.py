"""Describe the 10 x 10 board as numbers: fields, masks, neighbours, territories and which stacks are exterior.

A field is an index 0 to 99, ``row * 10 + column``; a set of fields is an int with one bit a field.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations

from referee.games.terra_turrium.colours import SIZE
from referee.values.board import Field

COUNT = SIZE * SIZE
ALL = (1 << COUNT) - 1

TERRITORIES = ("nw", "ne", "se", "sw")
"""Names of the territories, clockwise."""

FIELDS = tuple(Field(i // SIZE, i % SIZE) for i in range(COUNT))
NAMES = tuple(field.name for field in FIELDS)
INDEX = {name: i for i, name in enumerate(NAMES)}
NEIGHBOURS = tuple(
    tuple(
        rr * SIZE + cc
        for rr, cc in ((r + 1, c), (r, c + 1), (r - 1, c), (r, c - 1))
        if 0 <= rr < SIZE and 0 <= cc < SIZE
    )
    for r, c in FIELDS
)
RING = tuple(min(r, SIZE - 1 - r, c, SIZE - 1 - c) for r, c in FIELDS)
"""Distance of each field from the board's edge; 0 is the edge."""
TERRITORY = tuple((0 if c < 5 else 1) if r >= 5 else (3 if c < 5 else 2) for r, c in FIELDS)
"""Territory of each field, an index into TERRITORIES."""


def mask_of(fields: Iterable[int]) -> int:
    """Return the set of the given fields."""
    mask = 0
    for i in fields:
        mask |= 1 << i
    return mask


TERRITORY_MASKS = tuple(mask_of(i for i in range(COUNT) if TERRITORY[i] == t) for t in range(4))
EDGE = mask_of(i for i in range(COUNT) if RING[i] == 0)
_NOT_FIRST = ALL & ~mask_of(i for i in range(COUNT) if i % SIZE == 0)
_NOT_LAST = ALL & ~mask_of(i for i in range(COUNT) if i % SIZE == SIZE - 1)

RAYS = tuple(
    (
        tuple(range(i + SIZE, COUNT, SIZE)),
        tuple(range(i + 1, i - i % SIZE + SIZE)),
        tuple(range(i - SIZE, -1, -SIZE)),
        tuple(range(i - 1, i - i % SIZE - 1, -1)),
    )
    for i in range(COUNT)
)
"""The four straight lines from each field to the edge, without the field itself, nearest first."""


@lru_cache(maxsize=20_000)
def bits(mask: int) -> tuple[int, ...]:
    """Return the fields of a set, lowest first. Searches ask for the same sets over and over."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)


def spread(mask: int) -> int:
    """Return the orthogonal neighbours of a set (its own fields too where they neighbour each other)."""
    return ((mask << SIZE) | (mask >> SIZE) | ((mask & _NOT_LAST) << 1) | ((mask & _NOT_FIRST) >> 1)) & ALL


def apart(one: int, other: int) -> int:
    """Return the steps between two fields on level ground."""
    return abs(one % SIZE - other % SIZE) + abs(one // SIZE - other // SIZE)


@lru_cache(maxsize=COUNT)
def within(field: int, steps: int) -> tuple[int, ...]:
    """Return the fields at most 0, 1, ... ``steps`` steps away on level ground, a set each."""
    return tuple(mask_of(i for i in range(COUNT) if apart(i, field) <= most) for most in range(steps + 1))


def between(fields: Sequence[int], steps: int) -> int:
    """Return the fields through which one can go from one of some fields to one of them within so many steps."""
    near = [within(field, steps) for field in fields]
    found = 0
    for one in near:
        found |= one[steps // 2]
    for one, other in combinations(near, 2):
        for there in range(steps + 1):
            found |= one[there] & other[steps - there]
    return found


def flood(start: int, ground: int) -> int:
    """Return the fields of ``ground`` that hang together with ``start``."""
    reached = fresh = start & ground
    while fresh:
        fresh = spread(fresh) & ground & ~reached
        reached |= fresh
    return reached


def stacks_of(heights: Sequence[int]) -> int:
    """Return the set of fields with at least one cube."""
    return mask_of(i for i, h in enumerate(heights) if h)


def exterior_by_path(stacks: int) -> int:
    """Return the stacks on the edge or next to an empty field from which the edge is reached over empty fields."""
    empty = ALL & ~stacks
    return stacks & (EDGE | spread(flood(EDGE & empty, empty)))


def exterior_by_line(stacks: int) -> int:
    """Return the stacks from which a straight line to an edge meets only empty fields."""
    found = stacks & EDGE
    for i in bits(stacks & ~EDGE):
        if any(all(not stacks >> j & 1 for j in ray) for ray in RAYS[i]):
            found |= 1 << i
    return found


EXTERIOR = {"path": exterior_by_path, "line": exterior_by_line}
"""The readings of "exterior", by the option's value: each maps the set of stacks to its exterior ones."""

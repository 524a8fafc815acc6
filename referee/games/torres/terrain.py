"""Derive what heights come to: levels, castles, and the fields at the doors of each castle.

One terrain is asked many times in a search, so terrains are kept.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

from referee.games.torres.geometry import ALL, spread
from referee.values.board import MAX_HEIGHT

TOP = MAX_HEIGHT + 2
"""Levels are asked up to this one."""


class Terrain:
    """The heights of all fields and what follows from them alone. Sets of fields are numbers with 64 bits."""

    def __init__(self, heights: tuple[int, ...]) -> None:
        self.heights = heights
        at = [0] * (TOP + 2)
        bit = 1
        for h in heights:
            at[h] |= bit
            bit <<= 1
        self.at = at
        """The fields of each height."""
        self.at_most = at_most = at.copy()
        """The fields of at most each height."""
        below = 0
        for level in range(TOP + 2):
            below |= at[level]
            at_most[level] = below
            if below == ALL:
                at_most[level + 1 :] = [ALL] * (TOP + 1 - level)
                break
        self.blocks = ALL & ~at[0]
        """The fields with blocks."""

    @cached_property
    def castles(self) -> tuple[int, ...]:
        """Return the castles, each as the set of its fields."""
        return connected(self.blocks)

    @cached_property
    def gates(self) -> tuple[int, ...]:
        """Return for each castle the fields at its doors: those next to one of its stacks that is higher."""
        return tuple(self._gate(castle) for castle in self.castles)

    def castle(self, field: int) -> int:
        """Return the castle a field belongs to; empty for ground."""
        for castle in self.castles:
            if castle >> field & 1:
                return castle
        return 0

    def _gate(self, castle: int) -> int:
        found = 0
        for level, fields in enumerate(self.at):
            higher = castle & ~self.at_most[level]
            if not higher:
                break
            found |= spread(higher) & fields
        return found


@lru_cache(maxsize=16384)
def connected(fields: int) -> tuple[int, ...]:
    """Split a set of fields into its orthogonally connected parts."""
    parts = []
    while fields:
        part = fields & -fields
        while True:
            grown = (part | spread(part)) & fields
            if grown == part:
                break
            part = grown
        parts.append(part)
        fields ^= part
    return tuple(parts)


@lru_cache(maxsize=4096)
def terrain(heights: tuple[int, ...]) -> Terrain:
    """Return the terrain of some heights."""
    return Terrain(heights)


def changed(heights: tuple[int, ...], field: int, by: int) -> tuple[int, ...]:
    """Return heights with one field higher or lower."""
    return (*heights[:field], heights[field] + by, *heights[field + 1 :])

"""Find where a walk through the doors of a castle leads, by the three readings of the rule."""

from __future__ import annotations

from functools import lru_cache

from referee.games.torres.geometry import BESIDE, bits
from referee.games.torres.search.building import Heights
from referee.games.torres.terrain import Terrain, terrain


def exits(heights: Heights, field: int, reading: str, pieces: int, rising: bool) -> int:
    """Return the fields onto which a knight can leave a castle that it enters from a field.

    reading: ``any``, ``path`` or ``closed``. pieces: where knights and the king stand, the walker's own field left
    out; they bar the way under ``closed`` only. rising: the field of the exit may lie higher than the one entered
    from (``card.door``); floors are waived then. Whether an exit is free is not looked at.
    """
    ground = terrain(heights)
    if reading == "any" or (rising and reading == "path"):
        return _any(ground, field, rising)
    if rising:
        return _barred(heights, field, pieces)
    return _floors(heights, field, pieces & ground.blocks if reading == "closed" else 0)


def _any(ground: Terrain, field: int, rising: bool) -> int:
    found = 0
    for gate in ground.gates:
        if gate >> field & 1:
            found |= gate
    if not rising:
        found &= ground.at_most[ground.heights[field]]
    return found & ~(1 << field)


def _barred(heights: Heights, field: int, walls: int) -> int:
    """Return the exits at any height, of a walk that no occupied stack lies on."""
    ground = terrain(heights)
    inside = BESIDE[field] & ~ground.at_most[heights[field]] & ~walls
    todo = inside
    found = 0
    while todo:
        stack = (todo & -todo).bit_length() - 1
        todo &= todo - 1
        found |= BESIDE[stack] & ground.at_most[heights[stack] - 1]
        fresh = BESIDE[stack] & ground.blocks & ~walls & ~inside
        inside |= fresh
        todo |= fresh
    return found & ~(1 << field)


@lru_cache(maxsize=8192)
def _floors(heights: Heights, field: int, walls: int) -> int:
    """Return the exits of a walk whose floor never rises. walls: stacks that bar the way."""
    ground = terrain(heights)
    floor = heights[field]
    seen = {(stack, floor) for stack in bits(BESIDE[field] & ~ground.at_most[floor] & ~walls)}
    todo = list(seen)
    found = 0
    while todo:
        stack, floor = todo.pop()
        found |= BESIDE[stack] & ground.at_most[min(floor, heights[stack] - 1)]
        for other in bits(BESIDE[stack] & ground.blocks & ~walls):
            step = (other, min(floor, heights[other] - 1))
            if step not in seen:
                seen.add(step)
                todo.append(step)
    return found & ~(1 << field)

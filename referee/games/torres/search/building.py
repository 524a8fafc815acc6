"""Whether a block may be laid or shifted, by the heights alone; who stands where is judged elsewhere."""

from __future__ import annotations

from functools import lru_cache

from referee.games.torres.geometry import BESIDE
from referee.games.torres.ruleset import BUILD_HEIGHT, BUILD_JOIN, BUILD_NEW, FEWEST_CASTLES, Lifted
from referee.games.torres.terrain import changed, terrain

Heights = tuple[int, ...]

_NONE: Lifted = frozenset()


@lru_cache(maxsize=8192)
def build_faults(heights: Heights, field: int, founding: bool) -> Lifted:
    """Return the rules that a block laid on a field breaks.

    founding: the block may found a castle of its own (``card.under``).
    """
    ground = terrain(heights)
    height = heights[field]
    if height:
        area = ground.castle(field).bit_count()
        return _NONE if height < area else frozenset({BUILD_HEIGHT})
    near = BESIDE[field] & ground.blocks
    touched = [castle for castle in ground.castles if castle & near]
    if len(touched) > 1:
        return frozenset({BUILD_JOIN})
    if not touched and not founding:
        return frozenset({BUILD_NEW})
    return _NONE


@lru_cache(maxsize=8192)
def may_shift(heights: Heights, source: int, target: int) -> bool:
    """Return whether ``card.shift`` may take the top block of one field to another, both free."""
    if not heights[source] or source == target:
        return False
    before = terrain(heights)
    after = terrain(changed(changed(heights, source, -1), target, 1))
    left = before.castle(source) & after.blocks & (~0 if after.heights[source] else ~(1 << source))
    left &= before.castle(source)
    home = after.castle(target)
    judged = [home]
    if left:
        rest = after.castle((left & -left).bit_length() - 1)
        if left & ~rest:
            return False
        judged.append(rest)
    if any(castle & ~after.at_most[castle.bit_count()] for castle in judged if castle.bit_count() < len(after.at)):
        return False
    others = home & ~(1 << target)
    if heights[target]:
        others |= 1 << target
    if sum(1 for castle in before.castles if castle & others) > 1:
        return False
    return len(after.castles) >= FEWEST_CASTLES

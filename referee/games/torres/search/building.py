"""Decide whether a block may be laid or shifted, by the heights alone; who stands where is judged elsewhere."""

from __future__ import annotations

from referee.games.torres.geometry import BESIDE, bits
from referee.games.torres.ruleset import BUILD_HEIGHT, BUILD_JOIN, BUILD_NEW, FEWEST_CASTLES, Lifted
from referee.games.torres.terrain import connected

Heights = tuple[int, ...]

_SOUND: Lifted = frozenset()
_TOO_HIGH: Lifted = frozenset({BUILD_HEIGHT})
_NEW: Lifted = frozenset({BUILD_NEW})
_JOINED: Lifted = frozenset({BUILD_JOIN})


def blocks_of(heights: Heights) -> int:
    """Return the fields with blocks."""
    mask, bit = 0, 1
    for height in heights:
        if height:
            mask |= bit
        bit <<= 1
    return mask


def castle_of(blocks: int, field: int) -> int:
    """Return the castle a field belongs to, as a set. blocks: all fields with blocks, it among them."""
    at = 1 << field
    return next(castle for castle in connected(blocks) if castle & at)


def build_faults(heights: Heights, blocks: int, field: int, founding: bool) -> Lifted:
    """Return the rules that a block laid on a field breaks.

    founding: the block may found a castle of its own (``card.under``). On the ground a block is never too high: it
    makes a stack of one in a castle of at least one field.
    """
    height = heights[field]
    if height:
        return _SOUND if height < castle_of(blocks, field).bit_count() else _TOO_HIGH
    near = BESIDE[field] & blocks
    if not near:
        return _SOUND if founding else _NEW
    touched = castle_of(blocks, (near & -near).bit_length() - 1)
    return _JOINED if near & ~touched else _SOUND


def may_shift(heights: Heights, blocks: int, castles: int, source: int, target: int) -> bool:
    """Return whether ``card.shift`` may take the top block of one field to another, both free.

    castles: how many there are before.
    """
    dissolved = heights[source] == 1
    after = (blocks & ~(1 << source) if dissolved else blocks) | 1 << target
    before = castle_of(blocks, source)
    left = before & ~(1 << source) if dissolved else before
    home = castle_of(after, target)
    if _top(heights, home, source, target) > home.bit_count():
        return False
    if left:
        rest = home if left & home else castle_of(after, (left & -left).bit_length() - 1)
        if left & ~rest or _top(heights, rest, source, target) > rest.bit_count():
            return False
    others = home if heights[target] else home & ~(1 << target)
    if others and others & ~castle_of(blocks, (others & -others).bit_length() - 1):
        return False
    return castles - (not left) + (not others) >= FEWEST_CASTLES


def _top(heights: Heights, castle: int, source: int, target: int) -> int:
    """Return the highest stack of a castle after a block has been shifted."""
    return max(heights[i] - (i == source) + (i == target) for i in bits(castle))

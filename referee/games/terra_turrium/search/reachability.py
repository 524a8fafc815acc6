"""Decide whether flags can get where they stand, points aside, by counting flags in each coherent region.

Flags of one colour are alike, so in a region where all fields hang together they can take any places, whatever the
order; a captured flag's field opens as soon as one flag of the region gets there. What matters is only how many
flags a region has, gets and needs. A flag on an empty field can leave it but nobody comes back there.
"""

from __future__ import annotations

from itertools import product

from referee.games.terra_turrium.geometry import ALL, bits, spread
from referee.games.terra_turrium.search.steps import Flags, Steps

_NOWHERE, _STAYS = -1, -2


def reachable(flags: Flags, steps: Steps, pass_over: bool, doors: int) -> bool:
    """Return whether the flags can come to stand as they do, points aside; ``doors``: fields of re-entry."""
    enterable = ALL if steps.any_ground else steps.stacks
    ground = enterable if pass_over else enterable & ~flags.standing
    regions = steps.regions(ground)
    held = tuple(bits(flags.before & flags.after & ~enterable))
    unreached = flags.after & ~flags.before & ~enterable
    if unreached.bit_count() > flags.appeared or flags.gone & ~enterable:
        return False
    spare = flags.appeared - unreached.bit_count()
    choices = [_ways_out(i, steps, regions, flags.vanished) for i in bits(flags.before & ~flags.after & ~enterable)]
    # Nobody comes back to an empty field: who leaves one that a flag stands on afterwards makes room for a new flag.
    choices += [[_STAYS, *(_ways_out(i, steps, regions, 0) if spare else ())] for i in held]
    needs = _Needs(flags, steps, regions, doors, flags.before & enterable)
    for chosen in product(*choices):
        replaced = len(held) - chosen.count(_STAYS)
        if replaced <= spare and needs.met([n for n in chosen if n != _STAYS], spare - replaced):
            return True
    return False


def _ways_out(field: int, steps: Steps, regions: list[int], vanished: int) -> list[int]:
    """Return the regions a flag on an empty field can step into; nowhere if it may vanish there."""
    onto = steps.onto(field)
    ways = [n for n, region in enumerate(regions) if any(region >> j & 1 for j in onto)]
    return [*ways, _NOWHERE] if vanished else ways


class _Needs:
    """How many flags each region has, gets and needs."""

    def __init__(self, flags: Flags, steps: Steps, regions: list[int], doors: int, placed: int) -> None:
        self._flags = flags
        self._steps = steps
        self._regions = regions
        self._doors = doors
        self._placed = placed

    def met(self, chosen: list[int], appeared: int) -> bool:
        """Return whether it comes out even when flags on empty fields step into the chosen regions."""
        flags = self._flags
        lost = chosen.count(_NOWHERE)
        must_appear = may_enter = 0
        for n, region in enumerate(self._regions):
            has = (self._placed & region).bit_count() + chosen.count(n)
            need = (flags.after & region).bit_count() - has
            gone = flags.gone & region
            free_door = self._doors & region & ~gone
            first = has or (need > 0 and (free_door or (appeared and self._can_appear(region, gone))))
            if gone and not first:
                return False
            if need < 0:
                lost -= need
            elif free_door or (has and self._doors & region):
                may_enter += need
            elif need and self._doors & region:  # the door opens once a flag that appeared has captured there
                must_appear += 1
                may_enter += need - 1
            else:
                must_appear += need
        even = must_appear + may_enter == appeared + flags.entries
        return even and lost == flags.vanished and must_appear <= appeared

    def _can_appear(self, region: int, gone: int) -> bool:
        """Return whether a flag can appear in a region without flags, or on an empty field beside it."""
        flags = self._flags
        taken = flags.standing | flags.gone
        if region & ~gone & ~taken:
            return True
        beside = spread(region) & ~region & ~taken & ~flags.before
        return any(region >> j & 1 for i in bits(beside) for j in self._steps.onto(i))

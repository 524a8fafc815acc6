"""Whether flags can get where they stand when points don't matter: a count of flags in each coherent region.

Flags of one colour are alike, so in a region where all fields hang together they can take any places, whatever the
order; a captured flag's field opens as soon as one flag of the region gets there. What matters is only how many
flags a region has, gets and needs. A flag on an empty field can leave it but nobody comes back there.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from referee.games.terra_turrium.geometry import ALL, COUNT, bits, mask_of
from referee.games.terra_turrium.steps import Flags, Steps

_NOWHERE = -1


def reachable(flags: Flags, steps: Steps, pass_over: bool, doors: int) -> bool:
    """Whether the flags can come to stand as they do with points without limit; ``doors``: fields of re-entry."""
    enterable = ALL if steps.any_ground else mask_of(i for i in range(COUNT) if steps.heights[i])
    ground = enterable if pass_over else enterable & ~flags.standing
    regions = _regions(steps, ground)
    stuck = flags.before & flags.after & ~enterable
    unreached = flags.after & ~flags.before & ~enterable
    if unreached.bit_count() > flags.appeared or flags.gone & ~enterable:
        return False
    leaving = tuple(bits(flags.before & ~stuck & ~enterable))
    choices = [_ways_out(i, steps, regions, flags.vanished) for i in leaving]
    return any(
        _balanced(flags, regions, chosen, flags.appeared - unreached.bit_count(), doors, flags.before & enterable)
        for chosen in product(*choices)
    )


def _regions(steps: Steps, ground: int) -> list[int]:
    regions = []
    rest = ground
    while rest:
        region = steps.component((rest & -rest).bit_length() - 1, ground)
        regions.append(region)
        rest &= ~region
    return regions


def _ways_out(field: int, steps: Steps, regions: list[int], vanished: int) -> list[int]:
    """Return the regions a flag on an empty field can step into; nowhere if it may vanish there."""
    onto = steps.onto(field)
    ways = [n for n, region in enumerate(regions) if any(region >> j & 1 for j in onto)]
    return [*ways, _NOWHERE] if vanished else ways


def _balanced(
    flags: Flags, regions: list[int], chosen: Iterable[int], appeared: int, doors: int, placed: int
) -> bool:
    came = list(chosen)
    lost = came.count(_NOWHERE)
    entered = flexible = 0
    for n, region in enumerate(regions):
        has = (placed & region).bit_count() + came.count(n)
        need = (flags.after & region).bit_count() - has
        gone = flags.gone & region
        has_door = bool(doors & region & ~gone) or bool(doors & region and (has or appeared))
        if gone and not has and not (need > 0 and (has_door or appeared)):
            return False
        if need < 0:
            lost -= need
        elif has_door:
            flexible += need
        else:
            entered += need
    # Regions without a door can only be helped by flags that appear; the others take the entries and what is left.
    return lost == flags.vanished and entered <= appeared and entered + flexible == appeared + flags.entries

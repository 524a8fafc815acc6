"""Find phases 1 and 2: the takes and builds that lead from the heights before to those seen, flags standing still.

Every field that lost cubes was taken from, every field that won cubes was built on; beyond that cubes may have been
taken and returned unseen. The search is for such returned cubes (to make up the number, or to open an interior
stack) and for an order in which every take is allowed. Taking a cube never closes a stack, so for given cubes it is
enough to take whatever can be taken until nothing is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from referee.games.terra_turrium.geometry import (
    ALL,
    COUNT,
    EDGE,
    EXTERIOR,
    RAYS,
    bits,
    flood,
    mask_of,
    spread,
    stacks_of,
)
from referee.games.terra_turrium.position.position import Side
from referee.games.terra_turrium.ruleset import (
    BUILD_OCCUPIED,
    BUILD_OUTSIDE,
    CUBES_CONSERVED,
    TAKE_COUNT,
    TAKE_INTERIOR,
    TAKE_OCCUPIED,
    TAKE_TERRITORY,
    Lifted,
    RuleSet,
)

UNSEEN = 3
"""Returned cubes are assumed only as long as a turn takes no more cubes than this."""

OPTIONAL = (TAKE_COUNT, TAKE_TERRITORY, TAKE_INTERIOR, TAKE_OCCUPIED, BUILD_OCCUPIED)
"""Rules of the first two phases that may help an explanation without being broken for certain."""

Fields = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CubePlan:
    """Takes in the order they happened, then builds."""

    takes: Fields
    builds: Fields


class CubeSearch:
    """Explains the heights seen, for one player. ``forced`` are the rules broken in every explanation."""

    def __init__(self, rules: RuleSet, side: Side, before: Fields, after: Fields, flags: int) -> None:
        self._rules = rules
        self._side = side
        self._before = before
        self._flags = flags
        self._taken: Fields = tuple(i for i in range(COUNT) for _ in range(before[i] - after[i]))
        self._built: Fields = tuple(i for i in range(COUNT) for _ in range(after[i] - before[i]))
        self.forced = self._forced()

    def smallest(self) -> tuple[Lifted, ...]:
        """Return all smallest sets of rules whose lifting makes the heights explicable."""
        rest = [rule for rule in OPTIONAL if rule not in self.forced]
        for size in range(len(rest) + 1):
            found = tuple(
                lifted
                for extra in combinations(rest, size)
                if self.plan(lifted := self.forced | frozenset(extra)) is not None
            )
            if found:
                return found
        raise AssertionError("with every rule lifted any heights are explicable")

    def plan(self, lifted: Lifted) -> CubePlan | None:
        """Return takes and builds that explain the heights with some rules lifted, or ``None``."""
        if not self.forced <= lifted:
            return None
        for returned in self._returns(lifted):
            takes = Takes(self._rules, self._side, self._before, self._flags, self._taken, lifted).order(returned)
            if takes is not None:
                extra = Counter(takes) - Counter(self._taken)
                return CubePlan(takes, tuple(sorted([*self._built, *extra.elements()])))
        return None

    def _returns(self, lifted: Lifted) -> Iterator[int]:
        """Yield the numbers of returned cubes to try, fewest first."""
        seen = len(self._taken)
        counts = range(UNSEEN + 1) if TAKE_COUNT in lifted else sorted(self._rules.take_counts)
        if TAKE_COUNT in lifted and seen > UNSEEN:
            yield 0
        for count in counts:
            if count == seen or (count > seen and self._rules.returned_cubes):
                yield count - seen

    def _forced(self) -> Lifted:
        taken, built = mask_of(self._taken), mask_of(self._built)
        seen = len(self._taken)
        counts = self._rules.take_counts
        countable = seen <= max(counts) if self._rules.returned_cubes else seen in counts
        gain = len(self._built) - seen
        broken = {
            TAKE_COUNT: not countable,
            TAKE_TERRITORY: not _within(self._side.limits, self._taken),
            TAKE_OCCUPIED: bool(taken & self._flags),
            BUILD_OCCUPIED: bool(built & self._flags),
            BUILD_OUTSIDE: bool(built & self._rules.outside),
            CUBES_CONSERVED: not 0 <= gain <= self._side.reserve,
        }
        return frozenset(rule for rule, is_broken in broken.items() if is_broken)


def _within(limits: tuple[tuple[int, int], ...], takes: Fields) -> bool:
    return all(sum(fields >> i & 1 for i in takes) <= most for fields, most in limits)


class Takes:
    """Finds an order for the takes seen and a number of returned cubes, with some rules lifted."""

    def __init__(self, rules: RuleSet, side: Side, before: Fields, flags: int, taken: Fields, lifted: Lifted) -> None:
        self._exterior = EXTERIOR[rules.exterior]
        self._line = rules.exterior == "line"
        self._limits = () if TAKE_TERRITORY in lifted else side.limits
        self._before = before
        self._taken = taken
        self._free_ground = ALL if TAKE_INTERIOR in lifted else side.own
        lifts_flags = TAKE_OCCUPIED in lifted and BUILD_OCCUPIED in lifted
        in_play = ALL if BUILD_OUTSIDE in lifted else ALL & ~rules.outside
        self._returnable = in_play if lifts_flags else in_play & ~flags
        self._own = side.own
        self._failed: set[Fields] = set()

    def order(self, returned: int) -> Fields | None:
        """Return all takes in an allowed order, exactly so many of them returned cubes, or ``None``."""
        return self._solve((), returned)

    def _solve(self, extra: Fields, spare: int) -> Fields | None:
        if extra in self._failed or not _within(self._limits, self._taken + extra):
            return None
        order, heights, stuck = self._take_all(extra)
        if not stuck:
            found = self._fill(order, heights, extra, spare)
            if found is not None:
                return found
        elif spare:
            for opening in self._openings(stuck[0], extra, spare):
                found = self._solve(tuple(sorted(extra + opening)), spare - len(opening))
                if found is not None:
                    return found
        self._failed.add(extra)
        return None

    def _take_all(self, extra: Fields) -> tuple[list[int], list[int], list[int]]:
        """Take what can be taken: the order, the heights left, and the takes that stay impossible."""
        heights = list(self._before)
        todo = list(self._taken + extra)
        order: list[int] = []
        opened = True
        while todo and opened:
            ground = self._free_ground
            now = [i for i in todo if ground >> i & 1]
            if not now:
                ground = self._exterior(stacks_of(heights))
                now = [i for i in todo if ground >> i & 1]
            for i in now:
                heights[i] -= 1
            order += now
            todo = [i for i in todo if not ground >> i & 1]
            opened = bool(now)
        return order, heights, todo

    def _fill(self, order: list[int], heights: list[int], extra: Fields, spare: int) -> Fields | None:
        """Add takes of cubes that are returned, of whatever may be taken, until none is spare."""
        if not spare:
            return tuple(order)
        stacks = stacks_of(heights)
        open_ground = self._free_ground & stacks & self._returnable
        later = self._exterior(stacks) & self._returnable & ~open_ground
        for ground in (open_ground & self._own, open_ground & ~self._own, later):
            for i in bits(ground):
                found = self._solve(tuple(sorted((*extra, i))), spare - 1)
                if found is not None:
                    return found
        return None

    def _openings(self, stuck: int, extra: Fields, spare: int) -> Iterator[Fields]:
        """Yield the sets of cubes whose taking empties a way from an interior stack to the edge."""
        low = list(self._before)
        for i in self._taken + extra:
            low[i] -= 1
        if self._line:
            for ray in RAYS[stuck]:
                way = tuple(i for i in ray for _ in range(low[i]))
                if 0 < len(way) <= spare and all(self._returnable >> i & 1 for i in way):
                    yield way
            return
        yield from self._ways(stuck, low, spare)

    def _ways(self, stuck: int, low: list[int], spare: int) -> Iterator[Fields]:
        seen: set[int] = set()
        empty = mask_of(i for i, h in enumerate(low) if not h)
        todo: list[tuple[int, Fields]] = [(0, ())]
        while todo:
            emptied, way = todo.pop()
            ground = empty | emptied
            region = flood(spread(1 << stuck), ground)
            if region & EDGE:
                if way:
                    yield way
                continue
            rim = (spread(region) | spread(1 << stuck)) & ~ground & self._returnable & ~(1 << stuck)
            for i in bits(rim):
                more = emptied | 1 << i
                if low[i] <= spare - len(way) and more not in seen:
                    seen.add(more)
                    todo.append((more, way + (i,) * low[i]))

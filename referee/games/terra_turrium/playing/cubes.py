"""Choose phases 1 and 2 of a turn: take cubes where they are not needed, place them where they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from referee.games.terra_turrium.geometry import ALL, EXTERIOR, bits, stacks_of
from referee.games.terra_turrium.position.position import Side
from referee.games.terra_turrium.ruleset import RuleSet
from referee.values.board import MAX_HEIGHT

Wish = Sequence[float]
"""How much a cube on each field is wished for; below 0: one would rather have it taken away."""


@dataclass(frozen=True, slots=True)
class CubeTurn:
    """Cubes taken, in this order, and placed; the heights they lead to."""

    takes: tuple[int, ...]
    builds: tuple[int, ...]
    heights: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CubeRules:
    """What a player may take and build from one position. flags: the fields of all flags."""

    rules: RuleSet
    side: Side
    flags: int

    def sources(self, heights: Sequence[int], taken: Sequence[int]) -> int:
        """Return the fields from which one more cube may be taken."""
        stacks = stacks_of(heights)
        open_ground = stacks & self.side.own | EXTERIOR[self.rules.exterior](stacks)
        for fields, most in self.side.limits:
            if sum(fields >> i & 1 for i in taken) >= most:
                open_ground &= ~fields
        return open_ground & ~self.flags

    def sites(self, heights: Sequence[int], taken: Sequence[int]) -> int:
        """Return the fields on which a cube may be placed."""
        sites = ALL & ~self.flags & ~self.rules.outside
        for i in bits(sites):
            if heights[i] >= MAX_HEIGHT or (i in taken and not self.rules.returned_cubes):
                sites &= ~(1 << i)
        return sites

    def turn(self, heights: Sequence[int], wish: Wish, haste: float, chance: Random) -> CubeTurn | None:
        """Draw cubes by what is wished; ``None`` where too few can be taken.

        haste: how sharply the wishes decide; 0 draws evenly.
        """
        now = list(heights)
        takes: list[int] = []
        for _ in range(max(self.rules.take_counts)):
            sources = list(bits(self.sources(now, takes)))
            if not sources:
                break
            takes.append(_drawn(sources, [-wish[i] for i in sources], haste, chance))
            now[takes[-1]] -= 1
        if len(takes) not in self.rules.take_counts:
            return None
        builds: list[int] = []
        wishes = list(wish)
        spare = min(self.side.reserve, len(takes))
        for _ in range(len(takes) + spare):
            sites = list(bits(self.sites(now, takes)))
            if not sites:
                return None
            builds.append(_drawn(sites, [wishes[i] for i in sites], haste, chance))
            now[builds[-1]] += 1
            wishes[builds[-1]] -= 1.0  # one cube less is missing there
        return CubeTurn(tuple(takes), tuple(builds), tuple(now))


def _drawn(fields: Sequence[int], worth: Sequence[float], haste: float, chance: Random) -> int:
    top = max(worth)
    return chance.choices(fields, [2.0 ** (haste * (one - top)) for one in worth])[0]

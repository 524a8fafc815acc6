"""List heights and flags as a turn may leave them, the likeliest first, each for itself.

For a turn that keeps the rules cubes are taken and built in equal number and flags come where flags left, so those
are chosen in pairs: exact, and few come near. For one that doesn't, every field may be as it likes.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from operator import itemgetter

from referee.games.bestfirst import Pick, best_by_size, choices, deviations
from referee.games.terra_turrium.geometry import ALL, COUNT, apart, bits, mask_of
from referee.games.terra_turrium.position.position import Side, TerraPosition
from referee.games.terra_turrium.ruleset import POINTS
from referee.games.terra_turrium.weighing.evidence import FieldEvidence
from referee.games.terra_turrium.weighing.prior import TurnPrior

MOST_LISTED = 400
"""Choices listed at most of each kind; the rest is far less likely or far too many to tell apart."""
MOST_OPEN = 200
"""Boards listed at most that need not keep any rule."""

Change = tuple[int, int]
"""A field, and what is on it afterwards."""
Listed = tuple[float, tuple[Change, ...]]
"""Nats gained by some changes, those of the turn that makes them included, and the changes."""


@dataclass(frozen=True)
class Lists:
    """Lists changes for one position and one look."""

    position: TerraPosition
    side: Side
    evidence: FieldEvidence
    prior: TurnPrior

    def open_heights(self, reach: float) -> list[Listed]:
        """List heights whatever the rules say of them, best first."""
        before = self.position.grids[0]
        rows = []
        for i, gains in enumerate(self.evidence.heights):
            row = [gain + self._cube_nats(h - before[i]) for h, gain in enumerate(gains)]
            rows.append(row + [0.0] * (before[i] + 1 - len(row)))
        listed = []
        for changes in self._open(rows, before, reach):
            taken = sum(max(0, before[i] - h) for i, h in changes)
            built = sum(max(0, h - before[i]) for i, h in changes)
            gain = sum(self.evidence.height(i, h) for i, h in changes)
            gain += sum(self.prior.stacked(h - before[i]) for i, h in changes if h > before[i])
            listed.append((gain + self.prior.cubes(taken, built), changes))
        return sorted(listed, key=lambda item: -item[0])

    def _cube_nats(self, change: int) -> float:
        """Return about what it costs that so many cubes more (or fewer) lie on a field, in nats."""
        if change <= 0:
            return change * self.prior.take_nats
        return self.prior.stacked(change) - change * self.prior.build_nats

    def open_flags(self, reach: float) -> list[Listed]:
        """List flags whatever the rules say of them, best first."""
        before = self.position.grids[1]
        rows = [
            [gain - self._flag_nats(before[i], flag) for flag, gain in enumerate(gains)]
            for i, gains in enumerate(self.evidence.flags)
        ]
        for i, row in enumerate(rows):
            for colour in range(1, len(row)):
                if colour not in self.position.players and colour != before[i]:
                    row[colour] = -float("inf")
        listed = [(self._flags_gain(found), found) for found in self._open(rows, before, reach)]
        return sorted(listed, key=lambda item: -item[0])

    def _flags_gain(self, changes: tuple[Change, ...]) -> float:
        """Return the nats gained by changes of flags, with what they cost as acts of a turn."""
        before, own = self.position.grids[1], self.side.colour
        left = sum(before[i] == own for i, _ in changes)
        came = sum(flag == own for _, flag in changes)
        gain = self.prior.walks(max(left, came))
        for i, flag in changes:
            gain += self.evidence.flags[i][flag]
            gain -= self.prior.capture_nats if before[i] not in (0, own) else 0.0
            gain -= self.prior.by_hand_nats[1] if flag not in (0, own) else 0.0
        return gain

    def _flag_nats(self, before: int, after: int) -> float:
        """Return what a field's change of flag costs as acts of a turn, in nats."""
        if before == after:
            return 0.0
        own = self.side.colour
        left, came = self.prior.walk_nats
        going = 0.0 if not before else left if before == own else self.prior.capture_nats
        coming = 0.0 if not after else came if after == own else self.prior.by_hand_nats[1]
        return going + coming

    def _open(self, rows: list[list[float]], before: tuple[int, ...], reach: float) -> list[tuple[Change, ...]]:
        best = [max(range(len(row)), key=row.__getitem__) for row in rows]
        ways = sorted(
            (row[best[i]] - value, i, other)
            for i, row in enumerate(rows)
            for other, value in enumerate(row)
            if other != best[i] and row[best[i]] - value < reach
        )
        found = []
        for cost, chosen in islice(deviations([w[0] for w in ways], [w[1] for w in ways]), MOST_OPEN):
            if cost > reach:
                break
            now = dict(enumerate(best)) | {ways[n][1]: ways[n][2] for n in chosen}
            found.append(tuple((i, value) for i, value in now.items() if value != before[i]))
        return found

    def legal_heights(self, floor: float) -> list[Listed]:
        """List heights that keep the number of cubes and touch no tower, worth at least ``floor``, best first."""
        before, flags = self.position.grids[0], self.position.flag_masks[0]
        outside, most = self.position.rules.outside, max(self.prior.numbers)
        spare = min(self.side.reserve, MOST_RESERVE)
        takes: list[Pick[Change]] = []
        builds: list[Pick[Change]] = []
        for i in bits(ALL & ~flags):
            for count in range(1, min(most, before[i]) + 1):
                change = (i, before[i] - count)
                takes.append(Pick(self.evidence.height(*change), count, i, change))
            for count in range(1, 0 if outside >> i & 1 else most + spare + 1):
                change = (i, before[i] + count)
                gain = self.evidence.height(*change) + self.prior.stacked(count)
                builds.append(Pick(gain, count, i, change))
        best_takes, best_builds = best_by_size(takes, most), best_by_size(builds, most + spare)
        listed: list[Listed] = []
        for taken in range(most + 1):
            for built in range(taken, taken + spare + 1):
                left = floor - self.prior.cubes(taken, built)
                if best_takes[taken] + best_builds[built] < left:
                    continue
                ways = choices(takes, taken, left - best_builds[built], MOST_LISTED)
                places = choices(builds, built, left - best_takes[taken], MOST_LISTED)
                listed += _pairs(ways, places, left, floor - left)
        return sorted(listed, key=lambda item: -item[0])[:MOST_LISTED]

    def legal_flags(self, floor: float) -> list[Listed]:
        """List flags that going, coming and capturing can have made of the player's, worth at least ``floor``."""
        own, gains = self.side.colour, self.evidence.flags
        leaving: list[Pick[Change]] = []
        coming: list[Pick[Change]] = []
        caught: list[Pick[Change]] = []
        before = self.position.grids[1]
        for i in range(COUNT):
            if before[i] == own:
                leaving.append(Pick(gains[i][0], 1, i, (i, 0)))
            elif not before[i]:
                coming.append(Pick(gains[i][own], 1, i, (i, own)))
            elif before[i] not in self.side.mates:
                capture = self.prior.capture_nats
                coming.append(Pick(gains[i][own] - capture, 1, i, (i, own)))
                caught.append(Pick(gains[i][0] - capture, 1, i, (i, 0)))
        best = [best_by_size(options, POINTS) for options in (leaving, coming, caught)]
        prey = max(best[2])
        listed: list[Listed] = []
        for gone in range(POINTS + 1):
            for entries in range(min(self.side.hand, POINTS - gone) + 1):
                came = gone + entries
                nats = entries * self.prior.entry_nats - self.prior.walks(came)
                top = best[0][gone] + best[1][came]
                if top + prey - nats < floor:
                    continue
                ways = choices(leaving, gone, floor + nats - best[1][came] - prey, MOST_LISTED)
                places = choices(coming, came, floor + nats - best[0][gone] - prey, MOST_LISTED)
                moved = [item for item in _pairs(ways, places, floor + nats - prey, -nats) if _near(item[1], entries)]
                for number in range(POINTS + 1):
                    if best[2][number] + top - nats >= floor:
                        catches = choices(caught, number, floor + nats - top, MOST_LISTED)
                        listed += _pairs(moved, catches, floor, 0.0)
        return sorted(listed, key=lambda item: -item[0])[:MOST_LISTED]


MOST_RESERVE = 3
"""Cubes out of the reserve that one turn is thought to place at most."""


def _pairs(some: list[Listed], others: list[Listed], floor: float, extra: float) -> list[Listed]:
    """Join choices worth at least ``floor``, ``extra`` added to each; no field in both."""
    found = []
    taken = [mask_of(field for field, _ in rest) for _, rest in others]
    for value, changes in some:
        fields = mask_of(field for field, _ in changes)
        for (more, rest), also in zip(others, taken, strict=True):
            if value + more < floor:
                break
            if not fields & also:
                found.append((value + more + extra, changes, rest))
    best = sorted(found, key=itemgetter(0), reverse=True)[:MOST_LISTED]
    return [(gain, (*changes, *rest)) for gain, changes, rest in best]  # most pairs are found in vain


def _near(changes: tuple[Change, ...], entries: int) -> bool:
    """Return whether flags can have walked so far: each field that got one lies near one that lost one."""
    left = [field for field, flag in changes if not flag]
    spent = 0
    for field, flag in changes:
        if flag:
            ways = [apart(field, start) for start in left]
            spent += min([1, *ways] if entries else ways, default=1)
    return spent <= POINTS

"""Estimate how far a player is from the goal by the best ladder, six fields in a row that could carry its towers.

A ladder is a path of neighbouring fields; its rungs are to be as high as the goal's towers, so that flags walk up it
step by step. What is missing is cubes (three a turn) and steps (five points a turn), so an estimate of the turns left
follows from the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from referee.games.terra_turrium.geometry import ALL, COUNT, NEIGHBOURS, apart, bits
from referee.games.terra_turrium.ruleset import FLAGS_EACH, POINTS

CUBES_A_TURN = 3
Numbers = NDArray[np.float32]

_APART = np.array([[apart(i, j) for j in range(COUNT)] for i in range(COUNT)], np.float32)
_IN_HAND = 3.0
"""Steps that bringing a flag back costs besides the way from a low stack at the rim."""
_FOREIGN = 4.0
"""Cubes a foreign flag on a rung counts for: it must be captured or waited for."""
_STUCK = 1.0
"""Cubes an own flag on a rung that is still too low counts for: it must step aside."""
_TAKEN = np.float32(1000.0)


@lru_cache(maxsize=8)
def ladders(outside: int) -> NDArray[np.intp]:
    """Return all paths of six different fields in play, (n, 6). outside: fields out of play."""
    ground = ALL & ~outside
    paths: list[tuple[int, ...]] = [(i,) for i in bits(ground)]
    for _ in range(FLAGS_EACH - 1):
        paths = [(*path, j) for path in paths for j in NEIGHBOURS[path[-1]] if ground >> j & 1 and j not in path]
    return np.array(paths, np.intp)


@dataclass(frozen=True, slots=True)
class Aim:
    """Some ladders, and how high their rungs are to be. fields: (n, 6), the lowest rung first; high: (6,)."""

    fields: NDArray[np.intp]
    high: NDArray[np.float32]

    def best(self, most: int, heights: Sequence[int], own: int, foreign: int) -> Aim:
        """Return the ladders that are nearest to carrying a player's flags, at most ``most``."""
        cubes = self.cubes(np.array([heights], np.float32), own, foreign)[0]
        flags = list(bits(own))
        if flags:
            way = np.maximum(_APART[self.fields][:, :, flags].mean(axis=2).mean(axis=1) - 2.0, 0.0)
            cubes = cubes + way * FLAGS_EACH * CUBES_A_TURN / POINTS
        chosen = np.argsort(cubes, kind="stable")[:most]
        return Aim(self.fields[chosen], self.high)

    def cubes(self, heights: Numbers, own: int, foreign: int) -> Numbers:
        """Return the cubes to be placed or taken away on each ladder, (boards, ladders). heights: (boards, 100)."""
        off = np.abs(heights[:, self.fields] - self.high)
        blocked = np.zeros(COUNT, np.float32)
        blocked[list(bits(foreign))] = _FOREIGN
        stuck = np.zeros(COUNT, np.float32)
        stuck[list(bits(own))] = _STUCK
        found: Numbers = (off + blocked[self.fields] + stuck[self.fields] * (off > 0)).sum(axis=2, dtype=np.float32)
        return found


class Climb:
    """The steps that flags have to go on fixed heights."""

    def __init__(self, aim: Aim, heights: Sequence[int]) -> None:
        self._aim = aim
        self.heights = np.array(heights, np.float32)
        level = np.abs(aim.high[None, :, None] - self.heights[None, None, :])
        self._way = np.maximum(_APART[aim.fields], level)  # (ladders, 6, 100)
        here = aim.high[None, :] == self.heights[aim.fields]
        self._arrived = np.where(here, np.float32(0.0), np.float32(0.5))  # standing on a rung that is not high enough

    def steps(self, standing: Sequence[tuple[int, ...]]) -> Numbers:
        """Return steps to go on each ladder, (boards, ladders).

        standing: the fields of one player's flags, equally many.
        """
        boards, count = len(standing), len(standing[0])
        rungs = self._way.shape[0]
        if count:
            ways = self._way[:, :, np.array(standing, np.intp)]  # (ladders, 6, boards, flags)
            ways = np.moveaxis(ways, 2, 0).reshape(boards * rungs, FLAGS_EACH, count).copy()
        else:
            ways = np.empty((boards * rungs, FLAGS_EACH, 0), np.float32)
        hand = FLAGS_EACH - count
        if hand:
            entering = np.broadcast_to(self._aim.high[None, :, None] + _IN_HAND, (len(ways), FLAGS_EACH, hand))
            ways = np.concatenate([ways, entering.astype(np.float32)], axis=2)
        total = np.zeros(len(ways), np.float32)
        rows = np.arange(len(ways))
        for rung in range(FLAGS_EACH - 1, -1, -1):  # the highest first: its flag has the longest way
            nearest = ways[:, rung, :].argmin(axis=1)
            total += ways[rows, rung, nearest]
            ways[rows, :, nearest] = _TAKEN
        return np.asarray(total.reshape(boards, rungs) + self._arrived.sum(axis=1), np.float32)


def turns_left(cubes: Numbers, steps: Numbers) -> Numbers:
    """Estimate the turns that a player still needs on each ladder."""
    building, walking = cubes / CUBES_A_TURN, steps / POINTS
    found: Numbers = np.maximum(building, walking) + np.float32(0.4) * np.minimum(building, walking)
    return found


def aim_of(goal: Iterable[int], outside: int) -> Aim:
    """Return all ladders on a board. goal: heights of the towers asked for."""
    return Aim(ladders(outside), np.array(sorted(goal), np.float32))

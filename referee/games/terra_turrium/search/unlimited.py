"""Put moves together walk by walk, without a limit of points, instead of searching for them.

Where points don't matter a flag can always be brought to a field: the flags in the way are alike, so each of them
walks on to where the next one stood. First every flag that was captured is captured by the nearest flag, then every
field that is still missing a flag gets the nearest one that has no place yet, then captured flags come back.
"""

from __future__ import annotations

from itertools import pairwise

from referee.games.terra_turrium.geometry import bits
from referee.games.terra_turrium.search.steps import Flags, Move, Steps, capture_extra


def march(flags: Flags, steps: Steps, pass_over: bool, doors: int) -> tuple[Move, ...] | None:
    """Return moves that bring the flags where they stand, or ``None`` where this simple way finds none."""
    column = _Column(flags, steps, pass_over, doors & ~flags.standing)
    return tuple(column.moves) if column.capture_all() and column.fill_all() else None


class _Column:
    def __init__(self, flags: Flags, steps: Steps, pass_over: bool, doors: int) -> None:
        self._flags = flags
        self._steps = steps
        self._walls = 0 if pass_over else flags.standing
        self._doors = doors
        self._own = flags.before
        self._gone = flags.gone
        self._entries = flags.entries
        self.moves: list[Move] = []

    def capture_all(self) -> bool:
        """Capture every flag that is gone, the nearest first."""
        while self._gone:
            path = self._shortest(self._gone, self._own)
            if path is not None:
                self._push(path)
            elif not self._enter(self._gone):
                return False
        return True

    def fill_all(self) -> bool:
        """Bring flags to every field that misses one."""
        after = self._flags.after
        while missing := after & ~self._own:
            path = self._shortest(missing, self._own & ~after)
            if path is None:
                break
            self._push(path)
        while self._entries:
            if not self._enter(after & ~self._own):
                return False
        missing, spare = after & ~self._own, self._own & ~after
        return missing.bit_count() <= self._flags.appeared and spare.bit_count() <= self._flags.vanished

    def _shortest(self, targets: int, starts: int) -> list[int] | None:
        """Return the shortest path from one of the starts to one of the targets."""
        come_from: dict[int, int] = {}
        fresh = list(bits(targets))
        seen = targets
        while fresh:
            reached = []
            for field in fresh:
                for j in self._steps.into(field):
                    if not (seen | self._walls) >> j & 1:
                        seen |= 1 << j
                        come_from[j] = field
                        if starts >> j & 1:
                            return _follow(come_from, j)
                        reached.append(j)
            fresh = reached
        return None

    def _enter(self, targets: int) -> bool:
        """Bring a captured flag back and on to one of the targets."""
        doors = self._doors & ~self._gone
        if not self._entries or not doors:
            return False
        straight = targets & doors
        path = [bits(straight)[0]] if straight else self._shortest(targets, doors)
        if path is None:
            return False
        first = next((n for n, field in enumerate(path) if self._own >> field & 1), None)
        if first is not None:
            self._push(path[first:])
        self._entries -= 1
        self._walk(path if first is None else path[: first + 1], enters=True)
        return True

    def _push(self, path: list[int]) -> None:
        """Move the flag at the path's start to its end; flags on the way each walk on to the next one's place."""
        stops = [n for n, field in enumerate(path) if self._own >> field & 1]
        end = len(path) - 1
        for stop in reversed(stops):
            self._walk(path[stop : end + 1], enters=False)
            end = stop

    def _walk(self, path: list[int], enters: bool) -> None:
        captures = []
        points = int(enters) + len(path) - 1
        if not enters:
            self._own &= ~(1 << path[0])
        for here, there in pairwise(path):
            if self._gone >> there & 1:
                self._gone &= ~(1 << there)
                captures.append(there)
                points += capture_extra(self._steps.heights, here, there)
        self._own |= 1 << path[-1]
        self.moves.append(Move(enters, tuple(path), tuple(captures), points))


def _follow(come_from: dict[int, int], field: int) -> list[int]:
    path = [field]
    while field in come_from:
        field = come_from[field]
        path.append(field)
    return path

"""Say what one flag can do on fixed heights: the steps there are, how far apart fields lie, what a capture costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from referee.games.terra_turrium.geometry import COUNT, NEIGHBOURS, stacks_of

FAR = 10_000
"""Distance of a field that can't be reached."""


def capture_extra(heights: Sequence[int], start: int, end: int) -> int:
    """Return the points a capture costs besides its step."""
    if heights[end] == heights[start]:
        return 1
    return 2 if heights[end] > heights[start] else 0


class Steps:
    """The steps flags can take on a board, whatever stands in the way. What was worked out is kept."""

    def __init__(self, heights: tuple[int, ...], any_step: bool = False, any_ground: bool = False) -> None:
        self.heights = heights
        self.any_step = any_step
        self.any_ground = any_ground
        self._onto: dict[int, tuple[int, ...]] = {}
        self._into: dict[int, tuple[int, ...]] = {}
        self._rows: dict[tuple[int, int, int], list[int]] = {}
        self._regions: dict[int, list[int]] = {}

    @cached_property
    def stacks(self) -> int:
        """Return the fields on which stones lie."""
        return stacks_of(self.heights)

    def enterable(self, field: int) -> bool:
        """Return whether a flag may step onto a field at all."""
        return self.any_ground or self.heights[field] > 0

    def onto(self, field: int) -> tuple[int, ...]:
        """Return the fields a flag on this field can step onto."""
        found = self._onto.get(field)
        if found is None:
            found = tuple(j for j in self._level(field) if self.enterable(j))
            self._onto[field] = found
        return found

    def into(self, field: int) -> tuple[int, ...]:
        """Return the fields from which a flag can step onto this one."""
        found = self._into.get(field)
        if found is None:
            found = self._level(field) if self.enterable(field) else ()
            self._into[field] = found
        return found

    def _level(self, field: int) -> tuple[int, ...]:
        if self.any_step:
            return NEIGHBOURS[field]
        heights = self.heights
        here = heights[field]
        return tuple(j for j in NEIGHBOURS[field] if -1 <= heights[j] - here <= 1)

    def distances(self, target: int, walls: int, most: int) -> list[int]:
        """Return the number of steps from every field to the target, up to ``most``, never over a wall."""
        known = self._rows.get((target, walls, most))
        if known is not None:
            return known
        row = [FAR] * COUNT
        row[target] = 0
        fresh = [target]
        depth = 0
        while fresh and depth < most:
            depth += 1
            reached = []
            for field in fresh:
                for j in self.into(field):
                    if row[j] == FAR and not walls >> j & 1:
                        row[j] = depth
                        reached.append(j)
            fresh = reached
        self._rows[target, walls, most] = row
        return row

    def regions(self, ground: int) -> list[int]:
        """Return the parts of ``ground`` (all enterable) that hang together each."""
        regions = self._regions.get(ground)
        if regions is None:
            regions, rest = [], ground
            while rest:
                regions.append(self._component((rest & -rest).bit_length() - 1, ground))
                rest &= ~regions[-1]
            self._regions[ground] = regions
        return regions

    def _component(self, start: int, ground: int) -> int:
        """Return the fields of ``ground`` that hang together with ``start``, itself among them."""
        reached = 1 << start
        todo = [start]
        while todo:
            for j in self.onto(todo.pop()):
                bit = 1 << j
                if ground & bit and not reached & bit:
                    reached |= bit
                    todo.append(j)
        return reached


@lru_cache(maxsize=256)
def steps_on(heights: tuple[int, ...], any_step: bool = False, any_ground: bool = False) -> Steps:
    """Return the steps on a board. Flags are searched for on few boards, many times on each."""
    return Steps(heights, any_step, any_ground)


@dataclass(frozen=True, slots=True)
class Move:
    """One flag's walk: ``path`` begins with the field it started from or, with ``enters``, came back on."""

    enters: bool
    path: tuple[int, ...]
    captures: tuple[int, ...]
    points: int


@dataclass(frozen=True, slots=True)
class Flags:
    """Whose flags stood and stand where, as one player's turn sees it; the sets are sets of fields.

    gone: foreign flags that left their field. standing: foreign flags still there. entries: captured flags that
    came back. vanished, appeared: own flags that went or came against the count.
    """

    before: int
    after: int
    gone: int
    standing: int
    entries: int
    vanished: int = 0
    appeared: int = 0

    def without_foreign(self) -> Flags:
        """Return the same with every foreign flag set aside."""
        return Flags(self.before, self.after, 0, 0, self.entries, self.vanished, self.appeared)


def join(walks: Iterable[Move]) -> tuple[Move, ...]:
    """Join steps of one flag that follow each other into one walk.

    A capture on a field passed over before stays a walk of its own: walks name the fields of their captures only.
    """
    joined: list[Move] = []
    for walk in walks:
        last = joined[-1] if joined else None
        follows = last is not None and not walk.enters and last.path[-1] == walk.path[0]
        if last is not None and follows and not set(last.path) & set(walk.captures):
            joined[-1] = Move(
                last.enters, last.path + walk.path[1:], last.captures + walk.captures, last.points + walk.points
            )
        else:
            joined.append(walk)
    return tuple(joined)

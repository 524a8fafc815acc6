"""Find where an own knight may go from one board: on foot, through doors, by a card, or out of the hand."""

from __future__ import annotations

from referee.games.torres.geometry import ALL, BESIDE, BEYOND, CORNERWISE, bits
from referee.games.torres.ruleset import KNIGHT_BLOCKED, KNIGHT_CLIMB, KNIGHT_DOOR, KNIGHT_PLACE, KNIGHT_STEP
from referee.games.torres.search.building import Heights
from referee.games.torres.search.doors import exits
from referee.games.torres.search.task import TurnTask
from referee.games.torres.terrain import terrain

KEPT = 1
"""An oddity from here on: a piece that leaves by hand still stands on a field (A1 is KEPT), to be jumped over."""
ARRIVED = 65
"""An oddity from here on: a piece that comes by hand stands on a field already, for it was jumped over."""


class Moves:
    """The moves of own knights in one task. Sets of fields are numbers with 64 bits."""

    def __init__(self, task: TurnTask) -> None:
        self._task = task
        self._doors = task.scene.rules.doors
        self._climbs = KNIGHT_CLIMB in task.lifted
        self._anywhere = KNIGHT_STEP in task.lifted
        self._any_door = KNIGHT_DOOR in task.lifted
        self._passing = KNIGHT_BLOCKED in task.lifted
        self._placed_anywhere = KNIGHT_PLACE in task.lifted
        foreign = task.foreign
        self._still = foreign.still
        self._over_any = task.scene.rules.jump_over == "any"
        king = foreign.king if self._over_any else None
        self._over = foreign.knights.still | (king.still if king else 0)
        self.leavers = foreign.knights.gone | (king.gone if king else 0)
        """Pieces that leave by hand and may be jumped over before."""
        self._comers = foreign.knights.come | (king.come if king else 0)

    def others(self, oddity: int) -> int:
        """Return the fields of all pieces that are not the player's."""
        if not oddity:
            return self._still
        return self._still | 1 << (oddity - (ARRIVED if oddity >= ARRIVED else KEPT))

    def walks(self, heights: Heights, field: int, occupied: int) -> tuple[int, int]:
        """Return where a knight may go for one AP: by a step, and through doors."""
        ground = terrain(heights)
        steps = ALL & ~occupied if self._anywhere else BESIDE[field] & ~occupied
        if not self._climbs:
            steps &= ground.at_most[heights[field] + 1]
        if not BESIDE[field] & ~ground.at_most[heights[field]]:
            return steps, 0
        if self._any_door:
            return steps, exits(heights, field, "any", 0, True) & ~occupied
        return steps, exits(heights, field, self._doors, occupied & ~(1 << field), False) & ~occupied

    def passes(self, heights: Heights, field: int, occupied: int, most: int) -> list[tuple[int, ...]]:
        """Return the paths of at least two steps that lead over pieces onto a free field, one to each field.

        Only with ``knight.blocked`` lifted. most: the AP there are.
        """
        if not self._passing or most < 2:
            return []
        ground = terrain(heights)
        found: list[tuple[int, ...]] = []
        ended = 0
        seen = 1 << field
        paths: list[tuple[int, ...]] = [(field,)]
        for _ in range(most):
            longer = []
            for path in paths:
                here = path[-1]
                climbable = ALL if self._climbs else ground.at_most[heights[here] + 1]
                beside = BESIDE[here] & climbable
                if len(path) > 1:
                    free = (ALL if self._anywhere else BESIDE[here]) & climbable & ~occupied & ~ended
                    ended |= free
                    found += [(*path[1:], to) for to in bits(free)]
                fresh = beside & occupied & ~seen
                seen |= fresh
                longer += [(*path, to) for to in bits(fresh)]
            paths = longer
        return found

    def places(self, heights: Heights, knights: int) -> int:
        """Return where a knight may be placed next to one of some own knights, free or not."""
        if self._placed_anywhere:
            return ALL
        ground = terrain(heights)
        found = 0
        for i in bits(knights):
            found |= BESIDE[i] & ground.at_most[heights[i]]
        return found

    def by_card(self, kind: str, heights: Heights, field: int, knights: int, oddity: int) -> list[tuple[int, int]]:
        """Return where a card takes a knight, each with the oddity that then remains."""
        occupied = knights | self.others(oddity)
        if kind == "jump" and not self._task.free("jump"):
            return self._jumps(heights, field, knights, oddity)
        return [(to, oddity) for to in bits(self._taken(kind, heights, field, knights, occupied) & ~occupied)]

    def _taken(self, kind: str, heights: Heights, field: int, knights: int, occupied: int) -> int:
        ground = terrain(heights)
        if self._task.free(kind):
            return ALL
        if kind == "door":
            return exits(heights, field, self._doors, occupied & ~(1 << field), True)
        if kind == "diagonal":
            return CORNERWISE[field] & (ALL if self._climbs else ground.at_most[heights[field] + 1])
        if kind == "leap":
            return BESIDE[field] & ground.at[heights[field] + 2]
        return self.places(heights, knights & ~(1 << field))

    def _jumps(self, heights: Heights, field: int, knights: int, oddity: int) -> list[tuple[int, int]]:
        occupied = knights | self.others(oddity)
        over = self._over | (knights if self._over_any else 0)
        kept = oddity - KEPT if KEPT <= oddity < ARRIVED else -1
        found = []
        for middle, to in BEYOND[field]:
            if occupied >> to & 1 or heights[to] > heights[field] + 1:
                continue
            if middle == kept:
                found.append((to, 0))
            elif over >> middle & 1:
                found.append((to, oddity))
            elif self._comers >> middle & 1 and not occupied >> middle & 1:
                found.append((to, ARRIVED + middle))
        return found

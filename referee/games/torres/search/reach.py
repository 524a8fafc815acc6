"""Bound from below how near each field is to another, by heights as low and as high as they get.

A knight is taken to climb from the highest its field ever is onto the lowest the next one ever is, past pieces that
may move, and through castles as large as they ever are. So no real turn is cheaper, and what is too far even so needs
no search.
"""

from __future__ import annotations

from functools import cached_property

from referee.games.torres.geometry import ALL, BEYOND, COUNT, bits, mask_of, spread, spread_diagonally
from referee.games.torres.ruleset import KNIGHT_BLOCKED, KNIGHT_CLIMB, KNIGHT_DOOR, KNIGHT_PLACE, KNIGHT_STEP
from referee.games.torres.search.blocks import FAR
from referee.games.torres.search.building import Heights
from referee.games.torres.search.task import TurnTask
from referee.games.torres.terrain import TOP, connected, terrain

Cards = tuple[str, ...]
"""Kinds of card that move knights and are not used yet."""


class Reach:
    """Lower bounds on the AP that knights need. Sets of fields are numbers with 64 bits."""

    def __init__(self, task: TurnTask, low: Heights, high: Heights) -> None:
        self._task = task
        self._most = max(0, task.room)
        self._climbs = KNIGHT_CLIMB in task.lifted
        self._anywhere = KNIGHT_STEP in task.lifted
        self._any_door = KNIGHT_DOOR in task.lifted
        self._placed_anywhere = KNIGHT_PLACE in task.lifted
        self._open = ALL if KNIGHT_BLOCKED in task.lifted else ALL & ~task.foreign.still
        self._high_at_most = terrain(high).at_most
        self._low = terrain(low)
        self._high = terrain(high)
        self._layers: dict[tuple[int, Cards], tuple[int, ...]] = {}
        self._distances: dict[tuple[int, Cards], tuple[int, ...]] = {}
        self._placing: dict[tuple[int, int, Cards], tuple[int, ...]] = {}

    @cached_property
    def _gates(self) -> tuple[int, ...]:
        if self._low is self._high:
            return self._low.gates
        found = []
        for castle in connected(self._high.blocks):
            gate = 0
            for level, fields in enumerate(self._low.at):
                gate |= spread(castle & ~self._high_at_most[level]) & fields
            found.append(gate)
        return tuple(found)

    def layers(self, target: int, cards: Cards) -> tuple[int, ...]:
        """Return, by AP from 0, the fields from which a knight can get to a field for so many."""
        known = self._layers.get((target, cards))
        if known is None:
            known = self._layers[target, cards] = self._grown(self._seeds(1 << target, cards), cards)
        return known

    def distances(self, target: int, cards: Cards) -> tuple[int, ...]:
        """Return the AP a knight needs from each field to a field, FAR where they don't suffice."""
        known = self._distances.get((target, cards))
        if known is None:
            found = [FAR] * COUNT
            seen = 0
            for cost, fields in enumerate(self.layers(target, cards)):
                for i in bits(fields & ~seen):
                    found[i] = cost
                seen |= fields
            known = self._distances[target, cards] = tuple(found)
        return known

    def placing(self, target: int, placed: int, cards: Cards) -> tuple[int, ...]:
        """Return, by AP from 0, where a knight must be so that one on the target can have been placed.

        placed: knights placed in all. The AP are those of moves, of the knights on the board or of those placed.
        """
        known = self._placing.get((target, placed, cards))
        if known is None:
            found = list(self.layers(target, cards))
            for _ in range(placed):
                found = list(self._grown([fields | self._beside(fields) for fields in found], cards))
            known = self._placing[target, placed, cards] = tuple(found)
        return known

    def _seeds(self, target: int, cards: Cards) -> list[int]:
        seeds = [target] * (self._most + 1)
        for n, kind in enumerate(cards):
            price = self._task.price(kind)
            rest = (*cards[:n], *cards[n + 1 :])
            base = self.layers(target.bit_length() - 1, rest)
            for cost in range(price, self._most + 1):
                seeds[cost] |= self._by_card(kind, base[cost - price]) | base[cost]
        return seeds

    def _grown(self, seeds: list[int], cards: Cards) -> tuple[int, ...]:
        """Let sets of fields, by AP, grow by a move for each AP."""
        found = []
        reached = 0
        moved = -1
        for seed in seeds:
            before = reached
            reached |= seed
            if before and before != moved:
                reached |= self._before(before) & self._open
                moved = before
            found.append(reached)
        return tuple(found)

    def _before(self, fields: int) -> int:
        """Return the fields from which one AP may lead to some of the given ones."""
        low = self._low
        found = 0
        if self._anywhere:
            found = ALL if self._climbs else self._least(_lowest(low.at, fields) - 1)
        elif self._climbs:
            found = spread(fields)
        else:
            for level, at in enumerate(low.at):
                part = fields & at
                if part:
                    found |= spread(part) & self._least(level - 1)
                if not fields & ~low.at_most[level]:
                    break
        return found | self._through_doors(fields, self._any_door)

    def _through_doors(self, fields: int, rising: bool) -> int:
        found = 0
        for gate in self._gates:
            left = fields & gate
            if left:
                found |= gate if rising else gate & self._least(_lowest(self._low.at, left))
        return found

    def _least(self, level: int) -> int:
        """Return the fields that are at some time at least so high."""
        return ALL if level <= 0 else ALL & ~self._high_at_most[level - 1]

    def _by_card(self, kind: str, fields: int) -> int:
        if self._task.free(kind) or kind == "relocate":
            return ALL
        if kind == "door":
            return self._through_doors(fields, True)
        found = 0
        for level in range(TOP):
            part = fields & self._low.at[level]
            if part and kind == "diagonal":
                found |= spread_diagonally(part) & (ALL if self._climbs else self._least(level - 1))
            elif part and kind == "leap":
                found |= spread(part) & self._least(level - 2)
            elif part:
                found |= _two_away(part) & self._least(level - 1)
            if not fields & ~self._low.at_most[level]:
                break
        return found

    def _beside(self, fields: int) -> int:
        """Return the fields on which a knight must stand so that one can be placed on some of the given ones."""
        if not fields:
            return 0
        if self._placed_anywhere:
            return ALL
        found = 0
        for level, at in enumerate(self._low.at):
            part = fields & at
            if part:
                found |= spread(part) & self._least(level)
            if not fields & ~self._low.at_most[level]:
                break
        return found


_TWO_AWAY = tuple(mask_of(far for _, far in BEYOND[i]) for i in range(COUNT))


def _two_away(fields: int) -> int:
    found = 0
    for i in bits(fields):
        found |= _TWO_AWAY[i]
    return found


def _lowest(at: list[int], fields: int) -> int:
    """Return the lowest level on which some of the fields lie; TOP where there are none."""
    for level in range(TOP):
        if fields & at[level]:
            return level
    return TOP

"""Every turn of a small position by brute force: whatever may be done next is done, act by act.

Nothing is shared with the engine but positions and the description of a rule set. ``phases=False`` lets takes, builds
and moves come in any order, each judged on the board as it then stands: turns that break ``turn.phase`` alone.
A world can have some of the rules in LIFTABLE lifted.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from referee.games.terra_turrium.colours import Colour, board_of
from referee.games.terra_turrium.engine import GAME
from referee.games.terra_turrium.position.position import TerraPosition
from referee.values.board import Board
from tests.games.terra_turrium.positions import position
from tests.games.terra_turrium.reference import Player, exterior, neighbours, territory, territory_allows

POINTS, MANY_POINTS = 5, 12
LIFTABLE = (
    "take.territory",
    "take.interior",
    "take.occupied",
    "build.occupied",
    "build.outside",
    "move.points",
    "move.step",
    "move.ground",
    "enter.cell",
    "capture.attacks",
    "capture.closed",
    "capture.quota",
)
Seen = tuple[tuple[int, ...], tuple[int, ...]]
"""Heights and flags of a small position's fields."""


@dataclass(frozen=True)
class State:
    """A turn under way; tuples go over the fields of the small position."""

    phase: int
    heights: tuple[int, ...]
    flags: tuple[int, ...]
    taken: tuple[int, ...]
    built: int
    points: int
    hand: int
    captured: int

    @property
    def seen(self) -> Seen:
        return self.heights, self.flags


class World:
    """A position of few stacks: only ``fields`` carry anything, and only ``sites`` are in play."""

    def __init__(
        self,
        position: TerraPosition,
        fields: Sequence[int],
        sites: Sequence[int],
        lifted: frozenset[str] = frozenset(),
    ) -> None:
        self.lifted = lifted
        outside = ((1 << 100) - 1) & ~sum(1 << i for i in sites)
        self.position = replace(position, rules=replace(position.rules, outside=outside))
        self.rules, self.mover = self.position.rules, position.to_move
        self.fields, self.sites = tuple(fields), frozenset(sites)
        self.at = {field: n for n, field in enumerate(self.fields)}
        places = dict(zip(("nw", "ne", "se", "sw"), position.seats, strict=True))
        mates = position.mates(self.mover)
        self.player = Player(
            frozenset(t for t, c in places.items() if c == self.mover),
            frozenset(t for t, c in places.items() if c in mates),
        )
        heights, flags = position.grids
        self.start = State(
            0,
            tuple(heights[i] for i in self.fields),
            tuple(flags[i] for i in self.fields),
            (0,) * len(self.fields),
            0,
            MANY_POINTS if "move.points" in lifted else POINTS,
            position.in_hand[self.mover],
            0,
        )

    def board(self, seen: Seen) -> Board:
        grids = []
        for values in seen:
            row = [0] * 100
            for field, value in zip(self.fields, values, strict=True):
                row[field] = value
            grids.append(np.array(row, np.int8).reshape(10, 10))
        return board_of(*grids)

    def ends(self, phases: bool = True) -> set[Seen]:
        """Return the boards of all legal turns."""
        return {state.seen for state in self._states((), phases) if self._over(state)}

    def ways(self, frames: Sequence[Seen], end: Seen, phases: bool = True) -> bool:
        """Return whether some turn that ends on a board passes through all frames in their order."""
        return any(self._over(state) and state.seen == end for state in self._states(frames, phases, end))

    def random_way(self, rnd: random.Random, phases: bool) -> list[Seen] | None:
        """Return the boards of a random turn, the start first; ``None`` when it comes to no end."""
        state, way = self.start, [self.start.seen]
        for _ in range(20):
            if self._over(state) and rnd.random() < 0.2:
                break
            choices = list(self.after(state, phases))
            if not choices:
                break
            state = rnd.choice(choices)
            way.append(state.seen)
        return way if self._over(state) else None

    def _over(self, state: State) -> bool:
        reserve = self.position.reserve[self.mover]
        return sum(state.taken) in self.rules.take_counts and 0 <= state.built - sum(state.taken) <= reserve

    def _states(self, frames: Sequence[Seen], phases: bool, end: Seen | None = None) -> Iterator[State]:
        """Yield every state at which all frames have been passed."""
        first = (self.start, self._passed(self.start, 0, frames))
        known, todo = {first}, [first]
        while todo:
            state, passed = todo.pop()
            if passed == len(frames):
                yield state
            for after in self.after(state, phases):
                link = (after, self._passed(after, passed, frames))
                if link not in known and (not phases or end is None or self._may_end(after, end)):
                    known.add(link)
                    todo.append(link)

    @staticmethod
    def _passed(state: State, passed: int, frames: Sequence[Seen]) -> int:
        while passed < len(frames) and frames[passed] == state.seen:
            passed += 1
        return passed

    @staticmethod
    def _may_end(state: State, end: Seen) -> bool:
        """Return whether a board can still be reached once building is over.

        That is all that keeps the trial short.
        """
        return state.phase < 2 or state.heights == end[0]

    def after(self, state: State, phases: bool = True) -> Iterator[State]:
        """Yield all states one act later; ending a phase is no act."""
        taken = sum(state.taken)
        if state.phase == 0 or not phases:
            yield from self._takes(state)
        if not phases or (taken in self.rules.take_counts and state.phase < 2):
            yield from self._builds(state)
        if self._over(state) or not phases:
            yield from self._moves(state)

    def _takes(self, state: State) -> Iterator[State]:
        if sum(state.taken) == max(self.rules.take_counts):
            return
        heights = dict(zip(self.fields, state.heights, strict=True))
        for n, field in enumerate(self.fields):
            if not state.heights[n] or (state.flags[n] and "take.occupied" not in self.lifted):
                continue
            # No field here has been taken from and built on: one higher than at the start has been built on.
            if not self.rules.returned_cubes and state.heights[n] > self.start.heights[n]:
                continue
            taken = _changed(state.taken, n, 1)
            count = Counter({f: c for f, c in zip(self.fields, taken, strict=True) if c})
            if "take.territory" not in self.lifted and not territory_allows(self.rules, self.player, count):
                continue
            free = territory(field) in self.player.own or "take.interior" in self.lifted
            if free or exterior(heights, field, self.rules.exterior):
                yield replace(state, phase=0, heights=_changed(state.heights, n, -1), taken=taken)

    def _builds(self, state: State) -> Iterator[State]:
        if state.built == sum(state.taken) + self.position.reserve[self.mover]:
            return
        for n, field in enumerate(self.fields):
            returned = state.taken[n] and not self.rules.returned_cubes
            in_play = field in self.sites or "build.outside" in self.lifted
            if in_play and not returned and (not state.flags[n] or "build.occupied" in self.lifted):
                yield replace(state, phase=1, heights=_changed(state.heights, n, 1), built=state.built + 1)

    def _moves(self, state: State) -> Iterator[State]:
        for n, field in enumerate(self.fields):
            if state.hand and state.points and not state.flags[n] and self._door(state, n):
                yield replace(
                    state,
                    phase=2,
                    flags=_set(state.flags, n, self.mover),
                    points=state.points - 1,
                    hand=state.hand - 1,
                )
            if state.flags[n] == self.mover:
                for there in neighbours(field):
                    if there in self.at:
                        yield from self._step(state, n, self.at[there])

    def _step(self, state: State, n: int, m: int) -> Iterator[State]:
        rise = state.heights[m] - state.heights[n]
        flag = state.flags[m]
        cost = 1 + (0 if not flag else 1 if rise == 0 else 2 if rise > 0 else 0)
        if cost > state.points or (abs(rise) > 1 and "move.step" not in self.lifted):
            return
        if not state.heights[m] and "move.ground" not in self.lifted:
            return
        if flag and not self._may_capture(state, m):
            return
        flags = _set(_set(state.flags, n, 0), m, self.mover)
        yield replace(state, phase=2, flags=flags, points=state.points - cost, captured=state.captured + bool(flag))

    def _may_capture(self, state: State, m: int) -> bool:
        now = self.position
        if Colour(state.flags[m]) in now.mates(self.mover):
            return False
        tired = now.attacks[self.mover] >= 5 and "capture.attacks" not in self.lifted
        if tired and territory(self.fields[m]) not in self.player.team:
            return False
        if self.rules.opening is None:
            return True
        if not now.captures_open:
            return "capture.closed" in self.lifted
        return state.captured < now.captures_left[self.mover] or "capture.quota" in self.lifted

    def _door(self, state: State, n: int) -> bool:
        height, field = state.heights[n], self.fields[n]
        if "enter.cell" in self.lifted:
            return height > 0 or "move.ground" in self.lifted
        if self.rules.low_entry:
            return height == 1 and bool(self.rules.entry_row >> field & 1) and territory(field) in self.player.own
        return height > 0 and exterior(dict(zip(self.fields, state.heights, strict=True)), field, self.rules.exterior)


def _changed(values: tuple[int, ...], n: int, change: int) -> tuple[int, ...]:
    return _set(values, n, values[n] + change)


def _set(values: tuple[int, ...], n: int, value: int) -> tuple[int, ...]:
    return (*values[:n], int(value), *values[n + 1 :])


CORNERS = (0, 3, 11, 12, 34, 40, 43, 44, 88, 81)
SHAPES = ((1, 4), (2, 3), (3, 2), (2, 4), (3, 3))


def some_world(rnd: random.Random, table: dict[str, Any]) -> World:
    """Return a small position at one of the tests' tables: up to nine stacks, four fields in play, five flags."""
    base = GAME.position(position(**table))
    corner, (rows, cols) = rnd.choice(CORNERS), rnd.choice(SHAPES)
    fields = [corner + 10 * r + c for r in range(rows) for c in range(cols) if corner % 10 + c < 10]
    fields = [i for i in fields if i < 100]
    heights = {i: rnd.choice([0, 1, 1, 1, 2, 2, 3]) for i in fields}
    others = [c for c in base.players if c != base.to_move]
    flags: dict[int, int] = {}
    for i in rnd.sample(fields, min(len(fields) - 2, rnd.choice([1, 2, 3, 4]))):
        heights[i] = max(1, heights[i])
        flags[i] = int(base.to_move) if len(flags) % 2 == 0 else int(rnd.choice(others))
    board = board_of(
        *(np.array([g.get(i, 0) for i in range(100)], np.int8).reshape(10, 10) for g in (heights, flags))
    )
    mover = base.to_move
    now = replace(
        base,
        board=board,
        in_hand={**base.in_hand, mover: rnd.choice([0, 0, 1, 2])},
        attacks={**base.attacks, mover: rnd.choice([0, 4, 5])},
        reserve={**base.reserve, mover: rnd.choice([0, 1]) if base.rules.reserves else 0},
        captures_left={**base.captures_left, mover: rnd.choice([0, 1, 2])},
    )
    return World(now, fields, rnd.sample(fields, min(4, len(fields))))


def nearly(rnd: random.Random, board: Seen) -> Seen:
    """Return the board with a cube or a flag or two elsewhere."""
    heights, flags = map(list, board)
    for _ in range(rnd.choice([1, 2])):
        a, b = rnd.randrange(len(heights)), rnd.randrange(len(heights))
        if rnd.random() < 0.5 and heights[a]:
            heights[a] -= 1
            heights[b] += 1
        else:
            flags[a], flags[b] = flags[b], flags[a]
    return tuple(heights), tuple(flags)

"""Random legal turns, made act by act with the slow reference rules."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

import numpy as np

from referee.games.terra_turrium.colours import Colour, board_of
from referee.games.terra_turrium.position.position import TerraPosition
from referee.values.board import Board
from tests.games.terra_turrium.reference import Player, exterior, neighbours, territory, territory_allows


@dataclass
class Turn:
    """A turn being played: the board as it changes, what the turn has cost, the boards on its way."""

    rnd: random.Random
    position: TerraPosition

    def __post_init__(self) -> None:
        self.rules = self.position.rules
        self.mover = self.position.to_move
        self.heights = list(self.position.grids[0])
        self.flags = {i: Colour(c) for i, c in enumerate(self.position.grids[1]) if c}
        places = dict(zip(("nw", "ne", "se", "sw"), self.position.seats, strict=True))
        own = frozenset(t for t, c in places.items() if c == self.mover)
        team = frozenset(t for t, c in places.items() if c in self.position.mates(self.mover))
        self.player = Player(own, team)
        self.points = 5
        self.captured: list[int] = []
        self.entered = 0
        self.seen: list[Board] = []

    def play(self) -> Board:
        """Play a whole turn; it may fail to take enough cubes, then the board may be illegal: see ``complete``."""
        self.complete = self._take()
        for _ in range(self.cubes):
            free = [i for i in range(100) if i not in self.flags and not self.rules.outside >> i & 1]
            near = [i for i in free if any(self.flags.get(j) == self.mover for j in neighbours(i))]
            self.heights[self.rnd.choice(near if near and self.rnd.random() < 0.7 else free)] += 1
            self.seen.append(self._board())
        while self.points and self.rnd.random() < 0.9 and self._move():
            pass
        return self._board()

    def _board(self) -> Board:
        rows = [self.heights[r * 10 : r * 10 + 10] for r in range(10)]
        flags = [[int(self.flags.get(r * 10 + c, 0)) for c in range(10)] for r in range(10)]
        return board_of(np.array(rows, np.int8), np.array(flags, np.int8))

    def _take(self) -> bool:
        wanted = self.rnd.choice(sorted(self.rules.take_counts))
        taken: Counter[int] = Counter()
        for _ in range(wanted):
            choices = [i for i in range(100) if self._may_take(i, taken)]
            if not choices:
                break
            field = self.rnd.choice(choices)
            taken[field] += 1
            self.heights[field] -= 1
            self.seen.append(self._board())
        self.cubes = taken.total()
        return self.cubes == wanted

    def _may_take(self, field: int, taken: Counter[int]) -> bool:
        if not self.heights[field] or field in self.flags:
            return False
        if not territory_allows(self.rules, self.player, taken + Counter([field])):
            return False
        return territory(field) in self.player.own or exterior(
            dict(enumerate(self.heights)), field, self.rules.exterior
        )

    def _move(self) -> bool:
        options: list[tuple[int, int | None, int]] = [(1, None, i) for i in range(100) if self._may_enter(i)]
        for here, colour in self.flags.items():
            if colour == self.mover:
                options += [
                    (cost, here, end) for end in neighbours(here) if (cost := self._cost(here, end)) <= self.points
                ]
        if not options:
            return False
        captures = [option for option in options if option[2] in self.flags]
        cost, start, end = self.rnd.choice(captures if captures and self.rnd.random() < 0.5 else options)
        self.points -= cost
        if end in self.flags:
            self.captured.append(end)
        if start is None:
            self.entered += 1
        else:
            del self.flags[start]
        self.flags[end] = self.mover
        self.seen.append(self._board())
        return True

    def _may_enter(self, field: int) -> bool:
        if self.entered >= self.position.in_hand[self.mover] or field in self.flags:
            return False
        height = self.heights[field]
        if self.rules.low_entry:
            return height == 1 and bool(self.rules.entry_row >> field & 1) and territory(field) in self.player.own
        return height > 0 and exterior(dict(enumerate(self.heights)), field, self.rules.exterior)

    def _cost(self, start: int, end: int) -> int:
        rise = self.heights[end] - self.heights[start]
        if abs(rise) > 1 or not self.heights[end]:
            return 99
        if end not in self.flags:
            return 1
        if self.flags[end] in self.position.mates(self.mover) or not self._may_capture(end):
            return 99
        return 2 if rise == 0 else 3 if rise > 0 else 1

    def _may_capture(self, field: int) -> bool:
        position = self.position
        if territory(field) not in self.player.team and position.attacks[self.mover] >= 5:
            return False
        if self.rules.opening is None:
            return True
        return position.captures_open and len(self.captured) < position.captures_left[self.mover]

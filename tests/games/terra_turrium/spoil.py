"""Boards after turns that were not quite right: the ways in which players go wrong, and boards knocked over."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from referee.games.terra_turrium.colours import LETTERS
from referee.games.terra_turrium.position.position import TerraPosition
from referee.values.board import MAX_HEIGHT, Board
from tests.games.terra_turrium.play import Turn
from tests.games.terra_turrium.reference import neighbours


def board_of(heights: list[int], flags: list[int]) -> Board:
    return Board(np.array(heights).reshape(10, 10), np.array(flags).reshape(10, 10), LETTERS)


class Spoiler:
    """A legal turn is played, then spoilt in one way."""

    def __init__(self, rnd: random.Random, position: TerraPosition) -> None:
        self.rnd, self.position = rnd, position
        board = Turn(rnd, position).play()
        self.heights: list[int] = board.heights.ravel().tolist()
        self.flags: list[int] = board.flags.ravel().tolist()
        self.mover = int(position.to_move)

    def _any(self, wanted: Callable[[int], bool]) -> int | None:
        fields = [i for i in range(100) if wanted(i)]
        return self.rnd.choice(fields) if fields else None

    def _carry(self, start: int | None, end: int | None) -> None:
        if start is not None and self.heights[start]:
            self.heights[start] -= 1
            if end is not None and self.heights[end] < MAX_HEIGHT:
                self.heights[end] += 1

    def cube_too_many(self) -> None:
        """Carry one more cube from one field to another."""
        self._carry(self._any(lambda i: self.heights[i] > 0), self._any(lambda i: True))

    def cube_under_flag(self) -> None:
        """Put a cube under a flag."""
        self._carry(self._any(lambda i: self.heights[i] > 0), self._any(lambda i: self.flags[i] > 0))

    def cube_lost(self) -> None:
        """Keep a cube in the hand."""
        self._carry(self._any(lambda i: self.heights[i] > 0), None)

    def cube_outside(self) -> None:
        """Put a cube out of play, where the game has such fields, else on the edge."""
        outside = self.position.rules.outside or sum(1 << i for i in range(10))
        self._carry(self._any(lambda i: self.heights[i] > 0), self._any(lambda i: bool(outside >> i & 1)))

    def flag_too_far(self) -> None:
        """Let an own flag walk on, whatever it costs."""
        here = self._any(lambda i: self.flags[i] == self.mover)
        for _ in range(self.rnd.choice([2, 4, 8])):
            ends = [j for j in neighbours(here) if not self.flags[j]] if here is not None else []
            if here is not None and ends:
                there = self.rnd.choice(ends)
                self.flags[here], self.flags[there] = 0, self.flags[here]
                here = there

    def flag_jumps(self) -> None:
        """Put an own flag anywhere."""
        start = self._any(lambda i: self.flags[i] == self.mover)
        end = self._any(lambda i: not self.flags[i])
        if start is not None and end is not None:
            self.flags[start], self.flags[end] = 0, self.mover

    def foreign_flag_moved(self) -> None:
        """Shift another player's flag."""
        start = self._any(lambda i: self.flags[i] not in (0, self.mover))
        end = self._any(lambda i: not self.flags[i])
        if start is not None and end is not None:
            self.flags[start], self.flags[end] = 0, self.flags[start]

    def flag_gone(self) -> None:
        """Remove a flag: captured from nowhere, or fallen off."""
        field = self._any(lambda i: self.flags[i] > 0)
        if field is not None:
            self.flags[field] = 0

    def flag_too_many(self) -> None:
        """Bring a flag back that was not in hand, or not by a door."""
        field = self._any(lambda i: not self.flags[i] and self.heights[i] > 0)
        if field is not None:
            self.flags[field] = self.mover

    def other_player(self) -> None:
        """Let the next player act."""
        self.position = replace(self.position, to_move=self.position.following(self.position.to_move))
        board = Turn(self.rnd, self.position).play()
        self.heights, self.flags = board.heights.ravel().tolist(), board.flags.ravel().tolist()

    @property
    def board(self) -> Board:
        return board_of(self.heights, self.flags)


WAYS: tuple[str, ...] = (
    "cube_too_many",
    "cube_under_flag",
    "cube_lost",
    "cube_outside",
    "flag_too_far",
    "flag_jumps",
    "foreign_flag_moved",
    "flag_gone",
    "flag_too_many",
    "other_player",
)


def spoilt(rnd: random.Random, position: TerraPosition, ways: int = 1) -> Board:
    """Return the board after a random turn spoilt in so many ways; now and then it is legal all the same."""
    spoiler = Spoiler(rnd, position)
    for way in rnd.sample(WAYS, ways):
        getattr(spoiler, way)()
    return spoiler.board


def scrambled(rnd: random.Random, board: Board, share: float) -> Board:
    """Return the board with some of its flags and cubes somewhere else."""
    heights, flags = board.heights.copy().ravel(), board.flags.copy().ravel()
    for field in range(100):
        other = rnd.randrange(100)
        if flags[field] and rnd.random() < share:
            flags[[field, other]] = flags[[other, field]]
        if rnd.random() < share / 4:
            heights[[field, other]] = heights[[other, field]]
    return Board(heights.reshape(10, 10), flags.reshape(10, 10), LETTERS)

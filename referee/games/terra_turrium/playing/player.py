"""Play Terra Turrium: draw cubes by what the best ladders lack, walk by a beam, rank the turns by worth.

Worth counts the turns the player still needs against those the others need. The weak player looks at its own flags
alone, the middle one at its own ladders, the strong one also at everybody else's, and at what others could capture.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from random import Random

import numpy as np

from referee.games.answers import Strength
from referee.games.contract import Plays
from referee.games.terra_turrium.colours import SIZE, Colour, board_of
from referee.games.terra_turrium.geometry import COUNT, FIELDS, NEIGHBOURS, apart, bits
from referee.games.terra_turrium.playing.cubes import CubeRules, CubeTurn
from referee.games.terra_turrium.playing.ladders import Aim, Climb, aim_of, turns_left
from referee.games.terra_turrium.playing.walks import FlagsStanding, WalkRules
from referee.games.terra_turrium.position.position import Side, TerraPosition, side_of
from referee.games.terra_turrium.ruleset import ATTACKS, FLAGS_EACH, POINTS
from referee.games.terra_turrium.search.steps import join
from referee.games.terra_turrium.text.notation import make_act
from referee.values.board import Board

_WON = 100.0
_DREAD = 2.0
"""Another player who is so many turns from the goal is dreaded a third as much as one who is there."""
_EXPOSED = 0.15
"""Turns that a flag costs which somebody could capture."""
_HASTE = 2.5
"""How sharply wishes decide which cubes are drawn."""


@dataclass(frozen=True, slots=True)
class TerraSkill:
    """What a strength looks at.

    draws: turns of cubes drawn; walked: of these, how many are walked on; width: of the beam; ladders: of the player
    and of each other; watchful: whether others count at all.
    """

    draws: int
    walked: int
    width: int
    ladders: int
    watchful: bool


SKILLS: Mapping[Strength, TerraSkill] = {
    Strength.WEAK: TerraSkill(3, 1, 1, 0, False),
    Strength.MIDDLE: TerraSkill(24, 3, 3, 12, False),
    Strength.STRONG: TerraSkill(160, 10, 8, 30, True),
}


class TerraPlays(Plays[TerraPosition, Board]):
    """Chooses turns of Terra Turrium."""

    def prepared(self, choice: Mapping[str, object]) -> Mapping[str, object]:
        """Return the choice as it is: nothing is needed besides what people choose."""
        return choice

    def set_up(self, position: TerraPosition, chance: Random) -> Board:
        """Return the set-up's stacks with each player's flags close together somewhere in the own territory."""
        heights, _ = position.grids
        flags = [0] * COUNT
        for player in position.players:
            own = position.territories(frozenset({player}))
            free = [i for i in bits(own) if heights[i] and not flags[i]]
            centre = chance.choice(free)
            for i in sorted(free, key=lambda i: (apart(i, centre), i))[:FLAGS_EACH]:
                flags[i] = player
        grid = np.array(flags, np.int8).reshape(SIZE, SIZE)
        return board_of(position.board.heights, grid)

    def turns(self, position: TerraPosition, strength: Strength, chance: Random) -> Iterator[str]:
        """Yield turns for the player to move, best first."""
        yield from _Chooser(position, SKILLS[strength], chance).turns()


class _Chooser:
    def __init__(self, position: TerraPosition, skill: TerraSkill, chance: Random) -> None:
        self._position, self._skill, self._chance = position, skill, chance
        self._player = position.to_move
        self._side: Side = side_of(position, self._player)
        self._heights = position.grids[0]
        self._own = position.flag_masks[self._player]
        self._mates = 0
        for mate in self._side.mates - {self._player}:
            self._mates |= position.flag_masks[mate]
        self._others = tuple(c for c in position.players if c not in self._side.mates)
        every = aim_of(position.rules.goal, position.rules.outside)
        self._aims: dict[Colour, Aim] = {c: self._aim(every, c) for c in (self._player, *self._others)}

    def _aim(self, every: Aim, player: Colour) -> Aim:
        masks = self._position.flag_masks
        return every.best(max(1, self._skill.ladders), self._heights, masks[player], masks[0] & ~masks[player])

    def turns(self) -> Iterator[str]:
        """Yield turns, best first."""
        drawn = self._drawn()
        ranked = sorted(range(len(drawn)), key=lambda n: -self._promise(drawn[n]))
        found = []
        for n in ranked[: self._skill.walked]:
            standing = self._walked(drawn[n])
            worth = self._worth(drawn[n], [standing])[0] - self._against(drawn[n], standing)
            found.append((worth, drawn[n], standing))
        for _, cubes, standing in sorted(found, key=lambda item: -item[0]):
            yield _text(cubes, standing)
        for n in ranked:
            yield _text(drawn[n], FlagsStanding(0, 0, 0, 0))

    def _drawn(self) -> list[CubeTurn]:
        rules = CubeRules(self._position.rules, self._side, self._position.flag_masks[0])
        wishes = self._wishes()
        found: dict[tuple[int, ...], CubeTurn] = {}
        for n in range(self._skill.draws):
            turn = rules.turn(self._heights, wishes[n % len(wishes)], _HASTE, self._chance)
            if turn is not None:
                found.setdefault(turn.heights, turn)
        return list(found.values())

    def _wishes(self) -> list[list[float]]:
        """Return what cubes are wished for: by each of the best ladders, less what the others wish for."""
        if not self._skill.ladders:
            return [self._steps_up()]
        spoil = [0.0] * COUNT
        if self._skill.watchful:
            for other in self._others:
                for wish in self._missing(self._aims[other])[:2]:
                    spoil = [a - 0.3 * b for a, b in zip(spoil, wish, strict=True)]
        mine = self._missing(self._aims[self._player])[:6]
        return [[a + b for a, b in zip(wish, spoil, strict=True)] for wish in mine]

    def _missing(self, aim: Aim) -> list[list[float]]:
        found = []
        for path in aim.fields:
            wish = [0.0] * COUNT
            for i, high in zip(path.tolist(), aim.high.tolist(), strict=True):
                lacks = high - self._heights[i]
                # A rung that is right already is neither built on nor taken from.
                wish[i] = 2.0 + 0.3 * lacks if lacks > 0 else 1.0 + lacks if lacks < 0 else 0.0
                if not lacks:
                    wish[i] = 0.5
            found.append(wish)
        return found

    def _steps_up(self) -> list[float]:
        """Wish for the next step up beside one's own flags."""
        wish = [0.0] * COUNT
        for i in bits(self._own):
            for j in range(COUNT):
                if apart(i, j) == 1 and self._heights[j] <= self._heights[i]:
                    wish[j] = 1.0
        return wish

    def _promise(self, turn: CubeTurn) -> float:
        """Value a turn's cubes at first sight, before anybody walks."""
        if not self._skill.ladders:
            return 0.0
        return self._worth(turn, [self._start])[0] - self._against(turn, self._start)

    @property
    def _start(self) -> FlagsStanding:
        foreign = self._position.flag_masks[0] & ~self._own
        return FlagsStanding(self._own, foreign, self._side.hand, POINTS)

    def _walked(self, turn: CubeTurn) -> FlagsStanding:
        rules = WalkRules(self._position.rules, self._side, turn.heights, self._mates)
        return rules.best(self._start, lambda standings: self._worth(turn, standings), self._skill.width)

    def _worth(self, turn: CubeTurn, standings: Sequence[FlagsStanding]) -> list[float]:
        if not self._skill.ladders:
            return [self._height(turn.heights, standing) for standing in standings]
        boards = np.array([turn.heights], np.float32)
        climb = Climb(self._aims[self._player], turn.heights)
        found = [0.0] * len(standings)
        groups: dict[int, list[int]] = {}
        for n, standing in enumerate(standings):
            groups.setdefault(standing.own.bit_count(), []).append(n)
        for members in groups.values():
            steps = climb.steps([tuple(bits(standings[n].own)) for n in members])
            for row, n in enumerate(members):
                standing = standings[n]
                cubes = self._aims[self._player].cubes(boards, standing.own, standing.foreign)[0]
                found[n] = -float(turns_left(cubes, steps[row]).min())
                if _at(self._position.rules.goal, turn.heights, standing.own):
                    found[n] = _WON
        return found

    def _against(self, turn: CubeTurn, standing: FlagsStanding) -> float:
        """Return how dangerous the others are after a turn: how soon they win, and what they could capture."""
        if not self._skill.watchful:
            return 0.0
        boards = np.array([turn.heights], np.float32)
        danger = 0.0
        for other in self._others:
            flags = self._position.flag_masks[other] & ~standing.captured
            everybody = standing.own | self._mates | self._position.flag_masks[0] & ~self._own & ~standing.captured
            steps = Climb(self._aims[other], turn.heights).steps([tuple(bits(flags))])[0]
            cubes = self._aims[other].cubes(boards, flags, everybody & ~flags)[0]
            danger += _DREAD * exp(-float(turns_left(cubes, steps).min()) / _DREAD)
            if self._position.attacks[other] < ATTACKS:
                danger += _EXPOSED * _in_reach(turn.heights, standing.own, flags)
        return danger

    def _height(self, heights: tuple[int, ...], standing: FlagsStanding) -> float:
        """Return how near the flags' heights come to the goal's, whatever else stands there; captures count."""
        stand = sorted((heights[i] for i in bits(standing.own)), reverse=True)
        goal = self._position.rules.goal
        near = -sum(abs(a - b) for a, b in zip(stand, goal, strict=False))
        return float(near - 3 * standing.hand + standing.captured.bit_count())


def _at(goal: tuple[int, ...], heights: Sequence[int], own: int) -> bool:
    return tuple(sorted((heights[i] for i in bits(own)), reverse=True)) == goal


def _in_reach(heights: Sequence[int], prey: int, hunters: int) -> int:
    """Return how many flags others can step onto within a turn's points, as the ground lies; captures cost one."""
    reached = fresh = hunters
    for _ in range(POINTS - 1):
        onto = 0
        for i in bits(fresh):
            for j in NEIGHBOURS[i]:
                if heights[j] and abs(heights[j] - heights[i]) <= 1:
                    onto |= 1 << j
        fresh = onto & ~reached & ~prey
        reached |= onto
    return (reached & prey).bit_count()


def _text(turn: CubeTurn, standing: FlagsStanding) -> str:
    acts = [make_act("take", (FIELDS[i],)) for i in turn.takes]
    acts += [make_act("build", (FIELDS[i],)) for i in turn.builds]
    for move in join(standing.steps):
        path = tuple(FIELDS[i] for i in move.path)
        acts.append(make_act("enter" if move.enters else "move", path, tuple(FIELDS[i] for i in move.captures)))
    return " ".join(act.text for act in acts)


PLAYS = TerraPlays()
"""The player, which has no state."""

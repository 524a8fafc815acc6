"""Search the acts of a turn without cards with a beam.

Cards are left out: what kind somebody holds is hidden in a hand, and a seat without a person has none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from referee.games.torres.geometry import ALL, bits, spread
from referee.games.torres.playing.worth import Valuer
from referee.games.torres.position.position import Declared, TorresPosition
from referee.games.torres.ruleset import KNIGHTS_EACH, budget
from referee.games.torres.search.building import Heights, build_faults
from referee.games.torres.search.effort import SearchEffort
from referee.games.torres.search.knights import Moves
from referee.games.torres.search.suspect import Suspect
from referee.games.torres.search.task import Act, TorresScene
from referee.games.torres.terrain import changed, terrain
from referee.values.board import MAX_HEIGHT

PLACE_AP = 2


@dataclass(frozen=True, slots=True)
class ActedBoard:
    """A board during a turn, and the acts that led there. left: action points; blocks: of the supply stack."""

    heights: Heights
    own: int
    left: int
    blocks: int
    acts: tuple[Act, ...] = ()


class Acting:
    """What the player to move may do."""

    def __init__(self, position: TorresPosition) -> None:
        scene = TorresScene(position.rules, position.board, position.board, position.reserve)
        suspect = Suspect(position, scene, position.to_move, Declared(), SearchEffort(0))
        (task,) = suspect.tasks(frozenset())
        self._moves = Moves(task)
        self._others = task.foreign.still
        own = position.board.knights(position.to_move)
        self.start = ActedBoard(position.board.heights, own, budget(frozenset()), task.limit)

    def onward(self, standing: ActedBoard) -> Iterator[ActedBoard]:
        """Yield all boards one act on."""
        if not standing.left:
            return
        occupied = standing.own | self._others
        if standing.blocks:
            yield from self._builds(standing, occupied)
        for i in bits(standing.own):
            steps, doors = self._moves.walks(standing.heights, i, occupied)
            for to in bits(steps | doors):
                act = ("move" if steps >> to & 1 else "door", i, to)
                own = standing.own & ~(1 << i) | 1 << to
                yield ActedBoard(standing.heights, own, standing.left - 1, standing.blocks, (*standing.acts, act))
        if standing.left >= PLACE_AP and standing.own.bit_count() < KNIGHTS_EACH:
            for to in bits(self._moves.places(standing.heights, standing.own) & ALL & ~occupied):
                own, acts = standing.own | 1 << to, (*standing.acts, ("place", to, to))
                yield ActedBoard(standing.heights, own, standing.left - PLACE_AP, standing.blocks, acts)

    def _builds(self, standing: ActedBoard, occupied: int) -> Iterator[ActedBoard]:
        heights = standing.heights
        blocks = terrain(heights).blocks
        for i in bits((blocks | spread(blocks)) & ~occupied):
            if heights[i] < MAX_HEIGHT and not build_faults(heights, blocks, i, False):
                acts = (*standing.acts, ("build", i, i))
                yield ActedBoard(changed(heights, i, 1), standing.own, standing.left - 1, standing.blocks - 1, acts)


@dataclass(frozen=True, slots=True)
class Beam:
    """Looks for good turns.

    width: boards kept after each act; kept: turns told in the end; slips: worth that the player misjudges a board by,
    at most; points: whether action points left over count on the track.
    """

    acting: Acting
    valuer: Valuer
    width: int
    kept: int
    slips: float
    chance: Random

    def turns(self) -> list[ActedBoard]:
        """Return turns, best first; doing nothing is among them."""
        start = self.acting.start
        beam, seen = [start], {(start.heights, start.own, start.left)}
        found: list[tuple[float, int, ActedBoard]] = [(self._worth(start), 0, start)]
        while beam:
            fresh = []
            for standing in beam:
                for following in self.acting.onward(standing):
                    key = (following.heights, following.own, following.left)
                    if key not in seen:
                        seen.add(key)
                        fresh.append(following)
            rated = sorted(((self._worth(one), -n, one) for n, one in enumerate(fresh)), reverse=True, key=_first_two)
            found = sorted([*found, *rated[: self.width]], reverse=True, key=_first_two)[: self.kept]
            beam = [one for _, _, one in rated[: self.width]]
        return [one for _, _, one in found]

    def _worth(self, standing: ActedBoard) -> float:
        worth = self.valuer.worth(standing.heights, standing.own, standing.left)
        return worth + self.chance.uniform(0.0, self.slips) if self.slips else worth


def _first_two(item: tuple[float, int, ActedBoard]) -> tuple[float, int]:
    return item[0], item[1]

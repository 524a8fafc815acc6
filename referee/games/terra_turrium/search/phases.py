"""Use boards seen during a turn to explain it better, and to tell whether its phases were kept.

1. Where some rule-abiding turn passes through all frames it is the explanation.
2. Otherwise frames that fit no turn are left out: a cube or a flag in the air, work half done, a board misread. A
   frame fits when, together with those kept before it, it lies on the way of some turn in which the phases may come
   in any order: no more takes than a turn has, each allowed on the board seen before it; cubes out of the hand or the
   reserve; flags that get from frame to frame within the points on the heights before, after or at the turn's end,
   none gone unless a flag of the player moved. Everything ahead of a return to the starting board is left out as
   well: a turn may be started over.
3. Where the frames kept show a take after a build, or cubes taken or placed after a flag moved (for good: it was not
   seen back in its place), no turn that keeps the phases can have shown them: ``turn.phase``. Else the turn stays
   legal, with an explanation through the frames kept where there is one.

Limits: frames never change the ruling on a turn that is illegal without them, and no other rule is held against a
turn for their sake; only the first LOOKED_AT different frames count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from referee.games.terra_turrium.geometry import bits, mask_of
from referee.games.terra_turrium.position.position import Side
from referee.games.terra_turrium.ruleset import POINTS
from referee.games.terra_turrium.search.breaches import Explanation, Scene
from referee.games.terra_turrium.search.cubes import Takes
from referee.games.terra_turrium.search.frames import (
    Fields,
    StillBoard,
    begins,
    ends,
    limited,
    missing,
    stretch,
    through,
)

LOOKED_AT = 60


@dataclass(frozen=True, slots=True)
class OutOfPhase:
    """What was done too early and what only came after it; ``flags``: whether a flag was moved too early."""

    flags: bool
    early: Fields
    late: Fields


def watched(scene: Scene, explanation: Explanation, frames: Sequence[StillBoard]) -> Explanation | OutOfPhase:
    """Return the explanation that suits the frames, or how they show that the phases were not kept."""
    side = explanation.side
    seen = [frame for last, frame in pairwise([begins(scene), *frames]) if frame != last][:LOOKED_AT]
    found = through(scene, side, seen)
    if found is not None:
        return found
    kept = _Fitting(scene, side).kept(_since_start(scene, seen))
    return _out_of_phase(scene, kept) or through(scene, side, kept) or explanation


def _since_start(scene: Scene, seen: list[StillBoard]) -> list[StillBoard]:
    start = begins(scene)
    return seen[max((n for n, frame in enumerate(seen, 1) if frame == start), default=0) :]


def _out_of_phase(scene: Scene, frames: list[StillBoard]) -> OutOfPhase | None:
    home = max((n for n, frame in enumerate(frames, 1) if frame.flags == scene.flags), default=0)
    for frame in frames[home:]:
        if frame.heights != scene.after:
            moved = [a ^ b for a, b in zip(frames[home].flags[1:], scene.flags[1:], strict=True)]
            late = (i for i, height in enumerate(frame.heights) if height != scene.after[i])
            return OutOfPhase(True, tuple(bits(moved[0] | moved[1] | moved[2] | moved[3])), tuple(late))
    built: Fields = ()
    for here, there in pairwise([begins(scene), *frames, ends(scene)]):
        taken = missing(here.heights, there.heights)
        if built and taken:
            return OutOfPhase(False, tuple(bits(mask_of(built))), tuple(bits(mask_of(taken))))
        built += missing(there.heights, here.heights)
    return None


class _Fitting:
    """Finds the frames that lie on the way of some turn whose phases may come in any order."""

    def __init__(self, scene: Scene, side: Side) -> None:
        self._scene = scene
        self._side = side
        self._costs: dict[tuple[StillBoard, StillBoard], int] = {}

    def kept(self, frames: list[StillBoard]) -> list[StillBoard]:
        """Return the frames that fit, each judged together with those kept before it."""
        kept: list[StillBoard] = []
        for frame in frames:
            way = [begins(self._scene), *kept, frame, ends(self._scene)]
            if self._cubes_fit(way) and self._flags_fit(way):
                kept.append(frame)
        return kept

    def _cubes_fit(self, way: list[StillBoard]) -> bool:
        rules = self._scene.rules
        stages = [(missing(a.heights, b.heights), missing(b.heights, a.heights)) for a, b in pairwise(way)]
        taken = tuple(i for takes, _ in stages for i in takes)
        built = tuple(i for _, builds in stages for i in builds)
        spare = max(rules.take_counts) - len(taken)
        if spare < 0 or mask_of(built) & rules.outside:
            return False
        if not rules.returned_cubes:
            spare = 0
            if mask_of(taken) & mask_of(built):
                return False
        hand = self._side.reserve
        order: Fields = ()
        for (here, there), (takes, builds) in zip(pairwise(way), stages, strict=True):
            hand += len(takes) - len(builds)
            if hand < 0 or mask_of(takes + builds) & here.flags[0] & there.flags[0]:
                return False
            if not self._may_take(here, there, takes, order, spare):
                return False
            order += takes
        return True

    def _may_take(self, here: StillBoard, there: StillBoard, takes: Fields, order: Fields, spare: int) -> bool:
        if not takes:
            return True
        flags = here.flags[0] & there.flags[0]
        search = Takes(self._scene.rules, limited(self._side, order), here.heights, flags, takes, frozenset())
        return any(search.order(returned) is not None for returned in range(spare + 1))

    def _flags_fit(self, way: list[StillBoard]) -> bool:
        left = POINTS
        for here, there in pairwise(way):
            left -= self._cost(here, there)
            if left < 0:
                return False
        return True

    def _cost(self, here: StillBoard, there: StillBoard) -> int:
        """Return the fewest points the flags needed from one frame to the next, more than there are if they can't."""
        known = self._costs.get((here, there))
        if known is None:
            known = self._costs[here, there] = self._least(here, there)
        return known

    def _least(self, here: StillBoard, there: StillBoard) -> int:
        least = 0 if here.flags == there.flags else POINTS + 1
        if here.flags[self._side.colour] == there.flags[self._side.colour]:
            return least
        for heights in dict.fromkeys((self._scene.after, there.heights, here.heights)):
            moves = stretch(self._scene.rules, self._side, heights, here.flags, there.flags, least - 1)
            if moves is not None:
                least = sum(move.points for move in moves)
        return least

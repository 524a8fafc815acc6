"""Find explanations that pass through boards seen standing still during the turn, in their order.

Each frame must be the board after some of the acts; a flag may be seen half-way on its walk. The frames cut the turn
into stretches: while cubes lie in the hand what was taken shows, once building begins what was built, and on the
finished heights where the flags have got to. The search is complete for turns that keep every rule: cubes taken and
returned, which are seen now, are counted, unseen ones are assumed where no frame speaks against them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from referee.games.terra_turrium.colours import Colour
from referee.games.terra_turrium.geometry import mask_of
from referee.games.terra_turrium.position.position import Side, flag_masks, grids
from referee.games.terra_turrium.ruleset import POINTS, RuleSet
from referee.games.terra_turrium.search.breaches import Explanation, Scene, entry_fields
from referee.games.terra_turrium.search.cubes import CubePlan, Takes
from referee.games.terra_turrium.search.steps import Flags, Move, join, steps_on
from referee.games.terra_turrium.search.walk import Walk
from referee.values.board import Board

Fields = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StillBoard:
    """A board standing still: heights, and the fields of each colour's flags (index 0: all)."""

    heights: Fields
    flags: Fields

    @classmethod
    def of(cls, board: Board) -> StillBoard:
        """Return a board in this form."""
        heights, flags = grids(board)
        return cls(heights, flag_masks(flags))


def begins(scene: Scene) -> StillBoard:
    """Return the board before the turn."""
    return StillBoard(scene.heights, scene.flags)


def ends(scene: Scene) -> StillBoard:
    """Return the board after the turn."""
    return StillBoard(scene.after, scene.flags_after)


def through(scene: Scene, side: Side, frames: Sequence[StillBoard]) -> Explanation | None:
    """Return a turn that keeps every rule and passes through the frames, or ``None`` when there is none."""
    moved = next((n for n, frame in enumerate(frames) if frame.flags != scene.flags), len(frames))
    if any(frame.heights != scene.after for frame in frames[moved:]):
        return None
    cubes = _cubes(scene, side, [frame.heights for frame in frames[:moved]])
    if cubes is None:
        return None
    moves: list[Move] = []
    stops = [scene.flags, *(frame.flags for frame in frames[moved:]), scene.flags_after]
    for here, there in pairwise(stops):
        left = POINTS - sum(move.points for move in moves)
        walked = stretch(scene.rules, side, scene.after, here, there, left)
        if walked is None:
            return None
        moves += walked
    return Explanation(side, cubes, join(moves))


def stretch(
    rules: RuleSet, side: Side, heights: Fields, here: Fields, there: Fields, points: int
) -> tuple[Move, ...] | None:
    """Return cheapest moves from some flags to others, ``None`` where no rule-abiding ones have enough points."""
    if here == there:
        return ()
    own, standing, gone = side.colour, 0, 0
    for colour in Colour:
        if colour != own:
            if there[colour] & ~here[colour]:
                return None
            gone |= here[colour] & ~there[colour]
            standing |= there[colour]
    entries = there[own].bit_count() - here[own].bit_count()
    if not 0 <= entries <= side.hand:
        return None
    flags = Flags(here[own], there[own], gone, standing, entries)
    doors = entry_fields(rules, side, heights) & ~standing
    return Walk(flags, steps_on(heights), False, doors, points).solve()


def missing(high: Fields, low: Fields) -> Fields:
    """Return the fields on which the second heights are lower, once for each cube."""
    return tuple(i for i, (a, b) in enumerate(zip(high, low, strict=True)) for _ in range(a - b))


def _cubes(scene: Scene, side: Side, seen: list[Fields]) -> CubePlan | None:
    for split in range(len(seen) + 1):
        lows, highs = [scene.heights, *seen[:split]], [*seen[split:], scene.after]
        if _falls(lows) and _falls(highs[::-1]):
            plan = _valley(scene, side, lows, highs)
            if plan is not None:
                return plan
    return None


def _falls(heights: list[Fields]) -> bool:
    return not any(missing(low, high) for high, low in pairwise(heights))


def _valley(scene: Scene, side: Side, lows: list[Fields], highs: list[Fields]) -> CubePlan | None:
    """Explain heights that fall while cubes are taken and rise while they are placed."""
    rules = scene.rules
    floor = tuple(map(min, lows[-1], highs[0]))
    stages = [missing(high, low) for high, low in zip(lows, [*lows[1:], floor], strict=True)]
    least = sum(map(len, stages))
    for count in sorted(rules.take_counts):
        if count < least or (count > least and not rules.returned_cubes):
            continue
        takes = staged(rules, side, lows, scene.flags[0], stages, count - least)
        if takes is None:
            continue
        builds = _builds(scene.heights, Counter(takes), highs)
        taken, built = mask_of(takes), mask_of(builds)
        occupied = (taken | built) & scene.flags[0]
        if not occupied and not built & rules.outside and (rules.returned_cubes or not taken & built):
            return CubePlan(takes, builds)
    return None


def staged(
    rules: RuleSet, side: Side, lows: list[Fields], flags: int, stages: list[Fields], returned: int
) -> Fields | None:
    """Return all takes in an allowed order, stage by stage, in the last one so many more that are returned."""
    order: Fields = ()
    for number, (heights, taken) in enumerate(zip(lows, stages, strict=True), 1):
        spare = returned if number == len(stages) else 0
        found = Takes(rules, limited(side, order), heights, flags, taken, frozenset()).order(spare)
        if found is None:
            return None
        order += found
    return order


def limited(side: Side, taken: Fields) -> Side:
    """Return what a player may still take after some takes."""
    return replace(
        side, limits=tuple((fields, most - sum(fields >> i & 1 for i in taken)) for fields, most in side.limits)
    )


def _builds(before: Fields, taken: Counter[int], highs: list[Fields]) -> Fields:
    now = tuple(height - taken[i] for i, height in enumerate(before))
    builds: Fields = ()
    for high in highs:
        builds += missing(high, now)
        now = high
    return builds

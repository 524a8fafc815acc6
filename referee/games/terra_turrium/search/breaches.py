"""Go through an explained turn act by act and note where each rule is broken.

Independent of the searches: it knows acts and rules only, so it also serves as their check.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from referee.games.contract import RuleId
from referee.games.terra_turrium import ruleset
from referee.games.terra_turrium.colours import Colour
from referee.games.terra_turrium.geometry import EXTERIOR, bits, stacks_of
from referee.games.terra_turrium.position.position import Side
from referee.games.terra_turrium.search.cubes import CubePlan
from referee.games.terra_turrium.search.steps import Move


@dataclass(frozen=True, slots=True)
class Explanation:
    """A turn as it can have gone: whose it was judged to be, cubes and moves (``None``: no moves were found)."""

    side: Side
    cubes: CubePlan
    moves: tuple[Move, ...] | None

    @property
    def walks(self) -> tuple[Move, ...]:
        """Return the moves, none where none were found."""
        return self.moves or ()

    @property
    def points(self) -> int:
        """Return the points spent in all."""
        return sum(move.points for move in self.walks)

    @property
    def captured(self) -> int:
        """Return the fields on which flags were captured."""
        mask = 0
        for move in self.walks:
            for i in move.captures:
                mask |= 1 << i
        return mask


@dataclass(frozen=True, slots=True)
class Scene:
    """What was seen: the heights before and after, and the fields of each colour's flags before and after."""

    rules: ruleset.RuleSet
    heights: tuple[int, ...]
    after: tuple[int, ...]
    flags: tuple[int, ...]
    flags_after: tuple[int, ...]

    def foreign_changes(self, player: Colour) -> int:
        """Return the fields where a flag of another player went or came."""
        mask = 0
        for colour in Colour:
            if colour != player:
                mask |= self.flags[colour] ^ self.flags_after[colour]
        return mask


@dataclass(slots=True)
class Breaches:
    """Where each rule was broken, in the order of the acts."""

    at: dict[RuleId, list[int]] = field(default_factory=dict)

    def note(self, rule: RuleId, *fields: int) -> None:
        """Note fields where a rule was broken."""
        noted = self.at.setdefault(rule, [])
        noted += [i for i in dict.fromkeys(fields) if i not in noted]


def breaches(scene: Scene, explanation: Explanation) -> dict[RuleId, list[int]]:
    """Return the rules an explained turn breaks and the fields where it does."""
    found = Breaches()
    _cube_breaches(scene, explanation, found)
    if explanation.moves is not None:
        _move_breaches(scene, explanation, found)
    _flag_breaches(scene, explanation, found)
    return found.at


def _cube_breaches(scene: Scene, explanation: Explanation, found: Breaches) -> None:
    rules, side, cubes = scene.rules, explanation.side, explanation.cubes
    heights = list(scene.heights)
    if len(cubes.takes) not in rules.take_counts:
        found.note(ruleset.TAKE_COUNT, *cubes.takes)
    for fields, most in side.limits:
        taken = [i for i in cubes.takes if fields >> i & 1]
        if len(taken) > most:
            found.note(ruleset.TAKE_TERRITORY, *taken)
    for i in cubes.takes:
        if scene.flags[0] >> i & 1:
            found.note(ruleset.TAKE_OCCUPIED, i)
        if not side.own >> i & 1 and not EXTERIOR[rules.exterior](stacks_of(heights)) >> i & 1:
            found.note(ruleset.TAKE_INTERIOR, i)
        heights[i] -= 1
    for i in cubes.builds:
        if scene.flags[0] >> i & 1:
            found.note(ruleset.BUILD_OCCUPIED, i)
        if rules.outside >> i & 1:
            found.note(ruleset.BUILD_OUTSIDE, i)
    if not 0 <= len(cubes.builds) - len(cubes.takes) <= side.reserve:
        found.note(ruleset.CUBES_CONSERVED, *(i for i, h in enumerate(scene.heights) if h != scene.after[i]))


def _move_breaches(scene: Scene, explanation: Explanation, found: Breaches) -> None:
    side, heights = explanation.side, scene.after
    flags = scene.flags[0]
    doors = entry_fields(scene.rules, side, heights)
    if explanation.points > ruleset.POINTS:
        found.note(ruleset.MOVE_POINTS, *(i for move in explanation.walks for i in (move.path[0], move.path[-1])))
    for move in explanation.walks:
        start = move.path[0]
        if move.enters and not doors >> start & 1:
            found.note(ruleset.ENTER_CELL, start)
        if move.enters and not heights[start]:
            found.note(ruleset.MOVE_GROUND, start)
        flags &= ~(1 << start)
        caught = list(move.captures)
        for here, there in pairwise(move.path):
            if abs(heights[here] - heights[there]) > 1:
                found.note(ruleset.MOVE_STEP, here, there)
            if not heights[there]:
                found.note(ruleset.MOVE_GROUND, there)
            if there in caught:
                caught.remove(there)
                flags &= ~(1 << there)
            elif flags >> there & 1:
                found.note(ruleset.MOVE_BLOCKED, there)
        flags |= 1 << move.path[-1]
    _capture_breaches(scene, explanation, found)


def _capture_breaches(scene: Scene, explanation: Explanation, found: Breaches) -> None:
    side, captured = explanation.side, explanation.captured
    attacked = captured & ~side.home
    if attacked and side.attacks >= ruleset.ATTACKS:
        found.note(ruleset.CAPTURE_ATTACKS, *bits(attacked))
    if scene.rules.opening is not None and side.captures is not None and captured.bit_count() > side.captures:
        found.note(ruleset.CAPTURE_QUOTA if side.captures_open else ruleset.CAPTURE_CLOSED, *bits(captured))


def _flag_breaches(scene: Scene, explanation: Explanation, found: Breaches) -> None:
    colour = explanation.side.colour
    by_hand = scene.foreign_changes(colour) & ~explanation.captured
    if by_hand:
        found.note(ruleset.MOVE_OWN, *bits(by_hand))
    before, after = scene.flags[colour], scene.flags_after[colour]
    if not 0 <= after.bit_count() - before.bit_count() <= explanation.side.hand:
        found.note(ruleset.FLAG_COUNT, *bits(before ^ after))


def entry_fields(rules: ruleset.RuleSet, side: Side, heights: tuple[int, ...]) -> int:
    """Return the fields on which ``enter.cell`` lets a player's flag come back if they are free."""
    stacks = stacks_of(heights)
    if not rules.low_entry:
        return EXTERIOR[rules.exterior](stacks)
    fields = 0
    for i in bits(stacks & side.own & rules.entry_row):
        if heights[i] == 1:
            fields |= 1 << i
    return fields

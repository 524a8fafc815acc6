"""Find phase 3 for one player: which rules must be lifted to explain the flags seen, and by which moves."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations

from referee.games.contract import RuleId
from referee.games.terra_turrium.colours import Colour
from referee.games.terra_turrium.geometry import ALL, stacks_of
from referee.games.terra_turrium.position.position import Side
from referee.games.terra_turrium.ruleset import (
    ATTACKS,
    CAPTURE_ATTACKS,
    CAPTURE_CLOSED,
    CAPTURE_QUOTA,
    ENTER_CELL,
    FLAG_COUNT,
    MOVE_BLOCKED,
    MOVE_GROUND,
    MOVE_OWN,
    MOVE_POINTS,
    MOVE_STEP,
    POINTS,
    Lifted,
    RuleSet,
)
from referee.games.terra_turrium.search.breaches import entry_fields
from referee.games.terra_turrium.search.reachability import reachable
from referee.games.terra_turrium.search.steps import FAR, Flags, Move, Steps, steps_on
from referee.games.terra_turrium.search.unlimited import march
from referee.games.terra_turrium.search.walk import Budget, BudgetSpentError, Walk

WALKING = (MOVE_POINTS, MOVE_STEP, MOVE_GROUND, MOVE_BLOCKED, ENTER_CELL)
"""Rules of the third phase that may help an explanation without being broken for certain."""

MOST_RULES = 99
"""More rules than there are."""
NONE: Lifted = frozenset()
_SHORTEST, _QUICK = 4000, 600_000
_GREED = 6


class FlagSearch:
    """Explains the flags seen on the heights seen, for one player.

    before, after: the fields of each colour's flags, indexed by Colour. own_flags: what the player's flags did;
    captured: foreign flags that must have been captured. ``certain`` are the rules broken in every explanation.
    """

    def __init__(
        self,
        rules: RuleSet,
        side: Side,
        heights: tuple[int, ...],
        before: tuple[int, ...],
        after: tuple[int, ...],
    ) -> None:
        self._rules = rules
        self._side = side
        self._heights = heights
        self._found: dict[Lifted, bool] = {}
        self.complete = True
        others = [colour for colour in Colour if colour != side.colour]
        gone = 0
        shifted = False
        for colour in others:
            left = before[colour] & ~after[colour]
            gone |= left
            shifted = shifted or bool(after[colour] & ~before[colour]) or (colour in side.mates and bool(left))
        self._shifted = shifted
        self.flags = self._own_flags(before[side.colour], after[side.colour], gone, before[0] & ~gone)
        self.certain = self._certain()

    def _own_flags(self, before: int, after: int, gone: int, others: int) -> Flags:
        more = after.bit_count() - before.bit_count()
        return Flags(
            before=before,
            after=after,
            gone=gone,
            standing=others & ~before,
            entries=min(max(more, 0), self._side.hand),
            vanished=max(-more, 0),
            appeared=max(more - self._side.hand, 0),
        )

    def _certain(self) -> Lifted:
        count = frozenset({FLAG_COUNT}) if self.flags.vanished or self.flags.appeared else NONE
        return count | (frozenset({MOVE_OWN}) if self._shifted else NONE)

    @property
    def captured(self) -> int:
        """Return the fields on which foreign flags were captured, if no foreign flag was moved by hand."""
        return 0 if self._shifted else self.flags.gone

    @property
    def attack(self) -> bool:
        """Return whether the captures are an attack."""
        return bool(self.captured & ~self._side.home)

    @cached_property
    def _capture_rules(self) -> Lifted:
        """Return the rules on captures that are broken unless foreign flags were moved by hand."""
        side, captures = self._side, self.flags.gone.bit_count()
        broken = set()
        if self.attack and side.attacks >= ATTACKS:
            broken.add(CAPTURE_ATTACKS)
        if side.captures is not None and captures > side.captures:
            broken.add(CAPTURE_QUOTA if side.captures_open else CAPTURE_CLOSED)
        return frozenset(broken)

    def legal(self, budget: Budget | None = None) -> tuple[Move, ...] | None:
        """Return moves that keep every rule, or ``None`` when there are none. Raises BudgetSpentError."""
        if self.certain or self._capture_rules:
            return None
        return self._walk(NONE, by_hand=False).solve(budget)

    def smallest(self, budget: Budget, most: int = MOST_RULES) -> tuple[Lifted, ...]:
        """Return all smallest sets of rules whose lifting makes the flags explicable; none of more than ``most``."""
        bases = list(self._bases())
        for size in range(min(map(len, bases)), min(most, max(map(len, bases)) + len(WALKING)) + 1):
            found = []
            for base in bases:
                for extra in combinations(self._helpful(MOVE_OWN in base), max(0, size - len(base))):
                    lifted = base | frozenset(extra)
                    if len(lifted) == size and self._explicable(lifted, budget):
                        found.append(lifted)
            if found:
                return tuple(found)
        assert most < MOST_RULES, "with every rule lifted any flags are explicable"
        return ()

    def _bases(self) -> Iterator[Lifted]:
        """Yield what is broken with and without foreign flags moved by hand."""
        if not self._shifted:
            yield self.certain | self._capture_rules
        if self._shifted or self.flags.gone or self.flags.standing:
            yield self.certain | {MOVE_OWN}

    def _helpful(self, by_hand: bool) -> tuple[RuleId, ...]:
        flags = self.flags
        foreign = not by_hand and bool(flags.gone or flags.standing)
        return tuple(
            rule for rule in WALKING if (rule != ENTER_CELL or flags.entries) and (rule != MOVE_BLOCKED or foreign)
        )

    def explicable(self, lifted: Lifted, budget: Budget) -> bool:
        """Return whether the flags are explained with some rules lifted."""
        return any(base <= lifted for base in self._bases()) and self._explicable(lifted, budget)

    def _explicable(self, lifted: Lifted, budget: Budget) -> bool:
        known = self._found.get(lifted)
        if known is None:
            by_hand = MOVE_OWN in lifted
            known = reachable(
                self._flags(by_hand), self._ground(lifted), MOVE_BLOCKED in lifted, self._doors(lifted, by_hand)
            )
            if known and MOVE_POINTS not in lifted:
                try:
                    known = self._walk(lifted, by_hand).solve(budget) is not None
                except BudgetSpentError:
                    self.complete = False
                    known = False
            self._found[lifted] = known
        return known

    def plan(self, lifted: Lifted) -> tuple[Move, ...] | None:
        """Return moves that explain the flags with some rules lifted; ``None`` if none are found in time."""
        by_hand = MOVE_OWN in lifted
        try:
            return self._walk(lifted, by_hand).solve(Budget(_SHORTEST))
        except BudgetSpentError:
            pass
        if MOVE_POINTS in lifted:
            args = (self._flags(by_hand), self._ground(lifted), MOVE_BLOCKED in lifted, self._doors(lifted, by_hand))
            if (moves := march(*args)) is not None:
                return moves
        try:
            return self._walk(lifted, by_hand).solve(Budget(_QUICK), _GREED)
        except BudgetSpentError:
            return None

    def _walk(self, lifted: Lifted, by_hand: bool) -> Walk:
        most = FAR - 1 if MOVE_POINTS in lifted else POINTS
        return Walk(
            self._flags(by_hand), self._ground(lifted), MOVE_BLOCKED in lifted, self._doors(lifted, by_hand), most
        )

    def _flags(self, by_hand: bool) -> Flags:
        return self.flags.without_foreign() if by_hand else self.flags

    def _ground(self, lifted: Lifted) -> Steps:
        return steps_on(self._heights, MOVE_STEP in lifted, MOVE_GROUND in lifted)

    def _doors(self, lifted: Lifted, by_hand: bool) -> int:
        """Return the fields on which a captured flag may come back, foreign flags that stay left out."""
        if not self.flags.entries:
            return 0
        walls = 0 if by_hand else self.flags.standing
        if ENTER_CELL in lifted:
            return (ALL if MOVE_GROUND in lifted else stacks_of(self._heights)) & ~walls
        return entry_fields(self._rules, self._side, self._heights) & ~walls

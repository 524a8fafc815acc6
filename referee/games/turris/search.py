"""Search for a turn: every order of acts that explains the changes, fewest broken rules first.

A state is what has been done so far: the changes that were acts, those made by hand (``bar.fixed`` lifted), whether
the turn's bar lies, whether a bonus is due, and the rules broken on the way. States wait in buckets by how many rules
they broke; a bucket is worked off before the next, so the first ends reached are the smallest sets, and the bucket 0
holds the legal turns. A state is left out where another with the same doings broke no other rules than some of its.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from referee.games.turris.cells import cells_in
from referee.games.turris.completions import StepBudget
from referee.games.turris.placing import fills_centre, may_pass
from referee.games.turris.ruleset import (
    BAR_FIXED,
    BAR_ONE,
    BIT,
    BONUS_EARNED,
    BONUS_LAY,
    TURN_ORDER,
    TURN_PASS,
    Broken,
)
from referee.games.turris.scene import Changes, TowerTurn

_ONE, _EARNED, _LAY, _FIXED, _PASS, _ORDER = (
    BIT[rule] for rule in (BAR_ONE, BONUS_EARNED, BONUS_LAY, BAR_FIXED, TURN_PASS, TURN_ORDER)
)


class Step(NamedTuple):
    """One moment of a turn: the changes made at it, whether by hand, and the rules it broke.

    made: the changes made before it.
    """

    changes: Changes
    by_hand: bool
    broken: Broken
    made: Changes


class State(NamedTuple):
    """How far a turn has come. trail: its steps, the last one first, each with the trail before it."""

    acted: Changes
    by_hand: Changes
    laid: bool
    earned: bool
    broken: Broken
    trail: tuple[Step, object] | None

    @property
    def made(self) -> Changes:
        """Return all changes made so far."""
        return self.acted | self.by_hand

    @property
    def steps(self) -> tuple[Step, ...]:
        """Return the steps in their order."""
        found: list[Step] = []
        trail: object = self.trail
        while isinstance(trail, tuple):
            step, trail = trail
            found.append(step)
        return tuple(reversed(found))


class Search:
    """Explains one scene, a number of broken rules at a time."""

    def __init__(self, scene: TowerTurn, effort: StepBudget) -> None:
        self.scene = scene
        self._effort = effort
        start = State(0, 0, False, False, 0 if scene.player is scene.position.to_move else _ORDER, None)
        self._waiting: dict[int, list[State]] = defaultdict(list, {start.broken.bit_count(): [start]})
        self._for_hands: dict[int, list[State]] = defaultdict(list)
        self._ends: dict[int, dict[Broken, State]] = defaultdict(dict)
        self._seen: dict[tuple[Changes, Changes, bool, bool], list[Broken]] = defaultdict(list)
        self._passing: bool | None = None

    def ends(self, cost: int) -> dict[Broken, State]:
        """Return the sets of so many rules that explain the scene, each with a turn. Ask for 0 first, then 1, ..."""
        waiting = self._waiting[cost]
        for state in self._for_hands.pop(cost, ()):
            waiting.extend(self._hands(state))
        while waiting:
            state = waiting.pop()
            if not self._is_new(state):
                continue
            if not self._effort.take():
                break
            self._look_at(state)
            if cost == 0 and self._ends[0]:
                break  # a legal turn: any will do
        return self._ends.pop(cost, {})

    def _is_new(self, state: State) -> bool:
        seen = self._seen[state[:4]]
        if any(broken & state.broken == broken for broken in seen):
            return False
        seen.append(state.broken)
        return True

    def _look_at(self, state: State) -> None:
        scene = self.scene
        if state.made == scene.everything:
            self._end(state)
            return
        for index in self._next_acts(state):
            follow = self._lay if scene.changes[index].new else self._remove
            for following in follow(state, index):
                self._waiting[following.broken.bit_count()].append(following)
        if not state.by_hand:
            self._for_hands[state.broken.bit_count() + 1].append(state)

    def _next_acts(self, state: State) -> Iterator[int]:
        order = self.scene.order
        if order is None:
            yield from reversed([*cells_in(self.scene.everything & ~state.made)])  # a bit each
        elif state.acted.bit_count() < len(order):
            yield order[state.acted.bit_count()]

    def _end(self, state: State) -> None:
        broken = state.broken
        if not state.laid:
            if self._passing is None:
                self._passing = may_pass(self.scene.position, self.scene.player)
            if not self._passing:
                broken |= _PASS
        ends = self._ends[broken.bit_count()]
        known = ends.get(broken)
        if known is None or state.by_hand.bit_count() < known.by_hand.bit_count():
            ends[broken] = state

    def _lay(self, state: State, index: int) -> Iterator[State]:
        """Yield the states once a bar is laid, as the turn's bar or as a bonus."""
        scene, made = self.scene, state.made
        if not scene.room(made, 1 << index):
            return
        place = scene.broken_by_laying(index, made, state.acted)
        rules = scene.position.rules
        centre = fills_centre(rules, scene.tower(made | 1 << index), scene.changes[index].bar.place)
        yield _after(state, index, place | (_ONE if state.laid else 0), laid=True, earned=centre)
        if state.earned or not state.broken & _EARNED:
            bonus = place if state.earned else place | _EARNED
            yield _after(state, index, bonus, laid=state.laid, earned=centre and rules.chain)
            if centre and not rules.chain:
                yield _after(state, index, bonus | _LAY, laid=state.laid, earned=True)

    def _remove(self, state: State, index: int) -> Iterator[State]:
        """Yield the state once a bar is taken off as a bonus."""
        if state.earned or not state.broken & _EARNED:
            broken = self.scene.broken_by_removing(index, state.made)
            yield _after(state, index, broken if state.earned else broken | _EARNED, laid=state.laid, earned=False)

    def _hands(self, state: State) -> Iterator[State]:
        """Yield the states once bars that stood before the turn vanish or lie elsewhere."""
        scene = self.scene
        rest = scene.everything & ~state.made
        new = scene.masks[scene.player, True] | scene.masks[scene.player.other, True]
        for hand in _parts(rest) if scene.order is None else (rest & ~_mask(scene.order),):
            if not hand or not self._effort.take():
                return
            if scene.balanced(hand) and scene.room(state.made | hand & ~new, hand & new):
                step = Step(hand, True, _FIXED, state.made)
                yield state._replace(by_hand=hand, broken=state.broken | _FIXED, trail=(step, state.trail))


def _after(state: State, index: int, broken: Broken, *, laid: bool, earned: bool) -> State:
    step = Step(1 << index, False, broken, state.made)
    acted = state.acted | 1 << index
    return State(acted, state.by_hand, laid, earned, state.broken | broken, (step, state.trail))


def _mask(order: tuple[int, ...]) -> Changes:
    return sum(1 << index for index in order)


def _parts(rest: Changes) -> Iterator[Changes]:
    """Yield the sets of some changes that hold at least one of them."""
    part = rest
    while part:
        yield part
        part = (part - 1) & rest

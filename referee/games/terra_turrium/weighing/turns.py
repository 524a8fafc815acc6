"""Find the turns that come near the likeliest one: join heights and flags, and put each turn to the rules.

Heights are explained with the flags standing still and flags on the heights seen, so a turn is a pair of one list of
each kind, and pairs are tried by falling sum. The turns that keep the rules are searched for by themselves, within
what the rules allow at all, so that none that counts is overlooked among the many boards that break one.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from referee.games.answers import UNNAMED, Effort, Reconstruction, Weighed
from referee.games.terra_turrium.colours import SIZE, board_of
from referee.games.terra_turrium.geometry import ALL, between
from referee.games.terra_turrium.position.position import TerraPosition, flag_masks, side_of
from referee.games.terra_turrium.ruleset import POINTS, Lifted, preference
from referee.games.terra_turrium.search.breaches import Scene
from referee.games.terra_turrium.search.cubes import CubeSearch
from referee.games.terra_turrium.search.flags import MOST_RULES, FlagSearch
from referee.games.terra_turrium.search.walk import Budget, BudgetSpentError
from referee.games.terra_turrium.verdict import broken_rules
from referee.games.terra_turrium.weighing.evidence import FieldEvidence
from referee.games.terra_turrium.weighing.lists import Change, Listed, Lists
from referee.games.terra_turrium.weighing.prior import TurnPrior
from referee.values.belief import BoardBelief
from referee.values.board import Board

OPEN_REACH_NATS = 14.0
"""Boards that need not keep any rule are listed so far below the best of them."""
STATES = 10_000
"""States of flags reached for one board; one that needs more may be legal, nobody knows."""
MOST_ASKED = 8
"""Boards for which every other player is thought of as the one who moved, at most."""
BEHIND_NATS = 6.0
"""A turn that breaks a rule and is so far behind the best turn of all does not matter."""
TAIL_NATS = 6.0
"""Breaches so far below the best of them no longer matter."""

Key = tuple[frozenset[Change], frozenset[Change]]


def weigh(position: TerraPosition, seen: BoardBelief, effort: Effort) -> Weighed:
    """Weigh the turns that may have led from the position to what was seen (``WeighsTurns``)."""
    return _Weigher(position, seen, effort).weighed()


class _Weigher:
    def __init__(self, position: TerraPosition, seen: BoardBelief, effort: Effort) -> None:
        self._position = position
        self._effort = effort
        self._side = side_of(position, position.to_move)
        self._evidence = FieldEvidence.of(seen, position.observed)
        self._lists = Lists(position, self._side, self._evidence, TurnPrior.of(position, self._side))
        self._may_build: dict[tuple[Change, ...], bool] = {}
        self._walked: dict[Key, bool | None] = {}
        self._cubes: dict[tuple[Change, ...], tuple[Lifted, ...]] = {}
        self._walks: dict[Key, tuple[tuple[Lifted, ...], bool, int]] = {}
        self._asked = 0
        self._where: dict[tuple[Change, ...], int] = {}
        self._states = effort.most_states
        self._walk_states = effort.most_states

    def weighed(self) -> Weighed:
        heights, flags = self._lists.open_heights(OPEN_REACH_NATS), self._lists.open_flags(OPEN_REACH_NATS)
        if self._evidence.unchanged + heights[0][0] + flags[0][0] < self._effort.floor:
            return Weighed((), -float("inf"))
        found = self._breaches(heights, flags)
        overlooked = self._keeping(heights, flags, found)
        top = max([self._effort.floor + self._reach, *(one.score for one in found.values())])
        near = sorted((one for one in found.values() if one.score > top - self._reach), key=lambda one: -one.score)
        return Weighed(tuple(near), overlooked)

    @property
    def _reach(self) -> float:
        return self._effort.near_nats

    def _breaches(self, heights: list[Listed], flags: list[Listed]) -> dict[str, Reconstruction]:
        """Return the best boards, whatever the rules say of them, by their text."""
        found: dict[str, Reconstruction] = {}
        best, against = self._effort.floor + self._reach, -float("inf")
        base, nats = self._evidence.unchanged, self._effort.breach_nats
        for tests, (gain, high, flagged) in enumerate(_joined(heights, flags)):
            most = base + gain - nats
            if tests >= self._effort.most_tests or most < max(best - BEHIND_NATS, against - TAIL_NATS):
                break
            if self._keeps(high[1], flagged[1]):
                one: Reconstruction | None = self._kept_rules(base + gain, high[1], flagged[1])
            elif self._walk_states <= 0:
                one = self._unnamed(base + gain, high[1], flagged[1])
            else:
                one = self._broken(base + gain, high[1], flagged[1], min(best - self._reach, against))
            if one is not None:
                found[one.board.text] = one
                best, against = max(best, one.score), max(against, one.score if one.rules else against)
        return found

    def _broken(
        self, score: float, heights: tuple[Change, ...], flags: tuple[Change, ...], least: float
    ) -> Reconstruction | None:
        """Return a turn that breaks rules; ``None`` where it breaks so many that it scores less than ``least``."""
        scene = self._scene(heights, flags)
        cubes, most = self._cube_sets(heights, scene), MOST_RULES
        if self._asked >= MOST_ASKED and least > -float("inf"):
            most = int(max(-1.0, (score - least) // self._effort.breach_nats - min(map(len, cubes))))
        walks, complete = self._walk_sets(heights, flags, scene, most) if most >= 0 else ((), True)
        if not walks:
            return None if complete else self._unnamed(score, heights, flags)
        sets = [one | other for one in cubes for other in walks]
        rules = min(sets, key=lambda lifted: (len(lifted), preference(lifted)))
        if len(rules) > 1 and self._asked < MOST_ASKED:  # as another player's turn it may break fewer
            self._asked += 1
            with self._walking() as budget:
                rules, complete = broken_rules(self._position, scene, budget)
        score -= self._effort.breach_nats * max(1, len(rules)) + self._lists.prior.breach(rules)
        return Reconstruction(self._board(heights, flags), rules or frozenset({UNNAMED}), score, complete)

    def _cube_sets(self, heights: tuple[Change, ...], scene: Scene) -> tuple[Lifted, ...]:
        """Return the smallest sets of rules with which the heights are explained."""
        known = self._cubes.get(heights)
        if known is None:
            search = CubeSearch(scene.rules, self._side, scene.heights, scene.after, scene.flags[0])
            known = self._cubes[heights] = search.smallest()
        return known

    def _walk_sets(
        self, heights: tuple[Change, ...], flags: tuple[Change, ...], scene: Scene, most: int
    ) -> tuple[tuple[Lifted, ...], bool]:
        """Return the smallest sets of rules that explain the flags, and whether the search was not cut short.

        There are none where they have more rules than ``most``. Heights farther away than flags may walk are left out
        of account: the ruling itself looks at all of them.
        """
        key = self._key(heights, flags)
        sets, complete, tried = self._walks.get(key, ((), True, -1))
        if not sets and tried < most:
            search = FlagSearch(scene.rules, self._side, scene.after, scene.flags, scene.flags_after)
            with self._walking() as budget:
                sets = search.smallest(budget, most)
            complete = search.complete
            self._walks[key] = sets, complete, most
        return sets, complete

    @contextmanager
    def _walking(self) -> Iterator[Budget]:
        """Lend as many states for a board that breaks rules as the look still has, and take off those reached."""
        lent = max(0, min(STATES, self._walk_states))
        budget = Budget(lent)
        yield budget
        self._walk_states -= lent - max(budget.left, 0)

    def _kept_rules(self, score: float, heights: tuple[Change, ...], flags: tuple[Change, ...]) -> Reconstruction:
        return Reconstruction(self._board(heights, flags), frozenset(), score)

    def _unnamed(self, score: float, heights: tuple[Change, ...], flags: tuple[Change, ...]) -> Reconstruction:
        """Return a turn that may break a single rule, for all that was found in time."""
        return Reconstruction(
            self._board(heights, flags), frozenset({UNNAMED}), score - self._effort.breach_nats, complete=False
        )

    def _keeping(self, heights: list[Listed], flags: list[Listed], found: dict[str, Reconstruction]) -> float:
        """Add the turns that keep the rules and come near; return the score one not looked at could have."""
        base = self._evidence.unchanged
        best = max([self._effort.floor + self._reach, *(one.score for one in found.values())])
        floor = best - self._reach - base
        legal_flags = self._lists.legal_flags(floor - heights[0][0])
        if not legal_flags:
            return -float("inf")
        listed = self._lists.legal_heights(floor - legal_flags[0][0])
        legal_heights = [one for one in listed if self._builds(one[1])]
        overlooked = -float("inf")
        for tests, (gain, high, flagged) in enumerate(_joined(legal_heights, legal_flags)):
            score = base + gain
            if score < best - self._reach:
                break
            if tests >= self._effort.most_tests:
                return max(overlooked, score)
            keeps = self._keeps(high[1], flagged[1])
            if keeps is None:
                overlooked = max(overlooked, score)
            if keeps:
                one = self._kept_rules(score, high[1], flagged[1])
                found[one.board.text] = one
                best = max(best, score)
        return overlooked

    def _keeps(self, heights: tuple[Change, ...], flags: tuple[Change, ...]) -> bool | None:
        """Return whether a turn that keeps the rules leads there; ``None`` where it takes too long to tell."""
        if not self._builds(heights):
            return False
        key = self._key(heights, flags)
        if key not in self._walked:
            self._walked[key] = self._can_walk(heights, flags)
        return self._walked[key]

    def _key(self, heights: tuple[Change, ...], flags: tuple[Change, ...]) -> Key:
        near = self._walked_on(flags)
        return frozenset(change for change in heights if near >> change[0] & 1), frozenset(flags)

    def _can_walk(self, heights: tuple[Change, ...], flags: tuple[Change, ...]) -> bool | None:
        scene = self._scene(heights, flags)
        search = FlagSearch(scene.rules, self._side, scene.after, scene.flags, scene.flags_after)
        budget = Budget(min(STATES, self._states))
        before = budget.left
        try:
            return search.legal(budget) is not None
        except BudgetSpentError:
            return None
        finally:
            self._states -= before - max(budget.left, 0)

    def _walked_on(self, flags: tuple[Change, ...]) -> int:
        """Return the fields whose heights can matter for how the flags came to change."""
        known = self._where.get(flags)
        if known is None:
            own = self._side.colour
            before = self._position.grids[1]
            came = sum(flag == own for _, flag in flags) - sum(before[field] == own for field, _ in flags)
            known = self._where[flags] = ALL if came > 0 else between([field for field, _ in flags], POINTS)
        return known

    def _builds(self, heights: tuple[Change, ...]) -> bool:
        """Return whether the cubes can have been taken and placed within the rules."""
        known = self._may_build.get(heights)
        if known is None:
            rules, before = self._position.rules, self._position.grids[0]
            after = _changed(before, heights)
            search = CubeSearch(rules, self._side, before, after, self._position.flag_masks[0])
            known = self._may_build[heights] = not search.forced and search.plan(frozenset()) is not None
        return known

    def _scene(self, heights: tuple[Change, ...], flags: tuple[Change, ...]) -> Scene:
        position = self._position
        after, flagged = _changed(position.grids[0], heights), _changed(position.grids[1], flags)
        return Scene(position.rules, position.grids[0], after, position.flag_masks, flag_masks(flagged))

    def _board(self, heights: tuple[Change, ...], flags: tuple[Change, ...]) -> Board:
        after, flagged = (
            _changed(before, changes) for before, changes in zip(self._position.grids, (heights, flags), strict=True)
        )
        return board_of(np.reshape(after, (SIZE, SIZE)), np.reshape(flagged, (SIZE, SIZE)))


def _changed(before: tuple[int, ...], changes: tuple[Change, ...]) -> tuple[int, ...]:
    after = list(before)
    for field, value in changes:
        after[field] = value
    return tuple(after)


def _joined(some: Sequence[Listed], others: Sequence[Listed]) -> Iterator[tuple[float, Listed, Listed]]:
    """Yield pairs of two lists (each best first) by falling sum."""
    if not some or not others:
        return
    heap = [(-some[0][0] - others[0][0], 0, 0)]
    while heap:
        less, n, k = heapq.heappop(heap)
        yield -less, some[n], others[k]
        if k + 1 < len(others):
            heapq.heappush(heap, (-some[n][0] - others[k + 1][0], n, k + 1))
        if not k and n + 1 < len(some):
            heapq.heappush(heap, (-some[n + 1][0] - others[0][0], n + 1, 0))

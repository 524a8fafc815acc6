"""The turns that come near the likeliest one: heights and flags joined, each put to the rules.

Heights are explained with the flags standing still and flags on the heights seen, so a turn is a pair of one list of
each kind, and pairs are tried by falling sum. The turns that keep the rules are searched for by themselves, within
what the rules allow at all, so that none that counts is overlooked among the many boards that break one.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence

import numpy as np

from referee.games.terra_turrium.geometry import SIZE
from referee.games.terra_turrium.position.position import TerraPosition, flag_masks, side_of
from referee.games.terra_turrium.search.breaches import Scene
from referee.games.terra_turrium.search.cubes import CubeSearch
from referee.games.terra_turrium.search.flags import FlagSearch
from referee.games.terra_turrium.verdict import illegal
from referee.games.terra_turrium.weighing.evidence import Evidence
from referee.games.terra_turrium.weighing.lists import Change, Listed, Lists
from referee.games.terra_turrium.weighing.prior import TurnPrior
from referee.games.weighing import Effort, Explanation, Weighed
from referee.values.belief import BoardBelief
from referee.values.board import Board

OPEN_REACH_NATS = 14.0
"""Boards that need not keep any rule are listed so far below the best of them."""
_NOTHING: frozenset[str] = frozenset()


def weigh(position: TerraPosition, seen: BoardBelief, effort: Effort) -> Weighed:
    """Weigh the turns that may have led from the position to what was seen (``WeighsTurns``)."""
    return _Weigher(position, seen, effort).weighed()


class _Weigher:
    def __init__(self, position: TerraPosition, seen: BoardBelief, effort: Effort) -> None:
        self._position = position
        self._effort = effort
        self._side = side_of(position, position.to_move)
        self._evidence = Evidence.of(seen, position.board)
        self._lists = Lists(position, self._side, self._evidence, TurnPrior.of(position, self._side))
        self._may_build: dict[tuple[Change, ...], bool] = {}

    def weighed(self) -> Weighed:
        heights, flags = self._lists.open_heights(OPEN_REACH_NATS), self._lists.open_flags(OPEN_REACH_NATS)
        found = self._breaches(heights, flags)
        against = max((one.score for one in found.values() if one.rules), default=-float("inf"))
        kept, overlooked = self._kept(against, heights, flags, found)
        top = max(one.score for one in kept.values())
        near = sorted((one for one in kept.values() if one.score > top - self._reach), key=lambda one: -one.score)
        return Weighed(tuple(near), overlooked)

    @property
    def _reach(self) -> float:
        return self._effort.near_nats

    def _breaches(self, heights: list[Listed], flags: list[Listed]) -> dict[str, Explanation]:
        """The best boards, whatever the rules say of them, by their text."""
        found: dict[str, Explanation] = {}
        best = -float("inf")
        base, nats = self._evidence.unchanged, self._effort.breach_nats
        for tests, (gain, high, flagged) in enumerate(_joined(heights, flags)):
            if tests >= self._effort.most_tests or base + gain - nats < best - self._reach:
                break
            if self._keeps(high[1], flagged[1]):
                continue  # listed with all the others that keep the rules
            one = self._broken(base + gain, high[1], flagged[1])
            found[one.board.text] = one
            best = max(best, one.score)
        return found

    def _broken(self, score: float, heights: tuple[Change, ...], flags: tuple[Change, ...]) -> Explanation:
        scene, board = self._scene(heights, flags)
        ruling = illegal(self._position, scene)
        rules = frozenset(violation.rule for violation in ruling.violations)
        return Explanation(board, rules, score - self._effort.breach_nats * max(1, len(rules)), ruling.complete)

    def _kept(
        self, against: float, heights: list[Listed], flags: list[Listed], found: dict[str, Explanation]
    ) -> tuple[dict[str, Explanation], float]:
        """The turns that keep the rules joined to those that don't, and what could have been overlooked."""
        base = self._evidence.unchanged
        best, found = against, dict(found)
        floor = against - self._reach - base
        if floor == -float("inf"):
            floor = heights[0][0] + flags[0][0] - self._reach
        overlooked = -float("inf")
        legal_flags = self._lists.legal_flags(floor - heights[0][0])
        if not legal_flags:
            return found, overlooked
        legal_heights = [
            one for one in self._lists.legal_heights(floor - legal_flags[0][0]) if self._builds(one[1])
        ]
        for tests, (gain, high, flagged) in enumerate(_joined(legal_heights, legal_flags)):
            if base + gain < best - self._reach:
                break
            if tests >= self._effort.most_tests:
                overlooked = base + gain
                break
            if self._keeps(high[1], flagged[1]):
                _, board = self._scene(high[1], flagged[1])
                found[board.text] = Explanation(board, frozenset(), base + gain)
                best = max(best, base + gain)
        return found, overlooked

    def _keeps(self, heights: tuple[Change, ...], flags: tuple[Change, ...]) -> bool:
        if not self._builds(heights):
            return False
        scene, _ = self._scene(heights, flags)
        return FlagSearch(scene.rules, self._side, scene.after, scene.flags, scene.flags_after).legal() is not None

    def _builds(self, heights: tuple[Change, ...]) -> bool:
        """Whether the cubes can have been taken and placed within the rules."""
        known = self._may_build.get(heights)
        if known is None:
            rules, before = self._position.rules, self._position.grids[0]
            after = _changed(before, heights)
            search = CubeSearch(rules, self._side, before, after, self._position.flag_masks[0])
            known = self._may_build[heights] = not search.forced and search.plan(frozenset()) is not None
        return known

    def _scene(self, heights: tuple[Change, ...], flags: tuple[Change, ...]) -> tuple[Scene, Board]:
        position = self._position
        after, flagged = _changed(position.grids[0], heights), _changed(position.grids[1], flags)
        board = Board(np.reshape(after, (SIZE, SIZE)), np.reshape(flagged, (SIZE, SIZE)))
        return Scene(position.rules, position.grids[0], after, position.flag_masks, flag_masks(flagged)), board


def _changed(before: tuple[int, ...], changes: tuple[Change, ...]) -> tuple[int, ...]:
    after = list(before)
    for field, value in changes:
        after[field] = value
    return tuple(after)


def _joined(some: Sequence[Listed], others: Sequence[Listed]) -> Iterator[tuple[float, Listed, Listed]]:
    """Pairs of two lists (each best first) by falling sum."""
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

"""Find all orders in which the blocks seen can have come to lie, as far as heights tell: a graph of heights.

Knights are left out: whether a field was free, or an own knight stood on it, is asked by the search that walks the
graph. Only nodes from which the observed heights can be reached are kept, so a set of rules that explains no order of
blocks is seen before any knight is looked at.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from referee.games.torres.geometry import COUNT
from referee.games.torres.ruleset import BLOCK_KINDS, BUILD_OCCUPIED, BUILD_SUPPLY, MOST_AP, Lifted
from referee.games.torres.search.building import Heights, blocks_of, build_faults, may_shift
from referee.games.torres.search.effort import SearchEffort
from referee.games.torres.search.task import HAND, TurnTask
from referee.games.torres.terrain import changed, connected

FAR = 99

NEVER = -1


@dataclass(frozen=True, slots=True)
class Edge:
    """One act on blocks: ``build``, a kind of card, or HAND for what hands did. target: the node it leads to."""

    kind: str
    field: int
    to: int
    price: int
    target: int


@dataclass(frozen=True, slots=True)
class BlockGraph:
    """heights, edges and rest by node; rest: the cheapest cost from a node to the end. goals: nodes at the end.

    start: the node of the board before, NEVER where no order explains the heights.
    """

    heights: tuple[Heights, ...]
    edges: tuple[tuple[Edge, ...], ...]
    rest: tuple[int, ...]
    goals: frozenset[int]
    start: int

    def range(self) -> tuple[Heights, Heights]:
        """Return the lowest and the highest each field is in any node."""
        if len(self.heights) == 1:
            return self.heights[0], self.heights[0]
        return tuple(map(min, zip(*self.heights, strict=True))), tuple(map(max, zip(*self.heights, strict=True)))


@dataclass(frozen=True, slots=True)
class _Place:
    """A node while it is looked for: heights, blocks in hands, cards used, blocks from the chosen stack."""

    heights: Heights
    hand: int
    used: frozenset[str]
    supplied: int


class BlockSearch:
    """Looks for all orders of blocks for one task."""

    def __init__(self, task: TurnTask, effort: SearchEffort) -> None:
        self._task = task
        self._cards = frozenset(task.cards) & BLOCK_KINDS
        self._lifted: Lifted = task.lifted
        scene = task.scene
        self._before, self._after = scene.before.heights, scene.after.heights
        self._still = 0 if BUILD_OCCUPIED in task.lifted else task.foreign.still
        self._fixed = task.foreign.still
        self._by_hand = task.by_hand
        self._effort = effort
        self._memo: dict[_Place, int] = {}
        self._heights: list[Heights] = []
        self._edges: list[tuple[Edge, ...]] = []
        self._rest: list[int] = []
        self._goals: set[int] = set()

    def graph(self) -> BlockGraph:
        """Return the graph."""
        # What no turn can pay is not looked at, whatever this one has to spend: the graph serves other tasks as well.
        fewest = self._task.scene.more - len(self._cards - {"shift"})
        start = NEVER
        if fewest <= MOST_AP:
            start = self._explore(_Place(self._before, 0, frozenset(), 0))
        return BlockGraph(
            tuple(self._heights),
            tuple(self._edges),
            tuple(self._rest),
            frozenset(self._goals),
            start,
        )

    def _explore(self, place: _Place) -> int:
        known = self._memo.get(place)
        if known is not None:
            return known
        self._memo[place] = NEVER
        if not self._effort.spend():
            return NEVER
        if place.heights == self._after:
            index = self._keep(place, (), 0)
            self._goals.add(index)
            return index
        if not self._can_end(place):
            return NEVER
        edges = []
        for kind, field, to, price, following in self._acts(place):
            target = self._explore(following)
            if target != NEVER:
                edges.append(Edge(kind, field, to, price, target))
        if not edges:
            return NEVER
        return self._keep(place, tuple(edges), min(edge.price + self._rest[edge.target] for edge in edges))

    def _keep(self, place: _Place, edges: tuple[Edge, ...], rest: int) -> int:
        index = len(self._heights)
        self._memo[place] = index
        self._heights.append(place.heights)
        self._edges.append(edges)
        self._rest.append(rest)
        return index

    def _can_end(self, place: _Place) -> bool:
        """Return whether blocks lie too many only where a card or a hand may still take one away."""
        shift = "shift" in self._cards and "shift" not in place.used
        too_many = too_many_built = missing = 0
        for here, end, began in zip(place.heights, self._after, self._before, strict=True):
            if here > end:
                too_many += here - end
                if end >= began:
                    too_many_built += here - end
            else:
                missing += end - here
        if too_many_built > shift or (too_many_built and not missing):
            return False
        return self._by_hand or too_many <= shift

    def _acts(self, place: _Place) -> list[tuple[str, int, int, int, _Place]]:
        found = self._lays(place)
        if "shift" in self._cards and "shift" not in place.used:
            found += self._shifts(place)
        if self._by_hand:
            found += self._hands(place)
        return found

    def _lays(self, place: _Place) -> list[tuple[str, int, int, int, _Place]]:
        """Return the acts that bring blocks from outside: built, or by a card."""
        heights = place.heights
        blocks = blocks_of(heights)
        found = []
        for field in self._wanted(place):
            then = changed(heights, field, 1)
            if not self._still >> field & 1 and build_faults(heights, blocks, field, False) <= self._lifted:
                if self._supply_holds(place, 1, 0):
                    found.append(("build", field, field, 1, _Place(then, place.hand, place.used, place.supplied + 1)))
                if self._usable("extra", place) and not self._task.free("extra") and self._task.scene.reserve > 0:
                    found.append(self._by_card("extra", field, then, place))
            if self._usable("extra", place) and self._task.free("extra"):
                found.append(self._by_card("extra", field, then, place))
            if self._usable("under", place) and self._supply_holds(place, 0, 1):
                free = self._task.free("under")
                if free or (
                    not self._fixed >> field & 1 and build_faults(heights, blocks, field, True) <= self._lifted
                ):
                    found.append(self._by_card("under", field, then, place))
        return found

    def _by_card(self, kind: str, field: int, then: Heights, place: _Place) -> tuple[str, int, int, int, _Place]:
        following = _Place(then, place.hand, place.used | {kind}, place.supplied)
        return (kind, field, field, self._task.price(kind), following)

    def _usable(self, kind: str, place: _Place) -> bool:
        return kind in self._cards and kind not in place.used

    def _wanted(self, place: _Place) -> list[int]:
        """Return the fields on which a block may be laid: where one is missing, or one is shifted away later."""
        if "shift" in self._cards and "shift" not in place.used:
            heights = tuple(zip(place.heights, self._after, self._before, strict=True))
            if not any(here > end >= began for here, end, began in heights):
                return [i for i, (here, end, began) in enumerate(heights) if here < end or here == end >= began]
        return [i for i, (here, end) in enumerate(zip(place.heights, self._after, strict=True)) if here < end]

    def _supply_holds(self, place: _Place, built: int, under: int) -> bool:
        if BUILD_SUPPLY in self._lifted:
            return True
        supplied = place.supplied + built
        under += "under" in place.used
        return supplied <= self._task.limit and supplied + under <= self._task.total

    def _shifts(self, place: _Place) -> list[tuple[str, int, int, int, _Place]]:
        free, heights = self._task.free("shift"), place.heights
        price = self._task.price("shift")
        used = place.used | {"shift"}
        blocks = blocks_of(heights)
        castles = len(connected(blocks))
        found = []
        targets = [i for i, (here, end) in enumerate(zip(heights, self._after, strict=True)) if here < end]
        sources: Iterable[int] = range(COUNT)
        if not self._by_hand:
            sources = [i for i in range(COUNT) if heights[i] > self._after[i]] or sources
        for target in targets:
            if not free and self._fixed >> target & 1:
                continue
            for source in sources:
                if source == target or not heights[source] or (not free and self._fixed >> source & 1):
                    continue
                if free or may_shift(heights, blocks, castles, source, target):
                    then = changed(changed(heights, source, -1), target, 1)
                    found.append(("shift", source, target, price, _Place(then, place.hand, used, place.supplied)))
        return found

    def _hands(self, place: _Place) -> list[tuple[str, int, int, int, _Place]]:
        """Return what hands did: exactly the falls seen, and at most as many blocks where rises are seen."""
        heights = place.heights
        found = []
        for field in self._task.scene.falls:
            if heights[field] > self._after[field]:
                then = _Place(changed(heights, field, -1), place.hand + 1, place.used, place.supplied)
                found.append((HAND, field, field, 0, then))
        for field in self._task.scene.rises:
            if place.hand and heights[field] < self._after[field]:
                then = _Place(changed(heights, field, 1), place.hand - 1, place.used, place.supplied)
                found.append((HAND, field, field, 0, then))
        return found

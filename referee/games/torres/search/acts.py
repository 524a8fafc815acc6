"""Search for acts that lead from one board to the other, and for what the cheapest such sequence costs.

A state is a node of the block graph, the set of the player's own knights, the cards used and what is still odd about
foreign pieces. States are looked at in the order of cost so far plus a lower bound of what is still to come (A*), so
the first end found is the cheapest; the bound is what keeps the search small. The same search serves legal turns and
rules taken as lifted: a lifted rule is a wider choice of acts.

Pieces moved by hand: those that leave do so at once and those that come do so last, for a piece only ever bars the
way; but ``card.jump`` needs one to jump over, so one may be kept until the jump, or come just before it.
"""

from __future__ import annotations

from itertools import pairwise

from referee.games.torres.geometry import ALL, bits
from referee.games.torres.ruleset import BUILD_OCCUPIED, CARD_RULE, KNIGHT_KINDS, KNIGHTS_EACH
from referee.games.torres.search.blocks import FAR, BlockGraph, Edge
from referee.games.torres.search.building import Heights
from referee.games.torres.search.effort import SearchEffort
from referee.games.torres.search.knights import KEPT, Moves
from referee.games.torres.search.reach import Cards, Reach
from referee.games.torres.search.task import HAND, Act, Plan, TurnTask

Step = tuple["State", int, tuple[Act, ...]]
"""The state an act leads to, its price, and the act (several for a piece passed, none for a knight moved by hand)."""
State = tuple[int, int, Cards, int, int]
"""Node of the block graph, own knights, cards for knights not used yet, foreign oddity, knights that appeared."""


class TurnSearch:
    """Looks for a sequence of acts for one task, on a graph of its blocks."""

    def __init__(self, task: TurnTask, graph: BlockGraph, reach: Reach, effort: SearchEffort) -> None:
        self._task = task
        self._graph = graph
        self._reach = reach
        self._effort = effort
        self._moves = Moves(task)
        self._target = task.knights[1]
        self._occupied_too = BUILD_OCCUPIED in task.lifted
        self._matched: dict[tuple[int, int, Cards], int] = {}
        self._bounds: dict[tuple[int, Cards, int], int] = {}
        self._nearby: dict[tuple[int, int, Cards, int], int] = {}
        self._parents: dict[State, tuple[State, tuple[Act, ...]] | None] = {}

    def cheapest(self) -> Plan | None:
        """Return a cheapest plan; ``None`` when there is none, or none was found with the effort left."""
        return self._search(steps=True)

    def some(self) -> Plan | None:
        """Return some plan, not always a cheapest; ``None`` as before."""
        return self._search(steps=False)

    def _search(self, steps: bool) -> Plan | None:
        room = self._task.room
        starts = self._starts()
        least = min((self._bound(state) for state in starts), default=FAR)
        caps = range(least, room + 1) if steps else sorted({min(least, room), room}) if least <= room else ()
        for cap in caps:
            plan = self._within(starts, cap)
            if plan is not None or not self._effort.complete:
                return plan
        return None

    def _starts(self) -> list[State]:
        if self._graph.start < 0:
            return []
        cards = tuple(kind for kind in self._task.cards if kind in KNIGHT_KINDS)
        oddities = [0]
        if "jump" in cards and not self._task.free("jump"):
            oddities += [KEPT + i for i in bits(self._moves.leavers)]
        return [(self._graph.start, self._task.knights[0], cards, oddity, 0) for oddity in oddities]

    def _within(self, starts: list[State], cap: int) -> Plan | None:
        """Look for an end at a cost of at most ``cap``."""
        self._parents = dict.fromkeys(starts)
        best = dict.fromkeys(starts, 0)
        buckets: list[list[tuple[State, int]]] = [[] for _ in range(cap + 1)]
        for state in starts:
            if self._bound(state) <= cap:
                buckets[self._bound(state)].append((state, 0))
        level = 0
        while level <= cap:
            if not buckets[level]:
                level += 1
                continue
            state, cost = buckets[level].pop()
            if best[state] < cost:
                continue
            if self._ended(state):
                return Plan(self._acts(state), cost)
            if not self._effort.spend():
                return None
            for following, price, acts in self._following(state, cap - cost):
                total = cost + price
                if best.get(following, FAR) <= total:
                    continue
                estimate = total + self._bound(following)
                if estimate <= cap:
                    best[following] = total
                    self._parents[following] = (state, acts)
                    buckets[max(estimate, level)].append((following, total))
        return None

    def _ended(self, state: State) -> bool:
        return state[0] in self._graph.goals and state[1] == self._target

    def _acts(self, state: State) -> tuple[Act, ...]:
        found: list[tuple[Act, ...]] = []
        parent = self._parents[state]
        while parent is not None:
            found.append(parent[1])
            parent = self._parents[parent[0]]
        return tuple(act for acts in reversed(found) for act in acts)

    # -- the lower bound

    def _bound(self, state: State) -> int:
        """Return the least that is still to be paid from a state."""
        node, knights, cards, _, appeared = state
        key = (knights, cards, appeared)
        known = self._bounds.get(key)
        if known is None:
            known = self._bounds[key] = self._knights_bound(*key)
        return self._graph.rest[node] + known

    def _knights_bound(self, knights: int, cards: Cards, appeared: int) -> int:
        off, open_ = knights & ~self._target, self._target & ~knights
        if not off and not open_:
            return 0
        coming = self._task.appeared - appeared
        placed = open_.bit_count() - off.bit_count() - coming
        if self._task.vanished:
            placed = 0
        if placed < 0:
            return FAR
        moved = self._match(off, open_, cards)
        if placed and not coming:
            moved = max(moved, self._placing_bound(knights, open_, placed, cards))
        return min(FAR, moved + 2 * placed)

    def _placing_bound(self, knights: int, open_: int, placed: int, cards: Cards) -> int:
        """Return the fewest moves that bring a knight next to as many open fields as placing must fill."""
        needed = []
        for target in bits(open_):
            layers = self._reach.placing(target, placed, cards)
            needed.append(next((cost for cost, fields in enumerate(layers) if fields & knights), FAR))
        return sorted(needed)[placed - 1]

    def _match(self, off: int, open_: int, cards: Cards) -> int:
        """Return the least that moves cost when knights off the target go to its open fields, as many as can."""
        if not off or not open_:
            return 0
        key = (off, open_, cards)
        known = self._matched.get(key)
        if known is not None:
            return known
        low = open_ & -open_
        rest = open_ ^ low
        target = low.bit_length() - 1
        best = FAR if open_.bit_count() <= off.bit_count() else self._match(off, rest, cards)
        several = len(cards) > 1
        plain = self._reach.distances(target, cards if several else ())
        carded = self._reach.distances(target, cards) if len(cards) == 1 else plain
        for i in bits(off):
            others = off ^ (1 << i)
            if plain[i] < best:
                best = min(best, plain[i] + self._match(others, rest, cards))
            if carded[i] < best and carded[i] < plain[i]:
                best = min(best, carded[i] + self._match(others, rest, ()))
        self._matched[key] = best
        return best

    # -- the acts

    def _following(self, state: State, left: int) -> list[Step]:
        """Return all states one act (or one thing done by hand) further on that can still end for the AP left."""
        node = state[0]
        heights = self._graph.heights[node]
        found = self._block_acts(state)
        left -= self._graph.rest[node]
        found += self._walks(state, heights, left)
        if state[2]:
            found += self._card_moves(state, heights, left)
        found += self._comings(state, heights, left)
        if self._task.vanished:
            found += self._vanishings(state)
        return found

    def _block_acts(self, state: State) -> list[Step]:
        node, knights, cards, oddity, appeared = state
        occupied = knights | self._moves.others(oddity)
        found: list[Step] = []
        for edge in self._graph.edges[node]:
            if self._may(edge, knights, occupied):
                act = (CARD_RULE.get(edge.kind, edge.kind), edge.field, edge.to)
                found.append(((edge.target, knights, cards, oddity, appeared), edge.price, (act,)))
        return found

    def _may(self, edge: Edge, knights: int, occupied: int) -> bool:
        """Return whether an act on blocks may be done with the pieces standing as they do."""
        kind, touched = edge.kind, 1 << edge.field | 1 << edge.to
        if kind == HAND or (kind != "build" and self._task.free(kind)):
            return True
        if kind == "under":
            return bool(knights & touched)
        return not occupied & touched or (self._occupied_too and kind != "shift")

    def _walks(self, state: State, heights: Heights, left: int) -> list[Step]:
        node, knights, cards, oddity, appeared = state
        occupied = knights | self._moves.others(oddity)
        found: list[Step] = []
        if left < 1:
            return found
        for i in bits(knights):
            others = knights ^ (1 << i)
            near = self._near(others, left - 1, cards, appeared)
            if near:
                steps, doors = self._moves.walks(heights, i, occupied)
                for to in bits((steps | doors) & near):
                    act = ("move" if steps >> to & 1 else "door", i, to)
                    found.append(((node, others | 1 << to, cards, oddity, appeared), 1, (act,)))
            for path in self._moves.passes(heights, i, occupied, left):
                to = path[-1]
                if self._near(others, left - len(path), cards, appeared) >> to & 1:
                    acts = tuple(("move", a, b) for a, b in pairwise((i, *path)))
                    found.append(((node, others | 1 << to, cards, oddity, appeared), len(path), acts))
        return found

    def _card_moves(self, state: State, heights: Heights, left: int) -> list[Step]:
        node, knights, cards, oddity, appeared = state
        found: list[Step] = []
        for n, kind in enumerate(cards):
            price = self._task.price(kind)
            rest = (*cards[:n], *cards[n + 1 :])
            if price > left:
                continue
            for i in bits(knights):
                others = knights ^ (1 << i)
                near = self._near(others, left - price, rest, appeared)
                if not near:
                    continue
                for to, then in self._moves.by_card(kind, heights, i, knights, oddity):
                    if near >> to & 1:
                        found.append(
                            ((node, others | 1 << to, rest, then, appeared), price, ((CARD_RULE[kind], i, to),))
                        )
        return found

    def _comings(self, state: State, heights: Heights, left: int) -> list[Step]:
        """Return the steps in which knights are placed, or appear by hand."""
        node, knights, cards, oddity, appeared = state
        coming = self._task.appeared - appeared
        missing = self._target.bit_count() - knights.bit_count()
        if missing <= 0:
            return []
        free = ALL & ~(knights | self._moves.others(oddity))
        found: list[Step] = []
        if missing > coming and left >= 2 and knights.bit_count() - appeared < KNIGHTS_EACH:
            near = self._near(knights, left - 2, cards, appeared)
            found += [
                ((node, knights | 1 << to, cards, oddity, appeared), 2, (("place", to, to),))
                for to in bits(self._moves.places(heights, knights) & free & near)
            ]
        if coming:
            near = self._near(knights, left, cards, appeared + 1)
            found += [((node, knights | 1 << to, cards, oddity, appeared + 1), 0, ()) for to in bits(free & near)]
        return found

    def _vanishings(self, state: State) -> list[Step]:
        node, knights, cards, oddity, appeared = state
        if knights.bit_count() <= self._target.bit_count():
            return []
        return [((node, knights ^ (1 << i), cards, oddity, appeared), 0, ()) for i in bits(knights)]

    def _near(self, others: int, left: int, cards: Cards, appeared: int) -> int:
        """Return the fields to which one knight more may come so that the AP left can suffice."""
        key = (others, left, cards, appeared)
        known = self._nearby.get(key)
        if known is not None:
            return known
        off, open_ = others & ~self._target, self._target & ~others
        near = 0
        if self._task.vanished:
            placed = 0
            if off.bit_count() >= open_.bit_count() and self._match(off, open_, cards) <= left:
                near = ALL
        else:
            placed = open_.bit_count() - off.bit_count() - 1 - (self._task.appeared - appeared)
        if placed >= 0 and near != ALL:
            for target in bits(open_):
                still = left - 2 * placed - self._match(off, open_ ^ (1 << target), cards)
                if still >= 0:
                    near |= self._reach.layers(target, cards)[still]
        self._nearby[key] = near
        return near

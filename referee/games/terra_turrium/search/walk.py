"""Search phase 3: the cheapest way in which a player's flags, captures and re-entries lead to the flags seen.

Best-first search over sets of flags on fixed heights. Flags of one colour are alike, so the estimate of what is
still to pay matches missing fields with the nearest flags that stand elsewhere; it never exceeds the truth.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush

from referee.games.terra_turrium.geometry import bits, spread
from referee.games.terra_turrium.search.steps import FAR, Flags, Move, Steps, capture_extra, join

State = tuple[int, int, int, int]
"""Own flags, flags still to be captured, entries still to be made, flags still to vanish or appear."""


class BudgetSpentError(Exception):
    """The search reached more states than it was allowed to."""


class Budget:
    """How many states searches may still reach together.

    States reached are counted, not states left: from one where flags pass over others a hundred may be reached.
    """

    def __init__(self, states: int) -> None:
        self.left = states

    def spend(self) -> None:
        """Count one state. Raises BudgetSpentError when there are none left."""
        self.left -= 1
        if self.left < 0:
            raise BudgetSpentError


class Walk:
    """One search: flags before and after, the steps there are, whether flags are passed over, the doors back in."""

    def __init__(self, flags: Flags, steps: Steps, pass_over: bool, doors: int, most: int) -> None:
        self._flags = flags
        self._steps = steps
        self._heights = steps.heights
        self._pass_over = pass_over
        self._doors = doors & ~flags.standing
        self._most = most
        self._guesses: dict[State, int] = {}
        self._rows: dict[int, list[int]] = {}
        self._door_steps: dict[int, int] = {}
        self._least_extra = {
            c: min((capture_extra(self._heights, u, c) for u in steps.into(c)), default=FAR) for c in bits(flags.gone)
        }

    def solve(self, budget: Budget | None = None, greed: int = 1) -> tuple[Move, ...] | None:
        """Return a cheapest sequence of moves within the points, or ``None`` when there is none.

        With ``greed`` above 1 the search hurries to some sequence. Raises BudgetSpentError.
        """
        flags = self._flags
        start: State = (flags.before, flags.gone, flags.entries, flags.vanished + flags.appeared)
        guess = self._estimate(start)
        if guess > self._most:
            return None
        came: dict[State, tuple[State, Move] | None] = {start: None}
        best: dict[State, tuple[int, int]] = {start: (0, 0)}
        heap: list[tuple[int, int, int, int, int, State]] = [(guess * greed, 0, 0, 0, -1, start)]
        count = 0
        while heap:
            _, acts, less, _, last, state = heappop(heap)
            spent = -less
            if (spent, acts) > best[state]:
                continue
            if self._is_goal(state):
                return join(self._trace(came, state))
            for move, after in self._successors(state):
                cost = spent + move.points
                turns = acts + (move.enters or move.path[0] != last)
                known = best.get(after)
                if known is not None and known <= (cost, turns):
                    continue
                if budget is not None:
                    budget.spend()
                guess = self._estimate(after)
                if cost + guess > self._most:
                    continue
                best[after] = (cost, turns)
                came[after] = (state, move)
                count += 1
                heappush(heap, (cost + guess * greed, turns, -cost, count, move.path[-1], after))
        return None

    def _trace(self, came: dict[State, tuple[State, Move] | None], state: State) -> list[Move]:
        moves = []
        link = came[state]
        while link is not None:
            state, move = link
            if move.points:
                moves.append(move)
            link = came[state]
        return moves[::-1]

    def _is_goal(self, state: State) -> bool:
        own, gone, entries, wild = state
        if gone or entries:
            return False
        after = self._flags.after
        if self._flags.appeared:
            return not own & ~after and (after & ~own).bit_count() == wild
        return not after & ~own and (own & ~after).bit_count() == wild

    def _row(self, target: int) -> list[int]:
        row = self._rows.get(target)
        if row is None:
            walls = 0 if self._pass_over else self._flags.standing
            row = self._rows[target] = self._steps.distances(target, walls, self._most)
            self._door_steps[target] = min((row[d] + 1 for d in bits(self._doors)), default=FAR)
        return row

    def _estimate(self, state: State) -> int:
        """Return points that are needed at least from a state; FAR and more if it is hopeless."""
        known = self._guesses.get(state)
        if known is None:
            known = self._guesses[state] = self._estimated(state)
        return known

    def _estimated(self, state: State) -> int:
        own, gone, entries, wild = state
        after = self._flags.after
        missing = after & ~own
        movers = bits(own & ~after)
        appearing = wild if self._flags.appeared else 0
        needs = []
        for field in bits(missing):
            row = self._row(field)
            near = self._door_steps[field] if entries else FAR
            for i in movers:
                if row[i] < near:
                    near = row[i]
            needs.append(near)
        if appearing:
            needs = sorted(needs)[: max(0, len(needs) - appearing)]
        total = sum(needs)
        if not gone:
            return max(total, entries)
        return max(
            total, (missing | gone).bit_count() - appearing, self._farthest(own, gone, entries, appearing)
        ) + sum(self._least_extra[c] for c in bits(gone))

    def _farthest(self, own: int, gone: int, entries: int, appearing: int) -> int:
        if appearing:
            return 1
        farthest = 1
        for c in bits(gone):
            row = self._row(c)
            near = self._door_steps[c] if entries else FAR
            for i in bits(own):
                if row[i] < near:
                    near = row[i]
            farthest = max(farthest, near)
        return farthest

    def _successors(self, state: State) -> Iterator[tuple[Move, State]]:
        own, gone, entries, wild = state
        standing = self._flags.standing
        taken = own | gone | standing
        merging = wild if self._flags.vanished else 0
        for u in bits(own):
            rest = own & ~(1 << u)
            yield from self._jumps(u, rest, state) if self._pass_over else self._walks(u, rest, state)
            if merging:
                for v in self._steps.onto(u):
                    if rest >> v & 1:
                        yield Move(False, (u, v), (), 1), (rest, gone, entries, wild - 1)
        if entries:
            for d in bits(self._doors & ~taken):
                yield Move(True, (d,), (), 1), (own | 1 << d, gone, entries - 1, wild)
        if gone and wild and self._flags.appeared:
            near = -1 if self._pass_over else spread(gone)
            for a in range(len(self._heights)):
                if near >> a & 1 and not taken >> a & 1:
                    yield Move(False, (a,), (), 0), (own | 1 << a, gone, entries, wild - 1)

    def _walks(self, u: int, rest: int, state: State) -> Iterator[tuple[Move, State]]:
        _, gone, entries, wild = state
        blocked = rest | self._flags.standing
        for v in self._steps.onto(u):
            bit = 1 << v
            if blocked & bit:
                continue
            if gone & bit:
                cost = 1 + capture_extra(self._heights, u, v)
                yield Move(False, (u, v), (v,), cost), (rest | bit, gone & ~bit, entries, wild)
            else:
                yield Move(False, (u, v), (), 1), (rest | bit, gone, entries, wild)

    def _jumps(self, u: int, rest: int, state: State) -> Iterator[tuple[Move, State]]:
        """Yield steps and captures after passing over any number of flags."""
        _, gone, entries, wild = state
        over = rest | gone | self._flags.standing
        passed = {u}
        fresh: list[tuple[int, ...]] = [(u,)]
        landed: set[int] = {u}
        while fresh and len(fresh[0]) <= self._most:
            longer = []
            for path in fresh:
                for v in self._steps.onto(path[-1]):
                    bit = 1 << v
                    way = (*path, v)
                    if gone & bit:
                        cost = len(path) + capture_extra(self._heights, path[-1], v)
                        yield Move(False, way, (v,), cost), (rest | bit, gone & ~bit, entries, wild)
                    if not over & bit:
                        if v not in landed:
                            landed.add(v)
                            yield Move(False, way, (), len(path)), (rest | bit, gone, entries, wild)
                    elif v not in passed:
                        passed.add(v)
                        longer.append(way)
            fresh = longer

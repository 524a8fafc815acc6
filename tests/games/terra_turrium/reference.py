"""The rules written down a second time, slowly and without cleverness, for boards with few stacks and flags.

Everything is tried: every cube in every order, every step of every flag. Nothing is shared with the engine but the
names of the rules and the description of a rule set.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from referee.games.terra_turrium.ruleset import RuleSet

Fields = frozenset[int]
Lifted = frozenset[str]


def name(field: int) -> str:
    return "ABCDEFGHIJ"[field % 10] + str(field // 10 + 1)


def neighbours(field: int) -> Iterator[int]:
    row, col = divmod(field, 10)
    for r, c in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)):
        if 0 <= r < 10 and 0 <= c < 10:
            yield r * 10 + c


def territory(field: int) -> str:
    return ("n" if field >= 50 else "s") + ("w" if field % 10 < 5 else "e")


def exterior(heights: Mapping[int, int], field: int, reading: str) -> bool:
    """Return whether a field is exterior. Fields missing from ``heights`` are empty."""
    row, col = divmod(field, 10)
    if row in (0, 9) or col in (0, 9):
        return True
    if reading == "line":
        rays = (
            [r * 10 + col for r in range(row)],
            [r * 10 + col for r in range(row + 1, 10)],
            [row * 10 + c for c in range(col)],
            [row * 10 + c for c in range(col + 1, 10)],
        )
        return any(all(not heights.get(f) for f in ray) for ray in rays)
    seen = {f for f in neighbours(field) if not heights.get(f)}
    todo = list(seen)
    while todo:
        here = todo.pop()
        if here // 10 in (0, 9) or here % 10 in (0, 9):
            return True
        fresh = {f for f in neighbours(here) if not heights.get(f)} - seen
        seen |= fresh
        todo += fresh
    return False


@dataclass(frozen=True)
class Player:
    """Who acts: territories by name, ``team`` those of the whole team."""

    own: frozenset[str]
    team: frozenset[str]
    hand: int = 0
    attacks: int = 0
    reserve: int = 0
    captures: int | None = None
    captures_open: bool = True


def territory_allows(rules: RuleSet, player: Player, taken: Counter[int]) -> bool:
    counts = Counter(territory(f) for f in taken.elements())
    if rules.team_takes is not None and any(counts[t] > rules.team_takes for t in player.team):
        return False
    foreign = {t: n for t, n in counts.items() if t not in player.own}
    if rules.foreign_each is not None and any(n > rules.foreign_each for n in foreign.values()):
        return False
    return rules.foreign_all is None or sum(foreign.values()) <= rules.foreign_all


def cubes_explicable(
    rules: RuleSet, player: Player, before: Mapping[int, int], after: Mapping[int, int], flags: Fields, lifted: Lifted
) -> bool:
    """Try every sequence of takes; what was built is then known."""
    seen: set[tuple[tuple[int, int], ...]] = set()
    todo: list[Counter[int]] = [Counter()]
    most = max(3, sum(max(0, h - after.get(f, 0)) for f, h in before.items()))
    while todo:
        taken = todo.pop()
        if cubes_finish(rules, player, before, after, flags, lifted, taken):
            return True
        left = {f: h - taken[f] for f, h in before.items()}
        for f, h in left.items():
            if not h or sum(taken.values()) >= most:
                continue
            if f in flags and "take.occupied" not in lifted:
                continue
            fenced = "take.interior" not in lifted and territory(f) not in player.own
            if fenced and not exterior(left, f, rules.exterior):
                continue
            more = taken + Counter([f])
            if "take.territory" not in lifted and not territory_allows(rules, player, more):
                continue
            key = tuple(sorted(more.items()))
            if key not in seen:
                seen.add(key)
                todo.append(more)
    return False


def cubes_finish(
    rules: RuleSet,
    player: Player,
    before: Mapping[int, int],
    after: Mapping[int, int],
    flags: Fields,
    lifted: Lifted,
    taken: Counter[int],
) -> bool:
    count = sum(taken.values())
    built = {f: after.get(f, 0) - before.get(f, 0) + taken[f] for f in {*before, *after}}
    if any(n < 0 for n in built.values()):
        return False
    returned = any(n and taken[f] for f, n in built.items())
    if returned and (not rules.returned_cubes or count > 3):
        return False
    if count not in rules.take_counts and "take.count" not in lifted:
        return False
    for f, n in built.items():
        if n and f in flags and "build.occupied" not in lifted:
            return False
        if n and rules.outside >> f & 1 and "build.outside" not in lifted:
            return False
    return 0 <= sum(built.values()) - count <= player.reserve or "cubes.conserved" in lifted


@dataclass(frozen=True)
class Stand:
    """Own flags at rest, the one being moved, foreign flags, and what may still come back, vanish or appear."""

    own: Fields
    active: int | None
    foreign: Fields
    hand: int
    wild: int
    captured: int = 0


class FlagReference:
    """Whether flags are explicable on fixed heights with some rules lifted, by trying every step."""

    def __init__(
        self,
        rules: RuleSet,
        player: Player,
        heights: Mapping[int, int],
        before: tuple[Fields, Mapping[int, int]],
        after: tuple[Fields, Mapping[int, int]],
        mates: frozenset[int],
        most_states: int = 60_000,
    ) -> None:
        self.rules, self.player, self.heights = rules, player, heights
        self.own, self.foreign = before
        self.own_after, self.foreign_after = after
        self.mates = mates
        self.most_states = most_states

    def explicable(self, lifted: Lifted) -> bool | None:
        """Return whether the flags are explicable; ``None`` for too many states to say."""
        more = len(self.own_after) - len(self.own)
        wild = -more if more < 0 else more - self.player.hand if more > self.player.hand else 0
        if wild and "flag.count" not in lifted:
            return False
        entries = min(max(more, 0), self.player.hand)
        start = Stand(self.own, None, frozenset(self.foreign), entries, wild)
        best = {start: 0}
        queue = deque([start])
        while queue:
            stand = queue.popleft()
            if self._reached(stand, lifted):
                return True
            for cost, after in self._next(stand, lifted, more < 0):
                spent = best[stand] + cost
                if spent > 5:
                    if "move.points" not in lifted:
                        continue
                    spent = 6
                if spent < best.get(after, 99):
                    best[after] = spent
                    queue.append(after)
            if len(best) > self.most_states:
                return None
        return False

    def _reached(self, stand: Stand, lifted: Lifted) -> bool:
        if stand.active is not None or stand.hand or stand.wild or stand.own != self.own_after:
            return False
        if "move.own" in lifted:
            return True
        return {f: self.foreign[f] for f in stand.foreign} == dict(self.foreign_after)

    def _next(self, stand: Stand, lifted: Lifted, vanishing: bool) -> Iterator[tuple[int, Stand]]:
        flags = stand.own | stand.foreign
        if stand.active is None:
            yield from self._starts(stand, flags, lifted, vanishing)
        else:
            if stand.active not in flags:
                yield 0, self._with(stand, own=stand.own | {stand.active}, active=None)
            yield from self._steps(stand, stand.active, lifted)
        if stand.wild and vanishing:
            for f in stand.own:
                yield 0, self._with(stand, own=stand.own - {f}, wild=stand.wild - 1)
        if "move.own" in lifted:
            for f in stand.foreign:
                yield 0, self._with(stand, foreign=stand.foreign - {f})

    def _starts(self, stand: Stand, flags: Fields, lifted: Lifted, vanishing: bool) -> Iterator[tuple[int, Stand]]:
        for f in stand.own:
            yield 0, self._with(stand, own=stand.own - {f}, active=f)
        for f in set(range(100)) - flags:
            if stand.hand and self._door(f, lifted):
                yield 1, self._with(stand, active=f, hand=stand.hand - 1)
            if stand.wild and not vanishing:
                yield 0, self._with(stand, own=stand.own | {f}, wild=stand.wild - 1)

    def _steps(self, stand: Stand, here: int, lifted: Lifted) -> Iterator[tuple[int, Stand]]:
        heights = self.heights
        for there in neighbours(here):
            rise = heights.get(there, 0) - heights.get(here, 0)
            if abs(rise) > 1 and "move.step" not in lifted:
                continue
            if not heights.get(there, 0) and "move.ground" not in lifted:
                continue
            if there not in stand.own | stand.foreign or "move.blocked" in lifted:
                yield 1, self._with(stand, active=there)
            if there in stand.foreign and self._may_capture(stand, there, lifted):
                extra = 1 if rise == 0 else 2 if rise > 0 else 0
                yield (
                    1 + extra,
                    self._with(stand, active=there, foreign=stand.foreign - {there}, captured=stand.captured + 1),
                )

    def _may_capture(self, stand: Stand, field: int, lifted: Lifted) -> bool:
        player = self.player
        if self.foreign[field] in self.mates:
            return False
        if territory(field) not in player.team and player.attacks >= 5 and "capture.attacks" not in lifted:
            return False
        if player.captures is None:
            return True
        if not player.captures_open:
            return "capture.closed" in lifted
        return stand.captured < player.captures or "capture.quota" in lifted

    def _door(self, field: int, lifted: Lifted) -> bool:
        height = self.heights.get(field, 0)
        if "enter.cell" in lifted:
            return height > 0 or "move.ground" in lifted
        if self.rules.low_entry:
            return height == 1 and bool(self.rules.entry_row >> field & 1) and territory(field) in self.player.own
        return height > 0 and exterior(self.heights, field, self.rules.exterior)

    @staticmethod
    def _with(stand: Stand, **changes: object) -> Stand:
        values = {**stand.__dict__, **changes}
        return Stand(**values)

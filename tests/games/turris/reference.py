"""The rules read once more, slowly and with nothing clever: what the engine is compared with.

Towers are sets of bars, a bar is (colour, cells), cells are (column, row, level). Every order of acts, every role of
a bar and every share of the changes made by hand is tried, and the rules broken are written down.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, combinations, permutations, product
from typing import Any

Cell = tuple[int, int, int]
Bar = tuple[str, tuple[Cell, Cell]]
TowerSet = frozenset[Bar]

POINT = {"n": (0, 1, 0), "s": (0, -1, 0), "e": (1, 0, 0), "w": (-1, 0, 0), "u": (0, 0, 1), "d": (0, 0, -1)}
OTHER = {"light": "dark", "dark": "light"}
DEFAULTS = {
    "frame": "fixed",
    "pass": "forced",
    "first_bars": "each",
    "centre_levels": "each",
    "centre_edge": "outer",
    "bonus_chain": "yes",
    "last_bars": "one",
    "refill": "any",
    "recessed": "count",
}


def near(cell: Cell, letter: str) -> Cell:
    dx, dy, dz = POINT[letter]
    return (cell[0] + dx, cell[1] + dy, cell[2] + dz)


def tower_set(text: str) -> TowerSet:
    bars = set()
    for z, level in enumerate(text.split("/") if text else [], 1):
        for i, letter in enumerate(level):
            if letter != ".":
                cell = (i % 3, 2 - i // 3, z)
                cells = sorted((cell, near(cell, letter.lower())))
                bars.add(("light" if letter.isupper() else "dark", (cells[0], cells[1])))
    return frozenset(bars)


def text_of(tower: TowerSet) -> str:
    letters = {}
    for colour, (a, b) in tower:
        for here, there in ((a, b), (b, a)):
            letter = next(k for k in POINT if near(here, k) == there)
            letters[here] = letter.upper() if colour == "light" else letter
    top = max((z for _, _, z in letters), default=0)
    return "/".join(
        "".join(letters.get((x, y, z), ".") for y in (2, 1, 0) for x in (0, 1, 2)) for z in range(1, top + 1)
    )


def bar_cells(name: str) -> tuple[Cell, Cell]:
    place, level = name.rstrip("^").split(".")
    cells = [("abc".index(place[i]), int(place[i + 1]) - 1, int(level)) for i in range(0, len(place), 2)]
    return (cells[0], cells[1]) if len(cells) == 2 else (cells[0], near(cells[0], "u"))


def cell_of(name: str) -> Cell:
    return ("abc".index(name[0]), int(name[1]) - 1, int(name[3:]))


def cells_of(tower: TowerSet) -> dict[Cell, Bar]:
    return {cell: bar for bar in tower for cell in bar[1]}


def lowest_open(filled: Any) -> int:
    lo = 1
    while all((x, y, lo) in filled for x, y in product(range(3), range(3))):
        lo += 1
    return lo


def all_places(top: int) -> Iterator[tuple[Cell, Cell]]:
    for x, y, z in product(range(3), range(3), range(1, top + 1)):
        for letter in "enu":
            there = near((x, y, z), letter)
            if there[0] < 3 and there[1] < 3 and there[2] <= top:
                yield ((x, y, z), there)


def name_of(cells: Any) -> str:
    (x, y, z), (u, v, w) = cells
    if z != w:
        return f"{'abc'[x]}{y + 1}.{z}^"
    return f"{'abc'[x]}{y + 1}{'abc'[u]}{v + 1}.{z}"


def cell_name(cell: Cell) -> str:
    return f"{'abc'[cell[0]]}{cell[1] + 1}.{cell[2]}"


def balanced(hand: tuple[tuple[bool, Bar], ...]) -> bool:
    """Return whether of each colour no more bars appear than go."""
    return all(
        sum(is_new and bar[0] == colour for is_new, bar in hand)
        <= sum(not is_new and bar[0] == colour for is_new, bar in hand)
        for colour in OTHER
    )


@dataclass
class World:
    """A position, as the formats write it, and what may be asked of it."""

    data: dict[str, Any]
    tower: TowerSet = field(init=False)
    options: dict[str, str] = field(init=False)
    to_move: str = field(init=False)

    def __post_init__(self) -> None:
        self.tower = tower_set(self.data.get("tower", ""))
        self.options = DEFAULTS | self.data.get("options", {})
        self.to_move = self.data["to_move"]

    def left(self, colour: str) -> int:
        return 20 - sum(bar[0] == colour for bar in self.tower)

    def knows_centre(self, cells: Any) -> bool:
        if self.options["frame"] == "fixed":
            return True
        return len({x for x, _, _ in cells}) == len({y for _, y, _ in cells}) == 3

    def lays(self, player: str, tower: TowerSet, bar: Bar) -> set[str] | None:
        """Return the rules a bar breaks where it is laid; ``None`` without room."""
        cells = cells_of(tower)
        colour, own = bar
        if any(cell in cells for cell in own):
            return None
        after = set(cells) | set(own)
        below = {near(cell, "d") for cell in own} - set(own)
        beside = {near(cell, letter) for cell in own for letter in "nesw"}
        around = beside | below | {near(cell, "u") for cell in own}
        upright = own[0][2] != own[1][2]
        broken = set()
        if colour != player:
            broken.add("bar.colour")
        if any(z >= 1 and (x, y, z) not in cells for x, y, z in below):
            broken.add("rest.full")
        free = not tower
        if self.options["first_bars"] == "each" and not any(c == player for c, _ in tower):
            free = True
        if not free and not around & set(cells):
            broken.add("place.touch")
        if upright and tower and not beside & set(cells):
            broken.add("place.standing")
        if not upright and len({cells.get(cell) for cell in below}) == 1 and cells.get(min(below)) is not None:
            broken.add("place.straddle")
        if max(z for _, _, z in own) > lowest_open(after) + 2:
            broken.add("level.open")
        return broken | self.closed(player, cells, own)

    def closed(self, player: str, cells: dict[Cell, Bar], own: tuple[Cell, Cell]) -> set[str]:
        """Return the rules about single cells that a bar breaks: the centre's and the barred ones'."""
        broken = set()
        if self.knows_centre({*cells, *own}):
            middles = sorted(cell for cell in own if cell[:2] == (1, 1))
            if self.options["centre_levels"] == "base":
                middles = middles[:1]
            for _, _, level in middles:
                on_level = [(x, y) for x, y, z in cells if z == level and (x, y) != (1, 1)]
                if self.options["centre_edge"] == "corner":
                    on_level = [(x, y) for x, y in on_level if x != 1 and y != 1]
                if not on_level:
                    broken.add("level.centre")
        closed = {cell_of(name) for name in self.data.get("barred", [])}
        hits = len(closed & set(own))
        if player == self.to_move and hits >= {"any": 1, "same": 2}[self.options["refill"]]:
            broken.add("bonus.refill")
        return broken

    def earns(self, tower: TowerSet, bar: Bar) -> bool:
        """Return whether a bar laid into a tower (which holds it now) earns a bonus."""
        return not self.knows_centre(cells_of(tower)) or any(cell[:2] == (1, 1) for cell in bar[1])

    def takes(self, player: str, tower: TowerSet, bar: Bar) -> set[str]:
        """Return the rules broken by taking a bar off."""
        before, after = cells_of(tower), cells_of(tower - {bar})
        broken = set()
        if bar[0] == player:
            broken.add("bonus.remove")
        else:
            last = self.data.get("last", {}).get(OTHER[player], [])
            if bar[1] in [bar_cells(name) for name in (last if self.options["last_bars"] == "turn" else last[-1:])]:
                broken.add("bonus.last")
        if any(near(cell, "u") in after for cell in bar[1]):
            broken.add("bonus.support")

        def hold(cells: Any) -> bool:
            return all(z <= lowest_open(cells) + 2 for _, _, z in cells)

        if hold(before) and not hold(after):
            broken.add("bonus.levels")
        return broken

    def may_pass(self, player: str) -> bool:
        if self.options["pass"] != "forced":
            return self.options["pass"] == "free"
        if self.left(player) == 0:
            return True
        top = max((z for _, _, z in cells_of(self.tower)), default=0) + 2
        return not any(
            drawn.lays(player, drawn.tower, (player, place)) == set()
            for drawn in self.drawn()
            for place in all_places(top)
        )

    def drawn(self) -> list[World]:
        """Return the position wherever it may be drawn, as given first."""
        if self.options["frame"] == "fixed" or not self.tower:
            return [self]
        found = [self]
        for dx, dy in product(range(-2, 3), range(-2, 3)):

            def moved(cell: Cell, dx: int = dx, dy: int = dy) -> Cell:
                return (cell[0] + dx, cell[1] + dy, cell[2])

            def inside(cells: Any) -> bool:
                return all(0 <= x < 3 and 0 <= y < 3 for x, y, _ in cells)

            tower = frozenset((colour, (moved(a), moved(b))) for colour, (a, b) in self.tower)
            if (dx, dy) == (0, 0) or not inside(cells_of(tower)):
                continue
            last = {
                colour: [name_of(cells) for n in names if inside(cells := tuple(map(moved, bar_cells(n))))]
                for colour, names in self.data.get("last", {}).items()
            }
            barred = [cell_name(cell) for n in self.data.get("barred", []) if inside([cell := moved(cell_of(n))])]
            found.append(World(self.data | {"tower": text_of(tower), "last": last, "barred": barred}))
        return found

    def smallest_anywhere(self, goals: list[TowerSet]) -> set[frozenset[str]]:
        """Return the smallest sets over all frames and all towers that may have been seen."""
        every = [broken for drawn in self.drawn() for goal in goals for broken in drawn.smallest(goal)]
        return {broken for broken in every if len(broken) == min(map(len, every))}

    def smallest_declared(self, goal: TowerSet, acts: list[str]) -> set[frozenset[str]]:
        """Return the smallest sets with which just these acts, in this order, lead to a tower."""
        found = set()
        changes = [(True, bar) for bar in goal - self.tower] + [(False, bar) for bar in self.tower - goal]
        named = {("+" if new else "-") + name_of(bar[1]): (new, bar) for new, bar in changes}
        if len(set(acts)) < len(acts) or not set(acts) <= named.keys():
            return set()
        told = tuple(named[act] for act in acts)
        hand = tuple(change for change in changes if change not in told)
        if not balanced(hand):
            return set()
        for player in OTHER:
            order = frozenset() if player == self.to_move else frozenset({"turn.order"})
            for moment in range(len(told) + 1) if hand else [-1]:
                for broken, laid in self._told(player, told, hand, moment):
                    found.add(order | broken | (set() if laid or self.may_pass(player) else {"turn.pass"}))
        return {broken for broken in found if len(broken) == min(map(len, found))}

    def legal_ends(self, most: int = 9) -> dict[TowerSet, list[tuple[str, ...]]]:
        """Return every tower a legal turn leads to, with the acts of one such turn. Frame fixed."""
        ends: dict[TowerSet, list[tuple[str, ...]]] = {}
        player = self.to_move
        if self.may_pass(player):
            ends[self.tower] = []

        def go(tower: TowerSet, left: int, start: bool, earned: bool, depth: int) -> None:
            if not start:
                ends.setdefault(tower, [])
                if not earned or depth == 0:
                    return
                for bar in tower & self.tower:
                    if not self.takes(player, tower, bar):
                        ends.setdefault(tower - {bar}, [])
            if left == 0:
                return
            top = max((z for _, _, z in cells_of(tower)), default=0) + 2
            for place in all_places(top):
                bar = (player, place)
                if self.lays(player, tower, bar) == set():
                    again = start or self.options["bonus_chain"] == "yes"
                    go(tower | {bar}, left - 1, False, self.earns(tower | {bar}, bar) and again, depth - 1)

        go(self.tower, self.left(player), True, False, most)
        return ends

    def smallest(self, goal: TowerSet) -> set[frozenset[str]]:
        """Return the smallest sets of rules with which some turn leads to a tower. Frame fixed."""
        found = set()
        for player in ("light", "dark"):
            order = frozenset() if player == self.to_move else frozenset({"turn.order"})
            passing = self.may_pass(player)
            for broken, laid in self.explanations(player, goal):
                found.add(order | broken | (set() if laid or passing else {"turn.pass"}))
        least = min(len(broken) for broken in found)
        return {broken for broken in found if len(broken) == least}

    def explanations(self, player: str, goal: TowerSet) -> Iterator[tuple[frozenset[str], bool]]:
        """Yield the rules broken by every explanation of a tower, and whether the turn's bar was laid in it."""
        new, gone = sorted(goal - self.tower), sorted(self.tower - goal)
        changes = [(True, bar) for bar in new] + [(False, bar) for bar in gone]
        for hand in chain.from_iterable(combinations(changes, n) for n in range(len(changes) + 1)):
            if not balanced(hand):
                continue
            for acts in permutations([change for change in changes if change not in hand]):
                for moment in range(len(acts) + 1) if hand else [-1]:
                    yield from self._told(player, acts, hand, moment)

    def _told(
        self, player: str, acts: tuple[tuple[bool, Bar], ...], hand: tuple[tuple[bool, Bar], ...], moment: int
    ) -> Iterator[tuple[frozenset[str], bool]]:
        left = {colour: self.left(colour) for colour in OTHER}

        def go(
            k: int, tower: TowerSet, broken: frozenset[str], laid: bool, earned: bool, unearned: bool
        ) -> Iterator[tuple[frozenset[str], bool]]:
            if k == moment:
                tower = tower - {bar for is_new, bar in hand if not is_new}
                moved = {bar for is_new, bar in hand if is_new}
                if cells_of(tower).keys() & cells_of(frozenset(moved)).keys():
                    return
                tower |= moved
                broken |= {"bar.fixed"}
            if k == len(acts):
                yield broken, laid
                return
            is_new, bar = acts[k]
            due = frozenset() if earned else frozenset({"bonus.earned"})
            if not is_new:
                if earned or not unearned:
                    told = broken | self.takes(player, tower, bar) | due
                    yield from go(k + 1, tower - {bar}, told, laid, False, unearned or not earned)
                return
            place = self.lays(player, tower, bar)
            if place is None:
                return
            gone_back = sum(not was_new and b[0] == bar[0] for was_new, b in acts[:k])
            if left[bar[0]] + gone_back <= sum(was_new and b[0] == bar[0] for was_new, b in acts[:k]):
                place = place | {"bar.supply"}
            told, now = broken | place, tower | {bar}
            centre = self.earns(now, bar)
            yield from go(k + 1, now, told | ({"bar.one"} if laid else set()), True, centre, unearned)
            if earned or not unearned:
                used = unearned or not earned
                chained = centre and self.options["bonus_chain"] == "yes"
                yield from go(k + 1, now, told | due, laid, chained, used)
                if centre and not chained:
                    yield from go(k + 1, now, told | due | {"bonus.lay"}, laid, True, used)

        yield from go(0, self.tower, frozenset(), False, False, False)

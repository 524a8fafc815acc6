"""A slow referee: every act the rules allow, tried one after the other, with plain fields and no shortcut.

It shares nothing with the engine but the names of rules and cards, so the two check each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tests.games.torres.fields import (
    BESIDE,
    CORNERS,
    FIELDS,
    KINDS,
    LETTER,
    SIDES,
    Heights,
    Pieces,
    castle,
    castles,
    flat,
    off,
    read,
)


@dataclass(frozen=True)
class Board:
    """Where a turn stands: the board, what it has cost, where blocks came from, cards used, what hands did."""

    heights: tuple[int, ...]
    pieces: frozenset[tuple[str, str]]
    cost: int = 0
    supplied: int = 0
    under: int = 0
    cards: frozenset[str] = frozenset()
    hand: int = 0
    hidden: int = 0


class Slow:
    """One player's turn with some rules lifted, tried out act by act."""

    def __init__(self, request: Mapping[str, Any], player: str, lifted: frozenset[str], kinds: tuple[str, ...]):
        position = request["position"]
        declared = {k: v for k, v in (request.get("declared") or {}).items() if v is not None}
        self.lifted, self.kinds = lifted, kinds
        self.options = position["options"]
        self.me = LETTER[player]
        self.before, self.standing = read(position["board"])
        self.after, self.stand = read(request["observed"])
        stacks = position["stacks"][player]
        own = player == position["to_move"]
        self.limit = (declared.get("stack") if own else None) or max(stacks, default=0)
        self.total = sum(stacks)
        self.reserve = position["reserve"]
        self.declared = declared.get("card")
        most = 7 if "ap7" in kinds else 6 if "ap6" in kinds else 5
        spent = declared.get("bought", 0) + declared.get("points", 0)
        self.room = most - spent + (3 if "ap.budget" in lifted else 0)
        was = sum(piece == self.me for piece in self.standing.values())
        now = sum(piece == self.me for piece in self.stand.values())
        self.vanish, self.appear = max(0, was - now), max(0, now - 6)

    def lifts(self, rule: str) -> bool:
        return rule in self.lifted

    def free(self, kind: str) -> bool:
        return kind == self.declared and f"card.{kind}" in self.lifted

    def price(self, kind: str) -> int:
        if self.options.get("card_cost", "free") == "free":
            return 0
        return {"relocate": 2, "ap6": 0, "ap7": 0}.get(kind, 1)

    def cheapest(self, most: int = 20_000) -> int | None:
        """Return the cheapest cost of a sequence that leads to the board observed.

        Raises OverflowError for too many states.
        """
        start = Board(flat(self.before), frozenset(self.standing.items()))
        goal = (flat(self.after), frozenset(self.stand.items()))
        levels: dict[int, list[Board]] = {0: [start]}
        seen: set[Board] = set()
        for cost in range(self.room + 1):
            todo = levels.get(cost, [])
            while todo:
                state = todo.pop()
                if state in seen:
                    continue
                seen.add(state)
                if len(seen) > most:
                    raise OverflowError
                if (state.heights, state.pieces) == goal:
                    return cost
                for then in self.steps(state):
                    if then.cost + self.least(then) <= self.room and then not in seen:
                        levels.setdefault(then.cost, []).append(then)
                todo = levels.get(cost, [])
        return None

    def least(self, state: Board) -> int:
        """Return what must still be paid at least: every act adds at most one block and fills at most one field."""
        if self.lifts("blocks.fixed"):
            return 0
        pieces = dict(state.pieces)
        blocks = sum(end - here for end, here in zip(self.after.values(), state.heights, strict=True) if end > here)
        mine = {f for f, piece in self.stand.items() if piece == self.me}
        standing = {f for f, piece in pieces.items() if piece == self.me}
        placed = max(0, len(mine) - len(standing) - self.appear)
        unused = [kind for kind in self.kinds if kind not in state.cards]
        return max(0, blocks - len(unused)) + max(0, len(mine - standing) - len(unused) - self.appear) + placed

    # -- acts

    def steps(self, state: Board) -> Iterator[Board]:
        heights, pieces = dict(zip(FIELDS, state.heights, strict=True)), dict(sorted(state.pieces))
        yield from self.blocks(state, heights, pieces)
        yield from self.knights(state, heights, pieces)
        for kind in self.kinds:
            if kind not in state.cards:
                used = replace(state, cards=state.cards | {kind}, cost=state.cost + self.price(kind))
                yield from self.card(kind, used, heights, pieces)
        yield from self.hands(state, heights, pieces)

    def put(self, state: Board, heights: Heights, field: str, by: int) -> Board:
        return replace(state, heights=flat({**heights, field: heights[field] + by}))

    def move(self, state: Board, pieces: Pieces, a: str | None, b: str | None) -> Board:
        left = {field: piece for field, piece in pieces.items() if field != a}
        if b is not None:
            left[b] = self.me
        return replace(state, pieces=frozenset(left.items()))

    def lays(self, heights: Heights, field: str, found: bool) -> bool:
        near = [f for f in BESIDE[field] if heights[f]]
        if not heights[field]:
            if not near and not found and not self.lifts("build.new"):
                return False
            if len({castle(heights, f) for f in near}) > 1 and not self.lifts("build.join"):
                return False
        then = {**heights, field: heights[field] + 1}
        return then[field] <= len(castle(then, field)) or self.lifts("build.height")

    def supply(self, state: Board) -> bool:
        enough = state.supplied <= self.limit and state.supplied + state.under <= self.total
        return enough or self.lifts("build.supply")

    def blocks(self, state: Board, heights: Heights, pieces: Pieces) -> Iterator[Board]:
        for field in FIELDS:
            if (field in pieces and not self.lifts("build.occupied")) or not self.wanted(heights, field):
                continue
            then = replace(self.put(state, heights, field, 1), cost=state.cost + 1, supplied=state.supplied + 1)
            if self.supply(then) and self.sensible(then) and self.lays(heights, field, False):
                yield then

    def sensible(self, state: Board) -> bool:
        """Return whether not more blocks lie too high than a card or a hand can still take away."""
        over = sum(here - end for end, here in zip(self.after.values(), state.heights, strict=True) if here > end)
        waiting = sum(max(0, self.before[f] - self.after[f]) for f in FIELDS) if self.lifts("blocks.fixed") else 0
        return over <= waiting + ("shift" in self.kinds and "shift" not in state.cards)

    def wanted(self, heights: Heights, field: str) -> bool:
        return heights[field] < self.after[field] or "shift" in self.kinds or self.lifts("blocks.fixed")

    def knights(self, state: Board, heights: Heights, pieces: Pieces) -> Iterator[Board]:
        mine = [field for field, piece in pieces.items() if piece == self.me]
        for a in mine:
            paid = replace(state, cost=state.cost + 1)
            for b in FIELDS if self.lifts("knight.step") else BESIDE[a]:
                if b not in pieces and (heights[b] <= heights[a] + 1 or self.lifts("knight.climb")):
                    yield self.move(paid, pieces, a, b)
            for b in sorted(self.exits(heights, pieces, a, self.lifts("knight.door"), self.lifts("knight.door"))):
                if b not in pieces:
                    yield self.move(paid, pieces, a, b)
            if self.lifts("knight.blocked"):
                yield from self.passing(state, heights, pieces, a)
        shown = min(state.hidden, self.appear)
        if len(mine) - shown < 6:
            for b in FIELDS:
                if b not in pieces and self.placeable(heights, mine, b):
                    yield self.move(replace(state, cost=state.cost + 2), pieces, None, b)

    def passing(self, state: Board, heights: Heights, pieces: Pieces, start: str) -> Iterator[Board]:
        todo, seen = [(start, 0)], set()
        while todo:
            a, paid = todo.pop(0)
            for b in FIELDS if self.lifts("knight.step") else BESIDE[a]:
                if heights[b] > heights[a] + 1 and not self.lifts("knight.climb"):
                    continue
                if b in pieces and b in BESIDE[a] and (b, paid + 1) not in seen and paid < 8 and b != start:
                    seen.add((b, paid + 1))
                    todo.append((b, paid + 1))
                elif b not in pieces:
                    yield self.move(replace(state, cost=state.cost + paid + 1), pieces, start, b)

    def placeable(self, heights: Heights, mine: list[str], field: str) -> bool:
        return self.lifts("knight.place") or any(f in mine and heights[f] >= heights[field] for f in BESIDE[field])

    def exits(self, heights: Heights, pieces: Pieces, f: str, rising: bool, waived: bool) -> set[str]:
        """Return the fields at which a walk through a castle from f can end, free or not."""
        reading = self.options.get("doors", "any")
        walls = {field for field in pieces if field != f} if reading == "closed" and not waived else set()
        starts = [(s, heights[f]) for s in BESIDE[f] if heights[s] > heights[f] and s not in walls]
        seen, todo, found = set(starts), list(starts), set()
        while todo:
            s, floor = todo.pop()
            for g in BESIDE[s]:
                bound = heights[f] if reading == "any" else floor
                if heights[g] < heights[s] and (rising or heights[g] <= bound) and g != f:
                    found.add(g)
                if heights[g] and g not in walls:
                    then = (g, min(floor, heights[g] - 1))
                    if then not in seen:
                        seen.add(then)
                        todo.append(then)
        return found

    def card(self, kind: str, state: Board, heights: Heights, pieces: Pieces) -> Iterator[Board]:
        mine = [field for field, piece in pieces.items() if piece == self.me]
        if kind in ("extra", "under"):
            yield from self.card_block(kind, state, heights, pieces)
        elif kind == "shift":
            yield from self.shifts(state, heights, pieces)
        elif kind not in ("ap6", "ap7"):
            for a in mine:
                for b in FIELDS:
                    if b not in pieces and (self.free(kind) or self.taken(kind, heights, pieces, mine, a, b)):
                        yield self.move(state, pieces, a, b)

    def card_block(self, kind: str, state: Board, heights: Heights, pieces: Pieces) -> Iterator[Board]:
        for field in FIELDS:
            if not self.wanted(heights, field):
                continue
            then = self.put(state, heights, field, 1)
            if kind == "under":
                then = replace(then, under=state.under + 1)
                if not self.supply(then):
                    continue
                may = pieces.get(field) == self.me and self.lays(heights, field, True)
            else:
                clear = field not in pieces or self.lifts("build.occupied")
                may = clear and self.reserve > 0 and self.lays(heights, field, False)
            if (may or self.free(kind)) and self.sensible(then):
                yield then

    def taken(self, kind: str, heights: Heights, pieces: Pieces, mine: list[str], a: str, b: str) -> bool:
        rise = heights[b] - heights[a]
        if kind == "door":
            return b in self.exits(heights, pieces, a, True, False)
        if kind == "diagonal":
            return b in CORNERS[a] and (rise <= 1 or self.lifts("knight.climb"))
        if kind == "leap":
            return b in BESIDE[a] and rise == 2
        if kind == "relocate":
            return self.placeable(heights, [f for f in mine if f != a], b)
        for right, up in SIDES:
            middle = off(a, right, up)
            if middle is not None and off(middle, right, up) == b:
                over = pieces.get(middle, "")
                foreign = over not in ("", "k", self.me)
                return rise <= 1 and (foreign or (bool(over) and self.options.get("jump_over") == "any"))
        return False

    def shifts(self, state: Board, heights: Heights, pieces: Pieces) -> Iterator[Board]:
        for a in FIELDS:
            for b in FIELDS:
                if a == b or not heights[a]:
                    continue
                new = {**heights, a: heights[a] - 1, b: heights[b] + 1}
                then = replace(state, heights=flat(new))
                if not self.sensible(then):
                    continue
                if self.free("shift") or (a not in pieces and b not in pieces and self.may_shift(heights, new, a, b)):
                    yield then

    @staticmethod
    def may_shift(old: Heights, new: Heights, a: str, b: str) -> bool:
        left = {f for f in castle(old, a) if new[f]}
        if left and not any(left <= whole for whole in castles(new)):
            return False
        for whole in castles(new):
            if (b in whole or left & whole) and any(new[f] > len(whole) for f in whole):
                return False
            if sum(1 for was in castles(old) if was & whole) > 1:
                return False
        return len(castles(new)) >= 6

    # -- what hands did

    def hands(self, state: Board, heights: Heights, pieces: Pieces) -> Iterator[Board]:
        for field in FIELDS:
            was, now, here = self.standing.get(field, ""), self.stand.get(field, ""), pieces.get(field, "")
            for rule, letters in (("knight.own", set("rygbopwn") - {self.me}), ("king.still", {"k"})):
                if self.lifts(rule) and was != now:
                    if was in letters and here == was:
                        yield replace(state, pieces=state.pieces - {(field, was)})
                    if now in letters and not here:
                        yield replace(state, pieces=state.pieces | {(field, now)})
            if self.lifts("blocks.fixed"):
                if heights[field] > self.after[field] and self.before[field] > self.after[field]:
                    yield replace(self.put(state, heights, field, -1), hand=state.hand + 1)
                if heights[field] < self.after[field] and self.before[field] < self.after[field] and state.hand:
                    yield replace(self.put(state, heights, field, 1), hand=state.hand - 1)
            if self.lifts("knight.supply"):
                more = replace(state, hidden=state.hidden + 1)
                if state.hidden < self.vanish and here == self.me:
                    yield self.move(more, pieces, field, None)
                if state.hidden < self.appear and not here:
                    yield self.move(more, pieces, None, field)


def playable(request: Mapping[str, Any], player: str, lifted: frozenset[str]) -> Iterator[tuple[str, ...]]:
    """Yield the cards that may be used: the declared one.

    With ``card.declared`` lifted it is each other one in its place.
    """
    position = request["position"]
    declared = request.get("declared") or {}
    kind, bought = declared.get("card"), declared.get("bought") or 0
    known = (kind,) if kind else ()
    if "card.declared" not in lifted:
        yield known
        return
    both = "card.one" in lifted and bool(kind)
    hand = position["cards"].get(player, {"held": 0, "played": []})
    for other in KINDS:
        if other == kind:
            continue
        out = played_out(position, player, other)
        needed = 1 + both
        if (out or hand["held"] + bought < needed) and "card.held" not in lifted:
            continue
        if hand["held"] < needed and bought and "card.fresh" not in lifted:
            continue
        yield (*known, other) if both else (other,)


def declarable(request: Mapping[str, Any], player: str, lifted: frozenset[str]) -> bool:
    """Return whether what was bought and the card declared are possible, as far as counts tell."""
    position = request["position"]
    declared = request.get("declared") or {}
    kind, bought = declared.get("card"), declared.get("bought") or 0
    if bought > (0 if "master" in position["variants"] else 2) and "card.buy" not in lifted:
        return False
    if not kind:
        return True
    held = position["cards"].get(player, {"held": 0})["held"]
    if held == 0 and bought and "card.fresh" not in lifted:
        return False
    return "card.held" in lifted or (held + bought > 0 and not played_out(position, player, kind))


def played_out(position: Mapping[str, Any], player: str, kind: str) -> bool:
    if position["variants"]:
        return bool(kind in position["cards"].get(player, {"played": []})["played"])
    return bool(sum(cards["played"].count(kind) for cards in position["cards"].values()) >= 4)


def explains(request: Mapping[str, Any], player: str, lifted: frozenset[str]) -> int | None:
    """Return the cheapest cost with which a turn is a player's, some rules lifted; ``None`` where it can't be."""
    if not declarable(request, player, lifted):
        return None
    costs = [Slow(request, player, lifted, kinds).cheapest() for kinds in playable(request, player, lifted)]
    return min((cost for cost in costs if cost is not None), default=None)

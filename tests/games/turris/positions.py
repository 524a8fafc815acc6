"""Positions and questions for the tests, and games played at random."""

from __future__ import annotations

import random
from typing import Any

from referee.cli.check import answer
from referee.games.turris.completions import parse_reading
from referee.games.turris.parsing import parse_position
from referee.games.turris.position import TurrisPosition
from referee.games.turris.ruleset import OPTIONS, in_order
from referee.games.turris.tower import parse_tower
from referee.games.turris.verdict import judge
from tests.games.turris.reference import TowerSet, World, all_places, bar_cells, cell_name, cells_of, name_of, text_of

BASE: dict[str, Any] = {
    "game": "turris",
    "edition": "fr",
    "seats": {"south": "light", "north": "dark"},
    "first": "light",
    "to_move": "light",
}


def data(tower: str = "", **changes: Any) -> dict[str, Any]:
    """Return a position's JSON form, its supplies computed from its tower."""
    bars = parse_tower(tower)
    left = {"light": 20 - bars.light.bit_count(), "dark": 20 - bars.dark.bit_count()}
    return BASE | {"tower": tower, "left": left} | changes


def position(tower: str = "", **changes: Any) -> TurrisPosition:
    return parse_position(data(tower, **changes))


def sets(before: str, after: str, **changes: Any) -> list[list[str]]:
    """Return the smallest sets of broken rules, the preferred one first; ``[[]]`` for a legal turn."""
    found = judge(position(before, **changes), parse_reading(after))
    return [list(in_order(broken)) for broken in found.sets]


def ask(before: str, after: str, declared: list[str] | None = None, **changes: Any) -> dict[str, Any]:
    request: dict[str, Any] = {"position": data(before, **changes), "observed": after}
    return answer(request if declared is None else request | {"declared": {"bars": declared}})


def some_options(rnd: random.Random, but: tuple[str, ...] = ("frame",)) -> dict[str, str]:
    return {key: rnd.choice(values) for key, values in OPTIONS.items() if key not in but and rnd.random() < 0.4}


def some_world(rnd: random.Random, turns: int, options: dict[str, str]) -> World:
    """Return the position after some turns played at random, mostly by the rules."""
    now = data(options=options, to_move=rnd.choice(["light", "dark"]))
    for _ in range(turns):
        world = World(now)
        player = world.to_move
        if not world.left(player):
            break
        top = max((z for _, _, z in cells_of(world.tower)), default=0) + 2
        places = [p for p in all_places(top) if world.lays(player, world.tower, (player, p)) == set()]
        if not places:
            break
        centre = [p for p in places if any(cell[:2] == (1, 1) for cell in p)]
        place = rnd.choice(centre if centre and rnd.random() < 0.5 else places)
        now = after_turn(now, world.tower | {(player, place)}, player, rnd)
    return World(now)


def after_turn(now: dict[str, Any], tower: TowerSet, player: str, rnd: random.Random) -> dict[str, Any]:
    before = World(now).tower
    laid = list(tower - before)
    last = dict(now.get("last", {})) | {player: [name_of(bar[1]) for bar in laid]}
    barred: list[str] = []
    if any(cell[:2] == (1, 1) for bar in laid for cell in bar[1]) and rnd.random() < 0.6:
        theirs = [b for b in tower if b[0] != player and not World(now).takes(player, tower, b)]
        if theirs:
            bar = rnd.choice(sorted(theirs))
            tower -= {bar}
            barred = [cell_name(cell) for cell in bar[1]]
    other = "dark" if player == "light" else "light"
    return data(text_of(tower), options=now["options"], to_move=other, last=last, barred=barred)


def built(bars: str) -> str:
    """Return the text of a tower named bar by bar: ``L a1b1.1, D c1.1^``."""
    named = [bar.split() for bar in bars.split(",") if bar.strip()]
    return text_of(frozenset(({"L": "light", "D": "dark"}[who], bar_cells(name)) for who, name in named))

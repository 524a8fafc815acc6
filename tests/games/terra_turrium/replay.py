"""Goes through the turn of an answer act by act, knowing nothing of the engine but the rule set's description."""

from __future__ import annotations

from collections import Counter
from typing import Any

from referee.games.terra_turrium.geometry import INDEX
from referee.games.terra_turrium.position.parsing import parse_position
from tests.games.terra_turrium.reference import Player, exterior, neighbours, territory, territory_allows


def broken_rules(position: dict[str, Any], observed: str, turn: dict[str, Any]) -> set[str]:
    """Return the rules the turn breaks on its way.

    Raises AssertionError when it does not lead to the heights and own flags observed.
    """
    game = parse_position(position)
    rules = game.rules
    heights = list(game.grids[0])
    flags = {i: c for i, c in enumerate(game.grids[1]) if c}
    mover = next(c for c in game.players if c.word == turn["player"])
    own = frozenset(t for t, c in position["seats"].items() if c == mover.word)
    team = frozenset(t for t, c in position["seats"].items() if c in {m.word for m in game.mates(mover)})
    player = Player(own, team)
    broken = set() if turn["player"] == position["to_move"] else {"turn.order"}
    taken: Counter[int] = Counter()
    for i in (INDEX[name] for name in turn["take"]):
        if territory(i) not in own and not exterior(dict(enumerate(heights)), i, rules.exterior):
            broken.add("take.interior")
        if i in flags:
            broken.add("take.occupied")
        taken[i] += 1
        heights[i] -= 1
        assert heights[i] >= 0
    if not territory_allows(rules, player, taken):
        broken.add("take.territory")
    if taken.total() not in rules.take_counts:
        broken.add("take.count")
    for i in (INDEX[name] for name in turn["build"]):
        if i in flags:
            broken.add("build.occupied")
        if rules.outside >> i & 1:
            broken.add("build.outside")
        heights[i] += 1
    if not 0 <= len(turn["build"]) - len(turn["take"]) <= game.reserve[mover]:
        broken.add("cubes.conserved")
    assert heights == list(parse_board(observed)[0])
    spent = sum(_walk(move, heights, flags, mover, broken) for move in turn["move"])
    assert spent == turn["points"]
    if spent > 5:
        broken.add("move.points")
    return broken


def _walk(move: dict[str, Any], heights: list[int], flags: dict[int, int], mover: int, broken: set[str]) -> int:
    here = INDEX[move.get("enter") or move["from"]]
    spent = 0
    if "enter" in move:
        spent = 1
    elif flags.pop(here, None) != mover:
        broken.add("flag.count")
    captures = [INDEX[name] for name in move["captures"]]
    blocked = False
    for there in (INDEX[name] for name in move["path"]):
        assert there in set(neighbours(here))
        rise = heights[there] - heights[here]
        if abs(rise) > 1:
            broken.add("move.step")
        if not heights[there]:
            broken.add("move.ground")
        spent += 1
        blocked = False
        if there in captures:
            captures.remove(there)
            assert flags.pop(there) != mover
            spent += 1 if rise == 0 else 2 if rise > 0 else 0
        elif there in flags:
            broken.add("move.blocked")
            blocked = True
        here = there
    if blocked:
        broken.add("shared field")
    flags[here] = mover
    assert not captures
    assert spent == move["points"]
    return spent


def parse_board(text: str) -> tuple[tuple[int, ...], dict[int, str]]:
    heights: list[int] = []
    flags: dict[int, str] = {}
    for line in reversed(text.split("/")):
        for char in line:
            if char in "rygb":
                flags[len(heights) - 1] = char
            else:
                heights.append(int(char, 36))
    return tuple(heights), flags

"""The cheapest moves in small corners where flags are too many or too few, walls stand, and doors are shut."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from referee.games.terra_turrium.colours import parse_board
from referee.games.terra_turrium.engine import GAME
from referee.games.terra_turrium.geometry import INDEX, NAMES, apart, between, bits
from referee.games.terra_turrium.position.position import flag_masks, grids
from referee.games.terra_turrium.search import flags as flag_search
from referee.games.terra_turrium.search.reachability import reachable
from referee.games.terra_turrium.search.steps import Flags, Move, Steps
from referee.games.terra_turrium.search.walk import Walk


def fields(names: str) -> int:
    return sum(1 << INDEX[name] for name in names.split())


def corner(heights: str) -> Steps:
    """Return the fields from A1 eastwards, each row northwards: ``121/3`` is A1, B1, C1, then A2.

    All others are 3 high.
    """
    grid = [3] * 100
    for r, row in enumerate(heights.split("/")):
        for c, height in enumerate(row):
            grid[INDEX["ABCDEFGHIJ"[c] + str(r + 1)]] = int(height)
    return Steps(tuple(grid))


def shown(moves: tuple[Move, ...] | None) -> str | None:
    """Return moves such as ``A1-B1xC1 3``: the path, x before what is captured, the points; ``>`` for coming back."""
    if moves is None:
        return None
    words = []
    for move in moves:
        told = (">" if move.enters else "") + NAMES[move.path[0]]
        told += "".join(("x" if i in move.captures else "-") + NAMES[i] for i in move.path[1:])
        words.append(f"{told} {move.points}")
    return ", ".join(words)


Given = tuple[str, str, str, str, int, int, int]
"""Flags before, after, gone, standing; how many came back, vanished, appeared."""

# heights, flags, doors, passing over: moves
CASES: list[tuple[str, Given, str, bool, str | None]] = [
    ("11", ("A1", "B1", "", "", 0, 0, 0), "", False, "A1-B1 1"),
    ("11", ("A1", "B1", "B1", "", 0, 0, 0), "", False, "A1xB1 2"),
    ("12", ("A1", "B1", "B1", "", 0, 0, 0), "", False, "A1xB1 3"),
    ("21", ("A1", "B1", "B1", "", 0, 0, 0), "", False, "A1xB1 1"),
    ("111111", ("A1", "F1", "", "", 0, 0, 0), "", False, "A1-B1-C1-D1-E1-F1 5"),
    ("1111111", ("A1", "G1", "", "", 0, 0, 0), "", False, None),
    ("11111", ("A1", "D1", "D1", "", 0, 0, 0), "", False, "A1-B1-C1xD1 4"),
    ("11111", ("A1", "E1", "D1", "", 0, 0, 0), "", False, "A1-B1-C1xD1-E1 5"),
    ("111111", ("A1", "F1", "D1", "", 0, 0, 0), "", False, None),
    ("111/111", ("A1", "C1", "", "B1", 0, 0, 0), "", False, "A1-A2-B2-C2-C1 4"),
    ("111/111", ("A1", "C1", "", "B1", 0, 0, 0), "", True, "A1-B1-C1 2"),
    ("111", ("A1", "C1", "", "B1", 0, 0, 0), "", False, None),
    ("111", ("A1", "C1", "C1", "B1", 0, 0, 0), "", False, None),
    ("111", ("A1", "C1", "C1", "B1", 0, 0, 0), "", True, "A1-B1xC1 3"),
    # Own flags make way for each other, whoever ends where.
    ("1111", ("A1 B1", "C1 D1", "", "", 0, 0, 0), "", False, "B1-C1-D1 2, A1-B1-C1 2"),
    ("111", ("A1 B1", "B1 C1", "", "", 0, 0, 0), "", False, "B1-C1 1, A1-B1 1"),
    # Coming back: on a door, which a flag may have to leave first, and walking on.
    ("111", ("", "A1", "", "", 1, 0, 0), "A1", False, ">A1 1"),
    ("111", ("", "C1", "", "", 1, 0, 0), "A1", False, ">A1-B1-C1 3"),
    ("111", ("A1", "A1 C1", "", "", 1, 0, 0), "A1", False, "A1-B1-C1 2, >A1 1"),
    ("111", ("", "A1", "", "", 1, 0, 0), "", False, None),
    ("111", ("", "B1 C1", "", "", 2, 0, 0), "A1", False, ">A1-B1-C1 3, >A1-B1 2"),
    ("111", ("", "B1", "B1", "", 1, 0, 0), "A1", False, ">A1xB1 3"),
    ("111", ("C1", "A1 B1", "B1", "", 1, 0, 0), "A1", False, "C1xB1 2, >A1 1"),
    # Flags too few and too many: which one went or came is free, and costs nothing.
    ("111", ("A1 B1", "B1", "", "", 0, 1, 0), "", False, ""),
    ("111", ("A1 B1", "C1", "", "", 0, 1, 0), "", False, "B1-C1 1"),
    ("111", ("A1 B1", "", "", "", 0, 1, 0), "", False, None),
    ("111", ("A1 C1", "B1", "B1", "", 0, 1, 0), "", False, "A1xB1 2"),
    ("111", ("A1", "A1 C1", "", "", 0, 0, 1), "", False, ""),
    ("111", ("A1", "B1 C1", "", "", 0, 0, 1), "", False, "A1-B1 1"),
    ("111", ("A1", "B1", "", "", 0, 0, 1), "", False, None),
    ("11", ("", "B1", "B1", "", 0, 0, 1), "", False, "A1xB1 2"),
    ("21", ("", "B1", "B1", "", 0, 0, 1), "", False, "A1xB1 1"),
    ("111", ("", "A1", "B1", "A2", 0, 0, 1), "", False, "A1xB1-A1 3"),
    ("110", ("", "B1", "B1", "A1", 0, 0, 1), "", False, "C1xB1 3"),
    ("113", ("", "B1", "B1", "A1", 0, 0, 1), "", False, None),
    ("111", ("", "C1", "C1", "B1", 0, 0, 1), "", False, None),
    ("111", ("", "C1", "C1", "B1", 0, 0, 1), "", True, "A1-B1xC1 3"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]} {case[1][0]} to {case[1][1]} {case[3]}")
def test_the_cheapest_moves(
    case: tuple[str, tuple[str, str, str, str, int, int, int], str, bool, str | None],
) -> None:
    heights, (before, after, gone, standing, *counts), doors, pass_over, expected = case
    flags = Flags(fields(before), fields(after), fields(gone), fields(standing), *counts)
    walk = Walk(flags, corner(heights), pass_over, fields(doors), 5)
    found = walk.solve()
    points = sum(move.points for move in found or ())
    assert shown(found) == expected
    if found is not None:
        assert reachable(flags, corner(heights), pass_over, fields(doors))
        if points:
            tight = Walk(flags, corner(heights), pass_over, fields(doors), points - 1)
            assert tight.solve() is None
        hurried = Walk(flags, corner(heights), pass_over, fields(doors), 5).solve(greed=6)
        assert hurried is not None
        assert points <= sum(move.points for move in hurried) <= 5


REACH: list[tuple[str, Given, str, bool, bool]] = [
    ("1111111", ("A1", "G1", "", "", 0, 0, 0), "", False, True),
    ("111", ("A1", "C1", "", "B1", 0, 0, 0), "", False, False),
    ("111", ("A1", "C1", "", "B1", 0, 0, 0), "", True, True),
    ("101", ("A1", "C1", "", "", 0, 0, 0), "", False, False),
    ("101", ("B1", "C1", "", "", 0, 0, 0), "", False, True),
    ("101", ("A1", "B1", "", "", 0, 0, 0), "", False, False),
    ("101", ("B1", "B1", "", "", 0, 0, 0), "", False, True),
    ("101", ("A1", "A1 B1", "", "", 0, 0, 1), "", False, True),
    ("102", ("B1", "C1", "", "", 0, 0, 0), "", False, False),
    ("101", ("A1 B1", "A1 C1", "", "", 0, 0, 0), "", False, True),
    ("101", ("A1 B1", "A1", "", "", 0, 1, 0), "", False, True),
    ("101", ("A1 B1", "A1", "", "", 0, 0, 0), "", False, False),
    ("101", ("A1", "A1 C1", "", "", 1, 0, 0), "A1", False, False),
    ("101", ("A1", "A1 C1", "", "", 1, 0, 0), "C1", False, True),
    ("101", ("A1", "A1 C1", "", "", 0, 0, 1), "", False, True),
    ("101", ("A1", "C1", "C1", "", 0, 0, 0), "", False, False),
    ("101", ("A1", "A1 C1", "C1", "", 1, 0, 0), "C1", False, False),
    ("111", ("A1", "A1 C1", "C1", "", 1, 0, 0), "C1", False, True),
    ("111", ("", "C1", "C1", "", 1, 0, 0), "A1", False, True),
    ("11", ("", "B1", "B1", "", 0, 0, 1), "", False, True),
    ("01", ("", "B1", "B1", "", 0, 0, 1), "", False, True),
    ("313", ("", "B1", "B1", "", 0, 0, 1), "", False, False),
    ("013", ("A1", "A1 B1", "B1", "", 0, 0, 1), "", False, True),
    ("013", ("", "B1", "B1", "A1", 0, 0, 1), "", False, False),
    ("113", ("", "B1", "B1", "A1", 0, 0, 1), "", False, False),
    ("111", ("", "A1 C1", "C1", "", 1, 0, 1), "C1", False, True),
    ("111", ("", "C1", "C1", "", 1, 0, 0), "C1", False, False),
]


@pytest.mark.parametrize(
    "case", REACH, ids=lambda case: f"{case[0]} {case[1][0]} to {case[1][1]} {case[2]} {case[3]}"
)
def test_what_can_be_reached_at_all(
    case: tuple[str, tuple[str, str, str, str, int, int, int], str, bool, bool],
) -> None:
    heights, (before, after, gone, standing, *counts), doors, pass_over, expected = case
    flags = Flags(fields(before), fields(after), fields(gone), fields(standing), *counts)
    assert reachable(flags, corner(heights), pass_over, fields(doors)) is expected


def test_moves_in_a_hurry_and_none_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the shortest moves take too long to find, others are shown; where none are found, none."""
    path = Path(__file__).parent / "data"
    cases = [json.loads(line) for it in sorted(path.glob("k4-0*")) for line in it.read_text("utf-8").splitlines()]
    cases = cases or [json.loads(line) for it in sorted(path.glob("*.jsonl")) for line in it.read_text().splitlines()]
    changed = 0
    for case in [case for case in cases if not case["legal"]][:12]:
        now, board = GAME.position(case["position"]), parse_board(case["observed"])
        plain = GAME.check(now, board)
        monkeypatch.setattr(flag_search, "_SHORTEST", 0)
        hurried = GAME.check(now, board)
        monkeypatch.setattr(flag_search, "_QUICK", 0)
        none = GAME.check(now, board)
        monkeypatch.undo()
        rules = [violation.rule for violation in plain.violations]
        assert [violation.rule for violation in hurried.violations] == rules
        assert [violation.rule for violation in none.violations] == rules
        assert hurried.turn is not None
        if none.turn is not None:
            continue
        changed += 1
        mover = now.to_move
        moved = {NAMES[i] for i in bits(now.flag_masks[mover] ^ flag_masks(grids(board)[1])[mover])}
        for violation in none.violations:  # without moves to show, the flags that went and came are pointed at
            if violation.rule in ("move.points", "move.step", "move.ground", "move.blocked"):
                assert {field.name for field in violation.fields} == moved
    assert changed


def test_the_fields_between_others() -> None:
    chance = Random(1)
    for _ in range(200):
        some, steps = chance.sample(range(100), chance.randint(0, 5)), chance.randint(0, 8)
        ways = [sorted(apart(i, field) for field in some)[:2] for i in range(100)]
        near = {
            i for i, way in enumerate(ways) if way and (2 * way[0] <= steps or (len(way) == 2 and sum(way) <= steps))
        }
        assert set(bits(between(some, steps))) == near

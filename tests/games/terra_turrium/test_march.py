"""Moves without a limit of points: put together walk by walk, they are possible and lead to the flags seen."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.terra_turrium.geometry import INDEX, NAMES, NEIGHBOURS, bits, mask_of
from referee.games.terra_turrium.search.reachability import reachable
from referee.games.terra_turrium.search.steps import Flags, Move, Steps, capture_extra
from referee.games.terra_turrium.search.unlimited import march


def replayed(flags: Flags, steps: Steps, pass_over: bool, doors: int, moves: tuple[Move, ...]) -> int:
    """Do the moves one by one, holding each to the rules, and return where the flags stand."""
    own, gone, entries = set(bits(flags.before)), set(bits(flags.gone)), flags.entries
    standing = set(bits(flags.standing))
    for move in moves:
        here = move.path[0]
        points = 0
        if move.enters:
            assert doors >> here & 1
            assert here not in gone | standing | own or len(move.path) > 1
            entries -= 1
            points = 1
        else:
            own.remove(here)
        caught = list(move.captures)
        for there in move.path[1:]:
            assert there in NEIGHBOURS[here]
            assert there in steps.onto(here)
            points += 1
            if there in gone:
                assert caught.pop(0) == there
                gone.remove(there)
                points += capture_extra(steps.heights, here, there)
            assert pass_over or there not in own | standing
            here = there
        assert not caught
        assert here not in own | gone | standing
        assert points == move.points
        own.add(here)
    assert not gone
    assert not entries
    return mask_of(own)


def drawn(rnd: random.Random) -> tuple[Flags, Steps, bool, int]:
    """Draw a small board, with flags on it before and after that hang together more often than not."""
    corner, rows, cols = rnd.choice((0, 12, 34, 56)), rnd.choice((1, 2, 3)), rnd.choice((2, 3, 4))
    block = [corner + 10 * r + c for r in range(rows) for c in range(cols)]
    grid = [0] * 100
    for field in block:
        grid[field] = rnd.choice((0, 1, 1, 1, 2, 2, 3))
    steps = Steps(tuple(grid), rnd.random() < 0.2, rnd.random() < 0.2)
    places = rnd.sample(block, len(block))
    own = places[: rnd.choice((0, 1, 2, 3))]
    foreign = places[len(own) : len(own) + rnd.choice((0, 0, 1, 2, 3))]
    gone = [field for field in foreign if rnd.random() < 0.6]
    standing = [field for field in foreign if field not in gone]
    entries = rnd.choice((0, 0, 0, 1, 2))
    free = [field for field in block if field not in standing]
    after = rnd.sample(free, min(len(free), len(own) + entries))
    more = len(after) - len(own)
    entries = min(max(more, 0), entries)
    doors = mask_of(field for field in block if rnd.random() < 0.4 and grid[field])
    flags = Flags(mask_of(own), mask_of(after), mask_of(gone), mask_of(standing), entries, max(-more, 0), 0)
    return flags, steps, rnd.random() < 0.3, doors


@given(seed=st.integers(0, 10**9))
def test_what_is_put_together_is_possible(seed: int) -> None:
    rnd = random.Random(seed)
    for _ in range(10):
        flags, steps, pass_over, doors = drawn(rnd)
        moves = march(flags, steps, pass_over, doors)
        if moves is not None:
            assert reachable(flags, steps, pass_over, doors)
            stand = replayed(flags, steps, pass_over, doors & ~flags.standing, moves)
            assert not flags.after & ~stand
            assert (stand & ~flags.after).bit_count() == flags.vanished


def test_most_of_what_is_possible_is_put_together() -> None:
    rnd = random.Random("march")
    possible = found = 0
    for _ in range(1500):
        drawn_flags = drawn(rnd)
        if reachable(*drawn_flags):
            possible += 1
            found += march(*drawn_flags) is not None
    assert possible > 400
    assert found / possible > 0.9


FLAT = Steps((1,) * 100)


def at(*names: str) -> int:
    return mask_of(INDEX[name] for name in names)


def walks(moves: tuple[Move, ...] | None) -> list[str] | None:
    if moves is None:
        return None
    return [("*" if move.enters else "") + "-".join(NAMES[i] for i in move.path) for move in moves]


@pytest.mark.parametrize(
    ("flags", "doors", "expected"),
    [
        # The nearest flag walks on.
        (Flags(at("A1", "A9"), at("A2", "A9"), 0, 0, 0), 0, ["A1-A2"]),
        # Flags in the way walk on to the next one's place.
        (Flags(at("A1", "B1", "C1"), at("B1", "C1", "D1"), 0, 0, 0), 0, ["C1-D1", "B1-C1", "A1-B1"]),
        # A captured flag is taken by the nearest one, which then goes home.
        (Flags(at("A1"), at("A1"), at("A2"), 0, 0), 0, ["A1-A2", "A2-A1"]),
        # Nobody can get there.
        (Flags(at("A1"), at("C1"), 0, at("B1", "A2"), 0), 0, None),
        # A flag comes back on the field itself, or walks on from the nearest door.
        (Flags(0, at("E1"), 0, 0, 1), at("E1", "A1"), ["*E1"]),
        (Flags(0, at("E1"), 0, 0, 1), at("D1", "A1"), ["*D1-E1"]),
        # The door is held by an own flag: that one walks on, the flag from the hand takes its place.
        (Flags(at("D1"), at("D1", "E1"), 0, 0, 1), at("D1"), ["D1-E1", "*D1"]),
        # Captured from the hand where no own flag is left.
        (Flags(0, at("B1"), at("B1"), 0, 1), at("A1"), ["*A1-B1"]),
        # A door on which a captured flag stood is none until it was captured.
        (Flags(0, at("B1"), at("A1"), 0, 1), at("A1"), None),
        # A door under a foreign flag that stayed is none.
        (Flags(0, at("B1"), 0, at("A1"), 1), at("A1"), None),
        # Flags that appear or vanish have no walk.
        (Flags(0, at("B1"), 0, 0, 0, appeared=1), 0, []),
        (Flags(at("B1"), 0, 0, 0, 0, vanished=1), 0, []),
        (Flags(at("B1"), at("A1"), 0, 0, 0, vanished=1), 0, ["B1-A1"]),
    ],
)
def test_how_it_is_put_together(flags: Flags, doors: int, expected: list[str] | None) -> None:
    assert walks(march(flags, FLAT, False, doors)) == expected

"""The engine accepts just the boards, and just the frames, that some legal turn leads to: all turns are tried."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.terra_turrium.colours import parse_board
from referee.games.terra_turrium.engine import GAME
from referee.games.terra_turrium.geometry import INDEX
from tests.games.terra_turrium.brute import Seen, World, nearly, some_world
from tests.games.terra_turrium.framings import after_each, passes
from tests.games.terra_turrium.positions import position, text
from tests.games.terra_turrium.tables import EVERY_TABLE


def drawn(seed: int) -> tuple[random.Random, World]:
    rnd = random.Random(seed)
    return rnd, some_world(rnd, EVERY_TABLE[rnd.choice(sorted(EVERY_TABLE))])


@pytest.mark.long
@settings(max_examples=settings().max_examples // 2)
@given(seed=st.integers(0, 10**9))
def test_just_the_boards_of_legal_turns_are_accepted(seed: int) -> None:
    rnd, world = drawn(seed)
    ends = world.ends()
    boards = rnd.sample(sorted(ends), min(15, len(ends)))
    boards += [nearly(rnd, rnd.choice(boards) if boards else world.start.seen) for _ in range(15)]
    for board in boards:
        ruling = GAME.check(world.position, world.board(board))
        assert ruling.legal is (board in ends), board


def frames_of(rnd: random.Random, world: World, phases: bool) -> tuple[list[Seen], Seen, bool] | None:
    """Return boards on the way of a random turn, its end, and whether all of the way is shown."""
    way = world.random_way(rnd, phases)
    if way is None:
        return None
    share = rnd.choice([1.0, 0.6, 0.3])
    seen = [frame for frame, _ in groupby(frame for frame in way[1:] if rnd.random() < share)]
    return seen, way[-1], share == 1


@pytest.mark.long
@settings(max_examples=settings().max_examples)
@given(seed=st.integers(0, 10**9))
def test_just_the_frames_on_the_way_of_a_legal_turn_are_accepted(seed: int) -> None:
    """Frames some legal turn passes through are explained by one; others, shown in full, show broken phases."""
    rnd, world = drawn(seed)
    for phases in (True, False, False):
        drawn_frames = frames_of(rnd, world, phases)
        if drawn_frames is None:
            continue
        seen, end, all_shown = drawn_frames
        board, frames = world.board(end), [world.board(frame) for frame in seen]
        if not GAME.check(world.position, board).legal:
            assert GAME.check(world.position, board, frames) == GAME.check(world.position, board)
            continue
        ruling = GAME.check(world.position, board, frames)
        if world.ways(seen, end):
            assert ruling.legal
            assert passes(frames, after_each(world.position.board, ruling.acts, world.mover))
        else:
            assert ruling.legal or [v.rule for v in ruling.violations] == ["turn.phase"]
            assert not all_shown or in_doubt(world, seen, end) or not ruling.legal


def in_doubt(world: World, frames: list[Seen], end: Seen) -> bool:
    """Return whether what was seen may be touching and putting back, which is nobody's turn.

    The flags, or all of the board, were seen as at the start once more; or own flags stand as at the end while a
    captured flag is still there, so that somebody may have taken it off without a move.
    """
    start, mover = world.start.seen, world.mover
    moved = next((n for n, frame in enumerate(frames) if frame[1] != start[1]), len(frames))
    if start in frames or any(frame[1] == start[1] for frame in frames[moved:]):
        return True
    stands = [tuple(flag == mover for flag in frame[1]) for frame in (*frames, end)]
    return any(stand == stands[-1] and frame[1] != end[1] for stand, frame in zip(stands, frames, strict=False))


def lane(stacks: dict[str, int], flags: dict[str, str], **changes: Any) -> World:
    base = GAME.position(position(**changes))
    fields = [INDEX[name] for name in stacks]
    small = parse_board(text(stacks, flags))
    return World(replace(base, board=small), fields, fields)


@pytest.mark.parametrize("edition", ["kosmos-1990", "ludibay-fr"])
@pytest.mark.parametrize(
    ("height", "boards"),
    [
        # Three own stacks of one cube, no flags: all three can be taken, so every way to put 3 cubes on 3 fields:
        # 5 over 2 = 10.
        (1, 10),
        # Of two cubes: of the 8 over 2 = 28 ways to put 6 cubes on 3 fields all but the three with one stack of six,
        # for which four cubes must be taken.
        (2, 25),
    ],
)
def test_three_own_stacks(edition: str, height: int, boards: int) -> None:
    world = lane(dict.fromkeys(("A10", "A9", "A8"), height), {}, edition=edition)
    assert len(world.ends()) == boards


def test_a_flag_in_a_lane() -> None:
    """Six boards: one red flag on A10, free stacks of one on A9 and A8.

    German: three cubes of two stacks of one are not to be had, and the flag's own can't be taken: no turn at all.
    French: one or two cubes of A9 and A8 are taken and placed there: heights (A9, A8) are 1 1, 2 0 or 0 2. On 1 1 the
    flag reaches three fields; on 2 0 it reaches two; on 0 2 it stays: six boards.
    """
    stacks, flags = {"A10": 1, "A9": 1, "A8": 1}, {"A10": "red"}
    assert len(lane(stacks, flags).ends()) == 0
    assert len(lane(stacks, flags, edition="ludibay-fr").ends()) == 6


@pytest.mark.parametrize("returned", ["allowed", "forbidden"])
def test_a_cube_put_down_and_taken_up_again(returned: str) -> None:
    """-A10 +A9 -A9 +A8, seen after each: the wrong order; without returns no turn in any order."""
    world = lane({"A10": 1, "A9": 1, "A8": 1}, {}, edition="ludibay-fr", options={"returned_cubes": returned})
    frames = [(heights, (0, 0, 0)) for heights in ((0, 1, 1), (0, 2, 1), (0, 1, 1), (0, 1, 2))]
    assert not world.ways(frames, frames[-1])
    assert world.ways(frames, frames[-1], phases=False) is (returned == "allowed")

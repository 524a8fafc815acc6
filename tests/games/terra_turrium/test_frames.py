"""Boards seen during a turn: the explanation passes through them, and acts out of phase are found."""

from __future__ import annotations

import random
from typing import Any

import pytest

from referee.games.contract import Act, RequestError
from referee.games.terra_turrium.colours import LETTERS, board_of, parse_board
from referee.games.terra_turrium.engine import GAME
from referee.games.terra_turrium.position.position import TerraPosition
from referee.games.terra_turrium.search.phases import LOOKED_AT
from referee.games.terra_turrium.text.notation import parse_turn
from referee.values.board import Board
from tests.games.terra_turrium.framings import after_each, flags, heights, passes
from tests.games.terra_turrium.play import Turn
from tests.games.terra_turrium.positions import THREE, after, position, start_flags
from tests.games.terra_turrium.replay import broken_rules
from tests.games.terra_turrium.spoil import scrambled
from tests.games.terra_turrium.tables import TABLES

FEW_RETURNS = {name: table for name, table in TABLES.items() if name != "French three, no returns"}


@pytest.mark.long
@pytest.mark.parametrize("table", FEW_RETURNS)
def test_the_explanation_passes_through_what_was_seen(table: str) -> None:
    rnd = random.Random(f"frames {table}")
    now = GAME.position(position(**TABLES[table]))
    for _ in range(25):
        turn = Turn(rnd, now)
        board = turn.play()
        if not turn.complete:
            continue
        frames = [frame for frame in turn.seen if rnd.random() < 0.5]
        frames = list(dict.fromkeys(frames))
        ruling = GAME.check(now, board, frames)
        assert ruling.legal, (now.to_json(), board.text, [f.text for f in frames], ruling.violations)
        assert passes(frames, after_each(now.board, ruling.acts, now.to_move))
        assert ruling.turn is not None
        assert not broken_rules(now.to_json(), board.text, dict(ruling.turn))
        plain = GAME.check(now, board)
        assert ruling.next == plain.next
        assert isinstance(ruling.next, TerraPosition)
        now = ruling.next


def early_moves(rnd: random.Random, acts: tuple[Act, ...]) -> list[Act]:
    """Return the acts, moves in among the cubes; each kind in its old order."""
    cubes = [act for act in acts if act.kind in ("take", "build")]
    moves = [act for act in acts if act.kind not in ("take", "build")]
    mixed: list[Act] = []
    while cubes or moves:
        mixed.append((moves if moves and (not cubes or rnd.random() < 0.5) else cubes).pop(0))
    return mixed


@pytest.mark.long
@pytest.mark.parametrize("table", FEW_RETURNS)
def test_moves_among_the_cubes_are_found(table: str) -> None:
    rnd = random.Random(f"early {table}")
    now = GAME.position(position(**TABLES[table]))
    found = 0
    for _ in range(25):
        turn = Turn(rnd, now)
        board = turn.play()
        plain = GAME.check(now, board)
        if not turn.complete or not plain.legal:
            continue
        acts = early_moves(rnd, plain.acts)
        way = after_each(now.board, acts, now.to_move)
        assert way[-1] == board
        shown = [frame for frame in way if flags(frame) != flags(now.board)]
        early = any(heights(frame) != heights(board) for frame in shown)
        home = any(flags(frame) == flags(now.board) for frame in way[way.index(shown[0]) :]) if shown else True
        built_under = any(a.kind == "build" and frame.flags[a.fields[0]] for frame in way for a in acts)
        ruling = GAME.check(now, board, way)
        if early and not home and not built_under:
            assert [v.rule for v in ruling.violations] == ["turn.phase"]
            assert ruling.violations[0].fields
            assert ruling.acts == plain.acts
            assert (ruling.next, ruling.alternatives) == (None, ())
            found += 1
        elif not early:
            assert ruling.legal
        assert isinstance(plain.next, TerraPosition)
        now = plain.next
    assert found > 3


@pytest.mark.long
@pytest.mark.parametrize("table", ["four", "French two"])
def test_frames_change_nothing_on_an_illegal_turn(table: str) -> None:
    rnd = random.Random(f"illegal {table}")
    now = GAME.position(position(**TABLES[table]))
    for _ in range(10):
        turn = Turn(rnd, now)
        board = scrambled(rnd, turn.play(), 0.1)
        plain = GAME.check(now, board)
        if not plain.legal:
            assert GAME.check(now, board, turn.seen) == plain


@pytest.mark.long
@pytest.mark.parametrize("share", [0.01, 0.05, 0.5])
def test_boards_nobody_can_explain_are_left_out(share: float) -> None:
    rnd = random.Random(f"junk {share}")
    now = GAME.position(position())
    for _ in range(10):
        turn = Turn(rnd, now)
        board = turn.play()
        junk = [scrambled(rnd, frame, share) for frame in turn.seen for _ in range(20)]
        ruling = GAME.check(now, board, junk)
        assert ruling.legal or {v.rule for v in ruling.violations} == {"turn.phase"}
        mixed = [frame for seen in turn.seen for frame in (in_the_air(rnd, seen), seen)]
        ruling = GAME.check(now, board, mixed)
        assert ruling.legal


def in_the_air(rnd: random.Random, board: Board) -> Board:
    """Return the board with one flag lifted."""
    grid = board.flags.copy()
    grid[rnd.choice([tuple(at) for at in zip(*grid.nonzero(), strict=True)])] = 0
    return board_of(board.heights, grid)


FLAGS = start_flags("kosmos-1990", 4)
FLAGS.pop("A10")
FLAGS["D7"] = "red"
START = after(position(flags=FLAGS)["board"])
TURN = "-B6 -B6 -C6 +E7 +E7 +E6 D7-D6"


def seen(*acts: str) -> list[Board]:
    """Return the boards after each of the groups of acts."""
    text, boards = START, []
    for group in acts:
        text = after(text, *group.split())
        boards.append(parse_board(text))
    return boards


def rule_on(frames: list[Board], end: str, **changes: Any) -> tuple[list[str], str]:
    start = GAME.position(position(flags=FLAGS) | changes)
    ruling = GAME.check(start, parse_board(end), frames)
    messages = " ".join(v.message for v in ruling.violations)
    return [v.rule + "".join(f" {f.name}" for f in v.fields) for v in ruling.violations], messages


END = after(START, "-B6", "-C6", "-E6", "+E7", "+E7", "+D8", "D7>D6")


@pytest.mark.parametrize(
    ("groups", "broken", "words"),
    [
        (["-B6", "-C6", "-E6", "+E7", "+E7", "+D8", "D7>D6"], [], ""),
        (["-B6 -C6 -E6 +E7", "+E7 D7>D6"], ["turn.phase D6 D7 D8"], "Red moved a flag (D6 and D7) before"),
        (["D7>D6"], ["turn.phase D6 D7 B6 C6 E6 E7 D8"], "moved a flag"),
        (
            ["-B6 +E7", "-C6 +E7", "-E6 +D8", "D7>D6"],
            ["turn.phase E7 C6"],
            "placed a cube on E7 before one was taken",
        ),
        (["-B6 -C6 -E6", "+E7 +E7 +D8", "D7>D8"], [], ""),
        (["-B6 +E7", "+B6 -E7", "-B6 -C6 -E6"], [], ""),
        (["-B6 D7>D6", "D6>D7 -C6", "-E6 +E7 +E7 +D8 D7>D6"], [], ""),
        (["D7>", "-B6 D7"], [], ""),
        (["-B6 -C6 -E6 -E5"], [], ""),
        (["+E7"], [], ""),
        (["-B6 -C6 -E6 +E7 +E7 +D8 D7>J1"], [], ""),
    ],
)
def test_what_frames_show(groups: list[str], broken: list[str], words: str) -> None:
    found, message = rule_on(seen(*groups) if groups[0] != "D7>" else [], END)
    assert found == broken
    assert words in message
    assert not found or "German rule sheet: “Spielablauf”" in message


def test_cubes_seen_taken_and_returned_are_in_the_explanation() -> None:
    start = GAME.position(position(flags=FLAGS))
    frames = seen("-E6", "-E7", "-E8", "+E8", "+E7")
    ruling = GAME.check(start, start.board, frames)
    assert ruling.acts == parse_turn("-E6 -E7 -E8 +E8 +E7 +E6")
    assert GAME.check(start, start.board, frames[2:]).legal
    forbidden = GAME.position(position(flags=FLAGS, edition="ludibay-fr", options={"returned_cubes": "forbidden"}))
    end = parse_board(after(START, "-E6", "+E7"))
    ruling = GAME.check(forbidden, end, seen("-E6", "-E8"))
    assert (ruling.legal, [act.text for act in ruling.acts]) == (True, ["-E6", "+E7"])


def test_a_return_to_the_start_begins_anew() -> None:
    start = GAME.position(position(flags=FLAGS))
    early = seen("-B6 D7>D6")
    assert not GAME.check(start, parse_board(END), early).legal
    assert GAME.check(start, parse_board(END), [*early, start.board]).legal
    assert not GAME.check(start, parse_board(END), [start.board, *early]).legal


def test_takes_come_in_the_order_seen() -> None:
    start = GAME.position(position(flags=FLAGS, variants=["pro"]))
    end = parse_board(after(START, "-J7", "-I7", "-H7", "+E7", "+E6", "+D6"))
    assert GAME.check(start, end, seen("-J7", "-I7", "-H7")).acts[:3] == parse_turn("-J7 -I7 -H7")
    closed = GAME.check(start, end, seen("-H7"))  # H7 is interior until J7 and I7 are gone: misread, most likely
    assert closed == GAME.check(start, end)


def test_only_so_many_frames_count() -> None:
    start = GAME.position(position(flags=FLAGS))
    lifted, early = seen("-E6 -E7 -E8 -D8", "+D8 +E8 +E7 +E6 -B6 D7>D6")
    assert GAME.check(start, parse_board(END), [lifted, start.board] * LOOKED_AT + [early]).legal
    assert not GAME.check(start, parse_board(END), [lifted] * LOOKED_AT * 2 + [early]).legal


def test_colours_that_don_t_play_are_left_out() -> None:
    data = position(players=3)
    assert data["seats"] == THREE
    start = GAME.position(data)
    frame = parse_board(after(data["board"], "-E8", "b>D4"))
    assert GAME.check(start, start.board, [frame]).legal


def test_frames_of_another_size() -> None:
    start = GAME.position(position())
    with pytest.raises(RequestError, match="frames"):
        GAME.check(start, start.board, [Board.parse("1", 1, 1, LETTERS)])


def frames_told(groups: list[str], **changes: Any) -> list[str]:
    """Return what frames show: the board after each group, the last the end."""
    flags = start_flags("kosmos-1990", 4)
    flags.pop("A10")
    flags |= {"D7": "red"} | changes.pop("more", {})
    now = GAME.position(position(flags=flags, **changes))
    text, boards = now.board.text, []
    for group in groups:
        text = after(text, *group.split())
        boards.append(parse_board(text))
    ruling = GAME.check(now, boards[-1], boards[:-1])
    return [" ".join((v.rule, *(field.name for field in v.fields))) for v in ruling.violations]


@pytest.mark.parametrize(
    ("groups", "told"),
    [
        # A frame that fits no turn is left out: a fourth cube taken, a cube on a flag, a walk too long and back.
        (["-B6", "-C6 -E6 -E5", "+E5 +E7 +E7 +D8"], []),
        (["-B6 -C6 -E6", "+A9", "-A9 +E7 +E7 +D8"], []),
        (["D7>J5", "J5>D7 -B6 -C6 -E6 +E7 +E7 +D8"], []),
        # Five points there and none left for the way back: a frame that fits no turn, too.
        (["D7>D2", "D2>D7 -B6 -C6 -E6 +E7 +E7 +D8"], []),
        # Built, taken, built: the cube placed first and the cube taken last are named.
        (["-B6", "+E7", "-C6", "-E6", "+E7 +D8"], ["turn.phase E7 C6"]),
        (["-B6 -C6", "+E7 +D8", "-E6", "+E7"], ["turn.phase E7 D8 E6"]),
        (["-B6 -C6", "+E7", "+D8", "-E6", "+E7"], ["turn.phase E7 D8 E6"]),
        # Moved with a cube in the hand, then with everything placed.
        (["-B6 -C6 -E6 +E7 +E7", "D7>D6", "+D8"], ["turn.phase D6 D7 D8"]),
        (["-B6 -C6 -E6 +E7 +E7 +D8", "D7>D6"], []),
    ],
)
def test_what_frames_show_exactly(groups: list[str], told: list[str]) -> None:
    assert [sorted(line.split()) for line in frames_told(groups)] == [sorted(line.split()) for line in told]


@pytest.mark.parametrize(
    ("returned", "groups", "told"),
    [
        # Where no cube may come back, no turn takes one from a field built on: a frame that shows it fits no turn.
        ("forbidden", ["-B6", "+E7", "-E7", "+D8"], []),
        ("forbidden", ["-B6", "+E7", "-C6 +D8"], ["turn.phase E7 C6"]),
        ("allowed", ["-B6", "+E7", "-E7", "+D8"], ["turn.phase E7"]),
    ],
)
def test_cubes_taken_up_again(returned: str, groups: list[str], told: list[str]) -> None:
    assert frames_told(groups, edition="ludibay-fr", options={"returned_cubes": returned}) == told

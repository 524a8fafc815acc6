"""Pieces that lie along the board's rim, and boards that change while nobody is seen."""

from __future__ import annotations

import pytest

from tests.vision.gate.stills import picture, watched
from vision.gate.gate import ADOPT_S, LIES_S, GateState, GateStatus, begin

MOVES = (
    ((7, 7), (7, 8), (7, 9)),
    ((8, 9), (9, 9), (10, 9)),
    ((14, 3), (14, 4), (14, 5), (14, 6), (14, 7)),
    ((10, 10), (10, 11)),
    ((11, 0), (12, 0), (13, 0), (14, 0)),
    ((14, 8), (14, 9)),
    ((0, 10), (0, 11), (0, 12), (0, 13), (0, 14)),
    ((1, 14), (2, 14), (3, 14)),
    ((5, 5), (6, 5)),
    ((7, 0), (8, 0), (9, 0), (10, 0)),
    ((4, 4),),
)
BOARDS = [tuple(place for move in MOVES[:count] for place in move) for count in range(len(MOVES) + 1)]


def told(states: list[GateState], each_s: float, fps: float = 15.0) -> list[int]:
    """Return which picture each quiet board shows."""
    return [int(state.quiet.number / fps / each_s) for state in states if state.quiet is not None]


@pytest.mark.parametrize(
    ("each_s", "fps"),
    [(2.5, 15.0), pytest.param(12.0, 8.0, marks=pytest.mark.long)],
)
def test_every_board_with_pieces_along_the_rim_is_told_once(each_s: float, fps: float) -> None:
    states = watched([picture(pieces) for pieces in BOARDS], each_s, fps)
    assert told(states, each_s, fps) == list(range(len(BOARDS)))
    unseen = [state.quiet.unseen for state in states if state.quiet is not None]
    assert unseen == [False] + [True] * len(MOVES)


def test_pieces_taken_from_the_rim_are_told_too() -> None:
    states = watched([picture(pieces) for pieces in (BOARDS[5], BOARDS[2], BOARDS[5])], 2.5)
    assert told(states, 2.5) == [0, 1, 2]


@pytest.mark.long
def test_while_an_arm_lies_over_the_board_none_is_told() -> None:
    """An arm that is there from one picture to the next is no piece: it is seen outside the board as well."""
    for at in ((14, 5), (7, 3), (1, 12)):
        film = [picture(BOARDS[2]), picture(BOARDS[2], at), picture(BOARDS[3], at), picture(BOARDS[3])]
        states = watched(film, 4.0, 8.0)
        assert told(states, 4.0, 8.0) == [0, 3]
        assert not [state for state in states if state.quiet is not None and state.quiet.unseen]
        assert {state.sight for state in states[35:94]} <= {GateStatus.COVERED, GateStatus.MOVING}


@pytest.mark.long
def test_what_lies_over_the_rim_for_long_becomes_part_of_the_table() -> None:
    """Boards after it are told though moves go on, it is never told itself, and its going is none."""
    arm, each_s = (12, 9), 4.0
    film = [picture(BOARDS[0]), *[picture(pieces, arm) for pieces in BOARDS[:2] * 2]]
    long = [picture(BOARDS[1], arm)] * 4 + [picture(MOVES[8], arm), picture(MOVES[8])]
    found = told(watched(film + long, each_s), each_s)
    assert found[0] == 0
    assert len(film) + 4 in found
    assert len(film) + 5 not in found
    assert not {1, 2} & set(found)  # it has lain for less than ADOPT_S
    assert 2 * each_s < ADOPT_S


def test_pieces_that_somebody_laid_along_the_rim_are_told_once_they_have_lain() -> None:
    """An arm comes and goes in steps; what it leaves is known to be no arm only by lying still."""
    arms = [picture(BOARDS[0], (14, col)) for col in range(14, 4, -1)]
    back = [picture(BOARDS[3][6:], (14, col)) for col in range(5, 15)]
    frames = [picture(BOARDS[0])] * 15 + arms + back + [picture(BOARDS[3][6:])] * round(15 * (LIES_S + 1))
    states = watched(frames, 1 / 15)
    quiet = [state.quiet for state in states if state.quiet is not None]
    assert [one.number >= 35 for one in quiet] == [False, True]
    assert not quiet[1].unseen


def test_a_board_that_fills_the_picture_can_be_watched() -> None:
    """It has no rim to go out over. An arm over it is not told from pieces there, but nothing breaks."""
    states = watched([picture(BOARDS[0]), picture(BOARDS[0], (7, 3))], 4.0, begun=begin())
    assert told(states, 4.0)[0] == 0

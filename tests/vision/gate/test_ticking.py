"""Text burnt into a film, and a film that begins with a hand over the board."""

from __future__ import annotations

import cv2
import pytest

from tests.vision.gate.film import Film, Picture, hand, middle, place, stone, table
from vision.gate.gate import GateState, GateStatus, begin, trusted, watch
from vision.sources.packet import Packet, shrink

pytestmark = pytest.mark.long
NW, MID = place(-2, -2), place(0, 0)


def stamped(film: Film, every_s: float) -> None:
    """Burn a clock into the middle of the board, white on black, as cameras write it."""
    x, y = middle()
    for number, frame in enumerate(film.frames):
        text = f"12:00:{int(number / film.fps / every_s) % 60:02d}"
        cv2.rectangle(frame, (x - 104, y), (x + 20, y + 26), (0, 0, 0), -1)
        cv2.putText(frame, text, (x - 100, y + 20), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (255, 255, 255), 2, cv2.LINE_AA)


def small(frame: Picture) -> Picture:
    shrunk = shrink(Packet(0.0, bgr=frame))
    assert shrunk is not None
    return shrunk.grey


def watched(film: Film) -> list[GateState]:
    state, states = begin(table()[1]), []
    for number, frame in enumerate(film.frames):
        state = watch(state, number, number / film.fps, small(frame))
        states.append(state)
    return states


@pytest.mark.parametrize("every_s", [1.0, 0.05])
def test_a_clock_in_the_picture_is_no_move_and_hides_none(every_s: float) -> None:
    film = Film()
    film.wait(3.5)
    film.reach(MID, "right", stone(NW), rest_s=0.6)
    film.wait(0.6)
    stamped(film, every_s)
    states = watched(film)
    found = [state.quiet for state in states if state.quiet is not None]
    assert [(film.boards[quiet.number], film.free[quiet.number]) for quiet in found] == [(0, True), (1, True)]
    over = [n for n in range(1, len(states) - 1) if not any(film.free[n - 1 : n + 2])]
    assert over
    assert not [n for n in over if states[n].sight is GateStatus.STILL]


@pytest.mark.parametrize("side", ["right", "left"])
def test_begun_with_a_hand_over_the_board_it_begins_anew_when_the_hand_has_gone(side: str) -> None:
    film = Film()
    film.wait(0.4, hand(MID, side), free=False)
    film.reach(MID, side, rest_s=0.0)
    film.frames, film.free = film.frames[:6] + film.frames[12:], film.free[:6] + film.free[12:]
    film.boards = film.boards[:6] + film.boards[12:]
    film.wait(0.5)
    film.reach(NW, side, stone(NW))
    film.wait(0.5)
    found = [state.quiet for state in watched(film) if state.quiet is not None]
    assert [(quiet.first, film.free[quiet.number]) for quiet in found] == [(True, False), (True, True), (False, True)]


@pytest.mark.parametrize(
    ("tip", "side"),
    [(place(-1.5, 1.0), "right"), (place(1.0, -1.0), "left"), (place(-1.5, 1.0), "top"), (place(1.0, -1.0), "top")],
)
def test_a_hand_that_rests_twice_before_it_goes_is_found_out_too(tip: tuple[int, int], side: str) -> None:
    """Whichever way it stirred last, its outline tells which of two still pictures shows the hand."""
    film = Film()
    film.wait(0.5, hand(MID, side), free=False)
    film.wait(0.5, hand(tip, side), free=False)
    film.reach(tip, side, stone(NW), rest_s=0.3)
    film.wait(0.8)
    found = [state.quiet for state in watched(film) if state.quiet is not None]
    told = [(quiet.first, film.free[quiet.number], film.boards[quiet.number]) for quiet in found]
    assert told == [(True, False, 0), (True, True, 0), (False, True, 1)]


def test_a_hand_that_comes_after_the_first_board_leaves_it_as_it_is() -> None:
    film = Film()
    film.wait(0.8)
    film.reach(MID, "right", stone(NW), rest_s=1.0)
    film.wait(0.6)
    states = watched(film)
    found = [state.quiet for state in states if state.quiet is not None]
    assert [(quiet.first, film.boards[quiet.number]) for quiet in found] == [(True, 0), (False, 1)]
    known = states[-1].known
    assert known is not None
    assert not known.first


def test_a_first_board_the_reader_found_clear_is_kept() -> None:
    film = Film()
    film.wait(0.4, hand(MID), free=False)
    state = watched(film)[-1]
    assert state.known is not None
    assert state.known.first
    kept = trusted(state, len(film.frames) - 1).known
    assert kept is not None
    assert not kept.first

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.gate.film import Film, bumped, hand, lamp, place, shadow, stone, table
from vision.gate.gate import GateState, Quiet, Sight, begin, watch
from vision.gate.look import SETTLE_S, chosen, join

NW, NE, MID, SE = place(-2, -2), place(2, -3), place(0, 0), place(3, 2)


def boards(states: list[GateState]) -> list[Quiet]:
    return [state.quiet for state in states if state.quiet is not None]


def game(fps: float = 15.0, noise: float = 2.0, pause_s: float = 0.4) -> Film:
    film = Film(fps, noise)
    film.wait(0.5)
    film.reach(NW, "left", stone(NW))
    film.wait(pause_s)
    film.reach(NE, "top", stone(NE), rest_s=1.0)
    film.wait(pause_s)
    film.reach(MID, "right", stone(MID, (40, 50, 170)))
    film.wait(pause_s)
    return film


def check(film: Film, states: list[GateState]) -> None:
    """One quiet board after each change, none while a hand is over the board."""
    found = boards(states)
    assert [film.boards[quiet.number] for quiet in found] == sorted(set(film.boards))
    assert all(film.free[quiet.number] for quiet in found)
    assert [quiet.first for quiet in found] == [True] + [False] * (len(found) - 1)
    for number, state in enumerate(states[1:-1], 1):
        # At the rim, a finger tip that has just come in, or is about to leave, may not be seen yet.
        if not any(film.free[number - 1 : number + 2]):
            assert state.sight is not Sight.STILL, number


@pytest.mark.parametrize("codec", ["MJPG", "mp4v"])
def test_one_quiet_board_a_move(tmp_path: Path, codec: str) -> None:
    film = game()
    check(film, film.watched(tmp_path, codec))


@pytest.mark.parametrize(("fps", "noise"), [(10, 2), (24, 2), (15, 9)])
def test_at_other_rates_and_in_noise(tmp_path: Path, fps: float, noise: float) -> None:
    film = game(fps, noise)
    check(film, film.watched(tmp_path))


def test_in_dim_light(tmp_path: Path) -> None:
    film = game()
    film.frames = [(frame * 0.25).astype(np.uint8) for frame in film.frames]
    check(film, film.watched(tmp_path))


def test_backwards(tmp_path: Path) -> None:
    film = game()
    film.frames, film.free = film.frames[::-1], film.free[::-1]
    film.boards = [max(film.boards) - board for board in film.boards[::-1]]
    check(film, film.watched(tmp_path))


@pytest.mark.parametrize("what", ["sleeve", "shadow", "lamp", "bump", "flicker"])
def test_what_is_no_move(tmp_path: Path, what: str) -> None:
    film = Film()
    film.wait(0.5)
    match what:
        case "sleeve":
            film.reach(SE, "right", rest_s=0.0)
        case "shadow":
            for x in range(-100, 800, 40):
                film.shoot(shadow((x, 200)))
        case "lamp":
            film.stay.append(lamp)
        case "bump":
            for _ in range(3):
                film.shoot(bumped)
                film.shoot()
            film.stay.append(bumped)
        case "flicker":
            for number in range(20):
                film.shoot(lambda picture, n=number: (picture * (0.9 + 0.1 * np.sin(2.1 * n))).astype(np.uint8))
    film.wait(1.0)
    states = film.watched(tmp_path)
    assert [quiet.first for quiet in boards(states)] == [True]
    assert states[-1].sight is Sight.STILL
    # And the gate is ready for what comes next.
    film.reach(MID, "top", stone(MID))
    film.wait(0.5)
    assert len(boards(film.watched(tmp_path))) == 2


def test_a_hand_that_rests_is_waited_for(tmp_path: Path) -> None:
    film = Film()
    film.wait(0.5)
    film.reach(MID, "right", stone(MID), rest_s=1.6)
    film.wait(0.5)
    states = film.watched(tmp_path)
    assert Sight.COVERED in [state.sight for state in states]
    check(film, states)


def test_what_does_not_stir_for_long_is_read_all_the_same(tmp_path: Path) -> None:
    film = Film(noise=1.0)
    film.wait(0.5)
    film.wait(2.6, hand(SE), free=False)
    states = film.watched(tmp_path)
    assert states[-1].resting
    assert chosen(states[-1], (len(states) - 4) / film.fps)
    assert len(boards(states)) == 1


def test_two_hands_that_overlap(tmp_path: Path) -> None:
    film = Film()
    film.wait(0.5)
    goal, other, away = place(3, 0), place(-3, 1), (-60, 260)
    film.wait(0.4, hand(goal, "right"), free=False)
    film.stay.append(stone(goal))
    film.shoot(hand(place(4, 0), "right"), free=False)
    for leaves, comes in ((4.6, -6.5), (5.2, -5.0), (9.0, -4.0)):
        film.shoot(hand(place(leaves, 0), "right"), hand(place(comes, 1), "left"), free=False)
    for _ in range(6):
        film.shoot(hand(other, "left"), free=False)
    film.stay.append(stone(other))
    film.shoot(hand(away, "left"), free=False)
    film.wait(0.4)
    found = boards(film.watched(tmp_path))
    assert [quiet.joined is not None for quiet in found[:2]] == [False, True]
    number, hidden = found[1].joined or (0, np.zeros(0))
    made = join(film.frames[found[1].number], film.frames[number], np.asarray(hidden, np.bool_))
    truth = stone(goal)(table()[0])
    inside = cv2.resize(table()[1].mask.astype(np.uint8), made.shape[1::-1], interpolation=cv2.INTER_NEAREST) > 0
    off = np.abs(made.astype(int) - truth).max(axis=2)
    assert float((off[inside] > 60).mean()) < 0.01


def test_a_look_takes_frames_that_came_after_it_was_asked_for(tmp_path: Path) -> None:
    film = Film()
    film.wait(1.0)
    film.reach(NW, "left", stone(NW))
    film.wait(0.6)
    states = film.watched(tmp_path)
    asked = film.free.index(False) - 1  # the button was pressed while the hand came once more
    ready = [number for number, state in enumerate(states) if chosen(state, asked / film.fps)]
    last_hand = len(film.free) - 1 - film.free[::-1].index(False)
    assert ready[0] > last_hand
    assert (ready[0] - last_hand) / film.fps <= SETTLE_S + 2.5 / film.fps
    numbers = chosen(states[-1], (len(states) - 3) / film.fps)
    assert min(numbers) >= len(states) - 3
    assert not chosen(states[-1], len(states) / film.fps)


def test_the_sharpest_comes_first(tmp_path: Path) -> None:
    film = Film()
    film.wait(0.4)
    for number in range(4):
        film.shoot(lambda picture, n=number: cv2.GaussianBlur(picture, (0, 0), 0.4 + 0.1 * ((n + 1) % 4)))
    numbers = chosen(film.watched(tmp_path)[-1], 6 / film.fps)
    assert numbers[0] == 9


def test_another_size_begins_anew() -> None:
    state = begin(table()[1])
    for number in range(3):
        state = watch(state, number, number / 15, np.full((120, 160), 100, np.uint8))
    state = watch(state, 3, 3 / 15, np.full((90, 160), 100, np.uint8))
    assert state.sight is Sight.MOVING
    assert not state.still


def test_the_region_is_the_frame() -> None:
    region = table()[1]
    assert 0.2 < region.mask.mean() < 0.9
    assert 3 < region.field_px < 20

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.pose import find_pose
from referee.demo.recording import BUNDLED, Recording
from tests.vision.gate.film import GREY, Film, Look, bumped, hand, lamp, place, shadow, stone, table, turned
from vision.gate.gate import GateState, GateStatus, Quiet, begin, trusted, watch
from vision.gate.look import SETTLE_S, chosen, join
from vision.gate.region import Region, frame_region
from vision.geometry.view import View
from vision.reader import TableReader
from vision.sources.packet import Packet, shrink

NW, NE, MID, SE = place(-2, -2), place(2, -3), place(0, 0), place(3, 2)


def boards(states: list[GateState]) -> list[Quiet]:
    return [state.quiet for state in states if state.quiet is not None]


@cache
def game(fps: float = 15.0, noise: float = 2.0) -> Film:
    """Return a film of three moves. Whoever changes it takes a copy."""
    film = Film(fps, noise)
    film.wait(0.5)
    film.reach(NW, "left", stone(NW))
    film.wait(0.4)
    film.reach(NE, "top", stone(NE), rest_s=1.0)
    film.wait(0.4)
    film.reach(MID, "right", stone(MID, (40, 50, 170)))
    film.wait(0.4)
    return film


def check(film: Film, states: list[GateState]) -> None:
    """Check that there is one quiet board after each change, none while a hand is over the board."""
    found = boards(states)
    assert [film.boards[quiet.number] for quiet in found] == sorted(set(film.boards))
    assert all(film.free[quiet.number] for quiet in found)
    assert [quiet.first for quiet in found] == [True] + [False] * (len(found) - 1)
    for number, state in enumerate(states[1:-1], 1):
        # At the rim, a finger tip that has just come in, or is about to leave, may not be seen yet.
        if not any(film.free[number - 1 : number + 2]):
            assert state.sight is not GateStatus.STILL, number


@pytest.mark.long
@pytest.mark.parametrize("codec", ["MJPG", "mp4v"])
def test_one_quiet_board_a_move(tmp_path: Path, codec: str) -> None:
    film = game()
    check(film, film.watched(tmp_path, codec))


@pytest.mark.long
@pytest.mark.parametrize(("fps", "noise"), [(10, 9), (24, 2)])
def test_at_other_rates_and_in_noise(tmp_path: Path, fps: float, noise: float) -> None:
    film = game(fps, noise)
    check(film, film.watched(tmp_path))


@pytest.mark.long
@pytest.mark.parametrize(("fps", "noise", "light"), [(15, 2, 0.25), (10, 12, 0.5)])
def test_in_dim_light(tmp_path: Path, fps: float, noise: float, light: float) -> None:
    film = game(fps, noise)
    film = replace(film, frames=[(frame * light).astype(np.uint8) for frame in film.frames])
    check(film, film.watched(tmp_path))


@pytest.mark.long
def test_a_film_run_backwards_is_read_as_well(tmp_path: Path) -> None:
    film = game()
    boards_back = [max(film.boards) - board for board in film.boards[::-1]]
    film = replace(film, frames=film.frames[::-1], free=film.free[::-1], boards=boards_back)
    check(film, film.watched(tmp_path))


@pytest.mark.long
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
    film.wait(2.5 if what == "bump" else 1.0)
    so_far = len(film.frames)
    film.reach(MID, "top", stone(MID))
    film.wait(0.5)
    states = film.watched(tmp_path)
    assert [quiet.first for quiet in boards(states[:so_far])] == [True]
    assert states[so_far - 1].sight is GateStatus.STILL
    assert len(boards(states)) == 2, "the gate is ready for what comes next"


@pytest.mark.parametrize("elsewhere", [bumped, turned])
def test_a_bumped_table_is_offered_to_the_reader(tmp_path: Path, elsewhere: Look) -> None:
    """A hand may rest on it, which a small picture does not tell: it is not still before a reader looked."""
    film = Film()
    film.wait(0.5)
    film.stay.append(elsewhere)
    film.wait(1.0)
    states = film.watched(tmp_path)
    last = states[-1]
    assert (last.sight, last.resting) == (GateStatus.VIEW, True)
    assert GateStatus.STILL not in [state.sight for state in states[9:]]
    numbers = chosen(last, (len(states) - 6) / film.fps)
    assert numbers
    grey = film.newest()
    assert watch(trusted(last, numbers[0]), 99, 99 / film.fps, grey).sight is GateStatus.STILL
    assert (
        watch(trusted(last, -1), 99, 99 / film.fps, grey).sight is GateStatus.VIEW
    )  # of that frame nothing is known


@pytest.mark.long
def test_a_hand_on_a_bumped_table(tmp_path: Path) -> None:
    film = Film()
    film.wait(0.5)
    for share in (0.6, 0.3, 0.0):
        film.shoot(hand(place(4 + 8 * share, 2), "right"), free=False)
    film.stay.append(bumped)
    film.wait(1.5, hand(place(4, 2), "right"), free=False)
    assert GateStatus.STILL not in {state.sight for state in film.watched(tmp_path)[9:]}


@pytest.mark.long
@pytest.mark.parametrize("camera", ["cam0", "cam1"])
def test_the_bundled_game(camera: str) -> None:
    """Towers and flags at the far edge lean out over the rim, and the whole table is bumped before the last look."""
    recording = Recording.open(BUNDLED)
    reader = TableReader.open(BUNDLED)
    pictures = [look.load()[camera] for look in recording.looks]
    lens = reader.lens(camera)
    view = View(camera, pictures[0], lens, find_pose(pictures[0], lens, reader.table))
    state, seen = begin(frame_region(view, reader.table, GREY)), []
    for number, picture in enumerate(np.repeat(np.asarray(pictures), 8, axis=0)):
        shrunk = shrink(Packet(0.0, bgr=picture))
        assert shrunk is not None
        at_s = number / 15 + number // 8 * 0.3  # between two pictures a hand came and went
        state = watch(state, number, at_s, shrunk.grey)
        if number % 8 == 7:
            seen.append(state.sight)
    assert seen == [GateStatus.STILL] * (len(pictures) - 1) + [GateStatus.VIEW]


@pytest.mark.parametrize("reaches", [False, True])
def test_what_leans_out_over_the_far_rim(reaches: bool) -> None:
    """A tower hangs together with others that were moved; an arm with something farther out, too."""
    mask, towers = np.zeros((60, 80), np.bool_), np.zeros((60, 80), np.bool_)
    mask[20:50, 20:60] = True
    towers[8:45, 25:55] = True
    region = Region(mask, 5.0, Region(mask | towers, 5.0))
    board = np.full((60, 80), 120, np.uint8)
    board[22:48:4, 22:58:2] = 60
    new = board.copy()
    new[0 if reaches else 14 : 32, 36:44] = 210
    for known, sight in (
        (Region(mask, 5.0), GateStatus.COVERED),
        (region, GateStatus.COVERED if reaches else GateStatus.STILL),
    ):
        state = begin(known)
        for number, grey in enumerate([board] * 4 + [new] * 6):
            state = watch(state, number, number / 15, grey)
        assert state.sight is sight


@pytest.mark.long
def test_a_hand_that_rests_is_waited_for(tmp_path: Path) -> None:
    film = Film()
    film.wait(0.5)
    film.reach(MID, "right", stone(MID), rest_s=1.6)
    film.wait(0.5)
    states = film.watched(tmp_path)
    assert GateStatus.COVERED in [state.sight for state in states]
    check(film, states)


@pytest.mark.long
def test_what_does_not_stir_for_long_is_read_all_the_same(tmp_path: Path) -> None:
    film = Film(noise=1.0)
    film.wait(0.5)
    film.wait(2.6, hand(SE), free=False)
    states = film.watched(tmp_path)
    assert states[-1].resting
    assert chosen(states[-1], (len(states) - 4) / film.fps)
    assert len(boards(states)) == 1


@pytest.mark.long
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


@pytest.mark.long
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
    assert state.sight is GateStatus.MOVING
    assert not state.still


def test_the_region_is_the_frame() -> None:
    region = table()[1]
    assert 0.2 < region.mask.mean() < 0.9
    assert 3 < region.field_px < 20

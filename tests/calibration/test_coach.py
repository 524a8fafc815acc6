"""The coach of a lens calibration, led by a person who does what it says, or does not."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.coach import PICTURES, Advice, Call, CoachState, Place, Tilt, held_at, step
from calibration.target import TargetView
from tests.calibration.target_scenes import LENS, held, sight

MIDDLES = {place: (107.0 + 213 * (k % 3), 80.0 + 160 * (k // 3)) for k, place in enumerate(Place)}
LEANS = {Tilt.RIGHT: (25.0, 0.0), Tilt.LEFT: (-25.0, 0.0), Tilt.LOWER: (0.0, 25.0), Tilt.UPPER: (0.0, -25.0)}


def hold(state: CoachState, time_s: float, seconds: float, at: TargetView | str) -> tuple[CoachState, Advice, float]:
    """Hold the target for some time; ends early when a picture is taken."""
    advice = Advice(Call.SHOW)
    for _ in range(round(seconds * 10)):
        time_s += 0.1
        state, advice = step(state, time_s, at)
        if advice.call in (Call.TAKEN, Call.DONE):
            break
    return state, advice, time_s


def obeyed(advice: Advice, number: int) -> TargetView | str:
    """Hold the target where the coach wants it; where it leaves that open, somewhere else than before."""
    at = MIDDLES[advice.place] if advice.place else (200.0 + 37 * number % 250, 150.0 + 53 * number % 180)
    lean = LEANS[advice.tilt] if advice.tilt else (0.0, 0.0)
    return sight(*held(at, lean, 300.0 if advice.near else 420.0))


def test_who_obeys_is_soon_done() -> None:
    state, advice, time_s = CoachState(LENS.size), Advice(Call.SHOW, Place.MIDDLE), 0.0
    for number in range(20):
        state, advice, time_s = hold(state, time_s + 0.5, 1.5, obeyed(advice, number))
        assert advice.call in (Call.TAKEN, Call.DONE), (number, advice)
        if state.done:
            break
    assert state.done
    assert PICTURES <= len(state.taken) <= PICTURES + 3
    assert (state.missing_places, state.missing_tilts, state.missing_near) == ((), (), False)
    assert state.progress == 1
    assert step(state, time_s + 9, "anything")[1].call is Call.DONE


def test_nothing_is_taken_of_a_moving_target() -> None:
    state = CoachState(LENS.size)
    for number in range(40):
        at = sight(*held((150.0 + 8 * number, 240.0)))  # 80 px a second of 640
        state, advice = step(state, number / 10, at)
        assert advice.call is not Call.TAKEN
    assert state.taken == ()


def test_a_trembling_hand_is_still_enough() -> None:
    state = CoachState(LENS.size)
    for number in range(12):
        state, _ = step(
            state, number / 10, sight(*held((320.0 + 0.4 * (number % 3), 240.0)), noise_px=0.2, seed=number)
        )
    assert len(state.taken) == 1


def test_the_same_look_is_taken_once() -> None:
    state, at = CoachState(LENS.size), sight(*held((320.0, 240.0)))
    state, advice, time_s = hold(state, 0, 2, at)
    assert advice.call is Call.TAKEN
    state, advice, _ = hold(state, time_s, 3, at)
    assert (advice.call, len(state.taken)) == (Call.MOVE, 1)


def test_a_blurred_look_is_not_taken() -> None:
    state, _, time_s = hold(CoachState(LENS.size), 0, 2, sight(*held((320.0, 240.0))))
    state, advice, _ = hold(state, time_s, 3, sight(*held((107.0, 80.0)), edge_px=9.0))
    assert (advice.call, len(state.taken)) == (Call.SHARPEN, 1)


def test_a_gap_is_no_stillness() -> None:
    """Frames that stop coming say nothing about the time between them."""
    state, at = CoachState(LENS.size), sight(*held((320.0, 240.0)))
    for number in range(5):
        state, advice = step(state, 5.0 * number, at)
        assert advice.call is Call.HOLD


@pytest.mark.parametrize("tilt", Tilt)
def test_tilts_are_told_apart(tilt: Tilt) -> None:
    seen = sight(*held((320.0, 240.0), LEANS[tilt]))
    assert isinstance(seen, TargetView)
    assert held_at(seen, LENS.size).tilt_deg == pytest.approx(LEANS[tilt], abs=4)
    state, advice, _ = hold(CoachState(LENS.size), 0, 2, seen)
    assert advice.call is Call.TAKEN
    assert tilt not in state.missing_tilts
    assert len(state.missing_tilts) == 3


@pytest.mark.parametrize("place", Place)
def test_places_are_as_seen_on_the_screen(place: Place) -> None:
    seen = sight(*held(MIDDLES[place], distance_mm=700.0))
    assert isinstance(seen, TargetView)
    cells = held_at(seen, LENS.size).cells
    rows, cols = np.nonzero(cells)
    ninth = 3 * int(3 * rows.mean() / 12) + int(3 * cols.mean() / 16)
    assert list(Place)[ninth] is place


def test_no_target_says_why() -> None:
    _, advice = step(CoachState(LENS.size), 0, "only 5 corners of the target are seen, 12 are needed")
    assert advice.call is Call.SHOW
    assert "5 corners" in advice.why
    assert advice.place is Place.MIDDLE

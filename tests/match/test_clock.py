"""The clock as a value: what passes is taken from one player, bonuses as each kind gives them, a flag falls once."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.match.clock import MOST_S, Clock, TimeControl

PLAYERS = ("red", "blue", "green")
CONTROLS = st.one_of(
    st.builds(TimeControl, st.integers(1, 60), st.integers(0, 30), st.integers(0, 20)),
    st.builds(TimeControl, st.integers(1, 60), st.integers(0, 30), st.just(0), st.integers(0, 20)),
    st.builds(TimeControl, st.just(0), st.integers(1, 30)),
)
TIMES = st.lists(st.integers(0, 20_000), max_size=12)


def started(control: TimeControl, player: str = "red") -> Clock:
    return Clock.starting(control, PLAYERS).turned(1, player).going(True)


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        ({}, "needs"),
        ({"increment_s": 5}, "need"),
        ({"turn_s": 30, "delay_s": 5}, "need"),
        ({"total_s": 60, "increment_s": 5, "delay_s": 5}, "not both"),
        ({"total_s": -1}, "whole seconds"),
        ({"total_s": MOST_S + 1}, "whole seconds"),
        ({"total_s": 1.5}, "whole seconds"),
        ({"total_s": True}, "whole seconds"),
        ({"total_s": 60, "speed": 2}, "no speed"),
    ],
)
def test_what_is_no_clock_is_refused(wrong: dict[str, Any], what: str) -> None:
    with pytest.raises(ValueError, match=what):
        TimeControl.from_json(wrong)


def test_an_increment_is_added_after_every_turn_of_its_player() -> None:
    clock = started(TimeControl(60, increment_s=10)).passed(25_000).turned(2, "blue")
    assert clock.left_ms == {"red": 45_000, "blue": 60_000, "green": 60_000}


@pytest.mark.parametrize(("took_ms", "left_ms"), [(3_000, 60_000), (10_000, 60_000), (25_000, 45_000)])
def test_bronstein_gives_back_what_a_turn_took_and_no_more(took_ms: int, left_ms: int) -> None:
    clock = started(TimeControl(60, delay_s=10)).passed(took_ms).turned(2, "blue")
    assert clock.left_ms["red"] == left_ms


def test_a_turn_may_have_a_limit_of_its_own() -> None:
    clock = started(TimeControl(turn_s=30)).passed(29_999)
    assert clock.running
    assert clock.passed(1).fallen == "red"
    assert clock.turned(2, "blue").falls_in_ms == 30_000


def test_a_turn_undone_earns_no_bonus() -> None:
    clock = started(TimeControl(60, increment_s=10)).passed(5_000).turned(2, "blue").passed(4_000).turned(1, "red")
    assert clock.left_ms == {"red": 65_000, "blue": 56_000, "green": 60_000}


def test_time_that_is_taken_can_let_the_flag_fall_of_who_is_to_move() -> None:
    clock = Clock.starting(TimeControl(total_s=60), ["red", "blue"]).turned(1, "red").going(True)
    less = clock.taken("red", 20_000)
    assert (less.left_ms["red"], less.running, less.fallen) == (40_000, True, "")
    gone = clock.taken("red", 90_000)
    assert (gone.left_ms["red"], gone.running, gone.fallen) == (0, False, "red")
    other = clock.taken("blue", 90_000)
    assert (other.left_ms["blue"], other.running, other.fallen) == (0, True, ""), "a flag falls in its own turn"


def test_time_given_lets_a_fallen_flag_stand_again() -> None:
    fallen = started(TimeControl(10, 5)).passed(20_000)
    assert (fallen.fallen, fallen.running, fallen.left_ms["red"]) == ("red", False, 5_000)
    assert not fallen.going(True).running
    again = fallen.given("red", 3_000).going(True)
    assert again.running
    assert again.passed(2_999).fallen == ""
    assert again.passed(3_000).fallen == "red"


def test_a_clock_laid_aside_stands_for_good() -> None:
    assert not started(TimeControl(10)).laid_aside().going(True).running


@given(CONTROLS, TIMES)
def test_time_in_parts_is_time_in_one(control: TimeControl, parts: list[int]) -> None:
    clock = started(control)
    for ms in parts:
        clock = clock.passed(ms)
    assert clock == started(control).passed(sum(parts))


@given(CONTROLS, st.lists(st.tuples(st.integers(0, 20_000), st.booleans()), max_size=20))
def test_time_goes_nowhere_but_to_turns_and_comes_from_nowhere_but_bonuses(
    control: TimeControl, turns: list[tuple[int, bool]]
) -> None:
    clock, used, earned = started(control), 0, 0
    for number, (ms, on) in enumerate(turns, 2):
        before = clock.going(on)
        clock = before.passed(ms)
        assert clock.used_ms - before.used_ms <= ms
        assert clock.used_ms == before.used_ms or before.running
        used += clock.used_ms
        if control.total_s and not clock.fallen:
            earned += control.increment_s * 1000 + min(clock.used_ms, control.delay_s * 1000)
        clock = clock.turned(number, PLAYERS[number % 3])
        assert all(left >= 0 for left in clock.left_ms.values())
    if control.total_s:
        assert sum(clock.left_ms.values()) == 3 * control.total_s * 1000 - used + earned


@given(CONTROLS, TIMES)
def test_bronstein_never_leaves_more_than_there_was(control: TimeControl, turns: list[int]) -> None:
    clock = started(control)
    for number, ms in enumerate(turns, 2):
        before = clock.left_ms.get("red", 0)
        clock = clock.passed(ms).turned(number, "red" if number % 2 else "red ")
        if not control.increment_s:
            assert clock.left_ms.get("red", 0) <= before


@given(CONTROLS, TIMES)
def test_it_goes_to_json_and_back(control: TimeControl, turns: list[int]) -> None:
    assert TimeControl.from_json(json.loads(json.dumps(control.to_json()))) == control
    clock = started(control)
    for number, ms in enumerate(turns, 2):
        clock = clock.passed(ms).turned(number, PLAYERS[number % 3])
        assert Clock.from_json(json.loads(json.dumps(clock.to_json()))) == clock

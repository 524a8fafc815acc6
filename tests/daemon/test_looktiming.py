"""The turn loop's times, told by a clock of the test's own."""

from __future__ import annotations

from referee.session.timing import LOOK_AGAIN_S, LookTiming


def test_a_look_is_given_up_only_when_it_was_impossible_for_so_long() -> None:
    times = LookTiming.starting(10.0).asked(12.0)
    assert not times.out_of_patience(99.0, 3.0)  # nothing was in the way
    doubted = times.doubted(20.0).doubted(22.0)
    assert not doubted.out_of_patience(22.9, 3.0)
    assert doubted.out_of_patience(23.0, 3.0)
    assert not doubted.asked(24.0).out_of_patience(99.0, 3.0)
    assert not doubted.taken().out_of_patience(99.0, 3.0)


def test_pictures_of_no_use_are_not_looked_at_again() -> None:
    times = LookTiming.starting(10.0)
    assert times.passed_over(12.0).asked_s == 12.0
    assert times.passed_over(8.0).asked_s == 10.0


def test_a_board_stands_still_since_it_moved_last() -> None:
    assert LookTiming.starting(10.0).changed(15.0).still_for_s(18.0) == 3.0


def test_what_failed_is_tried_again_a_while_later() -> None:
    times = LookTiming.starting(10.0)
    assert times.may_try(10.0)
    assert not times.tried(10.0).may_try(10.0 + LOOK_AGAIN_S / 2)
    assert times.tried(10.0).may_try(10.0 + LOOK_AGAIN_S)

"""How far the looks have come, told by a clock of the test's own."""

from __future__ import annotations

from referee.session.looking import Looking

BEGUN = Looking(10.0, 10.0, unseen=True)


def test_a_look_is_given_up_only_when_it_was_impossible_for_so_long() -> None:
    looking = BEGUN.asked(12.0)
    assert not looking.out_of_patience(99.0, 3.0)  # nothing was in the way
    doubted = looking.doubted(20.0).doubted(22.0)
    assert not doubted.out_of_patience(22.9, 3.0)
    assert doubted.out_of_patience(23.0, 3.0)
    assert not doubted.asked(24.0).out_of_patience(99.0, 3.0)


def test_pictures_of_no_use_are_not_looked_at_again() -> None:
    assert BEGUN.passed_over(12.0).asked_s == 12.0
    assert BEGUN.passed_over(8.0).asked_s == 10.0

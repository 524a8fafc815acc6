"""What whole boards weigh: an oddness pays for a breach no more than it costs itself."""

from __future__ import annotations

from referee.judging.boards import weigh_boards
from referee.judging.judge import EFFORT
from tests.judging.seeing import GAME, START, seen


def test_a_piece_that_is_seen_elsewhere_has_not_vanished() -> None:
    """Somebody moved the flag from C1 to A2, which breaks as many rules as taking it off the board."""
    moved = "1r11/211"
    weighed = weigh_boards(GAME, START, seen(moved, 7.0), EFFORT)
    assert weighed.explanations[0].board.text == moved

"""Hands lay the acts of a script as they are written, legal or not, and no act that no hand can make."""

from __future__ import annotations

import pytest

from referee.games.record import RecordEntry, RecordError
from referee.games.terra_turrium.engine import GAME
from referee.games.terra_turrium.laying import laid
from tests.games.terra_turrium.positions import after, position

START = position()


def on_board(acts: str, player: str = "red") -> str:
    return laid(GAME.position(START), RecordEntry(1, player, acts, line=7))


@pytest.mark.parametrize(
    ("acts", "done"),
    [
        ("-C10 +D10", ("-C10", "+D10")),
        ("-D7 -D7 +A1", ("-D7", "-D7", "+A1")),
        ("A10-B9", ("A10>B9",)),
        ("A10-A9xA8", ("A8>", "A10>A8")),
        ("A5-B5", ("A5>B5",)),
        ("*C10", ("r>C10",)),
        ("*C10-C9", ("r>C9",)),
    ],
)
def test_acts_are_laid_in_their_order(acts: str, done: tuple[str, ...]) -> None:
    assert on_board(acts) == after(START["board"], *done)


@pytest.mark.parametrize(
    ("acts", "player", "words"),
    [
        ("-C10 -C10", "red", "-C10: nothing lies there"),
        ("C10-C9", "red", "C10-C9: no flag stands there"),
        ("-C10", "black", "'black' does not play"),
        ("C10+", "red", "C10+"),
    ],
)
def test_what_no_hand_can_make_is_refused_by_its_line(acts: str, player: str, words: str) -> None:
    with pytest.raises(RecordError) as told:
        on_board(acts, player)
    assert words in str(told.value)
    assert told.value.line == 7

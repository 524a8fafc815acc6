"""What is wrong with a board is told in every language, and as it is where somebody else's code says it."""

from __future__ import annotations

import pytest

from referee.values.board import BoardError, Field
from referee.values.words import board_words


def test_in_every_language() -> None:
    with pytest.raises(BoardError) as refused:
        Field.from_name("d{4}")
    assert str(refused.value).startswith("'d{4}' is not a field")
    assert board_words(refused.value, "known").text("de").startswith("known: 'd{4}' ist kein Feld: den Buchstaben")
    assert board_words(BoardError("no {board} at all")).text("fr") == "no {board} at all"

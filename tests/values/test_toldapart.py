"""What readers tell of pieces, and what they don't is refused with words."""

from __future__ import annotations

import pytest

from referee.values.kit import KitError, PieceKind
from referee.values.paints import PAINTS, Paint, paint_of
from referee.values.toldapart import COLOURS, told_as
from referee.values.words import say


def piece(word: str, paint: str = "", shape: str = "pawn") -> PieceKind:
    given = Paint(paint, paint, "#000000", "circle") if paint else paint_of(word)
    return PieceKind(word[0], word, say("piece"), shape, given, 6)


def test_every_colour_is_told_as_itself() -> None:
    assert told_as([piece(word) for word in COLOURS]) == COLOURS


@pytest.mark.parametrize(
    ("paint", "told"),
    [("#e62fb8", "purple"), ("#2f99c6", "blue"), ("#30b21c", "green"), ("#1d1d1f", "black"), ("#eeeeee", "white")],
)
def test_another_paint_is_told_as_the_colour_it_is_of(paint: str, told: str) -> None:
    assert told_as([piece("other", paint)]) == (told,)


@pytest.mark.parametrize(
    ("pieces", "says"),
    [
        ([piece("blue"), piece("dome", PAINTS["blue"].light, "dome")], "'blue' and 'dome' can't be told apart"),
        ([piece("red"), piece("crimson", "#dc143c")], "'crimson'"),
        ([piece("first", "#d6ae3c", "king"), piece("second", "#b08050", "king")], "'first' and 'second' can't"),
        ([piece("mauve")], "'mauve' is no paint's word. Use the paint of red"),
        ([piece("salmon", "#b24d2d")], "between those that are told apart: make it clearly red"),
        ([piece("teal", "#2db2a2")], "#2db2a2"),
        ([piece("stone", "#808080")], "#808080"),
        ([piece("brown", "#7a4a21")], "#7a4a21"),
        ([piece("king", PAINTS["red"].light, "king")], "can't be told as a king: paint him gold"),
    ],
)
def test_what_cant_be_told_is_refused_with_what_to_do(pieces: list[PieceKind], says: str) -> None:
    with pytest.raises(KitError, match=says):
        told_as(pieces)

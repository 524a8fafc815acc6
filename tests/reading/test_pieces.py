"""A kit's pieces find the classes that the scorer tells apart."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.games.terra_turrium.kit import KIT
from referee.values.kit import PieceKind
from referee.values.paints import Paint, paint_of
from referee.values.words import say
from vision.heights.pieces import CLASSES, FLAGS, classes_of, pieces_of


def piece(word: str, shape: str = "knight", paint: str = "") -> PieceKind:
    given = Paint(paint, paint, "#000000", "circle") if paint else paint_of(word)
    return PieceKind(word[0], word, say("cube"), shape, given, 6)


def test_flags_are_the_default() -> None:
    assert pieces_of(None) == FLAGS
    known = pieces_of(KIT)
    assert (known.letters, known.classes, known.grounded) == (FLAGS.letters, FLAGS.classes, frozenset())
    assert known.weights == "flags"


def test_a_kit_with_anything_but_the_four_colours_is_read_by_the_weights_for_all_pieces() -> None:
    kit = replace(KIT, pieces=(*KIT.pieces, piece("royal", "king")))
    assert pieces_of(kit).weights == "pieces"


def test_colours_are_found_by_their_word_in_the_order_of_the_kit_and_the_king_by_his_form() -> None:
    words = [CLASSES[k] for k in classes_of([piece("black"), piece("orange"), piece("royal", "king"), piece("red")])]
    assert words == ["none", "black", "orange", "king", "red"]


@pytest.mark.parametrize(
    ("paint", "known"),
    [("#ff69b4", "red"), ("#00a0a0", "blue"), ("#808000", "yellow"), ("#222222", "black"), ("#eeeeee", "white")],
)
def test_an_unknown_word_takes_the_class_next_to_its_paint(paint: str, known: str) -> None:
    assert CLASSES[classes_of([piece("other", paint=paint)])[1]] == known


def test_no_two_pieces_share_a_class() -> None:
    first, second = classes_of([piece("red"), piece("crimson", paint="#dc143c")])[1:]
    assert CLASSES[first] == "red"
    assert second != first


def test_more_pieces_than_classes_are_refused() -> None:
    with pytest.raises(ValueError, match="told apart"):
        classes_of([piece(f"colour{k}", paint="#ff0000") for k in range(9)])

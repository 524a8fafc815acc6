"""A kit's pieces find the classes that the scorer tells apart."""

from __future__ import annotations

from dataclasses import replace

from referee.games.terra_turrium.kit import KIT
from referee.values.kit import PieceKind
from referee.values.paints import Paint, paint_of
from referee.values.words import say
from vision.heights.pieces import CLASSES, FLAGS, pieces_of

GOLD = "#d6ae3c"


def piece(word: str, shape: str = "knight", paint: str = "") -> PieceKind:
    given = Paint(paint, paint, "#000000", "circle") if paint else paint_of(word)
    return PieceKind(word[0], word, say("cube"), shape, given, 6)


def test_flags_are_the_default() -> None:
    assert pieces_of(None) == FLAGS
    known = pieces_of(KIT)
    assert (known.letters, known.classes, known.grounded) == (FLAGS.letters, FLAGS.classes, frozenset())
    assert known.weights == "flags"


def test_a_kit_with_anything_but_the_four_colours_is_read_by_the_weights_for_all_pieces() -> None:
    kit = replace(KIT, pieces=(*KIT.pieces, piece("royal", "king", GOLD)))
    assert pieces_of(kit).weights == "pieces"


def test_colours_are_found_by_their_paint_in_the_order_of_the_kit_and_the_king_by_his_form() -> None:
    kit = replace(KIT, pieces=(piece("black"), piece("orange"), piece("royal", "king", GOLD), piece("red")))
    assert [CLASSES[k] for k in pieces_of(kit).classes] == ["none", "black", "orange", "king", "red"]

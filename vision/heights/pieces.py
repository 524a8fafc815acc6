"""The classes of pieces that the scorer tells apart, and which of them a game's kit can put on the table.

The network has seen pieces of eight colours and a king; a kit names its pieces by words. Only the classes of the kit
at hand are weighed against each other, so a red flag is never taken for an orange one that nobody plays.
"""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from dataclasses import dataclass

from referee.values.kit import Kit, PieceKind

CLASSES = ("none", "red", "yellow", "green", "blue", "orange", "purple", "white", "black", "king")
"""Meaning of the network's outputs, in order."""
_FLAG_CLASSES = (0, 1, 2, 3, 4)
_HUES = {1: 0.0, 2: 0.14, 3: 0.36, 4: 0.61, 5: 0.07, 6: 0.78}
_GREY = 0.2
"""A paint less colourful than this share is white or black."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces that can stand on the stacks of a table, in the order of their codes.

    letters: in board text, from code 1. classes: the network's, that of "none" first. most: how many there are of
    each, ``None`` where only what is expected of the table says it. grounded: which of them stand on the bare board
    as often as on stacks.
    """

    letters: str
    classes: tuple[int, ...]
    most: tuple[int, ...] | None = None
    grounded: frozenset[int] = frozenset()

    @property
    def weights(self) -> str:
        """Return the trained set that reads the pieces best.

        Four colours have a set that was made for those alone.
        """
        return "flags" if set(self.classes) <= set(_FLAG_CLASSES) else "pieces"


FLAGS = Pieces("rygb", _FLAG_CLASSES)
"""Flags of the four colours: the pieces of a table whose kit is not told."""


def pieces_of(kit: Kit | None) -> Pieces:
    """Return the pieces of a kit, as readers need them. Raises ValueError for more kinds than can be told apart."""
    if kit is None:
        return FLAGS
    grounded = frozenset(code for code, piece in enumerate(kit.pieces, 1) if piece.shape != "flag")
    return Pieces(kit.letters, classes_of(kit.pieces), tuple(piece.most for piece in kit.pieces), grounded)


def classes_of(pieces: Sequence[PieceKind]) -> tuple[int, ...]:
    """Return the class of "none" and of each piece of a kit, in the order of their codes.

    A king is told by his form. A colour whose word the network does not know takes the class next to its paint's hue
    that no other piece has. Raises ValueError for more kinds than can be told apart.
    """
    found: dict[int, int] = {}
    for k, piece in enumerate(pieces):
        if piece.shape == "king":
            found[k] = CLASSES.index("king")
        elif piece.word in CLASSES[1:-1]:
            found[k] = CLASSES.index(piece.word)
    for k, piece in enumerate(pieces):
        if k not in found:
            free = [kind for kind in range(1, len(CLASSES) - 1) if kind not in found.values()]
            if not free:
                raise ValueError(f"{len(pieces)} kinds of pieces can't be told apart")
            found[k] = min(free, key=lambda kind: _away(piece.paint.light, kind))
    return (0, *(found[k] for k in range(len(pieces))))


def _away(paint: str, kind: int) -> float:
    """Return how far a paint (sRGB hex) is from a class's colour, as a share of the circle of hues.

    Greys are compared by brightness.
    """
    red, green, blue = (int(paint[k : k + 2], 16) / 255 for k in (1, 3, 5))
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    if kind not in _HUES:
        other = value if CLASSES[kind] == "black" else 1 - value
        return other * 0.5 + (0.0 if saturation < _GREY else 1.0)
    away = abs(hue - _HUES[kind])
    return min(away, 1 - away) + (1.0 if saturation < _GREY else 0.0)

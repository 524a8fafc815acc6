"""The classes of pieces that the scorer tells apart, and which of them a game's kit can put on the table.

The network has seen pieces of eight colours and a king; a kit names its pieces by words. Only the classes of the kit
at hand are weighed against each other, so a red flag is never taken for an orange one that nobody plays.
"""

from __future__ import annotations

import colorsys
from collections.abc import Sequence

from referee.values.kit import PieceKind

CLASSES = ("none", "red", "yellow", "green", "blue", "orange", "purple", "white", "black", "king")
"""What the network's answers stand for, in order."""
FLAGS = (0, 1, 2, 3, 4)
"""Nothing and the four colours: the classes of a table whose kit is not told."""
_HUES = {1: 0.0, 2: 0.14, 3: 0.36, 4: 0.61, 5: 0.07, 6: 0.78}
_GREY = 0.2
"""A paint less colourful than this share is white or black."""


def classes_of(pieces: Sequence[PieceKind]) -> tuple[int, ...]:
    """The class of "none" and of each piece of a kit, in the order of their codes.

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
    """How far a paint (sRGB hex) is from a class's colour, as a share of the circle of hues; greys by brightness."""
    red, green, blue = (int(paint[k : k + 2], 16) / 255 for k in (1, 3, 5))
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    if kind not in _HUES:
        other = value if CLASSES[kind] == "black" else 1 - value
        return other * 0.5 + (0.0 if saturation < _GREY else 1.0)
    away = abs(hue - _HUES[kind])
    return min(away, 1 - away) + (1.0 if saturation < _GREY else 0.0)

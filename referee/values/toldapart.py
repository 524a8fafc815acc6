"""What readers tell of the pieces on stacks: eight colours whatever the shape, and a king by his form and gold.

Every bound holds what was read right of rendered pieces with all colours and the king to choose from; between the
bounds pieces are told wrong or left open (docs/develop/adding-a-game.md).
"""

from __future__ import annotations

import colorsys
from collections.abc import Sequence

from referee.values.kit import KitError, PieceKind
from referee.values.paints import NEUTRAL

COLOURS = ("red", "yellow", "green", "blue", "orange", "purple", "white", "black")
KING = "king"
_EITHER = f"{', '.join(COLOURS[:-1])} or {COLOURS[-1]}"
_HUES = {
    "red": (0.97, 0.02),
    "orange": (0.06, 0.08),
    "yellow": (0.12, 0.17),
    "green": (0.26, 0.44),
    "blue": (0.53, 0.67),
    "purple": (0.73, 0.91),
}
"""From where to where a hue counts as which colour, on a circle of 1."""
_COLOURFUL, _BRIGHT = (0.6, 0.4), (0.7, 0.55)
"""Saturation and brightness from which on a paint is of a colour, and is orange or yellow: less is like wood."""
_WHITE, _BLACK, _GREYISH = 0.85, 0.25, 0.06
"""Brightness of white from here on, of black up to here; how far the three parts of either differ at most."""
_GOLD = (0.075, 0.14), (0.45, 0.85)
"""Hue and saturation of gold and wood, from and to."""


def told_as(pieces: Sequence[PieceKind]) -> tuple[str, ...]:
    """Return what readers tell each kind of piece as: one of COLOURS, or KING.

    Raises KitError, saying what to do, for a paint that is none of them and for two kinds that look alike.
    """
    found: dict[str, PieceKind] = {}
    for piece in pieces:
        told = _told(piece)
        other = found.setdefault(told, piece)
        if other is not piece:
            raise KitError(
                f"the pieces {other.word!r} and {piece.word!r} can't be told apart: both are {told}, and pieces are "
                "told by their colour, not by their shape. Give one of them another colour, on the table as in the "
                "kit, or make both one kind of piece"
            )
    return tuple(found)


def _told(piece: PieceKind) -> str:
    if piece.paint == NEUTRAL:
        raise KitError(
            f"the piece {piece.word!r} has no colour: {piece.word!r} is no paint's word. Use the paint of "
            f"{_EITHER}, or a Paint of its own"
        )
    hue, saturation, value = _hsv(piece.paint.light)
    if piece.shape == KING:
        if all(low <= share <= high for share, (low, high) in zip((hue, saturation), _GOLD, strict=True)):
            return KING
        raise KitError(f"the piece {piece.word!r} can't be told as a king: paint him gold or like wood")
    if saturation * value <= _GREYISH and not _BLACK < value < _WHITE:
        return "white" if value >= _WHITE else "black"
    colour = next((word for word, (low, high) in _HUES.items() if (hue - low) % 1 <= (high - low) % 1), "")
    least = _BRIGHT if colour in ("orange", "yellow") else _COLOURFUL
    if colour and saturation >= least[0] and value >= least[1]:
        return colour
    raise KitError(
        f"the colour of the piece {piece.word!r} ({piece.paint.light}) lies between those that are told apart: make "
        f"it clearly {_EITHER}"
    )


def _hsv(paint: str) -> tuple[float, float, float]:
    red, green, blue = (int(paint[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return colorsys.rgb_to_hsv(red, green, blue)

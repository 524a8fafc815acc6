"""The frames of places on a drawing, and the colours of its page."""

from __future__ import annotations

from referee.values.kit import Kit

CELL = 40
MARGIN = 26
SHADES = 7
CHANGED, WRONG, DOUBTED, OPEN = FRAMES = ("changed", "wrong", "doubted", "open")
"""How a place is framed; on an open one nobody knows what stands, so nothing is drawn there."""
SIGNS = {WRONG: "!", DOUBTED: "?"}
_LIGHT = ("#f3ede3", "#ead7b4", "#dcbd8a", "#cba266", "#b58449", "#93652f", "#71491f", "#4e3013")
_DARK = ("#221d18", "#46382b", "#634d35", "#755839", "#81643f", "#b18c58", "#d6b37a", "#efd3a0")
_LIGHT_INK = ("#2f2110",) * 5 + ("#fff6e6",) * 3
_DARK_INK = ("#f6ead6",) * 5 + ("#241805",) * 3


def style(kit: Kit) -> tuple[str, str]:
    """Return the style classes of a drawing, on a light and on a dark page."""
    return _style(kit, _LIGHT, _LIGHT_INK, dark=False), _style(kit, _DARK, _DARK_INK, dark=True)


def _style(kit: Kit, shades: tuple[str, ...], inks: tuple[str, ...], dark: bool) -> str:
    rules = [f".s{n}{{fill:{shades[n]}}}.i{n}{{fill:{inks[n]}}}" for n in range(SHADES + 1)]
    for piece in kit.pieces:
        paint = piece.paint.dark if dark else piece.paint.light
        rules.append(f".p-{piece.letter}{{fill:{paint}}}.t-{piece.letter}{{fill:{piece.paint.ink}}}")
        rules.append(f".b-{piece.letter}{{stroke:{paint}}}")
    return "".join(rules)


def label(x: float, y: float, text: str) -> str:
    """Draw the name of a column or a row beside a drawing."""
    return f'<text class="label" x="{x}" y="{y}">{text}</text>'

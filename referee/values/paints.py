"""The paints of colours: names people know, in light and dark surroundings, each with a sign of its own.

Colours alone are the same to many people, so every paint comes with an outline; a text on it has its own ink, at
least 4.5 : 1 (WCAG 2.2, 1.4.3).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

OUTLINES = ("circle", "diamond", "square", "hexagon", "triangle", "cross", "star", "drop")
"""Outlines the page can draw, told apart at a glance."""
_HEX = re.compile("#[0-9a-fA-F]{6}")


@dataclass(frozen=True, slots=True)
class Paint:
    """A colour as page and paper show it.

    light, dark: sRGB hex on a light and a dark page. ink: hex of a text on it. outline: one of OUTLINES.
    """

    light: str
    dark: str
    ink: str
    outline: str

    def __post_init__(self) -> None:
        for colour in (self.light, self.dark, self.ink):
            if not _HEX.fullmatch(colour):
                raise ValueError(f"{colour!r} is no colour of a paint: write red, green and blue as #b92d25")
        if self.outline not in OUTLINES:
            raise ValueError(f"a paint has no outline {self.outline!r}: use one of {', '.join(OUTLINES)}")

    def to_json(self) -> dict[str, str]:
        """Return the paint as the page gets it."""
        return {"light": self.light, "dark": self.dark, "ink": self.ink, "outline": self.outline}


PAINTS: dict[str, Paint] = {
    "red": Paint("#b92d25", "#d33f34", "#ffffff", "circle"),
    "yellow": Paint("#f0b90b", "#f2c230", "#2b2000", "diamond"),
    "green": Paint("#23734a", "#2a8456", "#ffffff", "square"),
    "blue": Paint("#1f5fa6", "#3a77c6", "#ffffff", "hexagon"),
    "orange": Paint("#d9661a", "#e87a2e", "#241000", "triangle"),
    "purple": Paint("#6f3b94", "#8d55b5", "#ffffff", "cross"),
    "white": Paint("#fbfaf5", "#f4f0e6", "#2b231a", "star"),
    "black": Paint("#2a2724", "#0f0d0b", "#ffffff", "drop"),
    "light": Paint("#ecd9b4", "#e4cd9f", "#2b2000", "diamond"),
    "dark": Paint("#5a3a1f", "#6d4726", "#ffffff", "square"),
}
"""Paints by the word of a colour. A game may bring others."""
NEUTRAL = Paint("#6a6a6a", "#8a8a8a", "#ffffff", "circle")
"""The paint of a word that no colour has."""


def paint_of(word: str) -> Paint:
    """Return the paint of a colour's word, NEUTRAL for an unknown word."""
    return PAINTS.get(word, NEUTRAL)

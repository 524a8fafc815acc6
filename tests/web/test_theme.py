"""Colours that can be read: contrast worked out from the style sheet, in both themes."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from referee.games import game_named, names
from referee.values.paints import PAINTS, Paint

STATIC = Path(__file__).parents[2] / "web" / "static"
SHEET = (STATIC / "theme.css").read_text(encoding="utf-8")
LIGHT, DARK = SHEET.split(':root[data-theme="dark"]')
TONES = ("legal", "illegal", "unsure", "won", "busy")
PAIRS = [
    *((ink, ground) for ink in ("ink", "soft") for ground in ("ground", "panel")),
    ("on-ground", "shade-0"),
    *(("on-low", f"shade-{height}") for height in (1, 2, 3, 4)),
    *(("on-high", f"shade-{height}") for height in (5, 6, 7)),
    *((tone, f"{tone}-wash") for tone in TONES),
    *(("panel", tone) for tone in TONES),
    *(("ink", f"{tone}-wash") for tone in TONES),
    *(("soft", f"{tone}-wash") for tone in TONES),
]
BROUGHT = [
    piece.paint for name in names() for piece in game_named(name).kit.pieces if piece.paint not in PAINTS.values()
]
"""Paints that games bring themselves."""
EDGES = [("edge", "ground"), ("edge", "panel"), ("focus", "ground"), ("focus", "panel"), ("focus", "shade-1")]
"""What is no text and yet must be seen: borders of buttons, the focus."""


def colours(*sheets: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", "".join(sheets)))


def parts(colour: str) -> list[int]:
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def luminance(colour: str) -> float:
    shares = [part / 255 for part in parts(colour)]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(theme: str, pair: tuple[str, str]) -> float:
    palette = colours(LIGHT) if theme == "light" else colours(LIGHT, DARK)
    return ratio(*(palette[name] for name in pair))


def ratio(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_has_enough_contrast_and_edges_stand_out(theme: str) -> None:
    assert not [pair for pair in PAIRS if contrast(theme, pair) < 4.5]
    assert not [pair for pair in EDGES if contrast(theme, pair) < 3]


@pytest.mark.parametrize("paint", [*PAINTS.values(), *BROUGHT], ids=[*PAINTS, *map(str, range(len(BROUGHT)))])
def test_ink_has_enough_contrast_on_paints_in_both_themes(paint: Paint) -> None:
    assert min(ratio(paint.ink, paint.light), ratio(paint.ink, paint.dark)) >= 4.5


def test_lines_to_be_drawn_onto_a_board_look_like_no_piece() -> None:
    """In one of the stones' colours a proposed corner is not told from what lies there."""
    sheet = (STATIC / "setup.css").read_text(encoding="utf-8")
    rules = re.findall(r"\.touch-(?:outline|ring|cross) \{[^}]*stroke: (#[0-9a-f]{6})", sheet)
    assert len(rules) == 3
    paints = [colour for paint in (*PAINTS.values(), *BROUGHT) for colour in (paint.light, paint.dark)]
    assert min(math.dist(parts(line), parts(colour)) for line in rules for colour in paints) > 100

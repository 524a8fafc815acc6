"""A tower of bars as SVG: the plan of every level, the lowest first, drawn from the kit alone.

A bar is told by its colour, by the letter of its piece, and by lines that join its two halves; a bar that stands
upright has a triangle that points to its other half.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from referee.report.framing import SIGNS
from referee.values.kit import Kit

CELL, GAP, HEAD, FOOT = 34, 22, 26, 20
MOST_ACROSS = 4
"""Levels in a row of the drawing."""
_EMPTY, _UNSEEN = ".", "?"
_HALF = CELL / 2
_ENDS = {"n": (0, -_HALF), "s": (0, _HALF), "e": (_HALF, 0), "w": (-_HALF, 0)}
_POINTS = {"u": ((-6, 11), (6, 11), (0, 4)), "d": ((-6, 6), (6, 6), (0, 13))}


def levels_of(text: str) -> list[str]:
    """Return the levels of a tower text, the lowest first.

    A level lists its cells from the back left to the front right.
    """
    return text.split("/") if text else []


def tower_svg(text: str, kit: Kit, frames: Mapping[str, str], title: str, shown: Mapping[str, str]) -> str:
    """Draw a tower text as SVG.

    frames: name of a cell (``b2.1``) to how it is framed. shown: letters, as on boards.
    """
    levels = levels_of(text) or [_EMPTY * (kit.columns * kit.rows)]
    across = min(MOST_ACROSS, len(levels))
    wide, high = kit.columns * CELL + GAP, HEAD + kit.rows * CELL + FOOT
    parts = []
    for index, level in enumerate(levels):
        left, top = (index % across) * wide + GAP, (index // across) * high + HEAD
        parts.append(f'<text class="label" x="{left + kit.columns * _HALF}" y="{top - 8}">{index + 1}</text>')
        for number, sign in enumerate(level[: kit.columns * kit.rows]):
            row, column = divmod(number, kit.columns)
            name = f"{chr(ord('a') + column)}{kit.rows - row}.{index + 1}"
            parts.append(_cell(left + column * CELL, top + row * CELL, sign, kit, frames.get(name, ""), shown))
        parts += [
            f'<text class="label" x="{left + column * CELL + _HALF}" y="{top + kit.rows * CELL + 15}">'
            f"{chr(ord('a') + column)}</text>"
            for column in range(kit.columns)
        ]
        parts += [
            f'<text class="label" x="{left - 11}" y="{top + row * CELL + _HALF + 5}">{kit.rows - row}</text>'
            for row in range(kit.rows)
        ]
    rows = -(-len(levels) // across)
    head = (
        f'<svg class="board" viewBox="0 0 {across * wide + 4} {rows * high}" role="img" aria-label="{escape(title)}">'
    )
    return head + "".join(parts) + "</svg>"


def _cell(x: float, y: float, sign: str, kit: Kit, frame: str, shown: Mapping[str, str]) -> str:
    middle_x, middle_y = x + _HALF, y + _HALF
    drawn = f'<rect class="cell s0" x="{x + 1}" y="{y + 1}" width="{CELL - 2}" height="{CELL - 2}" rx="4"/>'
    if sign == _UNSEEN:
        drawn += f'<text class="i0" x="{middle_x}" y="{middle_y + 5}">?</text>'
    elif sign != _EMPTY and len(kit.pieces) > 1:
        piece = kit.pieces[1 if sign.isupper() else 0]
        way = sign.lower()
        drawn += (
            f'<rect class="p-{piece.letter}" x="{x + 4}" y="{y + 4}" width="{CELL - 8}" height="{CELL - 8}" rx="5"/>'
        )
        if way in _ENDS:
            dx, dy = _ENDS[way]
            drawn += (
                f'<line class="bar b-{piece.letter}" x1="{middle_x}" y1="{middle_y}" '
                f'x2="{middle_x + dx}" y2="{middle_y + dy}"/>'
            )
        drawn += (
            f'<text class="t-{piece.letter}" x="{middle_x}" y="{middle_y + 3}">{escape(shown[piece.letter])}</text>'
        )
        if way in _POINTS:
            points = " ".join(f"{middle_x + px},{middle_y + py}" for px, py in _POINTS[way])
            drawn += f'<polygon class="t-{piece.letter}" points="{points}"/>'
    if frame:
        drawn += f'<rect class="{frame}" x="{x + 2}" y="{y + 2}" width="{CELL - 4}" height="{CELL - 4}" rx="4"/>'
    if frame in SIGNS:
        drawn += f'<text class="sign {frame}-sign" x="{x + CELL - 7}" y="{y + 14}">{SIGNS[frame]}</text>'
    return drawn

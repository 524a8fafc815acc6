"""A grid of stacks as SVG, drawn from the kit alone, for a page that stands for itself.

Every stack has its number and every piece its letter: nothing is told by colour alone. Colours are classes; STYLE
gives them on a light and a dark page.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from referee.report.framing import CELL, MARGIN, OPEN, SHADES, SIGNS, label
from referee.values.board import Board
from referee.values.kit import Kit, PieceKind
from referee.values.partial import PartialBoard

FULL_SIZE = 2
"""Letters and digits that stand on a piece in full size; more are made smaller, or they would lie over others."""


def board_svg(
    text: str, like: Board, kit: Kit, frames: Mapping[str, str], title: str, shown: Mapping[str, str]
) -> str:
    """Draw a board text (``?`` where a field is not known) as SVG.

    like: a board of the same size. frames: name of a field and how it is framed, as one of FRAMES. title: what
    the drawing shows, for those who hear it. shown: the letters shown for those of the text. Raises
    BoardError for a text of another size.
    """
    rows, columns = like.heights.shape
    pieces = {piece.letter: piece for piece in kit.pieces}
    parts = []
    for place, height, letter in PartialBoard.parse(text, rows, columns, like.letters).fields():
        x, y = MARGIN + place.col * CELL, (rows - 1 - place.row) * CELL
        frame = frames.get(place.name, "")
        parts.append(_open(x, y) if frame == OPEN else _stack(x, y, height, letter, pieces, shown, told=bool(frame)))
        if frame:
            parts.append(
                f'<rect class="{frame}" x="{x + 2}" y="{y + 2}" width="{CELL - 4}" height="{CELL - 4}" rx="4"/>'
            )
        if frame in SIGNS:
            parts.append(f'<text class="sign {frame}-sign" x="{x + CELL - 9}" y="{y + 18}">{SIGNS[frame]}</text>')
    parts += [label(MARGIN + col * CELL + CELL / 2, rows * CELL + 18, chr(ord("A") + col)) for col in range(columns)]
    parts += [label(MARGIN / 2, (rows - 1 - row) * CELL + CELL / 2 + 5, str(row + 1)) for row in range(rows)]
    width, height_px = MARGIN + columns * CELL + 4, rows * CELL + MARGIN
    head = f'<svg class="board" viewBox="0 0 {width} {height_px}" role="img" aria-label="{escape(title)}">'
    return head + "".join(parts) + "</svg>"


def _open(x: float, y: float) -> str:
    """Draw a field of which nobody knows what stands there."""
    cell = f'<rect class="cell s0" x="{x + 1}" y="{y + 1}" width="{CELL - 2}" height="{CELL - 2}" rx="4"/>'
    return cell + f'<text class="open-sign" x="{x + CELL / 2}" y="{y + CELL / 2 + 5}">?</text>'


def _stack(
    x: float,
    y: float,
    height: int | None,
    letter: str | None,
    pieces: Mapping[str, PieceKind],
    shown: Mapping[str, str],
    told: bool,
) -> str:
    """Draw a field: its stack's height and the letter of its piece. told: write the 0 of an empty field, too."""
    shade = 0 if height is None else min(height, SHADES)
    number = "?" if height is None else str(height)
    cell = f'<rect class="cell s{shade}" x="{x + 1}" y="{y + 1}" width="{CELL - 2}" height="{CELL - 2}" rx="4"/>'
    if letter == "":
        alone = f'<text class="i{shade}" x="{x + CELL / 2}" y="{y + CELL / 2 + 5}">{number}</text>'
        return cell + (alone if height != 0 or told else "")
    kind = pieces.get(letter or "")
    known = f"p-{kind.letter}" if kind else "p-none"
    ink = f"t-{kind.letter}" if kind else "t-none"
    sign = f"{number}{escape(shown.get(letter, letter)) if letter else '?'}"
    circle = f'<circle class="piece {known}" cx="{x + CELL / 2}" cy="{y + CELL / 2}" r="{CELL * 0.38}"/>'
    small = " long" if len(sign) > FULL_SIZE else ""
    return cell + circle + f'<text class="{ink}{small}" x="{x + CELL / 2}" y="{y + CELL / 2 + 5}">{sign}</text>'

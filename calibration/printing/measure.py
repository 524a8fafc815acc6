"""Draws what to measure of a table: the board from above and a stack from the side, with lettered distances.

Drawn once for the screen (SVG) and the documentation; the letters stand in the questions of ``referee new``.
"""

from __future__ import annotations

from reportlab.graphics import renderSVG
from reportlab.graphics.shapes import Circle, Drawing, Group, Line, Polygon, Rect, String
from reportlab.lib.colors import Color, HexColor, black, white

_INK, _PAPER, _STONE, _FLAG = HexColor(0x333333), HexColor(0xF4F1EA), HexColor(0xB98D5D), HexColor(0xB5382E)
_WIDTH, _HEIGHT = 640, 380


def measure_svg() -> str:
    """Return the drawing as the text of an SVG file."""
    text: str = renderSVG.drawToString(measure_drawing())
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def measure_drawing() -> Drawing:
    """Return the drawing, 640 x 380 points."""
    drawing = Drawing(_WIDTH, _HEIGHT)
    drawing.add(_rect(0, 0, _WIDTH, _HEIGHT, white, None))
    drawing.add(_board())
    drawing.add(_stack())
    return drawing


def _board() -> Group:
    """Draw a board of 6 x 6 fields from above, with a track above and below."""
    group = Group()
    left, bottom, size, pitch = 50, 44, 300, 30
    group.add(_rect(left, bottom, size, size, _PAPER, width=1.5))
    start = left + (size - 6 * pitch) / 2
    low = bottom + (size - 6 * pitch) / 2
    for col in range(6):
        for row in range(6):
            x, y = start + col * pitch, low + row * pitch
            group.add(_rect(x, y, pitch, pitch, white, HexColor(0xB8B2A6), width=0.7))
            if (col, row) in {(1, 3), (2, 3)}:
                group.add(_rect(x + 2, y + 2, pitch - 4, pitch - 4, _STONE, width=1))
    top = low + 6 * pitch
    for col in range(6):
        for y in (top + 20, low - 20):
            group.add(Circle(start + (col + 0.5) * pitch, y, 8, fillColor=white, strokeColor=_INK, strokeWidth=0.7))
    mid = low + 3.5 * pitch
    _across(group, start + 1.5 * pitch, start + 2.5 * pitch, mid + 22, "A")
    _upward(group, start + 3.5 * pitch, low + 1.5 * pitch, low + 2.5 * pitch, "B")
    _across(group, left, left + size, bottom - 22, "H")
    _upward(group, left - 22, bottom, bottom + size, "I")
    _upward(group, start + 6 * pitch + 16, top, top + 20, "K")
    group.add(
        Line(start + 5.5 * pitch, top + 20, start + 6 * pitch + 22, top + 20, strokeColor=_INK, strokeWidth=0.5)
    )
    group.add(Line(start + 6 * pitch, top, start + 6 * pitch + 22, top, strokeColor=_INK, strokeWidth=0.5))
    _across(group, start + 0.5 * pitch, start + 1.5 * pitch, top + 38, "L")
    return group


def _stack() -> Group:
    """Draw a stack of two stones with a flag from the side, and one stone in perspective."""
    group = Group()
    left, ground, width, height = 420, 90, 70, 46
    group.add(_rect(380, ground - 14, 230, 14, _PAPER, width=1.5))
    for level in range(2):
        y = ground + level * height
        group.add(_rect(left, y, width, height, _STONE, width=1))
    top = ground + 2 * height
    group.add(_rect(left + width / 2 - 7, top, 14, 84, _FLAG, width=1))
    _upward(group, left - 14, ground, ground + height, "E")
    _upward(group, left - 14, top, top + 84, "F")
    group.add(Line(left - 20, top + 84, left + width / 2, top + 84, strokeColor=_INK, strokeWidth=0.5))
    _across(group, left + width / 2, left + width / 2 + 7, top + 98, "G")
    _upward(group, 374, ground - 14, ground, "J")
    x, y, lean = 530, ground, 22
    group.add(_rect(x, y, 56, height, _STONE, width=1))
    roof: list[float] = [
        x,
        y + height,
        x + 56,
        y + height,
        x + 56 + lean,
        y + height + lean,
        x + lean,
        y + height + lean,
    ]
    side: list[float] = [x + 56, y, x + 56 + lean, y + lean, x + 56 + lean, y + height + lean, x + 56, y + height]
    group.add(Polygon(roof, fillColor=HexColor(0xD2AD82), strokeColor=_INK, strokeWidth=1))
    group.add(Polygon(side, fillColor=HexColor(0x94693E), strokeColor=_INK, strokeWidth=1))
    _across(group, x, x + 56, y + height / 2, "C", white)
    _arrow(group, x + 60, y + height + 2, x + 56 + lean - 4, y + height + lean - 4)
    _letter(group, x + 56 + lean + 10, y + height + lean / 2 + 2, "D")
    return group


def _rect(
    x: float, y: float, wide: float, high: float, fill: Color, ink: Color | None = _INK, width: float = 1.0
) -> Rect:
    rect = Rect(x, y, wide, high)
    rect.fillColor, rect.strokeColor, rect.strokeWidth = fill, ink, width
    return rect


def _across(group: Group, x1: float, x2: float, y: float, letter: str, ink: Color = _INK) -> None:
    _arrow(group, x1, y, x2, y, ink)
    _letter(group, (x1 + x2) / 2, y + 9, letter)


def _upward(group: Group, x: float, y1: float, y2: float, letter: str) -> None:
    _arrow(group, x, y1, x, y2)
    _letter(group, x - 11, (y1 + y2) / 2 - 4, letter)


def _arrow(group: Group, x1: float, y1: float, x2: float, y2: float, ink: Color = _INK) -> None:
    """Draw a line with a short bar across each end."""
    length = max(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5, 1e-6)
    u, v = -(y2 - y1) / length * 3.5, (x2 - x1) / length * 3.5
    group.add(Line(x1, y1, x2, y2, strokeColor=ink, strokeWidth=1.2))
    for x, y in ((x1, y1), (x2, y2)):
        group.add(Line(x - u, y - v, x + u, y + v, strokeColor=ink, strokeWidth=1.2))


def _letter(group: Group, x: float, y: float, letter: str) -> None:
    group.add(Circle(x, y + 4, 7.5, fillColor=white, strokeColor=None))
    group.add(String(x, y, letter, fontName="Helvetica-Bold", fontSize=12, textAnchor="middle", fillColor=black))

"""Draws the boards' SVG on paper: it knows just the shapes and classes that referee/report draws with.

Colours are read from the same style text that a page gets, so a board looks the same on both.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self
from xml.etree import ElementTree

from reportlab.lib.colors import Color, HexColor
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable

_RULE = re.compile(r"\.([\w-]+)\{([^}]*)\}")
_HEX = re.compile(r"(fill|stroke):(#[0-9a-fA-F]{6})")
_FRAMES = {"changed": "#1258b8", "wrong": "#a8231d", "doubted": "#8a5200", "open": "#6a5b48"}
_FIXED = {"label": ("#6a5b48", ""), "p-none": ("#6a6a6a", ""), "t-none": ("#ffffff", "")} | {
    f"{name}-sign": (color, "") for name, color in _FRAMES.items()
}
FRAMED = frozenset(_FRAMES)
"""Classes of the frames of places: nothing fills them."""
_DASHES = {"doubted": (6, 3), "open": (2, 4)}
_EDGE = "#d8cab3"


@dataclass(frozen=True)
class Inks:
    """Fill and stroke of a class, as hex; empty for none."""

    classes: dict[str, tuple[str, str]]

    @classmethod
    def of(cls, style: str) -> Self:
        """Parse a page's style text (``.s0{fill:#f3ede3}``)."""
        found = dict(_FIXED)
        for name, body in _RULE.findall(style):
            told = dict(_HEX.findall(body))
            found[name] = (told.get("fill", ""), told.get("stroke", ""))
        return cls(found)

    def fill(self, classes: str) -> str:
        """Return the colour that fills a shape of these classes."""
        return next((self.classes[name][0] for name in classes.split() if self.classes.get(name, ("",))[0]), "")

    def stroke(self, frame: str) -> str:
        """Return the colour of a line or a frame."""
        return _FRAMES.get(frame) or next(
            (self.classes[name][1] for name in frame.split() if self.classes.get(name, ("", ""))[1]), ""
        )


class _Drawing(Flowable):
    """A board's SVG, drawn upside down, since the origin of paper is at its bottom."""

    def __init__(self, svg: str, palette: Inks, width: float, tallest: float) -> None:
        super().__init__()
        self._root = ElementTree.fromstring(svg)
        self._palette = palette
        _, _, self._wide, self._high = (float(part) for part in self._root.get("viewBox", "0 0 1 1").split())
        self._scale = min(width / self._wide, tallest / self._high)
        self.width, self.height = self._wide * self._scale, self._high * self._scale

    def wrap(self, *_room: float) -> tuple[float, float]:
        """Return the width and height that the drawing takes, points."""
        return self.width, self.height

    def draw(self) -> None:
        """Draw every shape."""
        canvas: Canvas = self.canv
        canvas.saveState()
        canvas.scale(self._scale, self._scale)
        for part in self._root:
            _SHAPES[part.tag](canvas, part, self._palette, self._high)
        canvas.restoreState()


def drawing_flowable(svg: str, palette: Inks, width: float, tallest: float) -> Flowable:
    """Return a board's drawing as large as it may be in so many points."""
    return _Drawing(svg, palette, width, tallest)


def line_width(classes: str) -> int:
    """Return how wide the lines of a shape are, in units of the drawing."""
    return 1 if classes == "open" else 3 if classes in FRAMED else 8 if classes.startswith("bar") else 1


def letter_size(classes: str) -> int:
    """Return the size of a text, in units of the drawing."""
    if classes.endswith(" long"):
        return 10
    return 13 if classes == "label" else 18 if classes.startswith("sign") else 15


def _number(part: ElementTree.Element, name: str) -> float:
    return float(part.get(name, "0"))


def _paint(canvas: Canvas, part: ElementTree.Element, palette: Inks) -> tuple[int, int]:
    """Set the colours of a shape; whether it is stroked and filled."""
    name = part.get("class", "")
    fill, stroke = palette.fill(name), palette.stroke(name)
    framed = name in _FRAMES
    if fill and not framed:
        canvas.setFillColor(_color(fill))
    canvas.setStrokeColor(_color(stroke or _EDGE))
    canvas.setLineWidth(line_width(name))
    if name in _DASHES:
        canvas.setDash(*_DASHES[name])
    return int(framed or bool(stroke) or "cell" in name), int(bool(fill) and not framed)


def _rect(canvas: Canvas, part: ElementTree.Element, palette: Inks, high: float) -> None:
    canvas.saveState()
    stroke, fill = _paint(canvas, part, palette)
    height = _number(part, "height")
    canvas.roundRect(
        _number(part, "x"), high - _number(part, "y") - height, _number(part, "width"), height, _number(part, "rx"),
        stroke, fill,
    )  # fmt: skip
    canvas.restoreState()


def _circle(canvas: Canvas, part: ElementTree.Element, palette: Inks, high: float) -> None:
    canvas.saveState()
    stroke, fill = _paint(canvas, part, palette)
    canvas.circle(_number(part, "cx"), high - _number(part, "cy"), _number(part, "r"), stroke, fill)
    canvas.restoreState()


def _line(canvas: Canvas, part: ElementTree.Element, palette: Inks, high: float) -> None:
    canvas.saveState()
    _paint(canvas, part, palette)
    canvas.line(_number(part, "x1"), high - _number(part, "y1"), _number(part, "x2"), high - _number(part, "y2"))
    canvas.restoreState()


def _polygon(canvas: Canvas, part: ElementTree.Element, palette: Inks, high: float) -> None:
    canvas.saveState()
    _, fill = _paint(canvas, part, palette)
    path = canvas.beginPath()
    for index, point in enumerate(part.get("points", "").split()):
        x, y = (float(one) for one in point.split(","))
        (path.lineTo if index else path.moveTo)(x, high - y)
    path.close()
    canvas.drawPath(path, 0, fill)
    canvas.restoreState()


def _text(canvas: Canvas, part: ElementTree.Element, palette: Inks, high: float) -> None:
    name = part.get("class", "")
    canvas.setFillColor(_color(palette.fill(name) or "#2b231a"))
    canvas.setFont("Helvetica" if name == "open-sign" else "Helvetica-Bold", letter_size(name))
    canvas.drawCentredString(_number(part, "x"), high - _number(part, "y"), part.text or "")


def _color(hexed: str) -> Color:
    return HexColor(hexed)


_SHAPES = {"rect": _rect, "circle": _circle, "line": _line, "polygon": _polygon, "text": _text}

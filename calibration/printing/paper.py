"""Sheets of paper, true to size: page sizes, lines, text, markers and the ruler, all as vectors.

Everything here is in millimetres from the page's lower left corner. Pictures are never scaled: what is drawn 100 mm
long is 100 mm long if the printer is told to print at 100 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

PaperName = Literal["a4", "letter"]
PAPERS: dict[PaperName, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height of a sheet held upright, mm."""
MARGIN_MM = 9.0
"""Most printers leave 4 to 6 mm of the sheet's edge white."""
BLACK, GREY, PALE = 0.0, 0.45, 0.8
"""Brightness of lines and texts, 0 to 1."""


@dataclass(frozen=True)
class Sheet:
    """A page being drawn: a canvas and its page's width and height in mm."""

    canvas: Canvas
    width_mm: float
    height_mm: float

    def line(
        self, points: Sequence[tuple[float, float]], grey: float = BLACK, width: float = 0.2, dash: float = 0
    ) -> None:
        """Draw a line through points; width in mm, dash in mm (0: none)."""
        path = self.canvas.beginPath()
        for index, (x, y) in enumerate(points):
            (path.lineTo if index else path.moveTo)(x * mm, y * mm)
        self.canvas.saveState()
        self.canvas.setStrokeGray(grey)
        self.canvas.setLineWidth(width * mm)
        if dash:
            self.canvas.setDash(dash * mm, dash * mm)
        self.canvas.drawPath(path, stroke=1, fill=0)
        self.canvas.restoreState()

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float = 9,
        bold: bool = False,
        grey: float = BLACK,
        at: str = "left",
    ) -> None:
        """Write one line of text; size in points; ``at``: left, middle or right of x."""
        self.canvas.setFillGray(grey)
        self.canvas.setFont("Helvetica-Bold" if bold else "Helvetica", size)
        draw = {
            "left": self.canvas.drawString,
            "middle": self.canvas.drawCentredString,
            "right": self.canvas.drawRightString,
        }
        draw[at](x * mm, y * mm, words)

    def paragraph(self, x: float, y: float, words: str, width: float, size: float = 9.5, bold: bool = False) -> float:
        """Write text in lines no wider than ``width`` mm, downwards from y; return where the next line would be."""
        font = "Helvetica-Bold" if bold else "Helvetica"
        for row in broken(words, width, font, size):
            self.text(x, y, row, size, bold)
            y -= size * 1.32 / mm
        return y

    def squares(self, cells: NDArray[np.bool_], corners: NDArray[np.float64]) -> None:
        """Fill the true cells of a (n, n) grid, row 0 on top, that spans four corners in ArUco's order, (4, 2) mm.

        All are one path, so that no seam shows between neighbours.
        """
        across, down = (corners[1] - corners[0]) / cells.shape[1], (corners[3] - corners[0]) / cells.shape[0]
        path = self.canvas.beginPath()
        for row, start, end in _runs(cells):
            quad = [
                corners[0] + across * c + down * r
                for c, r in ((start, row), (end, row), (end, row + 1), (start, row + 1))
            ]
            path.moveTo(*(quad[0] * mm))
            for point in quad[1:]:
                path.lineTo(*(point * mm))
            path.close()
        self.canvas.setFillGray(BLACK)
        self.canvas.drawPath(path, stroke=0, fill=1)

    def ruler(self, x: float, y: float, words: str) -> None:
        """Draw a ruler of 100 mm from (x, y), ticks upwards, and what it is for beside it."""
        for tick in range(101):
            height = 4.5 if tick % 10 == 0 else 3.2 if tick % 5 == 0 else 2.0
            self.line([(x + tick, y), (x + tick, y + height)], width=0.12)
        self.line([(x - 0.06, y), (x + 100.06, y)], width=0.12)
        for tick in range(0, 101, 10):
            self.text(x + tick, y + 5.2, str(tick), 6, at="middle")
        rows = broken(words, self.width_mm - x - 106 - MARGIN_MM, "Helvetica", 7.5)
        for index, row in enumerate(rows):
            self.text(x + 106, y + 5.2 - 3.4 * index, row, 7.5)


def broken(words: str, width_mm: float, font: str, size: float) -> list[str]:
    """Break text into lines no wider than so many mm."""
    rows: list[str] = []
    for word in words.split():
        longer = f"{rows[-1]} {word}" if rows else word
        if rows and stringWidth(longer, font, size) <= width_mm * mm:
            rows[-1] = longer
        else:
            rows.append(word)
    return rows


def marker_cells(dictionary: str, number: int) -> NDArray[np.bool_]:
    """Return the black cells of a marker, (n, n), its border among them."""
    kind = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    side = int(kind.markerSize) + 2
    return np.asarray(cv2.aruco.generateImageMarker(kind, number, side)) < 128


def _runs(cells: NDArray[np.bool_]) -> list[tuple[int, int, int]]:
    """Return (row, first column, column after the last) of every run of true cells."""
    found = []
    for row, line in enumerate(cells):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], line.astype(np.int8), [0]])))
        found += [(row, int(start), int(end)) for start, end in edges.reshape(-1, 2)]
    return found

"""Draws the pages that hold the frame's pieces, to be cut out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from reportlab.lib.units import mm

from calibration.layout import Piece, quiet_mm
from calibration.printing.paper import GREY, MARGIN_MM, Sheet, marker_cells
from calibration.printing.texts import SheetTexts
from calibration.table import TableSetup

TAB_MM = 12.0
GAP_MM = 5.0
HEAD_MM, FOOT_MM = 9.0, 12.0
_CUT = 0.62
"""Grey of lines to cut and glue at: pale, for what is left of them lies on the frame's plain paper."""


@dataclass(frozen=True, eq=False)
class PlacedPiece:
    """A piece on a page: page number from 0, and where its outer edge begins there, mm.

    It runs down the page, its outer edge to the right.
    """

    piece: Piece
    page: int
    x_mm: float
    y_mm: float

    def on_page(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Map table points (..., 2 or 3) mm to this page's (..., 2) mm."""
        return self.from_piece(self.piece.place(points_mm))

    def from_piece(self, along_and_in: NDArray[np.float64]) -> NDArray[np.float64]:
        """Map (..., 2) mm along the piece and in from its outer edge to this page's mm."""
        return np.stack([self.x_mm - along_and_in[..., 1], self.y_mm - along_and_in[..., 0]], axis=-1)


def place_pieces(pieces: tuple[Piece, ...], paper_mm: tuple[float, float]) -> tuple[PlacedPiece, ...]:
    """Put the pieces in order onto pages of a size: columns, as many pieces above each other as fit."""
    top, bottom = paper_mm[1] - MARGIN_MM - HEAD_MM, MARGIN_MM + FOOT_MM
    found: list[PlacedPiece] = []
    page, x, y = 0, MARGIN_MM, top
    for piece in pieces:
        height = piece.length_mm + TAB_MM
        if y - height < bottom:
            x, y = x + piece.width_mm + GAP_MM, top
        if x + piece.width_mm > paper_mm[0] - MARGIN_MM:
            page, x, y = page + 1, MARGIN_MM, top
        found.append(PlacedPiece(piece, page, x + piece.width_mm, y))
        y -= height + GAP_MM
    return tuple(found)


def draw_piece(sheet: Sheet, placed: PlacedPiece, table: TableSetup, texts: SheetTexts) -> None:
    """Draw one piece: cutting line, markers, number, tab, and where the board's corner comes."""
    piece = placed.piece
    length, width, end = piece.length_mm, piece.width_mm, piece.length_mm + TAB_MM
    for number in piece.markers:
        sheet.squares(marker_cells(table.marker_dictionary, number), placed.on_page(table.markers[number]))
    _through(sheet, placed, [(0, 0), (length, 0), (end, 1.5), (end, width - 1.5), (length, width)], closed=True)
    _through(sheet, placed, [(length, 0), (length, width)], dash=1.2)
    spot = placed.from_piece(np.array([length + TAB_MM / 2 + 1.2, width / 2]))
    sheet.text(spot[0], spot[1], f"{texts.tab} {piece.joins}", 8, at="middle", grey=GREY)
    _label(sheet, placed, quiet_mm(table.marker_size_mm), table)
    if piece.first:
        _through(sheet, placed, [(width, width), (width, width - 3.5)])
        mark = placed.from_piece(np.array([width + 1.5, width - 1.6]))
        _turned(sheet, mark, texts.corner, 5.5)


def _label(sheet: Sheet, placed: PlacedPiece, quiet: float, table: TableSetup) -> None:
    """Write the piece's number in the margin outside its markers, where no detector looks for plain paper."""
    spot = placed.from_piece(np.array([widest_gap(placed.piece, table), quiet / 2 + 1.0]))
    _turned(sheet, spot, placed.piece.name, 11, bold=True, middle=True)


def widest_gap(piece: Piece, table: TableSetup) -> float:
    """Return the middle of the widest stretch of plain paper along a piece, mm from its beginning."""
    along = [piece.place(table.markers[number])[:, 0] for number in piece.markers]
    spans = sorted((float(at.min()), float(at.max())) for at in along)
    starts = [0.0, *(high for _, high in spans)]
    ends = [*(low for low, _ in spans), piece.length_mm]
    start, end = max(zip(starts, ends, strict=True), key=lambda gap: gap[1] - gap[0])
    return (start + end) / 2


def _turned(
    sheet: Sheet, at: NDArray[np.float64], words: str, size: float, bold: bool = False, middle: bool = False
) -> None:
    """Write text that runs down the page."""
    sheet.canvas.saveState()
    sheet.canvas.translate(at[0] * mm, at[1] * mm)
    sheet.canvas.rotate(-90)
    sheet.text(0, -0.8, words, size, bold=bold, grey=GREY, at="middle" if middle else "left")
    sheet.canvas.restoreState()


def _through(
    sheet: Sheet, placed: PlacedPiece, points: list[tuple[float, float]], closed: bool = False, dash: float = 0
) -> None:
    if closed:
        points = [*points, (0.0, placed.piece.width_mm), points[0]]
    on_page = placed.from_piece(np.array(points, np.float64))
    sheet.line([(float(x), float(y)) for x, y in on_page], grey=_CUT, width=0.15, dash=dash)

"""Draws the instruction page: what to do with the sheets, and the frame laid around the board."""

from __future__ import annotations

import numpy as np
from reportlab.lib.units import mm

from calibration.layout import Piece, frame_outline
from calibration.printing.paper import GREY, MARGIN_MM, PALE, Sheet, marker_cells
from calibration.printing.strips import widest_gap
from calibration.printing.texts import SheetTexts
from calibration.table import TableSetup

_DRAWING_MM = 125.0
_LEFT_MM = 18.0


def draw_guide(sheet: Sheet, table: TableSetup, pieces: tuple[Piece, ...], texts: SheetTexts) -> None:
    """Draw the whole page."""
    y = sheet.height_mm - 20
    y = sheet.paragraph(_LEFT_MM, y, texts.title, sheet.width_mm - 2 * _LEFT_MM, 17, bold=True) - 3
    for number, (head, body) in enumerate(texts.steps, 1):
        sheet.text(_LEFT_MM, y, str(number), 12, bold=True)
        y = sheet.paragraph(_LEFT_MM + 8, y, head, sheet.width_mm - 2 * _LEFT_MM - 8, 10.5, bold=True)
        y = sheet.paragraph(_LEFT_MM + 8, y, body, sheet.width_mm - 2 * _LEFT_MM - 8) - 1.8
    foot = MARGIN_MM + 14
    room = min(_DRAWING_MM, y - foot - 8)
    _draw_frame(sheet, table, pieces, texts, (sheet.width_mm / 2, foot + 5 + room / 2), room)
    sheet.ruler(_LEFT_MM, MARGIN_MM + 1, texts.ruler)


def _draw_frame(
    sheet: Sheet,
    table: TableSetup,
    pieces: tuple[Piece, ...],
    texts: SheetTexts,
    middle: tuple[float, float],
    room_mm: float,
) -> None:
    """Draw the laid frame from above, made small."""
    width, depth = frame_outline(pieces)
    scale = min(room_mm / depth, (sheet.width_mm - 2 * _LEFT_MM) / width)
    sheet.canvas.saveState()
    sheet.canvas.translate(middle[0] * mm, middle[1] * mm)
    sheet.canvas.scale(scale, scale)
    for piece in pieces:
        inwards = np.array([piece.along[1], -piece.along[0]])
        ends = [(0, 0), (piece.length_mm, 0), (piece.length_mm, piece.width_mm), (0, piece.width_mm), (0, 0)]
        outline = [piece.start + piece.along * along + inwards * across for along, across in ends]
        sheet.line([(float(x), float(y)) for x, y in outline], grey=GREY, width=0.2 / scale)
        spot = piece.start + piece.along * widest_gap(piece, table) + inwards * (piece.width_mm / 2)
        sheet.text(spot[0], spot[1] - 1.6 / scale, piece.name, 12 / scale, bold=True, at="middle")
    for number, at in table.markers.items():
        sheet.squares(marker_cells(table.marker_dictionary, number), at[:, :2])
    _draw_board(sheet, table, texts, scale)
    sheet.canvas.restoreState()
    sheet.text(middle[0], middle[1] - room_mm / 2 - 4.5, texts.drawing, 8, grey=GREY, at="middle")


def _draw_board(sheet: Sheet, table: TableSetup, texts: SheetTexts, scale: float) -> None:
    half_x, half_y = table.half_size_mm
    for col in range(table.columns + 1):
        x = -half_x + col * table.pitch_mm[0]
        sheet.line([(x, -half_y), (x, half_y)], grey=PALE, width=0.12 / scale)
    for row in range(table.rows + 1):
        y = -half_y + row * table.pitch_mm[1]
        sheet.line([(-half_x, y), (half_x, y)], grey=PALE, width=0.12 / scale)
    for places in table.margin_fields.values():
        for x, y in places:
            sheet.canvas.setStrokeGray(PALE)
            sheet.canvas.setLineWidth(0.12 / scale * mm)
            sheet.canvas.circle(float(x) * mm, float(y) * mm, min(table.pitch_mm) * 0.35 * mm)
    sheet.text(0, -1.4 / scale, texts.board, 9 / scale, at="middle", grey=GREY)

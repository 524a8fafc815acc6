"""Prints all the sheets of a table as one PDF: instruction, frame, calibration target."""

from __future__ import annotations

import io

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from calibration.layout import pieces
from calibration.printing.guide import draw_guide
from calibration.printing.paper import GREY, MARGIN_MM, PAPERS, PaperName, Sheet
from calibration.printing.strips import draw_piece, place_pieces
from calibration.printing.target_page import draw_target, target_corner
from calibration.printing.texts import SheetTexts, needs_target
from calibration.table import TableSetup


def sheets_pdf(table: TableSetup, paper: PaperName, texts: SheetTexts) -> bytes:
    """Make the PDF: one page of instruction, the frame's pieces, and where it is needed the target (held across).

    Raises CalibrationError for a frame that cannot be cut into strips, or a target too large for the paper.
    """
    upright = PAPERS[paper]
    across = upright[1], upright[0]
    parts = pieces(table)
    target = needs_target(table)
    if target:
        target_corner(table.charuco, across)
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(upright[0] * mm, upright[1] * mm), invariant=1)
    canvas.setTitle(texts.title)
    canvas.setViewerPreference("PrintScaling", "None")
    sheet = Sheet(canvas, *upright)
    draw_guide(sheet, table, parts, texts)
    canvas.showPage()
    placed = place_pieces(parts, upright)
    count = placed[-1].page + 1
    for page in range(count):
        top = upright[1] - MARGIN_MM - 2.5
        sheet.text(MARGIN_MM, top, texts.frame_head, 10, bold=True)
        sheet.text(upright[0] - MARGIN_MM, top, f"{page + 1} / {count}", 9, grey=GREY, at="right")
        for one in placed:
            if one.page == page:
                draw_piece(sheet, one, table, texts)
        sheet.ruler(MARGIN_MM + 1, MARGIN_MM, texts.ruler)
        canvas.showPage()
    if target:
        canvas.setPageSize((across[0] * mm, across[1] * mm))
        draw_target(Sheet(canvas, *across), table.charuco, texts)
        canvas.showPage()
    canvas.save()
    return out.getvalue()

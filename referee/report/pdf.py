"""A report as PDF pages, set by ReportLab: the same blocks as the page, on A4, for who decides away from a screen.

Letters: DejaVu Sans where the system has it, else ReportLab's own Bitstream Vera, which knows Latin letters only.
Both are embedded. What a font has no letter for is shown as an empty box.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import cache
from html import escape
from typing import Any

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase.pdfmetrics import registerFont, registerFontFamily
from reportlab.pdfbase.ttfonts import TTFError, TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, Image, KeepTogether, PageTemplate, Paragraph, Spacer
from reportlab.platypus import Table as Grid
from reportlab.platypus.flowables import HRFlowable

from calibration.picturefile import MOST_PIXELS, picture_size
from referee.report.blocks import (
    Block,
    Figure,
    Figures,
    Heading,
    Inline,
    Items,
    Keys,
    Para,
    Part,
    Report,
    Table,
    Translator,
    plain,
    runs,
    translator,
)
from referee.report.fonts import font_files
from referee.report.pdfdrawing import Inks, drawing_flowable
from referee.values.words import say

MARGIN = 18 * mm
WIDTH = A4[0] - 2 * MARGIN
_GAP = 6 * mm
_TALLEST = 105 * mm
"""Height of a figure at most, so that a heading and what belongs to it fit on a page."""
MOST_WIDE = 5
"""With more columns a table is set in smaller letters."""
_INK, _SOFT, _LINE = colors.HexColor("#2b231a"), colors.HexColor("#6a5b48"), colors.HexColor("#d8cab3")
_TONES = {
    "legal": colors.HexColor("#1f6b43"),
    "illegal": colors.HexColor("#a8231d"),
    "unsure": colors.HexColor("#8a5200"),
}


def pdf_of(report: Report, language: str = "en") -> bytes:
    """Return the whole file. The same report gives the same bytes."""
    t = translator(language)
    out = io.BytesIO()
    title = t(report.title)
    document = BaseDocTemplate(
        out, pagesize=A4, leftMargin=MARGIN, rightMargin=MARGIN, topMargin=MARGIN, bottomMargin=MARGIN,
        title=title, lang=language, invariant=True,
    )  # fmt: skip
    frame = Frame(MARGIN, MARGIN, WIDTH, A4[1] - 2 * MARGIN, 0, 0, 0, 0)
    document.addPageTemplates([PageTemplate("page", [frame], onPage=_footer(title, t))])
    setter = _Setter(t, Inks.of(report.styles[0]))
    document.build(setter.flow(report.blocks))
    return out.getvalue()


def _footer(title: str, t: Translator) -> Callable[[Canvas, Any], None]:
    def draw(canvas: Canvas, document: Any) -> None:
        canvas.saveState()
        canvas.setFont(_family(), 8)
        canvas.setFillColor(_SOFT)
        canvas.drawString(MARGIN, MARGIN - 7 * mm, title)
        canvas.drawRightString(A4[0] - MARGIN, MARGIN - 7 * mm, t(say("page {n}", n=document.page)))
        canvas.restoreState()

    return draw


@cache
def _family() -> str:
    """Return the name of the embedded font family; it is registered once a process."""
    try:
        for name, file in zip(("Report", "Report-Bold"), font_files(), strict=True):
            registerFont(TTFont(name, str(file)))
    except (TTFError, OSError):
        return "Helvetica"
    registerFontFamily("Report", "Report", "Report-Bold", "Report", "Report-Bold")
    return "Report"


def _style(
    size: float = 9.5, color: colors.Color = _INK, bold: bool = False, before: float = 0, after: float = 3
) -> Any:
    family = _family()
    return ParagraphStyle(
        "any",
        fontName=f"{family}-Bold" if bold else family,
        fontSize=size,
        leading=size * 1.32,
        textColor=color,
        spaceBefore=before,
        spaceAfter=after,
        splitLongWords=True,
    )


class _Setter:
    """Sets blocks one after the other. tone: colour of the section's heading."""

    def __init__(self, t: Translator, palette: Inks, tone: colors.Color = _INK) -> None:
        self._t, self._palette, self._tone = t, palette, tone

    def flow(self, blocks: tuple[Block, ...]) -> list[Flowable]:
        """Return the flowables of some blocks; a heading stays with what follows it."""
        found: list[Flowable] = []
        waiting: list[Flowable] = []
        for block in blocks:
            made = self._block(block)
            if isinstance(block, Heading):
                waiting += made
            elif made:
                found += [KeepTogether([*waiting, made[0]]) if waiting else made[0], *made[1:]]
                waiting = []
        return [*found, *waiting]

    def _block(self, block: Block) -> list[Flowable]:
        match block:
            case Heading(level, text):
                size = {1: 17, 2: 13.5}.get(level, 10.5)
                color = self._tone if level == 2 else _INK
                return [Paragraph(self._inline(text), _style(size, color, bold=True, before=8, after=3))]
            case Para(text, style):
                color = _SOFT if style == "soft" else _INK
                size = 8.2 if style == "soft" else 9.5
                return [Paragraph(self._inline(text), _style(size, color, bold=style == "fate"))]
            case Items(items, ordered):
                return [self._item(f"{n}." if ordered else "•", item) for n, item in enumerate(items, 1)]
            case Table():
                return [self._table(block), Spacer(0, 4)]
            case Figures(figures, folded):
                made = self._figures(figures)
                if folded is None:
                    return made
                title = Paragraph(escape(self._t(folded)), _style(10.5, bold=True, before=6))
                return [KeepTogether([title, *made[:1]]), *made[1:]]
            case Keys(keys):
                told = "&nbsp;&nbsp;&nbsp; ".join(
                    f'<font color="{self._palette.stroke(frame)}">■</font> {escape(sign)} {escape(self._t(words))}'
                    for frame, sign, words in keys
                )
                return [Paragraph(told, _style(8.2))] if keys else []
            case Part(blocks, tone):
                color = _TONES.get(tone, _INK)
                rule = HRFlowable("100%", 2.2, color=_TONES.get(tone, _LINE), spaceBefore=8, spaceAfter=2)
                return [rule, *_Setter(self._t, self._palette, color).flow(blocks)]

    def _inline(self, text: Inline) -> str:
        parts = []
        for run in runs(text):
            words = escape(plain(run.said, self._t)).replace("\n", "<br/>")
            if run.style == "strong":
                words = f"<b>{words}</b>"
            elif run.style in ("soft", "cite", "code"):
                words = f'<font color="#6a5b48">{words}</font>'
            parts.append(words)
        return "".join(parts)

    def _item(self, mark: str, item: Inline) -> Flowable:
        style = _style()
        style.leftIndent, style.bulletIndent = 14, 0
        return Paragraph(self._inline(item), style, bulletText=mark)

    def _table(self, table: Table) -> Flowable:
        small = _style(8.2 if len(table.head) <= MOST_WIDE else 6.8, after=0)
        rows = [[Paragraph(f"<b>{escape(self._t(column))}</b>", small) for column in table.head]]
        rows += [[Paragraph(self._inline(cell), small) for cell in row] for row in table.rows]
        wide = [1.0] * len(table.head)
        if len(wide) == 4 and not table.row_heads:
            wide = [0.8, 1.1, 2.9, 1.2]
        grid = Grid(rows, [WIDTH * one / sum(wide) for one in wide], repeatRows=1)
        grid.setStyle(
            [
                ("LINEBELOW", (0, 0), (-1, -1), 0.5, _LINE),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 2.5),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
            ]
        )
        return grid

    def _figures(self, figures: tuple[Figure, ...]) -> list[Flowable]:
        """Set figures two side by side."""
        across = 1 if len(figures) == 1 else 2
        width = (WIDTH - (across - 1) * _GAP) / across
        found: list[Flowable] = []
        for start in range(0, len(figures), across):
            row = [[self._figure(figure, width) for figure in figures[start : start + across]]]
            row[0] += [[] for _ in range(across - len(row[0]))]
            grid = Grid(row, [width + _GAP] * (across - 1) + [width], hAlign="LEFT")
            grid.setStyle([("VALIGN", (0, 0), (-1, -1), "TOP"), ("LEFTPADDING", (0, 0), (-1, -1), 0),
                           ("RIGHTPADDING", (0, 0), (-1, -1), 0)])  # fmt: skip
            found.append(grid)
        return found

    def _figure(self, figure: Figure, width: float) -> list[Flowable]:
        caption = Paragraph(self._inline(figure.caption), _style(8.2, bold=True))
        if figure.drawing:
            return [caption, drawing_flowable(figure.drawing(self._t), self._palette, width, _TALLEST)]
        if figure.picture is not None:
            return [_image(figure.picture[1], width) or Spacer(0, 0), caption]
        return [caption, Paragraph(escape(figure.text).replace("\n", "<br/>"), _style())]


def _image(content: bytes, width: float) -> Flowable | None:
    """Return a picture as wide as there is room; ``None`` for a file that is no picture."""
    told = picture_size(content)
    if told is None or told[0] * told[1] > MOST_PIXELS:
        return None
    try:
        wide, high = ImageReader(io.BytesIO(content)).getSize()
    except OSError:
        return None
    scale = min(width / wide, _TALLEST / high)
    return Image(io.BytesIO(content), wide * scale, high * scale, hAlign="LEFT")

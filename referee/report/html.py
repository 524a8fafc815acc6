"""A report as one HTML file that needs nothing else: no script runs, nothing is fetched.

Whatever people or files said is escaped, and the page's own policy forbids scripts and anything from elsewhere.
"""

from __future__ import annotations

import base64
from html import escape

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
from referee.report.disputestyle import DARK, SHEET
from referee.values.words import Words

_TAGS = {"strong": "strong", "soft": "small", "code": "code", "cite": "cite"}


def html_of(report: Report, language: str = "en") -> str:
    """Return the whole file's text."""
    t = translator(language)
    light, dark = report.styles
    head = (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>{escape(t(report.title))}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">"
        f"<style>{SHEET}{light}@media screen and (prefers-color-scheme:dark){{{DARK}{dark}}}</style></head>"
        "<body><main>"
    )
    return head + "".join(_block(block, t) for block in report.blocks) + "</main></body></html>\n"


def _block(block: Block, t: Translator) -> str:
    match block:
        case Heading(level, text):
            return f"<h{level}>{_inline(text, t)}</h{level}>"
        case Para(text, style):
            return f"<p{f' class={style}' if style else ''}>{_inline(text, t)}</p>"
        case Items(items, ordered):
            tag = "ol" if ordered else "ul"
            return f"<{tag}>{''.join(f'<li>{_inline(item, t)}</li>' for item in items)}</{tag}>"
        case Table():
            return _table(block, t)
        case Figures(figures, folded):
            inside = f"<div class=pair>{''.join(_figure(figure, t) for figure in figures)}</div>"
            return f"<details><summary>{escape(t(folded))}</summary>{inside}</details>" if folded else inside
        case Keys(keys):
            return f"<p class=keys>{''.join(_key(*key, t) for key in keys)}</p>"
        case Part(blocks, tone):
            return f'<section class="{tone}">{"".join(_block(one, t) for one in blocks)}</section>'


def _inline(text: Inline, t: Translator) -> str:
    parts = []
    for run in runs(text):
        words = escape(plain(run.said, t)).replace("\n", "<br>")
        tag = _TAGS.get(run.style)
        parts.append(f"<{tag}>{words}</{tag}>" if tag else words)
    return "".join(parts)


def _table(table: Table, t: Translator) -> str:
    head = "".join(f"<th scope=col>{escape(t(column))}</th>" for column in table.head)
    rows = []
    for row in table.rows:
        cells = [f"<td>{_inline(cell, t)}</td>" for cell in row]
        if table.row_heads:
            cells[0] = f"<th scope=row>{_inline(row[0], t)}</th>"
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return f"<div class=wide><table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"


def _figure(figure: Figure, t: Translator) -> str:
    caption = f"<figcaption>{_inline(figure.caption, t)}</figcaption>"
    if figure.drawing:
        return f"<figure>{caption}{figure.drawing(t)}</figure>"
    if figure.picture is not None:
        media, content = figure.picture
        data = base64.b64encode(content).decode()
        name = escape("".join(plain(run.said, t) for run in runs(figure.caption)))
        return f'<figure><img alt="{name}" src="data:{escape(media)};base64,{data}">{caption}</figure>'
    return f"<figure>{caption}{f'<pre>{escape(figure.text)}</pre>' if figure.text else ''}</figure>"


def _key(frame: str, sign: str, words: Words, t: Translator) -> str:
    return f'<span><span class="key k{frame}">{escape(sign)}</span> {escape(t(words))}</span>'

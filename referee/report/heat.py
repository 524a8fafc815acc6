"""A heat map as SVG: how often each field of a grid, or each column of a tower, changed."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from referee.report.framing import CELL, MARGIN, label
from referee.report.kind import report_kind
from referee.values.kit import Kit

SHADES = 5
"""Shades of heat besides none; the number says what the shade can't."""


def heat_svg(counts: Mapping[str, int], like: object, kit: Kit, title: str) -> str:
    """Draw the heat map; empty for a ledger. counts: by name of the field, or of a tower's column (``b2``)."""
    plan = report_kind(kit).plan(like, kit)
    if plan is None:
        return ""
    rows, columns, first = plan.rows, plan.columns, plan.first
    most = max(counts.values(), default=0)
    parts = []
    for row in range(rows):
        for col in range(columns):
            x, y = MARGIN + col * CELL, (rows - 1 - row) * CELL
            count = counts.get(f"{chr(ord(first) + col)}{row + 1}", 0)
            shade = -(-count * SHADES // most) if most else 0
            parts.append(
                f'<rect class="h{shade}" x="{x + 1}" y="{y + 1}" width="{CELL - 2}" height="{CELL - 2}" rx="4"/>'
            )
            if count:
                parts.append(f'<text class="g{shade}" x="{x + CELL / 2}" y="{y + CELL / 2 + 5}">{count}</text>')
    parts += [
        label(MARGIN + col * CELL + CELL / 2, rows * CELL + 18, chr(ord(first) + col)) for col in range(columns)
    ]
    parts += [label(MARGIN / 2, (rows - 1 - row) * CELL + CELL / 2 + 5, str(row + 1)) for row in range(rows)]
    box = f"0 0 {MARGIN + columns * CELL + 4} {rows * CELL + MARGIN}"
    return (
        f'<svg class="board heat" viewBox="{box}" role="img" aria-label="{escape(title)}">'
        + "".join(parts)
        + "</svg>"
    )

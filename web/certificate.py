"""Makes a certificate's HTML page, which needs nothing else: to look at, to print, to keep."""

from __future__ import annotations

import math
from collections.abc import Mapping

import jinja2

from referee.addons import addon_modules
from referee.certificate.values import Certificate, Grade, HeatMap
from referee.values.words import Words

CELL = 30
"""Side of a field in a heat map, in the drawing's units."""
_PALE, _DARK = (0xFB, 0xF5, 0xE9), (0x8C, 0x2A, 0x12)
_BOARD_UNITS = 45.0
"""Half the board's longer side in the drawing seen from above, in its units."""
_NAME_UNITS = (48.0, 26.0)
"""Room for a camera's name around it, to the sides and up and down."""

Svg = Mapping[str, object]


def page(certificate: Certificate, language: str = "en") -> str:
    """Return the certificate's page in a language of ``referee.values.words``."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("web"), autoescape=True, trim_blocks=True, lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )  # fmt: skip
    template = environment.get_template("certificate.html")
    return template.render(
        certificate=certificate,
        language=language,
        made_at=certificate.made_at[:16].replace("T", " "),
        say=lambda text, **values: Words(text, tuple(sorted(values.items()))).text(language),
        signs={Grade.GOOD: "✓", Grade.WARNING: "!", Grade.BAD: "✕"},
        maps=[heat_map(each) for each in certificate.maps],
        above=seen_from_above(certificate),
        added=[one.section(certificate, language) for one in addon_modules("certificate")],
    )


def heat_map(each: HeatMap) -> Svg:
    """Draw a heat map: its cells, far row first, with place, colour, number and the number's colour."""
    rows, columns = len(each.values), len(each.values[0])
    cells = []
    for row, values in enumerate(each.values):
        for column, value in enumerate(values):
            share = min(1.0, max(0.0, (value - each.good) / (each.bad - each.good)))
            fill = tuple(round(a + share * (b - a)) for a, b in zip(_PALE, _DARK, strict=True))
            cells.append(
                {
                    "x": (column + 1) * CELL,
                    "y": (rows - 1 - row) * CELL,
                    "fill": "#{:02x}{:02x}{:02x}".format(*fill),
                    "ink": "#fff" if share > 0.5 else "#2b231a",
                    "text": each.texts[row][column],
                    "name": f"{chr(ord('A') + column)}{row + 1}",
                }
            )
    letters = [{"x": (k + 1.5) * CELL, "text": chr(ord("A") + k)} for k in range(columns)]
    numbers = [{"y": (rows - k - 0.5) * CELL, "text": str(k + 1)} for k in range(rows)]
    size = {"width": (columns + 1) * CELL, "height": (rows + 1) * CELL}
    return {"title": each.title, "words": each.words, "cells": cells, "letters": letters, "numbers": numbers} | size


def seen_from_above(certificate: Certificate) -> Svg:
    """Draw board, cameras and the place for one more, to scale, y down, and the box around them and their names."""
    half_x, half_y = certificate.half_mm
    scale = _BOARD_UNITS / max(half_x, half_y)
    places = [(part.name, part.at_mm, False) for part in certificate.cameras if part.at_mm is not None]
    if certificate.spot is not None and certificate.spot.worthwhile:
        places.append(("+", certificate.spot.at_mm, True))
    cameras = []
    for name, (x, y, z), wanted in places:
        spot = {"x": x * scale, "y": -y * scale, "turn": math.degrees(math.atan2(y, -x)), "height": round(z / 10)}
        cameras.append(spot | {"name": name, "wanted": wanted})
    board = {"x": -half_x * scale, "y": -half_y * scale, "w": 2 * half_x * scale, "h": 2 * half_y * scale}
    xs = [-half_x * scale, half_x * scale, *(x * scale for _, (x, _, _), _ in places)]
    ys = [-half_y * scale, half_y * scale, *(-y * scale for _, (_, y, _), _ in places)]
    low_x, low_y = min(xs) - _NAME_UNITS[0], min(ys) - _NAME_UNITS[1]
    box = {"x": low_x, "y": low_y, "w": max(xs) + _NAME_UNITS[0] - low_x, "h": max(ys) + _NAME_UNITS[1] - low_y}
    return {"board": board, "cameras": cameras, "box": box}

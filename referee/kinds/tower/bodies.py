"""Bars and the base of a virtual table, as they are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.values.kit import Kit
from referee.virtual.drawing.colours import BGR, bgr_of
from referee.virtual.drawing.prints import Layer, PrintedSheet
from referee.virtual.drawing.solids import Body, Column, Face, box
from referee.virtual.scene import TableScene


def columns(scene: TableScene, table: TableSetup, kit: Kit, known: Mapping[str, Column]) -> Iterator[Column]:
    """Draw the cells of a tower, each half a bar; two halves of a bar join without a seam."""
    tones = {True: bgr_of("#d8b98a"), False: bgr_of("#4f3320")}
    assert table.tower is not None
    unit, turn = table.cube_mm[2], float(np.radians(scene.turned_deg))
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    levels = scene.lying.split("/") if scene.lying else []
    for place in range(kit.columns * kit.rows):
        row, col = kit.rows - 1 - place // kit.columns, place % kit.columns
        middle = spin @ np.array(table.centre_mm(row, col))
        bodies = []
        for level, signs in enumerate(levels):
            sign = signs[place]
            if sign not in ".?":
                low = table.tower.base_mm + level * unit
                paint = tones[sign.isupper()]
                bodies.append(_half_bar(middle, low, table, turn, paint, sign.lower(), place * 7 + level))
        if bodies:
            text = "".join(signs[place] for signs in levels)
            yield Column(f"{place} {text} {scene.turned_deg}", float(middle[0]), float(middle[1]), tuple(bodies))


def _half_bar(
    middle: NDArray[np.float64], low: float, table: TableSetup, turn: float, paint: BGR, joined: str, look: int
) -> Body:
    """Return half a bar: every face has a dark rim, except where the other half joins."""
    width, depth, height = table.pitch_mm[0], table.pitch_mm[1], table.cube_mm[2]
    whole = box(middle, low, (width, depth, height), turn, paint, look % 8)
    rim = 0.55
    faces = []
    for side, face in enumerate(whole.faces):
        top, left = face.corners[1] - face.corners[2], face.corners[0] - face.corners[1]
        high, wide = float(np.linalg.norm(top)), float(np.linalg.norm(left))
        cut = _cut(side, joined)
        up, down, right, back = (0.0 if one in cut else rim for one in ("top", "bottom", "a", "b"))
        a, b, c, d = face.corners
        e_up, e_left = top / high, left / wide
        inner = np.stack(
            [
                a - e_up * up - e_left * right,
                b - e_up * up + e_left * back,
                c + e_up * down + e_left * back,
                d + e_up * down - e_left * right,
            ]
        )
        faces.append(Face(face.corners, face.paint, face.look, inner=inner))
    return Body(tuple(faces), whole.shadow)


_SIDES = "senw"
"""The sides of a box, by the letters towards which a bar's other half lies."""


def _cut(side: int, joined: str) -> tuple[str, ...]:
    """Return the edges of a side that have no seam, since the other half lies beyond.

    They are named top, bottom, a (by its first corner) and b.
    """
    if joined in "ud":
        return () if side == 4 else ({"u": "top", "d": "bottom"}[joined],)
    towards = _SIDES.index(joined)
    if side == 4:
        return (("top", "b", "bottom", "a")[towards],)
    if (side + 1) % 4 == towards:
        return ("a",)
    return ("b",) if (side - 1) % 4 == towards else ()


def ground(table: TableSetup, kit: Kit) -> Layer:
    """Return the base, which turns with the board."""
    assert table.tower is not None
    half = np.array(table.pitch_mm) * 1.5 + 2.0
    base = PrintedSheet(-half, half, (62.0, 92.0, 66.0), 0.05)
    for step in (-0.5, 0.5):
        x, y = step * table.pitch_mm[0], step * table.pitch_mm[1]
        base.fill((x - 0.4, -half[1] + 2), (x + 0.4, half[1] - 2), (90.0, 122.0, 96.0))
        base.fill((-half[0] + 2, y - 0.4), (half[0] - 2, y + 0.4), (90.0, 122.0, 96.0))
    return Layer(base.picture, base.low, base.high, table.tower.base_mm, True)

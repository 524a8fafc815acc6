"""How cups and what they stand on are drawn at the virtual table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from calibration.table import TableSetup
from cups.observation import UP
from referee.values.kit import Kit
from referee.virtual.drawing.colours import BGR, bgr_of
from referee.virtual.drawing.prints import Layer, PrintedSheet
from referee.virtual.drawing.solids import Body, Column, revolved
from referee.virtual.scene import TableScene

CLAY: BGR = bgr_of("#e0d3c0")
INSIDE: BGR = bgr_of("#2a2622")
MAT: BGR = bgr_of("#7d8f86")


def columns(scene: TableScene, table: TableSetup, kit: Kit, known: Mapping[str, Column]) -> Iterator[Column]:
    """Yield each cup."""
    for number, sign in enumerate(scene.lying):
        x, y = table.centre_mm(0, number)
        key = f"cup {number} {sign}"
        yield known.get(key) or Column(key, x, y, _cup((x, y, 0.0), table, mouth_up=sign == UP))


def _cup(at: tuple[float, float, float], table: TableSetup, mouth_up: bool) -> tuple[Body, ...]:
    """Return the bodies of a cup: it is wider at its mouth; from above one sees its dark inside, or its pale base."""
    wide, narrow, height = table.cube_mm[0] / 2, table.cube_mm[0] / 2 * 0.75, table.cube_mm[2]
    if not mouth_up:
        return (revolved(at, ((wide, 0.0), (narrow, height), (0.01, height)), CLAY),)
    wall = revolved(at, ((narrow, 0.0), (wide, height), (wide - 3.0, height)), CLAY)
    mouth = revolved(at, ((wide - 3.0, height), (0.01, height)), INSIDE)
    return wall, mouth


def ground(table: TableSetup, kit: Kit) -> Layer:
    """Return the mat below the cups."""
    half = np.array(table.half_size_mm)
    sheet = PrintedSheet(-half, half, MAT, 0.03)
    return Layer(sheet.picture, sheet.low, sheet.high, 0.0, False)

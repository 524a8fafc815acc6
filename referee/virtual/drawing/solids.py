"""Solids on the table as convex faces, each where a hand left it.

Bodies stand on columns; the far columns of a camera are drawn first, and in a column what is below.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.kinds import platform
from referee.values.kit import Kit
from referee.virtual.drawing.colours import BGR
from referee.virtual.drawing.prints import Layer
from referee.virtual.scene import TableScene

Floats = NDArray[np.float64]
SMOOTH = -1
"""The look of a face without a grain."""
GRAINS = 8
"""Looks of wood, and as many of plastic after them."""
_SHADES = (0.86, 0.7, 0.64, 0.8, 1.0)
"""Brightness of the sides of a box: -y, +x, +y, -x, top; the light comes from the near left."""


@dataclass(frozen=True, eq=False)
class Face:
    """corners: (4, 3) mm in table axes, counter-clockwise seen from outside, the upper edge first.

    look: which grain, or SMOOTH. foot: how light it is at its lower edge, where another body stands close. inner:
    (4, 3) mm, where its paint is; around it is a dark rim.
    """

    corners: Floats
    paint: BGR
    look: int = SMOOTH
    door: bool = False
    foot: float = 1.0
    inner: Floats | None = None


@dataclass(frozen=True, eq=False)
class Body:
    """A convex body, or one whose faces may be drawn in any order once those that look away are left out.

    shadow: (n, 3) mm, points whose shadows on the board's plane span that of the body.
    """

    faces: tuple[Face, ...]
    shadow: Floats


@dataclass(frozen=True, eq=False)
class Column:
    """The solids on one place, from below. key: the same text, the same column. x_mm, y_mm: where."""

    key: str
    x_mm: float
    y_mm: float
    bodies: tuple[Body, ...]


class BodiesKind(Protocol):
    """A kind's module ``bodies``: it draws what the kind observes."""

    def columns(
        self, scene: TableScene, table: TableSetup, kit: Kit, known: Mapping[str, Column]
    ) -> Iterable[Column]:
        """Return what hands laid. known: columns by their keys, which are not made anew."""

    def ground(self, table: TableSetup, kit: Kit) -> Layer:
        """Return what it stands on."""


def bodies_kind(kit: Kit) -> BodiesKind:
    """Return the module of a kit's kind that draws. Raises KindError where nothing of it can be drawn."""
    found: Any = platform(kit.kind, "bodies")
    made: BodiesKind = found
    return made


def columns_of(scene: TableScene, table: TableSetup, kit: Kit, known: Mapping[str, Column]) -> list[Column]:
    """Return everything that stands on the table. known: columns by their keys, which are reused."""
    found = list(bodies_kind(kit).columns(scene, table, kit, known))
    found += [Column(f"cup {x} {y}", x, y, (_cup(x, y),)) for x, y in scene.cups]
    return found


def box(
    place: Floats,
    low: float,
    size: Sequence[float],
    turn: float,
    paint: BGR,
    look: int,
    feet: Sequence[float] = (1.0, 1.0, 1.0, 1.0),
    doors: bool = False,
) -> Body:
    """Return a box at the height ``low``, turned about the upright by ``turn`` radians.

    doors: one in every side of plastic.
    """
    first = GRAINS if doors else 0
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(size[:2]) / 2
    ring = half @ spin.T + place
    floor, roof = (np.column_stack([ring, np.full(4, z)]) for z in (low, low + size[2]))
    faces = []
    for side in range(4):
        a, b = side, (side + 1) % 4
        tone = shaded(paint, _SHADES[side])
        faces.append(Face(np.stack([roof[b], roof[a], floor[a], floor[b]]), tone, first + look, doors, feet[side]))
    faces.append(Face(roof, paint, first + (look + 3) % GRAINS))
    return Body(tuple(faces), np.concatenate([floor, roof]))


def shaded(paint: BGR, light: float) -> BGR:
    """Return a paint in less light."""
    return (paint[0] * light, paint[1] * light, paint[2] * light)


def revolved(at: tuple[float, float, float], profile: Sequence[tuple[float, float]], paint: BGR) -> Body:
    """Return a body of revolution. profile: radius and height over ``at``, from below, mm."""
    turn = np.linspace(0, 2 * np.pi, 17)
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    rings = [np.column_stack([circle * r, np.full(len(turn), z)]) + at for r, z in profile]
    faces = []
    for (r, z), (r2, z2), low, high in zip(profile, profile[1:], rings, rings[1:], strict=False):
        up = (r - r2) / max(float(np.hypot(r - r2, z2 - z)), 1e-6)
        for k in range(len(turn) - 1):
            middle = (turn[k] + turn[k + 1]) / 2
            light = 0.72 + 0.22 * float(np.cos(middle - np.radians(220))) * (1 - up) + 0.3 * up
            faces.append(Face(np.stack([high[k + 1], high[k], low[k], low[k + 1]]), shaded(paint, light)))
    return Body(tuple(faces), np.concatenate([rings[0][::2], rings[-1][::2]]))


def _cup(x: float, y: float) -> Body:
    white: BGR = (222, 226, 228)
    return revolved((x, y, -3.0), ((30, 0), (38, 88), (35, 88), (32, 30), (0.01, 30)), white)

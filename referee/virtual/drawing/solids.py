"""What lies on the table as convex faces: stones, bars, pieces, cups, each where a hand left it.

Bodies stand on columns; the far columns of a camera are drawn first, and in a column what is below.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.values.board import Board
from referee.values.kit import Kit
from referee.virtual.drawing.colours import BGR, bgr_of
from referee.virtual.scene import TableScene

Floats = NDArray[np.float64]
SMOOTH = -1
"""The look of a face without a grain."""
GRAINS = 8
"""Looks of wood, and as many of plastic after them."""
_STRAY_MM, _TWIST_DEG = 0.7, 2.5
_SHADES = (0.86, 0.7, 0.64, 0.8, 1.0)
"""How light the sides of a box are: -y, +x, +y, -x, top; the light comes from the near left."""


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
    """What stands on one place, from below. key: the same text, the same column. x_mm, y_mm: where."""

    key: str
    x_mm: float
    y_mm: float
    bodies: tuple[Body, ...]


def columns_of(scene: TableScene, table: TableSetup, kit: Kit, known: Mapping[str, Column]) -> list[Column]:
    """Everything that stands on the table. known: columns by their keys, which are not made anew."""
    found = list(_bars(scene, table, kit)) if kit.kind == "tower" else list(_stacks(scene, table, kit, known))
    found += [Column(f"cup {x} {y}", x, y, (_cup(x, y),)) for x, y in scene.cups]
    return found


def _stacks(scene: TableScene, table: TableSetup, kit: Kit, known: Mapping[str, Column]) -> Iterator[Column]:
    board = Board.parse(scene.lying, table.rows, table.columns, kit.letters)
    around = np.pad(board.heights.astype(int), 1)
    for (row, col), height in np.ndenumerate(board.heights):
        piece = int(board.flags[row, col])
        if not height and not piece:
            continue
        near = (around[row, col + 1], around[row + 1, col + 2], around[row + 2, col + 1], around[row + 1, col])
        key = f"{row} {col} {height} {piece} {'.'.join(map(str, near))}"
        yield known.get(key) or _stack(key, table, kit, (row, col), int(height), piece, near)
    for track, (place, paint) in scene.stones.items():
        places = table.margin_fields.get(track)
        if places is not None and 0 < place <= len(places):
            x, y = (float(v) for v in places[place - 1][:2])
            disc = revolved((x, y, 0.0), ((6.5, 0.0), (6.5, 3.4), (5.8, 4.0), (0.01, 4.0)), bgr_of(paint))
            yield Column(f"stone {track} {place}", x, y, (disc,))


def _stack(
    key: str,
    table: TableSetup,
    kit: Kit,
    field: tuple[int, int],
    height: int,
    piece: int,
    near: tuple[int, int, int, int],
) -> Column:
    """One stack. near: how high its neighbours are, in the order of a box's sides."""
    row, col = field
    x, y = table.centre_mm(row, col)
    bodies = []
    place = np.array([x, y])
    for level in range(height):
        rng = np.random.default_rng([row, col, level])
        place = np.array([x, y]) + np.clip(rng.normal(size=2) * _STRAY_MM, -0.9, 0.9)
        turn = float(np.radians(rng.normal() * _TWIST_DEG))
        feet = tuple(_foot(level, other) for other in near)
        look = int(rng.integers(GRAINS))
        bodies.append(
            box(
                place,
                level * table.cube_mm[2],
                table.cube_mm,
                turn,
                stone_paint(kit),
                look,
                feet,
                kit.block == "arched",
            )
        )
    if piece:
        at = (float(place[0]), float(place[1]), height * table.cube_mm[2])
        bodies += _piece(table, kit, piece, at, row * 31 + col)
    return Column(key, x, y, tuple(bodies))


def _foot(level: int, other: int) -> float:
    """How light a side's lower edge is beside a stack so many stones high."""
    return 0.42 if other > level else 0.72 if other == level else 1.0


def stone_paint(kit: Kit) -> BGR:
    """What stones are made of: pale wood, or grey plastic where they have doors."""
    return (158, 164, 170) if kit.block == "arched" else (122, 158, 192)


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
    """A box on a height, twisted about the upright by ``turn`` radians. doors: one in every side of plastic."""
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
    """A paint in less light."""
    return (paint[0] * light, paint[1] * light, paint[2] * light)


def revolved(at: tuple[float, float, float], profile: Sequence[tuple[float, float]], paint: BGR) -> Body:
    """A body of revolution. profile: radius and height over ``at``, from below, mm."""
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


def _piece(table: TableSetup, kit: Kit, piece: int, at: tuple[float, float, float], seed: int) -> Iterator[Body]:
    kind = kit.pieces[piece - 1]
    paint = bgr_of(kind.paint.light)
    r, h = table.flag.radius_mm, table.flag.height_mm
    if kind.shape == "king":
        r, h = r * 1.15, max(table.flag.tallest_mm, h * 1.4)
        profile = [(r, 0), (r, 2), (r * 0.75, 4), (r * 0.42, h * 0.35), (r * 0.5, h * 0.72), (r * 0.85, h * 0.78)]
        yield revolved(at, [*profile, (r * 0.5, h * 0.84), (r * 0.95, h), (0.01, h * 0.93)], paint)
    elif table.flag.style == "banner":
        yield revolved(at, ((r, 0), (r, 2), (r * 0.5, 3.4), (1.3, 3.6), (1.3, h), (0.01, h)), paint)
        yield _cloth(at, h, seed, paint)
    elif table.flag.style == "rod":
        yield revolved(at, ((r, 0), (r, h * 0.96), (r * 0.8, h), (0.01, h)), paint)
    else:
        head = r * 0.62
        ball = [(head * np.sin(t), h - head - head * np.cos(t)) for t in np.linspace(0.5, np.pi - 0.01, 7)]
        body = [(r, 0), (r, 1.6), (r * 0.8, 3.4), (r * 0.36, h - 2 * head)]
        yield revolved(at, [*body, *((float(a), float(b)) for a, b in ball)], paint)


def _cloth(at: tuple[float, float, float], h: float, seed: int, paint: BGR) -> Body:
    turn = float(np.random.default_rng(seed).uniform(0, 2 * np.pi))
    along = np.array([np.cos(turn), np.sin(turn), 0.0]) * 0.38 * h
    rise, low = np.array([0.0, 0.0, 0.27 * h]), np.add(at, (0.0, 0.0, 0.71 * h))
    sheet = np.stack([low + rise, low + along + rise, low + along, low])
    return Body((Face(sheet, shaded(paint, 0.92)), Face(sheet[::-1].copy(), shaded(paint, 0.8))), sheet)


def _cup(x: float, y: float) -> Body:
    white: BGR = (222, 226, 228)
    return revolved((x, y, -3.0), ((30, 0), (38, 88), (35, 88), (32, 30), (0.01, 30)), white)


def _bars(scene: TableScene, table: TableSetup, kit: Kit) -> Iterator[Column]:
    """The cells of a tower, each half a bar; where bars join nothing is seen, else there is a seam."""
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


def _half_bar(middle: Floats, low: float, table: TableSetup, turn: float, paint: BGR, joined: str, look: int) -> Body:
    """Half a bar: faces with a dark rim, but for the side where its other half lies."""
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
    """The edges of a side without a seam, as the other half lies beyond: top, bottom, a (by its first corner), b."""
    if joined in "ud":
        return () if side == 4 else ({"u": "top", "d": "bottom"}[joined],)
    towards = _SIDES.index(joined)
    if side == 4:
        return (("top", "b", "bottom", "a")[towards],)
    if (side + 1) % 4 == towards:
        return ("a",)
    return ("b",) if (side - 1) % 4 == towards else ()

"""Stacks, pieces and the board of a virtual table, as they are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from calibration.layout import quiet_mm
from calibration.table import TableSetup
from referee.values.board import Board
from referee.values.kit import Kit
from referee.virtual.drawing.colours import BGR, bgr_of
from referee.virtual.drawing.prints import Layer, PrintedSheet
from referee.virtual.drawing.solids import GRAINS, Body, Column, Face, box, revolved, shaded
from referee.virtual.scene import TableScene

_STRAY_MM, _TWIST_DEG = 0.7, 2.5


def columns(scene: TableScene, table: TableSetup, kit: Kit, known: Mapping[str, Column]) -> Iterator[Column]:
    """Yield every stack with its piece, and the markers of the tracks."""
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
    """Return the body of one stack. near: the heights of its neighbours, in the order of a box's sides."""
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
    """Return how light the lower edge of a side is, from 0 to 1, beside a stack of ``other`` stones."""
    return 0.42 if other > level else 0.72 if other == level else 1.0


def stone_paint(kit: Kit) -> BGR:
    """Return the colour of stones: pale wood, or grey plastic for kits whose stones have doors."""
    return (158, 164, 170) if kit.block == "arched" else (122, 158, 192)


def _piece(table: TableSetup, kit: Kit, piece: int, at: tuple[float, float, float], seed: int) -> Iterator[Body]:
    kind = kit.pieces[piece - 1]
    paint = bgr_of(kind.paint.light)
    r, h = table.flag.radius_mm, table.flag.height_mm
    if kind.shape == "king":
        r, h = r * 1.15, table.flag.tallest_mm if table.flag.tallest_mm > h else h * 1.4
        profile = [(r, 0), (r, 2), (r * 0.75, 4), (r * 0.42, h * 0.35), (r * 0.5, h * 0.72), (r * 0.85, h * 0.78)]
        yield revolved(at, [*profile, (r * 0.5, h * 0.84), (r * 0.95, h), (0.01, h * 0.93)], paint)
    elif kind.shape == "dome":
        wide = 0.44 * table.cube_mm[0]
        arc = [(wide * float(np.cos(t)), wide * float(np.sin(t))) for t in np.linspace(0, np.pi / 2 - 0.01, 7)]
        yield revolved(at, arc, paint)
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


def _inside(table: TableSetup) -> NDArray[np.float64]:
    """Return half the width and depth of the board, mm: of the largest that fits inside the frame of markers."""
    if table.board is not None and table.board.size_mm is not None:
        return np.array(table.board.size_mm) / 2
    corners = np.concatenate(list(table.markers.values()))[:, :2]
    inner = np.abs(corners)
    edge = np.array([inner[:, axis][inner[:, 1 - axis] < inner[:, axis] - 1e-6].min() for axis in (0, 1)])
    return np.asarray(edge - quiet_mm(table.marker_size_mm), np.float64)


def ground(table: TableSetup, kit: Kit) -> Layer:
    """Return the board with its fields and tracks."""
    half = _inside(table)
    margin: BGR = (84.0, 106.0, 92.0) if kit.tracks else (108.0, 132.0, 118.0)
    board = PrintedSheet(-half, half, margin, 0.02)
    reach = np.array(table.half_size_mm)
    floor: BGR = (168.0, 186.0, 190.0) if kit.tracks else (132.0, 158.0, 142.0)
    board.fill((-reach[0], -reach[1]), (reach[0], reach[1]), floor)
    line: BGR = (96.0, 110.0, 104.0)
    for number in range(table.columns + 1):
        x = -reach[0] + number * table.pitch_mm[0]
        board.fill((x - 0.35, -reach[1]), (x + 0.35, reach[1]), line)
    for number in range(table.rows + 1):
        y = -reach[1] + number * table.pitch_mm[1]
        board.fill((-reach[0], y - 0.35), (reach[0], y + 0.35), line)
    for places in table.margin_fields.values():
        for number, (x, y) in enumerate(np.asarray(places)[:, :2], 1):
            board.fill((x - 8, y - 8), (x + 8, y + 8), (214.0, 222.0, 224.0))
            board.word(str(number), (float(x), float(y)), (70.0, 80.0, 80.0))
    _names(board, table, reach)
    return Layer(board.picture, board.low, board.high, 0.0, False)


def _names(board: PrintedSheet, table: TableSetup, reach: NDArray[np.float64]) -> None:
    off = min(5.0, float((board.high - reach).min()) / 2)
    for col in range(table.columns):
        board.word(chr(ord("A") + col), (table.centre_mm(0, col)[0], -reach[1] - off), (214.0, 222.0, 220.0), 4.0)
    for row in range(table.rows):
        board.word(str(row + 1), (-reach[0] - off, table.centre_mm(row, 0)[1]), (214.0, 222.0, 220.0), 4.0)

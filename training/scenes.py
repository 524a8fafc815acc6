"""Random tables for training: boards, stones, flags, light and cameras, as plain meshes and textures.

Nothing here is taken from a real table: sizes, looks, light and lenses are drawn from wide ranges, so that what is
learned from the pictures holds on tables never seen.
"""

from __future__ import annotations

import colorsys
import itertools
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
ROWS = COLS = 10
FLAG_HUES = {1: (-0.025, 0.025), 2: (0.115, 0.165), 3: (0.27, 0.45), 4: (0.55, 0.68)}


@dataclass
class Mesh:
    """Triangles being gathered: vertices (n, 3) mm, uv (n, 2), colour (n, 3), faces (m, 3)."""

    vertices: list[F32] = field(default_factory=list)
    uv: list[F32] = field(default_factory=list)
    colour: list[F32] = field(default_factory=list)
    faces: list[NDArray[np.int32]] = field(default_factory=list)
    count: int = 0

    def add(self, vertices: F32, uv: F32, colour: F32, faces: NDArray[np.int32]) -> None:
        """Append a piece; its faces count from its own first vertex."""
        self.vertices.append(vertices.astype(np.float32))
        self.uv.append(uv.astype(np.float32))
        self.colour.append(np.broadcast_to(colour, vertices.shape).astype(np.float32))
        self.faces.append(faces.astype(np.int32) + self.count)
        self.count += len(vertices)

    def arrays(self) -> tuple[F32, F32, F32, NDArray[np.int32]]:
        """All pieces as four arrays."""
        return (
            np.concatenate(self.vertices),
            np.concatenate(self.uv),
            np.concatenate(self.colour),
            np.concatenate(self.faces),
        )


def quad(mesh: Mesh, corners: F32, uv: F32, colour: F32) -> None:
    """One quadrilateral, corners counter-clockwise seen from outside."""
    mesh.add(corners, uv, colour, np.array([[0, 1, 2], [0, 2, 3]]))


def tile(rng: np.random.Generator, tiles: int) -> F32:
    """Corner uv of one random tile of the atlas, randomly turned."""
    u, v = rng.integers(tiles, size=2) / tiles
    pad = 0.04 / tiles
    size = 1 / tiles - 2 * pad
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * size + [u + pad, v + pad]
    return np.roll(square, rng.integers(4), axis=0).astype(np.float32)


def stone(mesh: Mesh, rng: np.random.Generator, at: F32, size: F32, turn: float, bevel: float, tiles: int) -> None:
    """One building stone standing on ``at`` (its bottom centre), twisted by ``turn`` radians."""
    w, d, h = size / [2, 2, 1]
    ring = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]], np.float32)
    levels = [(0.0, 0.0), (bevel, 0.0), (h - bevel, 0.0), (h, bevel)] if bevel > 0 else [(0.0, 0.0), (h, 0.0)]
    levels = [(0.0, bevel), *levels[1:]] if bevel > 0 else levels
    rings = []
    for z, inset in levels:
        xy = (ring * [w - inset, d - inset]) @ spin.T
        rings.append(np.column_stack([xy + at[:2], np.full(4, at[2] + z)]).astype(np.float32))
    white = np.ones(3, np.float32)
    faces_uv = [tile(rng, tiles) for _ in range(5)]
    for low, high in itertools.pairwise(rings):
        for k in range(4):
            n = (k + 1) % 4
            quad(mesh, np.stack([low[k], low[n], high[n], high[k]]), faces_uv[k], white)
    quad(mesh, rings[-1], faces_uv[4], white)


def revolve(mesh: Mesh, at: F32, profile: list[tuple[float, float]], colour: F32, sides: int = 14) -> None:
    """A body of revolution; profile is (radius, height) from bottom to top, mm."""
    turn = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    points = np.concatenate([np.column_stack([circle * r, np.full(sides, z)]) for r, z in profile]) + at
    faces = []
    for k in range(len(profile) - 1):
        for i in range(sides):
            j = (i + 1) % sides
            a, b, c, d = k * sides + i, k * sides + j, (k + 1) * sides + j, (k + 1) * sides + i
            faces += [[a, b, c], [a, c, d]]
    mesh.add(points.astype(np.float32), np.zeros((len(points), 2), np.float32), colour, np.array(faces))


def flag(
    mesh: Mesh, rng: np.random.Generator, style: str, at: F32, height: float, radius: float, colour: F32
) -> None:
    """One flag standing on ``at``: a rod, a pole with a ball, a banner on a foot, or a pawn."""
    r, h = radius, height
    if style == "rod":
        revolve(mesh, at, [(r, 0), (r, h * 0.96), (r * 0.8, h), (0.01, h)], colour)
    elif style == "pole":
        ball = [(r * 0.3 + r * np.sin(t), h - r + -r * np.cos(t)) for t in np.linspace(0.3, np.pi, 6)]
        revolve(mesh, at, [(r, 0), (r, 2), (r * 0.35, 2.5), (r * 0.35, h - 2 * r), *ball], colour)
    elif style == "pawn":
        head = r * rng.uniform(0.5, 0.7)
        ball = [(head * np.sin(t), h - head - head * np.cos(t)) for t in np.linspace(0.5, np.pi, 7)]
        revolve(mesh, at, [(r, 0), (r, 1.5), (r * 0.8, 3), (r * 0.35, h - 2 * head), *ball], colour)
    else:
        foot, pole = r, max(0.9, r * 0.22)
        revolve(mesh, at, [(foot, 0), (foot, 2.0), (foot * 0.5, 3.4), (pole, 3.6), (pole, h), (0.01, h)], colour)
        turn = rng.uniform(0, 2 * np.pi)
        along = np.array([np.cos(turn), np.sin(turn), 0]) * rng.uniform(0.3, 0.5) * h
        top, low = h * 0.98, h * rng.uniform(0.62, 0.75)
        drop = np.array([0, 0, rng.uniform(0, 0.15) * h])
        rise = np.array([0, 0, top - low])
        cloth = at + np.array([0, 0, low]) + [np.zeros(3), along - drop, along - drop + rise, rise]
        quad(mesh, cloth.astype(np.float32), np.zeros((4, 2), np.float32), colour)


def hsv(h: float, s: float, v: float) -> F32:
    """Linear RGB of a colour given as hue, saturation and value, all 0 to 1."""
    return np.array(colorsys.hsv_to_rgb(h % 1, min(1, max(0, s)), min(1, max(0, v))), np.float32) ** 2.2


def noise(rng: np.random.Generator, size: int, cell_x: float, cell_y: float) -> F32:
    """Smooth noise, about -1 to 1, with the given grain in pixels."""
    grid = rng.normal(size=(max(2, int(size / cell_y)), max(2, int(size / cell_x)))).astype(np.float32)
    return cv2.resize(grid, (size, size), interpolation=cv2.INTER_CUBIC)


def stone_atlas(rng: np.random.Generator, tiles: int = 4, px: int = 96) -> F32:
    """Looks of the stones' faces: (tiles * px, tiles * px, 3) linear RGB."""
    kind = rng.choice(["light wood", "dark wood", "plastic", "any"], p=[0.4, 0.22, 0.23, 0.15])
    if kind == "light wood":
        base = hsv(rng.uniform(0.05, 0.12), rng.uniform(0.2, 0.6), rng.uniform(0.55, 0.9))
    elif kind == "dark wood":
        base = hsv(rng.uniform(0.02, 0.1), rng.uniform(0.3, 0.7), rng.uniform(0.25, 0.55))
    elif kind == "plastic":
        base = hsv(rng.uniform(0.0, 0.15), rng.uniform(0.1, 0.6), rng.uniform(0.1, 0.4))
    else:
        base = hsv(rng.uniform(0, 1), rng.uniform(0, 0.35), rng.uniform(0.15, 0.95))
    grain, spread, speckle = rng.uniform(0.0, 0.16), rng.uniform(0.0, 0.1), 0.0
    if kind == "plastic" or rng.random() < 0.15:
        grain, speckle = grain * 0.4, rng.uniform(0, 0.25)
    atlas = np.empty((tiles * px, tiles * px, 3), np.float32)
    for i in range(tiles):
        for j in range(tiles):
            lines = noise(rng, px, px, rng.uniform(2, 8)) + 0.5 * noise(rng, px, px * 0.7, 3)
            look = 1 + grain * lines + grain * 0.6 * noise(rng, px, px / 2, px / 2) + spread * rng.normal()
            dots = (noise(rng, px, 1.5, 1.5) > 1.9) * speckle
            face = base * np.maximum(0.15, look)[..., None] + dots[..., None] * rng.uniform(0.3, 1)
            atlas[i * px : (i + 1) * px, j * px : (j + 1) * px] = face
    return np.clip(atlas, 0.003, 0.95)


def board_picture(rng: np.random.Generator, colours: list[F32], pitch: float, half: float, px: int = 768) -> F32:
    """The printed board: floor, grid lines, margins and margin tracks; ``half`` is half its side, mm."""
    floor = hsv(rng.uniform(0, 1), rng.uniform(0, 0.2), rng.uniform(0.3, 0.9))
    if rng.random() < 0.2:
        floor = hsv(rng.uniform(0, 1), rng.uniform(0, 0.6), rng.uniform(0.1, 0.6))
    picture = np.empty((px, px, 3), np.float32)
    quarter = [floor * 0.7] * 4 if rng.random() < 0.3 else [colours[k] for k in rng.permutation(4)]
    middle = px // 2
    for k, (ys, xs) in enumerate(
        [
            (slice(0, middle), slice(0, middle)),
            (slice(0, middle), slice(middle, px)),
            (slice(middle, px), slice(middle, px)),
            (slice(middle, px), slice(0, middle)),
        ]
    ):
        picture[ys, xs] = quarter[k]

    def at(mm: float) -> int:
        return int((mm + half) / (2 * half) * px)

    low, high = at(-5 * pitch), at(5 * pitch)
    tinted = rng.random() < 0.15
    for k, (ys, xs) in enumerate(
        [
            (slice(low, middle), slice(low, middle)),
            (slice(low, middle), slice(middle, high)),
            (slice(middle, high), slice(middle, high)),
            (slice(middle, high), slice(low, middle)),
        ]
    ):
        picture[ys, xs] = floor * 0.7 + quarter[k] * 0.3 if tinted else floor
    picture *= (1 + rng.uniform(0, 0.06) * noise(rng, px, 6, 6) + 0.03 * noise(rng, px, 100, 100))[..., None]
    line = floor * rng.uniform(0.1, 0.8) if rng.random() < 0.8 else np.minimum(0.95, floor * 1.6)
    wide = max(1, int(rng.uniform(0.4, 1.4) / (2 * half) * px))
    if rng.random() < 0.9:
        for k in range(11):
            p = at((k - 5) * pitch)
            picture[low : high + 1, p - wide // 2 : p - wide // 2 + wide] = line
            picture[p - wide // 2 : p - wide // 2 + wide, low : high + 1] = line
    if rng.random() < 0.8:
        paper = hsv(0.1, 0.05, rng.uniform(0.6, 0.95))
        for k in range(10):
            x = at((k - 4.5) * pitch)
            for y in (at(-5.6 * pitch), at(5.6 * pitch)):
                side = int(0.36 * pitch / (2 * half) * px)
                picture[y - side : y + side, x - side : x + side] = paper
                picture[y - side // 3 : y + side // 3, x - side // 8 : x + side // 8] = paper * 0.2
    return np.clip(picture[::-1], 0.003, 0.95)


def random_heights(rng: np.random.Generator) -> NDArray[np.int8]:
    """A board's heights (row, col): openings, games under way, and wild scatterings of towers."""
    rings = int(rng.choice([0, 1, 2], p=[0.7, 0.2, 0.1]))
    heights = np.zeros((ROWS, COLS), int)
    heights[rings : ROWS - rings, rings : COLS - rings] = 1
    if rings < 2:
        heights[3:7, 3:7] = 2
    kind = rng.choice(["opening", "game", "late", "wild"], p=[0.2, 0.35, 0.25, 0.2])
    moves = {"opening": rng.integers(0, 25), "game": rng.integers(30, 120), "late": rng.integers(100, 260), "wild": 0}
    inside = np.zeros((ROWS, COLS), bool)
    inside[rings : ROWS - rings, rings : COLS - rings] = True
    power = rng.uniform(0.0, 1.4)
    taste = np.exp(rng.normal(size=(ROWS, COLS)) * rng.uniform(0.2, 1.3)) * inside
    for _ in range(moves[str(kind)]):
        takeable = (heights > 0) * np.where(heights > 3, 0.3, 1.0)
        source = rng.choice(100, p=takeable.ravel() / takeable.sum())
        heights.flat[source] -= 1
        weight = taste * (heights + 0.5) ** power * (heights < 9)
        target = rng.choice(100, p=weight.ravel() / weight.sum())
        heights.flat[target] += 1
    if kind == "wild":
        share = rng.uniform(0.2, 0.9)
        tall = rng.integers(3, 10)
        towers = rng.integers(0, tall + 1, size=(ROWS, COLS)) * (rng.random((ROWS, COLS)) < rng.uniform(0.05, 0.4))
        heights = np.where(rng.random((ROWS, COLS)) < share, heights, 0)
        heights = np.where(towers > 0, towers, heights) * inside
    return np.clip(heights, 0, 9).astype(np.int8)


def random_flags(rng: np.random.Generator, heights: NDArray[np.int8]) -> NDArray[np.int8]:
    """Flags (row, col), Colour values, on fields with cubes; now and then on the bare board, where breaches put them.

    Sometimes there are more than a game has.
    """
    flags = np.zeros((ROWS, COLS), np.int8)
    each = rng.integers(2, 9)
    ground = rng.choice([0.0, 0.15])
    home = rng.random() < 0.4
    for colour in range(1, 5):
        weight = np.where(heights > 0, 1.0, ground) * (flags == 0) * np.where(heights > 1, rng.uniform(0.5, 3), 1.0)
        if home:
            row, col = (slice(0, 5), slice(5, 10))[colour % 2], (slice(0, 5), slice(5, 10))[colour // 2 % 2]
            mask = np.full((ROWS, COLS), 0.1)
            mask[row, col] = 1
            weight = weight * mask
        number = min(each, int((weight > 0).sum()))
        if number:
            flags.flat[rng.choice(100, size=number, replace=False, p=weight.ravel() / weight.sum())] = colour
    return flags


@dataclass
class Scene:
    """One random table ready to be pictured."""

    heights: NDArray[np.int8]
    flags: NDArray[np.int8]
    pitch: float
    cube: F32
    stones: Mesh
    pieces: Mesh
    atlas: F32
    board: F32
    half: float
    flag_height: float
    flag_radius: float
    flag_style: str


def random_scene(rng: np.random.Generator) -> Scene:
    """Draw a table: pitch, stones, flags and what stands where."""
    pitch = rng.uniform(18, 28)
    side = pitch * rng.uniform(0.86, 0.96)
    shape = rng.choice(["cube", "flat", "tall"], p=[0.55, 0.4, 0.05])
    h = side * {"cube": rng.uniform(0.92, 1.04), "flat": rng.uniform(0.5, 0.8), "tall": rng.uniform(1.04, 1.2)}[shape]
    cube = np.array([side, side * rng.uniform(0.97, 1.03), h], np.float32)
    heights = random_heights(rng)
    flags = random_flags(rng, heights)
    tiles = 4
    bevel = float(rng.choice([0.0, rng.uniform(0.2, 0.9)]))
    twist, shift = np.deg2rad(rng.uniform(1, 8)), rng.uniform(0.3, 1.2)
    stones, pieces = Mesh(), Mesh()
    style = str(rng.choice(["rod", "pole", "banner", "pawn"]))
    ranges = {
        "rod": (20, 34, 2.2, 4.0),
        "pole": (22, 40, 2.5, 5.0),
        "banner": (26, 42, 4.5, 7.5),
        "pawn": (17, 28, 5, 8),
    }
    lo, hi, rlo, rhi = ranges[style]
    flag_height, flag_radius = rng.uniform(lo, hi), rng.uniform(rlo, min(rhi, side / 2 - 1))
    sat, val = rng.uniform(0.65, 1.0), rng.uniform(0.45, 0.95)
    colours = {
        c: hsv(
            rng.uniform(*FLAG_HUES[c]),
            sat * rng.uniform(0.85, 1.1),
            val * rng.uniform(0.8, 1.15) + (0.2 if c == 2 else 0),
        )
        for c in FLAG_HUES
    }
    for r in range(ROWS):
        for c in range(COLS):
            x, y = (c - 4.5) * pitch, (r - 4.5) * pitch
            top = np.array([x, y, 0.0])
            for k in range(heights[r, c]):
                offset = np.clip(rng.normal(size=2) * shift, -2.2, 2.2)
                turn = float(np.clip(rng.normal() * twist, -0.18, 0.18))
                top = np.array([x + offset[0], y + offset[1], k * h])
                stone(stones, rng, top, cube, turn, bevel, tiles)
            if flags[r, c]:
                spot = top + np.append(np.clip(rng.normal(size=2) * 1.3, -3, 3), h if heights[r, c] else 0)
                flag(pieces, rng, style, spot.astype(np.float32), flag_height, flag_radius, colours[int(flags[r, c])])
    margin_colours = [np.clip(colours[c] * rng.uniform(0.7, 1.1), 0, 0.95) for c in (1, 2, 3, 4)]
    half = pitch * rng.uniform(6.0, 6.6)
    board = board_picture(rng, margin_colours, pitch, half)
    if not pieces.count:
        revolve(pieces, np.array([0, 0, -900.0], np.float32), [(1, 0), (0.1, 1)], colours[1])
    if not stones.count:
        stone(stones, rng, np.array([0, 0, -900.0], np.float32), cube, 0, 0, tiles)
    return Scene(
        heights,
        flags,
        pitch,
        cube,
        stones,
        pieces,
        stone_atlas(rng, tiles),
        board,
        half,
        flag_height,
        flag_radius,
        style,
    )

"""Bodies as triangles: building stones, plain ones and ones with doors, and the pieces that stand on them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
Profile = list[tuple[float, float]]


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

    def quad(self, corners: F32, uv: F32, colour: F32) -> None:
        """Add one quadrilateral, corners counter-clockwise seen from outside."""
        self.add(corners, uv, colour, np.array([[0, 1, 2], [0, 2, 3]], np.int32))

    def arrays(self) -> tuple[F32, F32, F32, NDArray[np.int32]]:
        """Return all pieces as four arrays."""
        return (
            np.concatenate(self.vertices),
            np.concatenate(self.uv),
            np.concatenate(self.colour),
            np.concatenate(self.faces),
        )


@dataclass(frozen=True, eq=False)
class Block:
    """One building stone's form, made once and placed many times.

    vertices: (n, 3) mm, standing on the origin. uv: (n, 2) on its own face, 0 to 1. face: (n,) which of the five
    faces a vertex belongs to: four sides, then the top. faces: (m, 3).
    """

    vertices: F32
    uv: F32
    face: NDArray[np.int32]
    faces: NDArray[np.int32]

    def place(self, mesh: Mesh, rng: np.random.Generator, at: F32, turn: float, tiles: int) -> None:
        """Put one on ``at`` (its bottom centre), twisted by ``turn`` radians, every face with a look of its own."""
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]], np.float32)
        points = self.vertices.copy()
        points[:, :2] = points[:, :2] @ spin.T
        corner = rng.integers(tiles, size=(5, 2))[self.face]
        flipped = np.where(rng.random((5, 2))[self.face] < 0.5, 1 - self.uv, self.uv)
        mesh.add(points + at, (corner + 0.04 + 0.92 * flipped) / tiles, np.ones(3, np.float32), self.faces)


class _Builder:
    """Gathers a block's quadrilaterals side by side."""

    def __init__(self) -> None:
        self.points: list[F32] = []
        self.uv: list[F32] = []
        self.face: list[int] = []

    def quad(self, face: int, corners: list[tuple[float, float, float]], uv: list[tuple[float, float]]) -> None:
        """Add one quadrilateral of a face."""
        self.points.append(np.array(corners, np.float32))
        self.uv.append(np.array(uv, np.float32))
        self.face += [face] * 4

    def block(self) -> Block:
        """Return the block that was gathered."""
        quads = np.arange(len(self.points), dtype=np.int32)[:, None] * 4
        faces = np.concatenate([quads + np.array([0, 1, 2]), quads + np.array([0, 2, 3])]).astype(np.int32)
        uv = np.clip(np.concatenate(self.uv), 0, 1)
        return Block(np.concatenate(self.points), uv, np.array(self.face, np.int32), faces)


@dataclass(frozen=True)
class Door:
    """An arched opening: half its width and its height up to the arch, the arch's rise, its sill, how deep; mm.

    ``point`` bends the arch: 1 round, below 1 pointed, large flat.
    """

    half: float
    straight: float
    rise: float
    sill: float
    depth: float
    point: float

    def outline(self) -> Profile:
        """Return (across, height) from the left foot over the arch to the right foot."""
        turn = np.linspace(np.pi, 0, 9)
        arch = [
            (
                float(self.half * np.cos(t)),
                float(self.sill + self.straight + self.rise * max(0.0, np.sin(t)) ** self.point),
            )
            for t in turn
        ]
        return [(-self.half, self.sill), *arch, (self.half, self.sill)]


def random_door(rng: np.random.Generator, size: F32, bevel: float) -> Door:
    """Return a door that fits into the sides of a stone of ``size`` (width, depth, height)."""
    room = float(size[2]) - 2 * bevel
    half = float(min(size[:2]) / 2 * rng.uniform(0.2, 0.62))
    sill = bevel + float(rng.choice([0.0, rng.uniform(0, 0.15) * room]))
    high = (room - sill + bevel) * rng.uniform(0.5, 0.88)
    rise = min(high * rng.uniform(0.1, 0.7), half * 1.4)
    deep = float(min(size[:2]) / 2 * rng.choice([rng.uniform(0.08, 0.3), rng.uniform(0.5, 0.95)]))
    return Door(half, high - rise, rise, sill, deep, float(rng.choice([0.5, 1.0, 1.6])))


def block(size: F32, bevel: float, door: Door | None = None, well: float = 0.0) -> Block:
    """Build a stone's form: bevelled edges, a door in every side, a top sunk by ``well`` mm inside a rim.

    A top with a ``well`` below 0 is raised.
    """
    made = _Builder()
    w, d, h = (float(v) for v in size / [2, 2, 1])
    for side in range(4):
        half, away = (w, d) if side % 2 == 0 else (d, w)
        _side(made, side, half, away, h, bevel, door)
    top = h
    edge = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    rim = [(sx * (w - bevel), sy * (d - bevel), top) for sx, sy in edge]
    unit = [((sx + 1) / 2, (sy + 1) / 2) for sx, sy in edge]
    if well == 0:
        made.quad(4, rim, unit)
        return made.block()
    inner = [(sx * (w - bevel) * 0.72, sy * (d - bevel) * 0.72) for sx, sy in edge]
    inner_uv = [(0.5 + 0.36 * sx, 0.5 + 0.36 * sy) for sx, sy in edge]
    for k in range(4):
        n = (k + 1) % 4
        made.quad(
            4, [rim[k], rim[n], (*inner[n], top), (*inner[k], top)], [unit[k], unit[n], inner_uv[n], inner_uv[k]]
        )
        made.quad(
            4,
            [(*inner[k], top), (*inner[n], top), (*inner[n], top - well), (*inner[k], top - well)],
            [inner_uv[k], inner_uv[n], inner_uv[n], inner_uv[k]],
        )
    made.quad(4, [(*p, top - well) for p in inner], inner_uv)
    return made.block()


def _side(made: _Builder, side: int, half: float, away: float, h: float, bevel: float, door: Door | None) -> None:
    """Add one side of a stone, ``half`` wide to both sides, ``away`` from its middle."""
    cos, sin = [(1, 0), (0, 1), (-1, 0), (0, -1)][side]

    def at(across: float, up: float, inwards: float = 0.0) -> tuple[float, float, float]:
        out = away - inwards
        return (across * cos + out * sin, across * sin - out * cos, up)

    def patch(*corners: tuple[float, float, float]) -> None:
        """Add a quadrilateral of (across, up, inwards)."""
        made.quad(
            side, [at(*p) for p in corners], [(0.5 + p[0] / (2 * half), (p[1] + p[2] * 0.5) / h) for p in corners]
        )

    low, high = bevel, h - bevel
    if bevel > 0:
        patch((-half + bevel, 0, bevel), (half - bevel, 0, bevel), (half, low, 0), (-half, low, 0))
        patch((-half, high, 0), (half, high, 0), (half - bevel, h, bevel), (-half + bevel, h, bevel))
    if door is None:
        patch((-half, low, 0), (half, low, 0), (half, high, 0), (-half, high, 0))
        return
    line = door.outline()
    patch((-half, low, 0), (-door.half, low, 0), (-door.half, high, 0), (-half, high, 0))
    patch((door.half, low, 0), (half, low, 0), (half, high, 0), (door.half, high, 0))
    if door.sill > low:
        patch((-door.half, low, 0), (door.half, low, 0), (door.half, door.sill, 0), (-door.half, door.sill, 0))
    for (a, za), (b, zb) in itertools.pairwise(line):
        patch((a, za, 0), (b, zb, 0), (b, zb, door.depth), (a, za, door.depth))
        if b > a:
            patch((a, za, 0), (b, zb, 0), (b, high, 0), (a, high, 0))
            patch((a, door.sill, door.depth), (b, door.sill, door.depth), (b, zb, door.depth), (a, za, door.depth))
    patch(
        (-door.half, door.sill, 0),
        (door.half, door.sill, 0),
        (door.half, door.sill, door.depth),
        (-door.half, door.sill, door.depth),
    )


def revolve(mesh: Mesh, at: F32, profile: Profile, colour: F32, sides: int = 14) -> None:
    """Add a body of revolution; profile is (radius, height) from bottom to top, mm."""
    turn = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    points = np.concatenate([np.column_stack([circle * r, np.full(sides, z)]) for r, z in profile]) + at
    ring = np.arange(sides)
    a = np.concatenate([k * sides + ring for k in range(len(profile) - 1)])
    b = np.concatenate([k * sides + (ring + 1) % sides for k in range(len(profile) - 1)])
    faces = np.concatenate([np.column_stack([a, b, b + sides]), np.column_stack([a, b + sides, a + sides])])
    mesh.add(points.astype(np.float32), np.zeros((len(points), 2), np.float32), colour, faces.astype(np.int32))


def cut_out(
    mesh: Mesh, at: F32, slices: list[tuple[float, float, float]], thick: float, turn: float, colour: F32
) -> None:
    """Add a flat figure: slices (left, right, height) from bottom to top, ``thick`` mm, turned about the upright."""
    along = np.array([np.cos(turn), np.sin(turn), 0])
    across = np.array([-np.sin(turn), np.cos(turn), 0]) * thick / 2
    points = np.stack(
        [
            [at + along * x + across * s + [0, 0, z] for s in (-1, 1) for x in (left, right)]
            for left, right, z in slices
        ]
    )
    faces = []
    for k in range(len(slices) - 1):
        for i, j in ((0, 1), (1, 3), (3, 2), (2, 0)):
            a, b, c, d = k * 4 + i, k * 4 + j, (k + 1) * 4 + j, (k + 1) * 4 + i
            faces += [[a, b, c], [a, c, d]]
    n = 4 * (len(slices) - 1)
    faces += [[n, n + 1, n + 3], [n, n + 3, n + 2]]
    flat = points.reshape(-1, 3).astype(np.float32)
    mesh.add(flat, np.zeros((len(flat), 2), np.float32), colour, np.array(faces, np.int32))


def ball(radius: float, top: float, start: float = 0.4) -> Profile:
    """Return the profile of a ball whose highest point is at ``top``."""
    return [
        (float(radius * np.sin(t)), float(top - radius - radius * np.cos(t))) for t in np.linspace(start, np.pi, 7)
    ]


def flag(
    mesh: Mesh, rng: np.random.Generator, style: str, at: F32, height: float, radius: float, colour: F32
) -> None:
    """Add one flag standing on ``at``: a rod, a pole with a ball, a banner on a foot, or a pawn."""
    r, h = radius, height
    if style == "rod":
        revolve(mesh, at, [(r, 0), (r, h * 0.96), (r * 0.8, h), (0.01, h)], colour)
    elif style == "pole":
        revolve(mesh, at, [(r, 0), (r, 2), (r * 0.35, 2.5), (r * 0.35, h - 2 * r), *ball(r, h, 0.3)], colour)
    elif style == "pawn":
        head = r * rng.uniform(0.5, 0.7)
        revolve(mesh, at, [(r, 0), (r, 1.5), (r * 0.8, 3), (r * 0.35, h - 2 * head), *ball(head, h, 0.5)], colour)
    else:
        _banner(mesh, rng, at, height, radius, colour)


def _banner(mesh: Mesh, rng: np.random.Generator, at: F32, h: float, foot: float, colour: F32) -> None:
    pole = max(0.9, foot * 0.22)
    revolve(mesh, at, [(foot, 0), (foot, 2.0), (foot * 0.5, 3.4), (pole, 3.6), (pole, h), (0.01, h)], colour)
    turn = rng.uniform(0, 2 * np.pi)
    along = np.array([np.cos(turn), np.sin(turn), 0]) * rng.uniform(0.3, 0.5) * h
    top, low = h * 0.98, h * rng.uniform(0.62, 0.75)
    drop = np.array([0, 0, rng.uniform(0, 0.15) * h])
    rise = np.array([0, 0, top - low])
    cloth = at + np.array([0, 0, low]) + [np.zeros(3), along - drop, along - drop + rise, rise]
    mesh.quad(cloth.astype(np.float32), np.zeros((4, 2), np.float32), colour)

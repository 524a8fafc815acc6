"""Dice as bodies with looks: rounded in many ways, of any two colours, plain, marbled or speckled.

Nothing is taken from a real die: sizes of pips, how far apart they lie, edges and colours are drawn from wide ranges.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.looks import F32, hsv, noise

TILE = 96
"""Pixels of a face's picture."""
CORNERS = [(-1, -1), (1, 1), (-1, 1), (1, -1)]
LATTICE: dict[int, list[tuple[int, int]]] = {
    1: [(0, 0)],
    2: CORNERS[:2],
    3: [(0, 0), *CORNERS[:2]],
    4: CORNERS,
    5: [(0, 0), *CORNERS],
    6: [*CORNERS, (0, -1), (0, 1)],
}
"""Places of a face's pips, on a square lattice around its middle."""
AXES = np.array([[0, 0, 1], [0, 0, -1], [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]])
"""The six faces' outward directions: top, bottom, then the sides."""


@dataclass(frozen=True, eq=False)
class DieForm:
    """A set's dice: a body on the origin's top, and its faces' pictures.

    vertices, normals: (n, 3), mm, the middle at the origin. uv: (n, 2) within a face's tile, 0 to 1. side: (n,) which
    direction of ``AXES`` a vertex belongs to. faces: (m, 3). atlas: (2 tiles, 3 tiles, 3) linear RGB, faces 1 to 6.
    """

    size_mm: float
    vertices: F32
    normals: F32
    uv: F32
    side: NDArray[np.int64]
    faces: NDArray[np.int32]
    atlas: F32


def rounded(rng: np.random.Generator, size_mm: float, steps: int = 9) -> tuple[F32, F32, F32, NDArray, NDArray]:
    """Return a cube with rounded edges, and now and then with corners cut by a ball."""
    half = size_mm / 2
    edge = half * rng.uniform(0.06, 0.45)
    ball = half * rng.uniform(1.3, 1.6) if rng.random() < 0.5 else half * 9
    at = np.linspace(-1, 1, steps)
    u, v = (g.ravel() for g in np.meshgrid(at, at))
    points, uv, side = [], [], []
    for k, axis in enumerate(AXES):
        first = AXES[2] if k < 2 else AXES[0]
        second = np.cross(axis, first)
        points.append(half * (axis + u[:, None] * first + v[:, None] * second))
        uv.append(np.column_stack([(u + 1) / 2, (v + 1) / 2]))
        side.append(np.full(len(u), k))
    p = np.concatenate(points)
    inner = np.clip(p, -(half - edge), half - edge)
    away = p - inner
    away /= np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-9)
    p = inner + away * edge
    far = np.linalg.norm(p, axis=1, keepdims=True)
    cut = far[:, 0] > ball
    normals = np.where(cut[:, None], p / far, away)
    p = np.where(cut[:, None], p * ball / far, p)
    a = np.array([[r * steps + c for c in range(steps - 1)] for r in range(steps - 1)]).ravel()
    one = np.concatenate([np.column_stack([a, a + 1, a + steps + 1]), np.column_stack([a, a + steps + 1, a + steps])])
    faces = np.concatenate([one + k * len(u) for k in range(6)]).astype(np.int32)
    return (
        p.astype(np.float32),
        normals.astype(np.float32),
        np.concatenate(uv).astype(np.float32),
        np.concatenate(side),
        faces,
    )


PLAIN, DIM = 0.25, 0.1
"""How far a die's colour lies from its pips', the mean over the channels as a camera codes them, of 1: where anybody
reads them, and as dark red lies from black."""


def two_colours(rng: np.random.Generator, least: float = PLAIN) -> tuple[F32, F32]:
    """Return a die's colour and its pips' (linear RGB), at least so far apart: where anybody reads them, or dim."""
    while True:
        body, pip = _colour(rng), _colour(rng, pip=least >= PLAIN)
        seen = [np.asarray(c) ** (1 / 2.2) for c in (body, pip)]
        if np.abs(seen[0] - seen[1]).mean() > least:
            return body, pip


def _colour(rng: np.random.Generator, pip: bool = False) -> F32:
    kind = str(rng.choice(["white", "black", "ivory", "vivid", "any"], p=[0.4, 0.35, 0, 0.2, 0.05] if pip else None))
    if kind == "white":
        return hsv(rng.uniform(0, 1), rng.uniform(0, 0.06), rng.uniform(0.8, 0.98))
    if kind == "black":
        return hsv(rng.uniform(0, 1), rng.uniform(0, 0.3), rng.uniform(0.04, 0.2))
    if kind == "ivory":
        return hsv(rng.uniform(0.08, 0.15), rng.uniform(0.1, 0.45), rng.uniform(0.6, 0.95))
    if kind == "vivid":
        return hsv(rng.uniform(0, 1), rng.uniform(0.6, 1), rng.uniform(0.3, 0.95))
    return hsv(rng.uniform(0, 1), rng.uniform(0, 1), rng.uniform(0.1, 0.95))


def face_pictures(rng: np.random.Generator) -> F32:
    """Return the six faces' pictures: pips on a body that is plain, marbled or speckled."""
    body, pip = two_colours(rng)
    radius, apart = rng.uniform(0.065, 0.12), rng.uniform(0.21, 0.285)
    other = _colour(rng, pip=True) if rng.random() < 0.12 else pip
    big = rng.uniform(1.2, 1.9) if rng.random() < 0.2 else 1.0
    soft = rng.uniform(0.5, 1.5)
    turn = rng.random() < 0.5
    marble = rng.uniform(0.05, 0.3) if rng.random() < 0.2 else 0.0
    dots = rng.uniform(0.1, 0.5) if rng.random() < 0.1 else 0.0
    if np.abs(other ** (1 / 2.2) - body ** (1 / 2.2)).mean() < 0.25:
        other = pip
    rows, cols = np.indices((TILE, TILE)) / (TILE - 1) - 0.5
    atlas = np.empty((2 * TILE, 3 * TILE, 3), np.float32)
    for face, places in LATTICE.items():
        look = 1 + marble * noise(rng, TILE, 14, 14) + 0.02 * noise(rng, TILE, 4, 4)
        tile = body * np.clip(look, 0.3, 1.8)[..., None]
        tile = tile + ((noise(rng, TILE, 2, 2) > 1.8) * dots)[..., None] * rng.uniform(0.3, 1)
        for x, y in places:
            x, y = (y, x) if turn else (x, y)
            away = np.hypot(cols - x * apart, rows - y * apart)
            r = radius * (big if face == 1 else 1.0)
            share = np.clip((r - away) * TILE / soft + 0.5, 0, 1)[..., None]
            hollow = 1 - 0.25 * (cols - x * apart)[..., None] / r * share
            tile = tile * (1 - share) + (other if face == 1 else pip) * hollow * share
        row, col = divmod(face - 1, 3)
        atlas[row * TILE : (row + 1) * TILE, col * TILE : (col + 1) * TILE] = tile
    return np.clip(atlas, 0.003, 0.95)


def random_form(rng: np.random.Generator, size_mm: float) -> DieForm:
    """Return dice of one set."""
    vertices, normals, uv, side, faces = rounded(rng, size_mm)
    return DieForm(size_mm, vertices, normals, uv, side, faces, face_pictures(rng))


def lying(form: DieForm, rng: np.random.Generator, face: int) -> tuple[F32, F32, F32]:
    """Return vertices, normals and atlas places of a die with ``face`` on top, unturned, standing on z = 0."""
    low, high = [int(k) for k in rng.permutation([k for k in (1, 2, 3) if k not in (face, 7 - face)])]
    if rng.random() < 0.5:
        low = 7 - low
    if rng.random() < 0.5:
        high = 7 - high
    shown = np.array([face, 7 - face, low, 7 - low, high, 7 - high])[form.side] - 1
    spun = rng.integers(4, size=6)[form.side]
    uv = form.uv.copy()
    for k in (1, 2, 3):
        turned = np.column_stack([0.5 - (form.uv[:, 1] - 0.5), form.uv[:, 0]]) if k == 1 else None
        turned = 1 - form.uv if k == 2 else turned
        turned = np.column_stack([form.uv[:, 1], 1 - form.uv[:, 0]]) if k == 3 else turned
        assert turned is not None
        uv = np.where((spun == k)[:, None], turned, uv)
    tile = (TILE - 2) / TILE
    place = np.column_stack(
        [(shown % 3 + 0.5 + (uv[:, 0] - 0.5) * tile) / 3, (shown // 3 + 0.5 + (uv[:, 1] - 0.5) * tile) / 2]
    )
    return form.vertices + np.array([0, 0, form.size_mm / 2], np.float32), form.normals, place.astype(np.float32)

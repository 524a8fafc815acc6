"""Sets of target pictures that something is wrong with: each spoils the lens in its own way. Projected, not drawn."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens, project
from calibration.solve import Shot
from calibration.target import TargetView
from tests.calibration.target_scenes import HEIGHT_MM, LENS, WIDTH_MM, held

LEANS = (
    (0, 0),
    (30, 5),
    (-30, 0),
    (0, 30),
    (5, -30),
    (22, 22),
    (-22, 22),
    (22, -22),
    (-22, -18),
    (35, 0),
    (0, -35),
    (-12, 8),
)
CORNERS = 7, 5


def set_of(
    *,
    bent_mm: float = 0.0,
    speed_mm: float = 0.0,
    squeezed: float = 1.0,
    lean: float = 1.0,
    focus: float = 0.0,
    spread: float = 1.0,
    distance_mm: float = 420.0,
    seed: int = 0,
    noise_px: float = 0.12,
) -> tuple[list[Shot], tuple[int, int]]:
    """Return the shots of a set and the size of its pictures.

    bent_mm: how far the target's middle bulges. speed_mm: how far it moves while one picture is read out. squeezed:
    the pictures' width as a share of what it should be. lean: share of the usual tilts. focus: by what share the
    focal length grows where the target is near. spread: how far from the middle it is held, as a share.
    """
    rng = np.random.default_rng(seed)
    shots = []
    for number, (right, lower) in enumerate(LEANS):
        away = distance_mm * (0.85 + 0.3 * (number % 3) / 2)
        matrix = LENS.matrix.copy()
        matrix[[0, 1], [0, 1]] *= 1 + focus * (number % 3 == 0)
        through = Lens(LENS.size, matrix, LENS.distortion, 0.0)
        at = 320 + spread * 150 * (number % 3 - 1), 240 + spread * 90 * (number // 3 % 3 - 1)
        seen = _seen(*held(at, (lean * right, lean * lower), away, through), through, bent_mm, _moving(rng, speed_mm))
        inside = ((seen > 3) & (seen < np.array(LENS.size) - 4)).all(axis=1)
        seen = (seen + rng.normal(0, noise_px, seen.shape)) * (squeezed, 1.0)
        ids = np.flatnonzero(inside)
        view = TargetView(ids, _flat()[inside].astype(np.float32), seen[inside].astype(np.float32), 2.5)
        shots.append(Shot(f"{number:02d}.jpg", view))
    return shots, (round(squeezed * LENS.size[0]), LENS.size[1])


def _flat() -> NDArray[np.float64]:
    ids = np.arange(CORNERS[0] * CORNERS[1])
    return np.stack([30.0 + 30 * (ids % CORNERS[0]), 30.0 + 30 * (ids // CORNERS[0]), np.zeros(len(ids))], axis=1)


def _moving(rng: np.random.Generator, speed_mm: float) -> NDArray[np.float64]:
    way = rng.normal(size=3) * (1.0, 1.0, 0.3)
    return speed_mm * np.asarray(way / np.linalg.norm(way), np.float64)


def _seen(
    rotation: NDArray[np.float64],
    shift: NDArray[np.float64],
    through: Lens,
    bent_mm: float,
    moving_mm: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Project a target that bulges, each corner at the moment at which its row is read."""
    points = _flat()
    across = (points[:, 0] - WIDTH_MM / 2) / (WIDTH_MM / 2)
    points[:, 2] = bent_mm * (across**2 + 0.3 * across * (points[:, 1] - HEIGHT_MM / 2) / (HEIGHT_MM / 2))
    seen = project(points, rotation, shift, through)
    for _ in range(6):
        when = seen[:, 1] / through.size[1] - 0.5
        moved = points + np.outer(when, moving_mm) @ rotation
        seen = project(moved, rotation, shift, through)
    return seen

"""Pictures of the made-up table of ``tests.scene`` under lamps, with shadows, mirror images and a sensor's noise.

Each level face is a grid of points that are lit one by one and brought into the picture, far faces first. A lamp has
a place, a size, and light that falls off with the square of its distance. Faces mirror it as polished wood does
(Phong), where they are told to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from tests.scene import lens, pose, table
from vision.geometry.view import View

SIZE = (480, 360)
_TABLE = table()
_PAPER_MM, _BOARD_MM = 195.0, 95.0
_DARK, _PAPER, _BOARD, _STONE, _CLOTH = 0.04, 0.85, 0.45, 0.3, 0.1
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Lamp:
    """A lamp: where it stands, mm; how wide it is; the light it gives a table a metre below."""

    at_mm: tuple[float, float, float]
    wide_mm: float = 60.0
    light: float = 1.0


@dataclass(frozen=True)
class Lit:
    """A lit table. ambient: light from everywhere. shine: of faces, 0 for dull. exposure: 1: paper at about 200."""

    lamps: Sequence[Lamp]
    heights: Mapping[tuple[int, int], int] = field(default_factory=dict)
    ambient: float = 0.3
    shine: float = 0.0
    exposure: float = 1.0
    noise: float = 1.5


def grid(heights: Mapping[tuple[int, int], int]) -> NDArray[np.int8]:
    """Return heights as an array (6, 6)."""
    found = np.zeros((6, 6), np.int8)
    for place, height in heights.items():
        found[place] = height
    return found


def lit_view(lit: Lit, azimuth_deg: float = -85, seed: int = 0) -> View:
    """Return a view of a lit table with the true lens and pose."""
    matrix = lens(distorted=False).matrix.copy()
    matrix[:2] *= 0.5
    at, through = pose(azimuth_deg), Lens(SIZE, matrix, np.zeros(5), 0.1)
    light = np.full((SIZE[1], SIZE[0]), _CLOTH * lit.ambient, np.float32)
    _lay(light, lit, View("left", np.zeros(0, np.uint8), through, at), (0.0, 0.0), _PAPER_MM, 0.0, 200)
    middles = {place: np.array(_TABLE.centre_mm(*place)) for place in lit.heights}
    for place in sorted(middles, key=lambda one: -float(np.linalg.norm(middles[one] - at.centre_mm[:2]))):
        x, y = middles[place]
        tall = lit.heights[place] * _TABLE.cube_mm[2]
        square = np.array([[x + a * 13, y + b * 13] for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
        ends = np.concatenate([np.column_stack([square, np.full(4, z)]) for z in (0.0, tall)])
        outline = cv2.convexHull(np.round(at.project(ends, through) * 16).astype(np.int32))
        cv2.fillPoly(light, [outline], _STONE * (lit.ambient + 0.2), shift=4)
        _lay(light, lit, View("left", np.zeros(0, np.uint8), through, at), (float(x), float(y)), 13.0, tall, 12)
    grey = 255 * np.clip(0.55 * lit.exposure * light, 0, 1) ** (1 / 2.2)
    grey = grey + np.random.default_rng(seed).normal(0, lit.noise, grey.shape)
    picture = np.repeat(np.clip(grey, 0, 255).astype(np.uint8)[..., None], 3, axis=2)
    return View("left", picture, through, at)


def _lay(
    light: NDArray[np.float32], lit: Lit, view: View, middle: tuple[float, float], half: float, z: float, count: int
) -> None:
    """Bring a level square face into the picture. count: of points along a side that are lit."""
    steps = (np.arange(count) + 0.5) * (2 * half / count) - half
    x, y = np.meshgrid(middle[0] + steps, middle[1] - steps)
    points = np.stack([x, y, np.full_like(x, z)], axis=-1)
    face = _reflects(points) if z == 0 else np.full(x.shape, _STONE)
    shown = face * lit.ambient
    for lamp in lit.lamps:
        free = _free(lit, lamp, points)
        towards = np.array(lamp.at_mm) - points
        far = np.linalg.norm(towards, axis=-1)
        one = lamp.light * (1000 / far) ** 2 * free
        shown += face * one * towards[..., 2] / far
        sight = view.pose.centre_mm - points
        mirror = sight / np.linalg.norm(sight, axis=-1, keepdims=True) * (-1, -1, 1)
        straight = np.clip((mirror * towards).sum(axis=-1) / far, 0, 1)
        shown += lit.shine * one * 8 * straight**400 * (np.abs(points[..., :2]).max(axis=-1) < _BOARD_MM)
    square = (np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * count - 0.5).astype(np.float32)
    corners = [(middle[0] + a * half, middle[1] + b * half, z) for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
    places = view.project(np.array(corners)).astype(np.float32)
    warp = cv2.getPerspectiveTransform(square, places)
    drawn = cv2.warpPerspective(shown.astype(np.float32), warp, SIZE, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros((SIZE[1], SIZE[0]), np.uint8)
    cv2.fillConvexPoly(mask, np.round(places * 16).astype(np.int32), 1, shift=4)
    light[mask > 0] = drawn[mask > 0]


def _free(lit: Lit, lamp: Lamp, points: Floats) -> Floats:
    """Return the share of a lamp that points see past the stacks."""
    top = 20.0 * max(lit.heights.values(), default=0)
    found = []
    for across in (-0.5, 0.0, 0.5):
        way = np.array(lamp.at_mm) + lamp.wide_mm * np.array([across, across, 0]) - points
        reach = np.clip((top - points[..., 2]) / way[..., 2], 0, 1)
        free = np.ones(points.shape[:-1])
        for share in np.linspace(0.02, 1, 30) if top else ():
            at = points + way * (reach * share)[..., None]
            free[_tall_mm(lit, at) > at[..., 2] + 0.5] = 0.0
        found.append(free)
    return np.asarray(np.mean(found, axis=0), np.float64)


def _tall_mm(lit: Lit, points: Floats) -> Floats:
    """Return the height of what stands at points (..., 3), mm."""
    column, row = points[..., 0] / 30 + 2.5, points[..., 1] / 30 + 2.5
    near = np.round(row).astype(int), np.round(column).astype(int)
    on = (np.abs(row - near[0]) < 13 / 30) & (np.abs(column - near[1]) < 13 / 30)
    on &= (near[0] >= 0) & (near[0] < 6) & (near[1] >= 0) & (near[1] < 6)
    return np.where(on, grid(lit.heights)[np.clip(near[0], 0, 5), np.clip(near[1], 0, 5)] * 20.0, 0.0)


def _reflects(points: Floats) -> Floats:
    found = np.where(np.abs(points[..., :2]).max(axis=-1) < _BOARD_MM, _BOARD, _PAPER)
    for corners in _TABLE.markers.values():
        low, high = corners[:, :2].min(axis=0), corners[:, :2].max(axis=0)
        found[((points[..., :2] > low) & (points[..., :2] < high)).all(axis=-1)] = _DARK
    return found

"""The part of a picture that is kept: where the space over the board appears, and nothing of who sits around it.

Whether a pixel's line of sight meets that space is asked of a grid of pixels. Projecting the space's corners instead
would fail where one lies behind the camera, or so far outside the picture that the lens's distortion means nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens, undistort_points
from calibration.masked import Outline, hull
from calibration.pose import Pose
from calibration.table import TableSetup

MARGIN_MM = 25.0
"""Room around all that is read: the frame's paper, and stones that stand shifted."""
TALLEST_STACK = 10
"""Stones of the highest stack that is told, and that is allowed on every field where heights are not known."""
_ACROSS = 64
"""Points of the grid along the picture's longer side."""


@dataclass(frozen=True, slots=True)
class Space:
    """A box in table axes: its lowest and its highest corner, mm."""

    low_mm: tuple[float, float, float]
    high_mm: tuple[float, float, float]


def spaces_over(table: TableSetup, top_mm: float, places_mm: NDArray[np.float64] | None = None) -> tuple[Space, ...]:
    """Return the flat space over a table's frame, and the space over its fields up to a height.

    places_mm: (n, 2) other places at which things stand.
    """
    fields = np.array(table.half_size_mm) + MARGIN_MM
    high = [np.array([-fields, fields]), *([] if places_mm is None else [places_mm])]
    flat = [*high, table.around_mm[:, :2], *(points[:, :2] for points in table.margin_fields.values())]
    flat += [np.array(table.score_track, np.float64).reshape(-1, 2)]
    floor_mm = min(0.0, float(table.around_mm[:, 2].min()))
    return _box(flat, floor_mm, MARGIN_MM, MARGIN_MM), _box(high, 0.0, top_mm + MARGIN_MM, 0.0)


def _box(places_mm: list[NDArray[np.float64]], low_mm: float, high_mm: float, around_mm: float) -> Space:
    every = np.concatenate(places_mm)
    (left, near), (right, far) = every.min(axis=0) - around_mm, every.max(axis=0) + around_mm
    return Space((float(left), float(near), low_mm), (float(right), float(far), high_mm))


def tallest_mm(table: TableSetup) -> float:
    """Return how high what is told of a board of stacks can reach, mm."""
    return table.base_mm + TALLEST_STACK * table.cube_mm[2] + table.flag.tallest_mm


def outline_of(spaces: Sequence[Space], pose: Pose, lens: Lens) -> Outline:
    """Return the outline of spaces in a picture; empty where none is in it."""
    places, rays = _grid(lens)
    ways = rays @ pose.rotation
    ways = np.where(np.abs(ways) < 1e-9, 1e-9, ways)
    step = _step(lens)
    around = np.array([(x, y) for x in (-step, step) for y in (-step, step)])
    found = []
    for space in spaces:
        met = _meets(space, pose.centre_mm, ways)
        if met.any():
            found.append(hull((places[met][:, None] + around[None]).reshape(-1, 2), lens.size))
    return tuple(found)


def _meets(space: Space, eye_mm: NDArray[np.float64], ways: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which lines of sight (n, 3) from a place meet a space.

    Source: Kay and Kajiya, Ray Tracing Complex Scenes, 1986 (slabs).
    """
    one, two = ((np.array(corner) - eye_mm) / ways for corner in (space.low_mm, space.high_mm))
    enters, leaves = np.minimum(one, two).max(axis=1), np.maximum(one, two).min(axis=1)
    return np.asarray((enters <= leaves) & (leaves > 0), np.bool_)


def _step(lens: Lens) -> float:
    return max(lens.size) / _ACROSS


@lru_cache(maxsize=8)
def _grid(lens: Lens) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return a grid of pixels (n, 2), and their lines of sight (n, 3) in the camera's axes."""
    across, down = (np.linspace(0, side - 1, int(np.ceil(side / _step(lens))) + 1) for side in lens.size)
    places = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
    ideal = undistort_points(places, lens)
    rays = np.column_stack([ideal, np.ones(len(ideal))]) @ np.linalg.inv(lens.matrix).T
    return places, rays

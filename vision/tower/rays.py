"""One picture of the tower as sample points, each with the cells its line of sight passes, near ones first.

With them a tower is drawn into the picture by looking up, for every point, the first of its cells that is filled.
Source of the stepping through the grid: Amanatides and Woo, A Fast Voxel Traversal Algorithm for Ray Tracing, 1987,
written for all points at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import undistort_points
from vision.geometry.view import View
from vision.tower.grid import CELLS, FLOOR, MOST_LEVELS, SIDE, TowerSizes

POINTS_A_CELL = 8.0
"""Sample points along a cell's side: enough for a face seen at a slant, few enough to draw hundreds of towers."""
AROUND_CELLS = 1.3
"""Margin of the samples around the grid's outline, in cells: it shows the background."""
FACES = 6
"""Faces of a cell: west, east, south, north, bottom, top."""
TOP = 5
_LEAST_POINTS = 200


@dataclass(frozen=True, eq=False)
class Sight:
    """One picture's samples, n = h * w of them in rows.

    shape: (h, w). places_px: (n, 2) in the picture. colours: (n, 3) BGR, 0 to 1. cells: (n, d) numbers of the cells
    along each line of sight, near ones first, CELLS where there are no more. faces: (n, d) the face by which it
    enters each of them. ground_mm: (n, 2) where it meets the board's plane; nan where it does not. square: (n,) the
    base's square it ends on, row * 3 + column, -1 elsewhere. scale: picture pixels a sample.
    """

    shape: tuple[int, int]
    places_px: NDArray[np.float64]
    colours: NDArray[np.float32]
    cells: NDArray[np.int16]
    faces: NDArray[np.int8]
    ground_mm: NDArray[np.float64]
    square: NDArray[np.int8]
    scale: float


def sight_of(view: View, measures: TowerSizes) -> Sight | None:
    """Sample a picture where the tower can stand; ``None`` where hardly any of that lies in the picture."""
    part = sampled_px(view, measures)
    if part is None:
        return None
    low, high, cell_px = part
    step = max(cell_px / POINTS_A_CELL, 1.0)
    width, height = (int(v) for v in (high - low) / step)
    if width * height < _LEAST_POINTS or min(width, height) < POINTS_A_CELL:
        return None
    cut = view.picture_bgr[low[1] : high[1], low[0] : high[0]]
    small = cv2.resize(cut, (width, height), interpolation=cv2.INTER_AREA).reshape(-1, 3)
    colours = np.asarray(small, np.float32) / np.float32(255)
    per_x, per_y = (high - low) / (width, height)
    x, y = np.meshgrid(
        (np.arange(width) + 0.5) * per_x - 0.5 + low[0], (np.arange(height) + 0.5) * per_y - 0.5 + low[1]
    )
    places = np.column_stack([x.ravel(), y.ravel()])
    ways = _ways(view, places)
    cells, faces = _through(view.pose.centre_mm, ways, measures)
    centre = view.pose.centre_mm
    square = _square(_on_plane(centre, ways, measures.base_mm), measures)
    return Sight((height, width), places, colours, cells, faces, _on_plane(centre, ways, 0.0), square, float(step))


def sampled_px(view: View, measures: TowerSizes) -> tuple[NDArray[np.int64], NDArray[np.int64], float] | None:
    """Return the part of a picture that is sampled: its upper left and lower right pixel, and a cell's length there.

    ``None`` where it is not known.
    """
    outline = view.project(measures.corners_mm(0, MOST_LEVELS))
    cell_px = _cell_px(view, measures)
    if not np.isfinite(outline).all() or cell_px is None:
        return None
    size = np.array(view.picture_bgr.shape[1::-1])
    low = np.clip(outline.min(axis=0) - AROUND_CELLS * cell_px, 0, size).astype(np.int64)
    high = np.clip(outline.max(axis=0) + AROUND_CELLS * cell_px, 0, size).astype(np.int64)
    return low, high, cell_px


def _cell_px(view: View, measures: TowerSizes) -> float | None:
    """Return the length of a level's height, or of a column's width if that is longer, in the picture, pixels."""
    middle = np.array([0.0, 0.0, measures.base_mm + 2 * measures.unit_mm])
    ends = view.project(middle + np.array([[0, 0, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0]]) * measures.unit_mm)
    if not np.isfinite(ends).all():
        return None
    return float(np.linalg.norm(ends[1:] - ends[0], axis=1).max())


def _ways(view: View, places_px: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the directions of the lines of sight in the board's axes, (n, 3), not normalised."""
    ideal = undistort_points(places_px, view.lens)
    matrix = view.lens.matrix
    down = (ideal[:, 1] - matrix[1, 2]) / matrix[1, 1]
    across = (ideal[:, 0] - matrix[0, 2] - matrix[0, 1] * down) / matrix[0, 0]
    r = view.pose.rotation
    return np.stack([across * r[0, k] + down * r[1, k] + r[2, k] for k in range(3)], axis=1)


def _on_plane(centre: NDArray[np.float64], ways: NDArray[np.float64], height_mm: float) -> NDArray[np.float64]:
    """Return where lines of sight meet a plane, (n, 2) mm; nan where they do not."""
    with np.errstate(divide="ignore", invalid="ignore"):
        far = (height_mm - centre[2]) / ways[:, 2]
    far = np.where(far > 0, far, np.nan)
    return np.asarray(centre[:2] + far[:, None] * ways[:, :2], np.float64)


def _square(places_mm: NDArray[np.float64], measures: TowerSizes) -> NDArray[np.int8]:
    index = np.floor(np.nan_to_num(places_mm, nan=-1e6) / measures.pitch_mm + SIDE / 2)
    inside = ((index >= 0) & (index < SIDE)).all(axis=1)
    return np.where(inside, index[:, 1] * SIDE + index[:, 0], -1).astype(np.int8)


def _through(
    centre: NDArray[np.float64], ways: NDArray[np.float64], measures: TowerSizes
) -> tuple[NDArray[np.int16], NDArray[np.int8]]:
    """Return the grid's cells along lines of sight from the camera's centre.

    With them come the faces by which they are entered.
    """
    safe = np.where(np.abs(ways) < 1e-9, 1e-9, ways)
    times, entered = [], []
    for axis, planes in enumerate(measures.planes_mm()):
        times.append((planes[None, :] - centre[axis]) / safe[:, axis : axis + 1])
        face = np.where(safe[:, axis] > 0, 2 * axis, 2 * axis + 1).astype(np.int8)
        entered.append(np.repeat(face[:, None], len(planes), axis=1))
    time, face = np.concatenate(times, axis=1), np.concatenate(entered, axis=1)
    order = np.argsort(time, axis=1)
    time, face = np.take_along_axis(time, order, axis=1), np.take_along_axis(face, order, axis=1)
    middle = (time[:, 1:] + time[:, :-1]) / 2
    steps = np.array([*measures.pitch_mm, measures.unit_mm])
    lows = np.array([planes[0] for planes in measures.planes_mm()])
    number = np.zeros(middle.shape, np.int16)
    inside = middle > 0
    for axis, (count, factor) in enumerate(((SIDE, 1), (SIDE, SIDE), (MOST_LEVELS, FLOOR))):
        index = np.floor((centre[axis] + middle * safe[:, axis : axis + 1] - lows[axis]) / steps[axis]).astype(
            np.int16
        )
        inside &= (index >= 0) & (index < count)
        number += index * np.int16(factor)
    number[~inside] = CELLS
    pack = np.argsort(~inside, axis=1, kind="stable")[:, : max(1, int(inside.sum(axis=1).max()))]
    return np.take_along_axis(number, pack, axis=1), np.take_along_axis(face[:, :-1], pack, axis=1)

"""Two ways to measure heights without learning, for comparison with the scorer.

*By hand*: hypotheses on the same plane sweep, scored by photo-consistency (the two cameras show the same top face on
the plane of its true height) and by edges (a top face ends where the plane of its height says it does).
*StereoSGBM*: OpenCV's dense stereo on the two pictures, warped to the board's plane.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from vision.geometry.view import View
from vision.heights.change import Look
from vision.heights.sweep import CELL_PX, MARGIN, Sweep

_INSET_PX = 4
_EDGE_WEIGHT = 1.0
_MM_PER_PX = 0.8


def heights_by_hand(look: Look, table: TableSetup) -> NDArray[np.intp]:
    """Return the likeliest heights by photo-consistency and edges, (rows, cols); needs two cameras."""
    one, other = (camera.sweep for camera in list(look.values())[:2])
    faces = [_in_board_order(_fields(camera.stack), camera, table) for camera in (one, other)]
    likeness = _correlation(*faces)
    edges = sum(_in_board_order(_edge_strength(camera), camera, table) for camera in (one, other))
    return np.asarray((likeness + _EDGE_WEIGHT * edges).argmax(axis=2), np.intp)


def _fields(stack: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the grey patches of every field on every level, (rows', cols', levels, px, px)."""
    grey = np.stack([cv2.cvtColor(level, cv2.COLOR_BGR2GRAY) for level in stack]).astype(np.float32)
    edge = MARGIN * CELL_PX
    inner = grey[:, edge:-edge, edge:-edge]
    levels, height, width = inner.shape
    return inner.reshape(levels, height // CELL_PX, CELL_PX, width // CELL_PX, CELL_PX).transpose(1, 3, 0, 2, 4)


def _in_board_order(values: NDArray[np.float32], camera: Sweep, table: TableSetup) -> NDArray[np.float32]:
    """Place values (rows', cols', ...) of a turned camera at their fields of the board; turn patches back, too."""
    turns = _turns(camera)
    out = np.empty((table.rows, table.columns, *values.shape[2:]), np.float32)
    turned = np.rot90(values, -turns, axes=(3, 4)) if values.ndim == 5 else values
    out[camera.cells[..., 0], camera.cells[..., 1]] = turned
    return out


def _turns(camera: Sweep) -> int:
    """Return by how many quarter turns the rectified pictures are turned against the board seen with row 1 below."""
    across = camera.cells[0, 1] - camera.cells[0, 0]
    return {(0, 1): 0, (1, 0): 3, (0, -1): 2, (-1, 0): 1}[int(across[0]), int(across[1])]


def _correlation(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the normalised cross-correlation (rows, cols, levels) of the two cameras' patches."""
    inside = slice(_INSET_PX, -_INSET_PX)
    a, b = (
        part[..., inside, inside] - part[..., inside, inside].mean(axis=(3, 4), keepdims=True)
        for part in (one, other)
    )
    power = np.sqrt((a * a).mean(axis=(3, 4)) * (b * b).mean(axis=(3, 4))) + 20.0
    return np.asarray((a * b).mean(axis=(3, 4)) / power, np.float64)


def _edge_strength(camera: Sweep) -> NDArray[np.float32]:
    """Return brightness steps along a face's outline against those inside it, (rows', cols', levels)."""
    patches = _fields(camera.stack)
    steps = np.abs(np.diff(patches, axis=3))[..., :, 1:] + np.abs(np.diff(patches, axis=4))[..., 1:, :]
    rim = np.ones(steps.shape[-2:], np.bool_)
    rim[_INSET_PX:-_INSET_PX, _INSET_PX:-_INSET_PX] = False
    outline, inside = steps[..., rim].mean(axis=-1), steps[..., ~rim].mean(axis=-1)
    return np.asarray((outline - inside) / (outline + inside + 2.0), np.float32)


def heights_by_stereo(one: View, other: View, table: TableSetup, most: int = 10) -> NDArray[np.float64]:
    """Return the median height over each field in stones by StereoSGBM, (rows, cols); nan where it found nothing.

    The cameras stand so far apart that pictures rectified the usual way have no common part. So both are warped to
    the board's plane and turned until their base line lies along x: a thing on the board then differs by a disparity
    that grows with its height, and nearly not at all along y as far as both cameras are equally high.
    """
    base = other.pose.centre_mm - one.pose.centre_mm
    along = base[:2] / np.linalg.norm(base[:2])
    axes = np.array([along, (-along[1], along[0])])
    side = round(2 * float(np.hypot(*table.half_size_mm)) / _MM_PER_PX)
    plane = np.linspace(-side / 2, side / 2, side, endpoint=False) * _MM_PER_PX
    flat = np.stack(np.meshgrid(plane, plane), axis=-1)
    points = np.concatenate([flat @ axes, np.zeros((side, side, 1))], axis=2)
    pair = []
    for view in (one, other):
        places = view.project(points).astype(np.float32)
        grey = cv2.cvtColor(view.picture_bgr, cv2.COLOR_BGR2GRAY)
        pair.append(np.asarray(cv2.remap(grey, places[..., 0], places[..., 1], cv2.INTER_LINEAR), np.uint8))
    heights = np.linspace(0.0, most, 10 * most + 1) * table.cube_mm[2]
    ground, predicted = _predicted(plane, heights, along, one, other)
    low, high = int(np.floor(predicted.min())), int(np.ceil(predicted.max()))
    count = -(-(high - low + 1) // 16) * 16
    matcher = cv2.StereoSGBM.create(low, count, 5, 8 * 25, 32 * 25, 1, 0, 10, 100, 2)
    # StereoSGBM drops as many columns at the left as there are disparities, so that many are added there.
    wide = [cv2.copyMakeBorder(picture, 0, 0, low + count, 0, cv2.BORDER_REPLICATE) for picture in pair]
    found = np.asarray(matcher.compute(*wide), np.float32)[:, low + count :] / 16
    level = np.abs(predicted[None] - found[..., None]).argmin(axis=2)
    rows, cols = np.nonzero(found >= low)
    z = heights[level[rows, cols]]
    height = one.pose.centre_mm[2]
    across = axes[1] @ one.pose.centre_mm[:2]
    x = ground[cols, level[rows, cols]]
    y = across + (plane[rows] - across) * (height - z) / height
    return _medians(np.column_stack([np.column_stack([x, y]) @ axes, z]), table)


def _predicted(
    plane: NDArray[np.float64], heights: NDArray[np.float64], along: NDArray[np.float64], one: View, other: View
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Predict for each column of the first warped picture and each height its place (mm) and disparity (pixels)."""
    c1, c2 = (float(along @ view.pose.centre_mm[:2]) for view in (one, other))
    z1, z2 = one.pose.centre_mm[2], other.pose.centre_mm[2]
    ground = c1 + (plane[:, None] - c1) * (z1 - heights) / z1
    elsewhere = c2 + (ground - c2) * z2 / (z2 - heights)
    return ground, (plane[:, None] - elsewhere) / _MM_PER_PX


def _medians(points_mm: NDArray[np.float64], table: TableSetup) -> NDArray[np.float64]:
    out = np.full((table.rows, table.columns), np.nan)
    col = np.floor(points_mm[:, 0] / table.pitch_mm[0] + table.columns / 2).astype(int)
    row = np.floor(points_mm[:, 1] / table.pitch_mm[1] + table.rows / 2).astype(int)
    inside = (col >= 0) & (col < table.columns) & (row >= 0) & (row < table.rows)
    place = row[inside] * table.columns + col[inside]
    stones = points_mm[inside, 2] / table.cube_mm[2]
    for field in np.unique(place):
        out[field // table.columns, field % table.columns] = np.median(stones[place == field])
    return out

"""The printed frame in a picture: its paper between the markers, and which of its markers are covered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from vision.geometry.view import View

STEP_MM = 1.25
"""Spacing of the rectified frame's pixels."""
_QUIET_MM = 2.0
"""Paper this near to a marker is blurred with its print."""
_PATCH_PX = 36


@dataclass(frozen=True, eq=False)
class Band:
    """The strip of paper that carries the markers, as a grid of points on its plane.

    points_mm: (h, w, 3), y falling. paper: (h, w) bool, the strip without its markers. quiet: (h, w) bool, paper
    right beside a marker. squares: marker id to (h, w) bool, the marker's print.
    """

    points_mm: NDArray[np.float64]
    paper: NDArray[np.bool_]
    quiet: NDArray[np.bool_]
    squares: Mapping[int, NDArray[np.bool_]]


@lru_cache(maxsize=8)
def frame_band(table: TableSetup) -> Band:
    """Return the strip around the board that holds the markers: as wide as they are, as long as they reach."""
    corners = np.concatenate(list(table.markers.values()))
    low, high = corners.min(axis=0), corners.max(axis=0)
    xs = np.arange(low[0], high[0] + STEP_MM / 2, STEP_MM)
    ys = np.arange(high[1], low[1] - STEP_MM / 2, -STEP_MM)
    x, y = np.meshgrid(xs, ys)
    points = np.stack([x, y, np.full_like(x, corners[:, 2].mean())], axis=-1)
    half_x, half_y = table.half_size_mm
    off_board = np.maximum(np.abs(x) - half_x, np.abs(y) - half_y)
    nearest = float(np.maximum(np.abs(corners[:, 0]) - half_x, np.abs(corners[:, 1]) - half_y).min())
    strip = off_board >= nearest + STEP_MM
    squares = {number: _inside(x, y, at, 0.0) for number, at in table.markers.items()}
    printed = np.zeros_like(strip)
    beside = np.zeros_like(strip)
    for at in table.markers.values():
        printed |= _inside(x, y, at, _QUIET_MM)
        beside |= _inside(x, y, at, 3 * _QUIET_MM)
    return Band(points, strip & ~printed, beside & strip & ~printed, squares)


def _inside(
    x: NDArray[np.float64], y: NDArray[np.float64], corners: NDArray[np.float64], margin_mm: float
) -> NDArray[np.bool_]:
    low, high = corners[:, :2].min(axis=0) - margin_mm, corners[:, :2].max(axis=0) + margin_mm
    inside: NDArray[np.bool_] = (x > low[0]) & (x < high[0]) & (y > low[1]) & (y < high[1])
    return inside


def likeness(view: View, table: TableSetup, number: int) -> float | None:
    """Return how much a marker's place looks like the marker: correlation -1 to 1, ``None`` outside the picture."""
    corners = view.project(table.markers[number])
    height, width = view.picture_bgr.shape[:2]
    if not np.isfinite(corners).all() or corners.min() < 2 or (corners >= (width - 2, height - 2)).any():
        return None
    side = _PATCH_PX - 0.5
    square = np.array([[-0.5, -0.5], [side, -0.5], [side, side], [-0.5, side]], np.float32)
    warp = cv2.getPerspectiveTransform(corners.astype(np.float32), square)
    patch = cv2.warpPerspective(view.picture_bgr, warp, (_PATCH_PX, _PATCH_PX))
    seen = cv2.GaussianBlur(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY), (0, 0), 1.5).astype(np.float64)
    known = _print(table.marker_dictionary, number)
    seen = seen - seen.mean()
    spread = float(np.sqrt((seen**2).sum() * (known**2).sum()))
    return float((seen * known).sum()) / spread if spread > 1e-6 else 0.0


@lru_cache(maxsize=256)
def _print(dictionary: str, number: int) -> NDArray[np.float64]:
    """Return a marker's print, blurred, (patch, patch), mean 0."""
    kind = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    image = np.asarray(cv2.aruco.generateImageMarker(kind, number, _PATCH_PX), np.float64)
    blurred = np.asarray(cv2.GaussianBlur(image, (0, 0), 1.5), np.float64)
    return blurred - float(blurred.mean())

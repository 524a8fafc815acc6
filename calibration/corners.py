"""Refines a square marker's corners to a fraction of a pixel: where straight lines through its four edges meet.

Corner operators pull a blurred right angle inwards by half a pixel; its edges they leave alone. Along each edge the
place of steepest brightness is found across it, a line is laid through those places, and what does not lie on the
line (a stack's edge, a flag before the marker) is left out. Lines that are not well seen leave the corner as it was.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

_ALONG = np.linspace(0.12, 0.88, 16)
_ACROSS_PX = np.arange(-3.0, 3.01, 0.5)
_MOST_SHIFT_PX = 2.5
_LEAST_PLACES = 6


def refine_corners(grey: NDArray[np.uint8], corners_px: NDArray[np.float64], cells: int = 6) -> NDArray[np.float64]:
    """Refine one marker's corners.

    grey: (h, w) picture. corners_px: (4, 2), in order around the marker, about right. cells: the marker's side in
    its own cells, border included; no more than the border is looked at. Returns (4, 2).
    """
    ends = np.roll(corners_px, -1, axis=0)
    sides = ends - corners_px
    length = np.linalg.norm(sides, axis=1)
    if length.min() < 2 * cells:
        return corners_px
    normals = np.stack([sides[:, 1], -sides[:, 0]], axis=1) / length[:, None]
    if float(np.sum((corners_px.mean(axis=0) - corners_px[0]) * normals[0])) > 0:
        normals = -normals
    reach = min(3.0, 0.7 * float(length.min()) / cells)
    across = _ACROSS_PX * (reach / 3.0)
    base = corners_px[:, None] + sides[:, None] * _ALONG[None, :, None]
    spots = (base[:, :, None] + normals[:, None, None] * across[None, None, :, None]).astype(np.float32)
    flat = spots.reshape(4 * len(_ALONG), len(across), 2)
    values = np.asarray(cv2.remap(grey, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR), np.float64)
    steps = np.diff(values.reshape(4, len(_ALONG), len(across)), axis=2)
    lines = _lines(base, normals, steps, (across[1:] + across[:-1]) / 2)
    meet = np.cross(np.roll(lines, 1, axis=0), lines)
    with np.errstate(divide="ignore", invalid="ignore"):
        places = meet[:, :2] / meet[:, 2:]
        near = np.linalg.norm(places - corners_px, axis=1) <= _MOST_SHIFT_PX  # false for nan
    return np.where(near[:, None], places, corners_px)


def _lines(
    base: NDArray[np.float64], normals: NDArray[np.float64], steps: NDArray[np.float64], across: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Fit lines (sides, 3) through the steepest places of brightness steps (sides, n, m).

    A line is nan where too few of its places agree.
    """
    rise = np.clip(steps, 0, None)
    total = rise.sum(axis=2)
    usual = np.median(total, axis=1, keepdims=True)
    good = (total > 0.5 * usual) & (usual > 10)
    weight = rise**2
    offset = (weight @ across) / np.maximum(weight.sum(axis=2), 1e-9)
    places = base + normals[:, None] * offset[..., None]
    for _ in range(3):
        middle, normal = _fitted(places, good)
        off = np.abs(((places - middle[:, None]) * normal[:, None]).sum(axis=2))
        keep = good & (off <= np.maximum(0.25, 3 * _medians(off, good))[:, None])
        if (keep == good).all():
            break
        good = keep
    middle, normal = _fitted(places, good)
    lines = np.column_stack([normal, -(normal * middle).sum(axis=1)])
    lines[good.sum(axis=1) < _LEAST_PLACES] = np.nan
    return lines


def _medians(values: NDArray[np.float64], kept: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the median of the kept values in each row of (n, m) values, 0 where none is kept."""
    rising = np.sort(np.where(kept, values, np.inf), axis=1)
    count, row = kept.sum(axis=1), np.arange(len(values))
    middle = (
        rising[row, np.maximum(count - 1, 0) // 2] + rising[row, np.minimum(count // 2, rising.shape[1] - 1)]
    ) / 2
    return np.where(count > 0, middle, 0.0)


def _fitted(places: NDArray[np.float64], good: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Fit each side's middle and normal, (sides, 2) both, to its kept places by total least squares.

    places: (sides, n, 2).
    """
    count = np.maximum(good.sum(axis=1), 1)[:, None]
    middle = (places * good[..., None]).sum(axis=1) / count
    away = (places - middle[:, None]) * good[..., None]
    xx, yy, xy = (away[..., 0] ** 2).sum(1), (away[..., 1] ** 2).sum(1), (away[..., 0] * away[..., 1]).sum(1)
    along = 0.5 * np.arctan2(2 * xy, xx - yy)
    return middle, np.column_stack([-np.sin(along), np.cos(along)])

"""Outlines of stacks and of the pieces on them in a picture: boxes, seen through lens and pose."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from vision.geometry.view import View

_CORNERS = np.array([[x, y] for x in (-1.0, 1.0) for y in (-1.0, 1.0)])


def box_outlines(
    view: View,
    centres_mm: NDArray[np.float64],
    half_mm: NDArray[np.float64],
    low_mm: NDArray[np.float64],
    high_mm: NDArray[np.float64],
) -> list[NDArray[np.float64]]:
    """Return the outlines of upright boxes in a picture: a convex polygon (k, 2) of pixels each, empty behind it.

    centres_mm: (n, 2). half_mm: (n, 2) half widths along x and y. low_mm, high_mm: (n,) heights above the board.
    """
    floor = centres_mm[:, None, :] + half_mm[:, None, :] * _CORNERS
    levels = np.stack([low_mm, high_mm], axis=1)
    points = np.empty((len(centres_mm), 2, 4, 3))
    points[..., :2] = floor[:, None]
    points[..., 2] = levels[:, :, None]
    pixels = view.project(points).reshape(len(centres_mm), 8, 2)
    with np.errstate(invalid="ignore"):
        shown = np.all(np.abs(pixels) < 1e5, axis=(1, 2)).tolist()  # false for nan
    corners = pixels.astype(np.float32)
    return [
        cv2.convexHull(corners[k]).reshape(-1, 2).astype(np.float64) if shown[k] else np.empty((0, 2))
        for k in range(len(corners))
    ]


def stack_outlines(
    view: View, table: TableSetup, heights: NDArray[np.integer], margin_mm: float
) -> list[NDArray[np.float64]]:
    """Return the outlines of all stacks higher than 0, grown by margin_mm. heights: (rows, columns), stones."""
    width, depth, tall = table.cube_mm
    tops = np.asarray(heights, np.float64).reshape(-1) * tall
    stands = tops > 0
    centres = table.centres_mm().reshape(-1, 2)[stands]
    half = np.full((len(centres), 2), (width / 2 + margin_mm, depth / 2 + margin_mm))
    return box_outlines(view, centres, half, np.zeros(len(centres)), tops[stands] + margin_mm)


def flag_outlines(
    view: View, table: TableSetup, heights: NDArray[np.integer], flags: NDArray[np.bool_], margin_mm: float
) -> list[NDArray[np.float64]]:
    """Return the outlines of the flags that stand on fields, grown by margin_mm. heights, flags: (rows, columns).

    A banner may point anywhere, so its box reaches out over the neighbours.
    """
    bears = np.asarray(flags).reshape(-1)
    centres = table.centres_mm().reshape(-1, 2)[bears]
    tops = np.asarray(heights, np.float64).reshape(-1)[bears] * table.cube_mm[2]
    banner = 0.75 * table.flag.height_mm if table.flag.style == "banner" else 0.0
    half = np.full((len(centres), 2), max(table.flag.radius_mm, banner) + margin_mm)
    return box_outlines(view, centres, half, tops, tops + 1.1 * table.flag.tallest_mm + margin_mm)


def fill(outlines: list[NDArray[np.float64]], size: tuple[int, int], scale: float = 1.0) -> NDArray[np.bool_]:
    """Paint outlines into a mask of a (width, height) picture shrunk by ``scale`` (0.5 is half size)."""
    shape = max(1, round(size[1] * scale)), max(1, round(size[0] * scale))
    mask = np.zeros(shape, np.uint8)
    for outline in outlines:
        if len(outline):
            points = np.round((outline + 0.5) * scale - 0.5).astype(np.int32)
            cv2.fillConvexPoly(mask, points, 1)
    return mask.astype(bool)


def at_places(mask: NDArray[np.bool_], places_px: NDArray[np.floating], scale: float) -> NDArray[np.bool_]:
    """Return the value of a mask shrunk by ``scale`` at places (..., 2) of the picture.

    Places beyond the mask have the value at its edge.
    """
    found: NDArray[np.bool_] = mask.reshape(-1)[indices(mask.shape, places_px, scale)]
    return found


def indices(shape: tuple[int, ...], places_px: NDArray[np.floating], scale: float) -> NDArray[np.int32]:
    """Return where places (..., 2) of the picture lie in a mask of this shape, shrunk by ``scale``, laid out flat."""
    near = np.round(places_px * scale).astype(np.int32)
    rows, columns = np.clip(near[..., 1], 0, shape[0] - 1), np.clip(near[..., 0], 0, shape[1] - 1)
    return np.asarray(rows * shape[1] + columns, np.int32)

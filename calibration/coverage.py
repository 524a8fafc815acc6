"""Measures which part of the picture the calibration target has covered: elsewhere the lens is a guess."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

GRID = (16, 12)
"""Cells across and down in which coverage is counted."""
_NAMES = (
    ("upper left", "upper middle", "upper right"),
    ("left", "middle", "right"),
    ("lower left", "lower middle", "lower right"),
)
BARE = 0.35
"""Report a ninth of the picture as uncovered below this share."""


@dataclass(frozen=True, eq=False)
class Coverage:
    """cells: (12, 16) int, in how many pictures the target covered each cell, top row first. Locked."""

    cells: NDArray[np.intp]

    @property
    def share(self) -> float:
        """Return the share of the picture that was covered at least once, 0 to 1."""
        return float((self.cells > 0).mean())

    @property
    def bare(self) -> tuple[str, ...]:
        """Return the ninths of the picture that were hardly covered, in words, from the upper left."""
        down, across = self.cells.shape
        ninths = (self.cells > 0).reshape(3, down // 3, across, 1)
        edges = [round(across * k / 3) for k in range(4)]
        return tuple(
            _NAMES[row][col]
            for row in range(3)
            for col in range(3)
            if ninths[row, :, edges[col] : edges[col + 1]].mean() < BARE
        )


def coverage_of(seen_px: Sequence[NDArray[np.float32]], size: tuple[int, int]) -> Coverage:
    """Measure the coverage by targets whose corners are seen at (n, 2) pixels in pictures of (width, height)."""
    cells = np.zeros((GRID[1], GRID[0]), np.intp)
    for corners in seen_px:
        cells += hull_cells(corners, size)
    cells.setflags(write=False)
    return Coverage(cells)


def hull_cells(corners_px: NDArray[np.float32], size: tuple[int, int]) -> NDArray[np.bool_]:
    """Return the mask (12, 16) of cells whose middle lies within the convex hull of corners (n, 2)."""
    hull = cv2.convexHull(np.asarray(corners_px, np.float32)).reshape(-1, 2)
    scale = np.array([GRID[0] / size[0], GRID[1] / size[1]])
    outline = np.round((hull * scale - 0.5) * 16).astype(np.int32)
    mask = np.zeros((GRID[1], GRID[0]), np.uint8)
    cv2.fillConvexPoly(mask, outline, 1, shift=4)
    return mask.astype(bool)

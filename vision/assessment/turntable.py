"""Measures how well cameras see a tower while its board is turned: from geometry alone, before a bar is laid."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from vision.assessment.legibility import Eye
from vision.tower.grid import MOST_LEVELS, TowerSizes

STEP_DEG = 15
"""The board is thought of as turned on by so much, all the way round."""


def levels_in_view(eye: Eye, table: TableSetup) -> int:
    """Return how many levels from the lowest up lie wholly in a camera's picture however the board is turned."""
    measures = TowerSizes.of(table)
    size = np.array(eye.lens.size) - 1.0
    for level in range(MOST_LEVELS):
        at = eye.pose.project(_turned(measures.corners_mm(level, level + 1)), eye.lens)
        with np.errstate(invalid="ignore"):
            inside = (at >= 0).all(axis=-1) & (at <= size).all(axis=-1)
        if not inside.all():
            return level
    return MOST_LEVELS


def level_px(eye: Eye, table: TableSetup) -> float:
    """Return the least height of a level in a camera's picture, pixels, over all turns, at the edges of level 1."""
    measures = TowerSizes.of(table)
    edges = _turned(measures.corners_mm(0, 1)).reshape(-1, 4, 2, 3)
    at = eye.pose.project(edges, eye.lens)
    high = np.linalg.norm(at[..., 1, :] - at[..., 0, :], axis=-1)
    return float(high.min()) if np.isfinite(high).all() else 0.0


def eyes_best(eyes: Sequence[Eye], table: TableSetup) -> tuple[int, float]:
    """Return levels in view and pixels a level of the camera that is best for a tower."""
    return max((levels_in_view(eye, table), level_px(eye, table)) for eye in eyes)


def _turned(points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points (turns, n, 3) of the board as it is turned."""
    angles = np.radians(np.arange(0, 360, STEP_DEG))
    cos, sin, none = np.cos(angles), np.sin(angles), np.zeros(len(angles))
    turn = np.stack([cos, -sin, none, sin, cos, none, none, none, none + 1], axis=1).reshape(-1, 3, 3)
    return np.asarray(np.einsum("tij,nj->tni", turn, points_mm), np.float64)

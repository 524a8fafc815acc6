"""Measures how well a camera sees where dice are rolled: from geometry alone, before any lies there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.assessment.legibility import Eye
from vision.ledger.plane import Area


def rolled_in_view(eye: Eye, area: Area, die_mm: float) -> bool:
    """Return whether dice lie wholly in a camera's picture wherever in the area they lie."""
    corners = np.array([[x, y, z] for x, y in _corners(area) for z in (0.0, die_mm)])
    at = eye.pose.project(corners, eye.lens)
    with np.errstate(invalid="ignore"):
        return bool(((at >= 0) & (at <= np.array(eye.lens.size) - 1.0)).all())


def die_px(eye: Eye, area: Area, die_mm: float) -> float:
    """Return the least size of a die's top face in a camera's picture, pixels.

    It is the shorter of the face's two middle lines, whichever way the die is turned and wherever in the area it
    lies.
    """
    half = die_mm / 2
    angles = np.radians(np.arange(0, 180, 15))
    across = np.stack([np.cos(angles), np.sin(angles), np.zeros(len(angles))], axis=1) * half
    spots = np.array([[x, y, die_mm] for x, y in _corners(area)])
    ends = eye.pose.project(np.stack([spots[:, None] - across, spots[:, None] + across], axis=2), eye.lens)
    long_px = np.linalg.norm(ends[..., 1, :] - ends[..., 0, :], axis=-1)
    return float(long_px.min()) if np.isfinite(long_px).all() else 0.0


def _corners(area: Area) -> NDArray[np.float64]:
    return np.array([[x, y] for x in (area.low[0], area.high[0]) for y in (area.low[1], area.high[1])])

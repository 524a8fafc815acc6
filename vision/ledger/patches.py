"""Patches of a mat: their points, their colours, and how much has changed since the mat was pictured empty."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.geometry.view import View
from vision.ledger.light import DAZZLING, Light, likeness, seen_at, shares


def disc(middle: NDArray[np.float64], radius_mm: float, height_mm: float) -> NDArray[np.float64]:
    """Return points (n, 3) mm spread over a level disc."""
    rings = [(0.0, 1), (0.4, 6), (0.8, 10)]
    points = [
        (middle[0] + share * radius_mm * np.cos(t), middle[1] + share * radius_mm * np.sin(t), height_mm)
        for share, count in rings
        for t in np.linspace(0, 2 * np.pi, count, endpoint=False)
    ]
    return np.array(points)


def telling(view: View, light: Light, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return shares of white (n, 3); nan also where a colour is brighter than a picture can show."""
    seen = shares(view, light, points)
    with np.errstate(invalid="ignore"):
        seen[(seen_at(view, points) > DAZZLING).any(axis=1)] = np.nan
    return seen


def changed_share(seen: NDArray[np.float64], empty: NDArray[np.float64]) -> float | None:
    """Return the share of points that look unlike the empty mat; a shadow over all of them does not count.

    ``None`` where too few points are known.
    """
    fine = np.isfinite(seen).all(axis=1) & np.isfinite(empty).all(axis=1)
    if fine.sum() < max(1.0, 0.6 * fine.size):
        return None
    ratio = np.log(seen[fine] + 0.02) - np.log(empty[fine] + 0.02)
    shade = float(np.clip(np.median(ratio), -0.5, 0.15))
    lit = np.exp(np.log(seen[fine] + 0.02) - shade) - 0.02
    return float((likeness(np.maximum(lit, 0.0), empty[fine]) > 0.8).mean())

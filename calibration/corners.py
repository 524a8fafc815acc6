"""A square marker's corners to a fraction of a pixel: where straight lines through its four edges meet.

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
    lines = [_line(base[side], normals[side], steps[side], (across[1:] + across[:-1]) / 2) for side in range(4)]
    refined = corners_px.copy()
    for corner in range(4):
        before, after = lines[corner - 1], lines[corner]
        if before is not None and after is not None:
            meet = np.cross(before, after)
            if abs(meet[2]) > 1e-9:
                place = meet[:2] / meet[2]
                if float(np.linalg.norm(place - corners_px[corner])) <= _MOST_SHIFT_PX:
                    refined[corner] = place
    return refined


def _line(
    base: NDArray[np.float64], normal: NDArray[np.float64], steps: NDArray[np.float64], across: NDArray[np.float64]
) -> NDArray[np.float64] | None:
    """The line (3,) through the steepest places of (n, m) brightness steps; ``None`` when too few agree."""
    rise = np.clip(steps, 0, None)
    total = rise.sum(axis=1)
    good = total > 0.5 * float(np.median(total)) if float(np.median(total)) > 10 else total > np.inf
    weight = rise**2
    offset = (weight * across).sum(axis=1) / np.maximum(weight.sum(axis=1), 1e-9)
    places = base + normal * offset[:, None]
    for _ in range(3):
        if good.sum() < _LEAST_PLACES:
            return None
        middle = places[good].mean(axis=0)
        _, _, axes = np.linalg.svd(places[good] - middle)
        off = np.abs((places - middle) @ axes[1])
        limit = max(0.25, 3 * float(np.median(off[good])))
        keep = good & (off <= limit)
        if (keep == good).all():
            break
        good = keep
    return np.array([*axes[1], -float(axes[1] @ middle)])

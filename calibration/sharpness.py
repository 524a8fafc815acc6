"""Measures how sharp a picture is where its content is known: at straight edges between black and white.

The measure is the width of an edge in pixels: its contrast over its steepest slope. Unlike the variance of the
Laplacian it does not depend on what else is in the picture, on the light, or on the number of pixels.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

LEAST_CONTRAST = 12.0
_ALONG = np.array([0.36, 0.43, 0.5, 0.57, 0.64])
_REACH_PX = 8.0
_STEPS = 33
UNMEASURED_PX = 99.0
"""Told where no edge has any contrast."""


def edge_width_px(
    grey: NDArray[np.uint8],
    ids: NDArray[np.intp],
    seen_px: NDArray[np.float32],
    grid: tuple[int, int],
    plain_share: float,
) -> float:
    """Measure the width of a chequered target's edges in one picture, pixels: the larger median of two directions.

    Motion blurs the edges across it only, so the two directions are kept apart. ids: (n,) corners seen of a grid of
    (across, down), row by row. seen_px: (n, 2). plain_share: share of a square's side beside an edge without print.
    """
    number = {int(corner): place for place, corner in enumerate(ids)}
    across = grid[0]
    widths = []
    for step, inside in ((1, lambda corner: corner % across < across - 1), (across, lambda _: True)):
        pairs = [(number[c], number[c + step]) for c in number if inside(c) and c + step in number]
        if pairs:
            ends = np.array([[seen_px[a], seen_px[b]] for a, b in pairs], np.float64)
            widths.append(segments_width_px(grey, ends, plain_share))
    return max(widths, default=UNMEASURED_PX)


def segments_width_px(grey: NDArray[np.uint8], ends_px: NDArray[np.float64], plain_share: float) -> float:
    """Measure the median width in pixels of edges along segments (n, 2, 2) of pixels between their ends.

    plain_share: how far beside an edge nothing else is printed, as a share of its length.
    """
    sides = ends_px[:, 1] - ends_px[:, 0]
    length = np.maximum(np.linalg.norm(sides, axis=1), 1e-6)
    normal = np.stack([-sides[:, 1], sides[:, 0]], axis=1) / length[:, None]
    reach = np.minimum(_REACH_PX, plain_share * length)
    offsets = np.linspace(-1, 1, _STEPS)
    base = ends_px[:, None, 0] + sides[:, None] * _ALONG[None, :, None]
    shift = normal[:, None, None] * (reach[:, None, None] * offsets[None, None, :])[..., None]
    places = (base[:, :, None] + shift).astype(np.float32)
    flat = places.reshape(-1, _STEPS, 2)
    values = np.asarray(cv2.remap(grey, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR), np.float64)
    profile = values.reshape(len(ends_px), len(_ALONG), _STEPS).mean(axis=1)
    # Where the blur is wider than what is plain beside an edge its own ends don't show the full contrast; its
    # neighbours, edges of the same print in the same light, do.
    contrast = float(np.percentile(np.ptp(profile, axis=1), 90)) if len(profile) else 0.0
    if contrast < LEAST_CONTRAST:
        return UNMEASURED_PX
    spacing = 2 * reach / (_STEPS - 1)
    # A slope over one pixel or so, so that noise makes no edge steep.
    lag = np.maximum(1, np.round(0.5 / np.maximum(spacing, 1e-6)).astype(int))
    slopes = [
        float(np.abs(line[2 * k :] - line[: -2 * k]).max() / (2 * k * s)) if 2 * k < _STEPS else 0.0
        for line, k, s in zip(profile, lag, spacing, strict=True)
    ]
    return float(contrast / max(float(np.median(slopes)), 1e-6))

"""Finds an arm over the board's rim, whatever its colour: it hides that the board ends there.

Along every side the frame's paper meets the board's margin, so whatever the colours, a window across the rim shows
contrast. A shadow keeps that contrast, for it darkens both alike; an arm or sleeve covers both, and the window under
it is smooth, however much its colour is that of paper. The contrast usual on the same half of the same side, in the
same picture, tells how much to expect; where there is little to see at any time, nothing is told.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from vision.geometry.silhouette import at_places
from vision.geometry.view import View

STEP_MM = 1.25
WINDOW_MM = 24.0
"""Length of a window along the side: more than a stone is wide, less than a wrist."""
STRIDE = 5
"""Windows start this many steps apart."""
BEYOND_MM = 10.0
"""A window reaches from the playing fields to this far over the frame's strip of markers."""
SMOOTH = 0.38
"""A window with less than this share of the usual contrast is covered, if its neighbour is too."""
USUAL = 75
"""Percentile of the windows of a half side that is usual: a forearm may cover half of them."""
LEAST_CONTRAST = 0.25
"""Usual contrast (natural logarithms) below which a half side is too plain to judge."""
WHITE_OUT = 250.0
"""A window most of which is brighter than this in all channels is drowned in light, and smooth for that."""
LEAST_VISIBLE = 0.7
LEAST_WINDOWS = 6


@lru_cache(maxsize=8)
def rim_points(table: TableSetup) -> tuple[NDArray[np.float64], ...]:
    """Return points across the rim, one (h, w, 3) grid in mm for each half of each side, w along the side."""
    half = table.half_size_mm
    corners = np.concatenate(list(table.markers.values()))
    nearest = float(np.maximum(np.abs(corners[:, 0]) - half[0], np.abs(corners[:, 1]) - half[1]).min())
    across = np.arange(2.0, nearest + BEYOND_MM, STEP_MM)
    grids = []
    for axis in (0, 1):
        along = np.arange(3.0, half[1 - axis] - 1, STEP_MM)
        for side in (1, -1):
            for end in (1, -1):
                points = np.zeros((len(across), len(along), 3))
                points[..., axis] = side * (half[axis] + across[:, None])
                points[..., 1 - axis] = end * along
                grids.append(points)
    return tuple(grids)


def rim_places(view: View, table: TableSetup) -> list[NDArray[np.float32]]:
    """Return where the points of ``rim_points`` lie in the picture, (h, w, 2) each."""
    return view.once("rim", table, lambda: [_shown(view, points) for points in rim_points(table)])


def _shown(view: View, points_mm: NDArray[np.float64]) -> NDArray[np.float32]:
    places = view.project(points_mm).astype(np.float32)
    places[~np.isfinite(places)] = -10
    return places


def covered_rim(view: View, table: TableSetup, hidden: NDArray[np.bool_], scale: float) -> NDArray[np.float32]:
    """Return places (n, 2) in the picture where something smooth covers the rim; empty when nothing does.

    hidden: mask of the picture shrunk by ``scale``, where stacks or flags may stand before the rim.
    """
    covered = [np.empty((0, 2), np.float32)]
    width = round(WINDOW_MM / STEP_MM)
    for places in rim_places(view, table):
        contrast = _contrast(view, places, _visible(view, places, hidden, scale), width)
        if np.isfinite(contrast).sum() < LEAST_WINDOWS:
            continue
        usual = float(np.percentile(contrast[np.isfinite(contrast)], USUAL))
        smooth = contrast < SMOOTH * usual
        both = smooth[1:] & smooth[:-1] if usual >= LEAST_CONTRAST else np.zeros(len(smooth) - 1, np.bool_)
        for index in np.flatnonzero(both):
            start = int(index) * STRIDE
            covered.append(places[:, start : start + width + STRIDE].reshape(-1, 2))
    return np.concatenate(covered)


def _visible(view: View, places: NDArray[np.float32], hidden: NDArray[np.bool_], scale: float) -> NDArray[np.bool_]:
    height, width = view.picture_bgr.shape[:2]
    x, y = places[..., 0], places[..., 1]
    inside: NDArray[np.bool_] = (x > 3) & (x < width - 4) & (y > 3) & (y < height - 4)
    return inside & ~at_places(hidden, places, scale)


def _contrast(view: View, places: NDArray[np.float32], visible: NDArray[np.bool_], width: int) -> NDArray[np.float64]:
    """Return the contrast of every window, the spread of its logarithmic colours.

    nan where too little of a window can be judged.
    """
    patch = cv2.remap(
        view.picture_bgr, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    blurred = np.asarray(cv2.GaussianBlur(patch, (0, 0), 2.0 / STEP_MM), np.float64)
    colours, white = np.log(blurred + 8), blurred.min(axis=2) >= WHITE_OUT
    # Sums over every window at once: by columns first, then as differences of running sums along the side.
    seen = visible.astype(np.float64)
    columns = np.column_stack(
        [
            seen.sum(axis=0),
            (white & visible).sum(axis=0),
            (colours * seen[..., None]).sum(axis=0),
            (colours**2 * seen[..., None]).sum(axis=0),
        ]
    )
    running = np.concatenate([np.zeros((1, columns.shape[1])), np.cumsum(columns, axis=0)])
    sums = (running[width:] - running[:-width])[::STRIDE]
    count, drowned = sums[:, 0], sums[:, 1]
    judged = (count >= LEAST_VISIBLE * width * len(visible)) & (drowned < 0.5 * count)
    mean, mean_square = (sums[:, at : at + 3] / np.maximum(count, 1.0)[:, None] for at in (2, 5))
    spread = np.sqrt(np.maximum(mean_square - mean**2, 0.0).sum(axis=1))
    return np.where(judged, spread, np.nan)

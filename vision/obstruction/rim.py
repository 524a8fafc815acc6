"""Finds an arm over the board's rim, whatever its colour: it hides that the board ends there.

Along every side the frame's paper meets the board's margin, so whatever the colours, a window across the rim shows
contrast. A shadow keeps that contrast, for it darkens both alike; an arm or sleeve covers both, and the window under
it is smooth, however much its colour is that of paper. The contrast usual on the same half of the same side, in the
same picture, tells how much to expect, and of a window without a marker what paper and margin show beside markers:
a margin may be almost as pale as its paper. Where there is little to see at any time, nothing is told.
"""

from __future__ import annotations

from dataclasses import dataclass
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
SMOOTH_BARE = 0.6
"""The same of what paper and margin show beside the markers, from which bare windows hardly differ: on drawn pictures
in any light they have an eighth less at most."""
LEAST_BARE = 0.4
"""What is usual beside the markers is no less than this share of what is usual there on all sides: an arm may cover
most of it on one half side. Light that drowns paper lets one side differ from others."""
USUAL = 75
"""Percentile of the windows of a half side that is usual: a forearm may cover half of them."""
LEAST_CONTRAST = 0.25
"""Usual contrast (natural logarithms) below which a half side is too plain to judge."""
WHITE_OUT = 250.0
"""A window most of which is brighter than this in all channels is drowned in light, and smooth for that."""
LEAST_VISIBLE = 0.7
LEAST_WINDOWS = 6


@dataclass(frozen=True, eq=False)
class _HalfSide:
    """Points across the rim, (h, w, 3) in mm, w along the side, and at which of those w a marker lies."""

    points_mm: NDArray[np.float64]
    marked: NDArray[np.bool_]


@lru_cache(maxsize=8)
def _half_sides(table: TableSetup) -> tuple[_HalfSide, ...]:
    """Return the two halves of each of the four sides."""
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
                marked = np.zeros(len(along), np.bool_)
                for marker in table.markers.values():
                    if (side * marker[:, axis] > half[axis]).all():
                        reach = end * marker[:, 1 - axis]
                        marked |= (along >= reach.min()) & (along <= reach.max())
                grids.append(_HalfSide(points, marked))
    return tuple(grids)


def rim_places(view: View, table: TableSetup) -> list[NDArray[np.float32]]:
    """Return where the points across the rim lie in the picture, (h, w, 2) for each half of each side."""
    return view.once("rim", table, lambda: [_shown(view, half.points_mm) for half in _half_sides(table)])


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
    halves = [
        (places, half.marked, _contrast(view, places, _visible(view, places, hidden, scale), half.marked, width))
        for half, places in zip(_half_sides(table), rim_places(view, table), strict=True)
    ]
    bare_all = [bare for _, _, (_, bare) in halves if np.isfinite(bare)]
    for places, marked, (contrast, bare) in halves:
        if np.isfinite(contrast).sum() < LEAST_WINDOWS:
            continue
        usual = float(np.percentile(contrast[np.isfinite(contrast)], USUAL))
        least = np.full(len(contrast), SMOOTH * usual)
        if bare_all:
            expected = float(np.fmax(bare, LEAST_BARE * float(np.median(bare_all))))
            printed = np.asarray(np.lib.stride_tricks.sliding_window_view(marked, width).any(axis=1))[::STRIDE]
            least[~printed[: len(least)]] = min(SMOOTH * usual, SMOOTH_BARE * expected)
        smooth = contrast < least
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


def _contrast(
    view: View, places: NDArray[np.float32], visible: NDArray[np.bool_], marked: NDArray[np.bool_], width: int
) -> tuple[NDArray[np.float64], float]:
    """Return the contrast of every window, the spread of its logarithmic colours, and what is usual beside markers.

    A window's contrast is nan where too little of it can be judged. What paper and margin show beside the markers is
    the middle of all of it, which an arm over the lesser part leaves as it is; nan where too little of it is seen.
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
    beside = visible & ~marked
    bare = float("nan")
    enough = beside.sum(axis=1) >= width // 2
    if enough.mean() >= LEAST_VISIBLE:
        profile = np.array(
            [np.median(row[seen], axis=0) for row, seen in zip(colours[enough], beside[enough], strict=True)]
        )
        bare = float(np.sqrt(profile.var(axis=0).sum()))
    return np.where(judged, spread, np.nan), bare

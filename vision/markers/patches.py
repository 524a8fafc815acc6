"""Cuts small places of the table out of a picture where no piece hides them."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from vision.geometry.silhouette import at_places, fill, flag_outlines, indices, stack_outlines
from vision.geometry.view import View

MARGIN_MM = 3.0
"""Stacks hide this much more than their outlines: stones stand shifted and twisted."""
VISIBLE_SHARE = 0.4
"""A place of which less than this is surely visible says nothing."""
_GRID = 13
_SCALE = 0.5


def hidden_by(
    view: View, table: TableSetup, heights: NDArray[np.integer], flags: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return the mask of what stacks and pieces may hide of a view, at half its size; for ``discs``.

    heights: (rows, columns) stones each field may carry at most; flags: (rows, columns) where a flag may stand.
    """
    outlines = stack_outlines(view, table, heights, MARGIN_MM)
    outlines += flag_outlines(view, table, heights, flags, MARGIN_MM / 2)
    return fill(outlines, view.lens.size, _SCALE)


def discs(
    view: View, hidden: NDArray[np.bool_], middles_mm: NDArray[np.float64], radius_mm: float
) -> Iterator[NDArray[np.float32] | None]:
    """Yield the colours (n, 3) BGR of flat discs around places (m, 3); ``None`` for one mostly hidden or outside."""
    spots = _spots(radius_mm)
    disc = spots[..., 0] ** 2 + spots[..., 1] ** 2 <= radius_mm**2
    for places in view.project(middles_mm[:, None, None] + spots):
        visible = disc & ~at_places(hidden, np.nan_to_num(places), _SCALE)
        yield patch(view, places)[visible] if _shows(view, places, visible, int(disc.sum())) else None


def looked_at(view: View, middles_mm: NDArray[np.float64], radius_mm: float) -> NDArray[np.bool_]:
    """Return the part of ``hidden_by``'s mask on which ``discs`` depends."""
    mask = fill([], view.lens.size, _SCALE)
    places = np.nan_to_num(view.project(middles_mm[:, None, None] + _spots(radius_mm)))
    mask.reshape(-1)[indices(mask.shape, places, _SCALE)] = True
    return mask


def _spots(radius_mm: float) -> NDArray[np.float64]:
    """Return a square of points around a place, (h, w, 3) mm."""
    offsets = np.linspace(-radius_mm, radius_mm, _GRID)
    dx, dy = np.meshgrid(offsets, offsets)
    return np.stack([dx, dy, np.zeros_like(dx)], axis=-1)


def patch(view: View, places_px: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the picture (h, w, 3) at places (h, w, 2), smoothed a little against noise."""
    maps = places_px.astype(np.float32)
    found = cv2.remap(view.picture_bgr, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR)
    return np.asarray(cv2.GaussianBlur(found, (0, 0), 1.5), np.float32)


def inside(view: View, places_px: NDArray[np.float64]) -> bool:
    """Return whether all places lie in the picture."""
    height, width = view.picture_bgr.shape[:2]
    return bool(
        np.isfinite(places_px).all() and places_px.min() >= 2 and (places_px <= (width - 3, height - 3)).all()
    )


def _shows(view: View, places: NDArray[np.float64], visible: NDArray[np.bool_], whole: int) -> bool:
    return inside(view, places) and bool(visible.sum() >= VISIBLE_SHARE * whole)

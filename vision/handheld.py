"""Whether a picture taken from the hand is good enough to be read: sharp, and of one moment.

Both are measured on the printed frame, in fields of the board: what they spoil is how far a stone more displaces a
top face.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.values.words import Words, say
from vision.geometry.view import View
from vision.heights.change import PLAIN_SHIFT_PX
from vision.heights.scorer import COMMON_ERROR
from vision.heights.sweep import CELL_PX

BLUR_FIELDS = PLAIN_SHIFT_PX / CELL_PX
"""A picture smeared over more of a field than this is not read: a level's top faces look like those of the next."""
SHARP_PX = 2.5
"""So wide is an edge in a sharp picture: one drawn with a spread of one pixel, as lens and sensor do."""
SKEW_FIELDS = COMMON_ERROR
"""The frame's markers may lie this far, in fields, from where one pose puts them. A phone that moves while its sensor
is read line by line bends the frame; the scorer allows for so much and no more."""
_ACROSS = 32
"""Points along a line over a marker's side, and lines beside each other."""


def unfit(view: View, table: TableSetup) -> Words | None:
    """Return why a picture from the hand can't be read, ``None`` for one that can."""
    field_px = _field_px(view, table)
    if view.pose.reprojection_px > SKEW_FIELDS * field_px:
        return say("{camera}’s picture is skewed: the phone moved while it was taken.", camera=view.camera)
    if table.board is not None:
        return None  # a pose by the edge of a blurred board is unsure, and was refused for it
    if view.once("blur", table, lambda: blur_px(view, table)) > BLUR_FIELDS * field_px:
        return say("{camera}’s picture is blurred: hold the phone still for a moment.", camera=view.camera)
    return None


def blur_px(view: View, table: TableSetup) -> float:
    """Return over how many pixels the edges of the frame's markers are smeared, the worst direction counting.

    What lens and sensor smear by themselves is taken off; variances add up.
    """
    grey = np.asarray(cv2.cvtColor(view.picture_bgr, cv2.COLOR_BGR2GRAY), np.float32)
    lines = _lines(table)
    at = view.project(lines.reshape(-1, 3)).reshape(*lines.shape[:-1], 2)
    at = at[_inside(at, view.lens.size)].astype(np.float32)
    if not len(at):
        return 0.0
    seen = np.stack([cv2.remap(grey, one[..., 0], one[..., 1], cv2.INTER_LINEAR).mean(axis=0) for one in at])
    rise = np.ptp(seen, axis=1) / np.maximum(np.abs(np.diff(seen, axis=1)).max(axis=1), 1e-3)
    long_px = np.linalg.norm(at[:, :, -1] - at[:, :, 0], axis=-1).mean(axis=1)
    wide_px = float(np.percentile(rise * long_px / (_ACROSS - 1), 75))
    return float(np.sqrt(max(0.0, wide_px**2 - SHARP_PX**2)))


@lru_cache(maxsize=8)
def _lines(table: TableSetup) -> NDArray[np.float64]:
    """Return lines across the sides of all markers, (sides, lines, points, 3) mm.

    A marker's border is a sixth of it wide at most, and so is the paper that must be left around it.
    """
    reach_mm = table.marker_size_mm / 8
    along = np.linspace(0.25, 0.75, _ACROSS)[:, None, None]
    across = np.linspace(-reach_mm, reach_mm, _ACROSS)[None, :, None]
    found = []
    for corners in table.markers.values():
        middle = corners.mean(axis=0)
        for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            out = (start + end) / 2 - middle
            found.append(start + along * (end - start) + across * out / np.linalg.norm(out))
    return np.stack(found)


def _inside(places_px: NDArray[np.float64], size: tuple[int, int]) -> NDArray[np.bool_]:
    """Return which sides (sides,) lie in the picture with all their lines."""
    flat = places_px.reshape(len(places_px), -1, 2)
    return np.asarray((np.isfinite(flat) & (flat > 1) & (flat < np.array(size) - 2)).all(axis=(1, 2)), np.bool_)


def _field_px(view: View, table: TableSetup) -> float:
    """Return how large a field in the middle of the board is in the picture."""
    half_x, half_y = (pitch / 2 for pitch in table.pitch_mm)
    corners = view.project(
        np.array([[-half_x, -half_y, 0], [half_x, -half_y, 0], [half_x, half_y, 0], [-half_x, half_y, 0]])
    )
    x, y = corners[:, 0], corners[:, 1]
    area = 0.5 * abs(float(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))))
    return float(np.sqrt(area))

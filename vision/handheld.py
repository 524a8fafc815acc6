"""Whether a picture taken from the hand is good enough to be read: sharp, and of one moment.

Both are measured on the printed frame, or on the edge of a board without one, in fields of the board: what they
spoil is how far a stone more displaces a top face.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boardlook import ring
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
_STRETCH_MM, _BESIDE, _REACH_MM = 16.0, 8, 4.0
"""Length of a stretch of a board's edge, lines over it, and how far they reach to either side."""
_CONTRAST = 30.0
"""An edge of less contrast, of 255, is told from noise by nothing."""


def unfit(view: View, table: TableSetup) -> Words | None:
    """Return why a picture from the hand can't be read, ``None`` for one that can."""
    field_px = _field_px(view, table)
    if view.pose.reprojection_px > SKEW_FIELDS * field_px:
        return say("{camera}’s picture is skewed: the phone moved while it was taken.", camera=view.camera)
    if view.once("blur", table, lambda: blur_px(view, table)) > BLUR_FIELDS * field_px:
        return say("{camera}’s picture is blurred: hold the phone still for a moment.", camera=view.camera)
    return None


def blur_px(view: View, table: TableSetup) -> float:
    """Return over how many pixels the edges of the frame's markers, or of a bare board, are smeared.

    The worst direction counts. What lens and sensor smear by themselves is taken off; variances add up.
    """
    lines = _lines(table)
    at = view.project(lines.reshape(-1, 3)).reshape(*lines.shape[:-1], 2)
    at = at[_inside(at, view.lens.size)].astype(np.float32)
    profiles = [_profile(view.picture_bgr, one, in_colour=table.board is not None) for one in at]
    shown = [number for number, one in enumerate(profiles) if table.board is None or np.ptp(one) >= _CONTRAST]
    if not shown:
        return 0.0
    at, seen = at[shown], np.stack([profiles[number] for number in shown])
    rise = np.ptp(seen, axis=1) / np.maximum(np.abs(np.diff(seen, axis=1)).max(axis=1), 1e-3)
    long_px = np.linalg.norm(at[:, :, -1] - at[:, :, 0], axis=-1).mean(axis=1)
    wide_px = float(np.percentile(rise * long_px / (_ACROSS - 1), 75))
    return float(np.sqrt(max(0.0, wide_px**2 - SHARP_PX**2)))


def _profile(picture_bgr: NDArray[np.uint8], at_px: NDArray[np.float32], in_colour: bool) -> NDArray[np.float32]:
    """Return what lies across an edge, (points,), the mean of lines (lines, points, 2) over it.

    in_colour: by how far it has changed from the colour of one side to that of the other, else by its light.
    """
    low = np.floor(at_px.min(axis=(0, 1))).astype(int) - 1
    high = np.ceil(at_px.max(axis=(0, 1))).astype(int) + 2
    part, at = (
        picture_bgr[max(low[1], 0) : high[1], max(low[0], 0) : high[0]],
        (at_px - np.maximum(low, 0)).astype(np.float32),
    )
    if not in_colour:
        grey = cv2.cvtColor(np.ascontiguousarray(part), cv2.COLOR_BGR2GRAY).astype(np.float32)
        return np.asarray(cv2.remap(grey, at[..., 0], at[..., 1], cv2.INTER_LINEAR).mean(axis=0), np.float32)
    seen = cv2.remap(part.astype(np.float32), at[..., 0], at[..., 1], cv2.INTER_LINEAR).mean(axis=0)
    ends = seen[-_ACROSS // 4 :].mean(axis=0) - seen[: _ACROSS // 4].mean(axis=0)
    return np.asarray(seen @ (ends / max(float(np.linalg.norm(ends)), 1e-6)), np.float32)


@lru_cache(maxsize=8)
def _lines(table: TableSetup) -> NDArray[np.float64]:
    """Return lines across the sides of all markers or stretches of a board's edge, (sides, lines, points, 3) mm.

    A marker's border is a sixth of it wide at most, and so is the paper that must be left around it.
    """
    if table.board is not None and table.board.size_mm is not None:
        half_x, half_y = (side / 2 for side in table.board.size_mm)
        apart_mm = _STRETCH_MM / _BESIDE
        places, ways = (np.column_stack([one, np.zeros(len(one))]) for one in ring((half_x, half_y), 0.0, apart_mm))
        each = [slice(first, first + _BESIDE) for first in range(0, len(places) - _BESIDE + 1, _BESIDE)]
        across = np.linspace(-_REACH_MM, _REACH_MM, _ACROSS)[None, :, None]
        return np.stack([places[one][:, None] + across * ways[one][:, None] for one in each])
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

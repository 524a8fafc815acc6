"""Measures under which conditions a camera sees the printed frame: its light part by part, sharpness, contrast.

The frame is the same in every picture, whatever stands on the board, so that two pictures months apart can be
compared by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import find_markers
from calibration.sharpness import segments_width_px
from calibration.table import TableSetup
from vision.geometry.printed_frame import frame_band
from vision.geometry.view import View

PARTS = 8
"""Parts of the frame by direction from its middle, the first around the positive x axis."""
_MARKER_CELLS = 6
_INK_PERCENTILE = 20
_EVERY = 3


@dataclass(frozen=True, slots=True)
class FrameSeen:
    """The frame in one picture.

    paper: (PARTS,) median brightness of the paper in each part, 0 to 255; nan outside the picture. edge_px: width of
    each marker's edges. contrast: share of the paper's brightness that the markers' print takes away.
    """

    paper: NDArray[np.float64]
    edge_px: Mapping[int, float]
    contrast: float


def frame_seen(view: View, table: TableSetup) -> FrameSeen:
    """Measure the frame in one view."""
    grey = np.asarray(cv2.cvtColor(view.picture_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    band = frame_band(table)
    at_mm = band.points_mm[band.paper][::_EVERY]
    part = np.round(np.arctan2(at_mm[:, 1], at_mm[:, 0]) / (2 * np.pi / PARTS)).astype(int) % PARTS
    values = _values(grey, view.project(at_mm))
    paper = np.array([_median(values[part == number]) for number in range(PARTS)])
    found = find_markers(view.picture_bgr, table)
    edges = {
        number: round(segments_width_px(grey, np.stack([at, np.roll(at, -1, axis=0)], axis=1), 1 / _MARKER_CELLS), 3)
        for number, at in found.items()
    }
    ink = [
        1 - np.percentile(inside, _INK_PERCENTILE) / max(_median(values), 1.0)
        for number in found
        if len(inside := _inside(grey, view.project(band.points_mm[band.squares[number]][::_EVERY])))
    ]
    return FrameSeen(paper, edges, float(np.median(ink)) if ink else 0.0)


def _inside(grey: NDArray[np.uint8], places_px: NDArray[np.float64]) -> NDArray[np.float64]:
    values = _values(grey, places_px)
    return values[np.isfinite(values)]


def _values(grey: NDArray[np.uint8], places_px: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the brightness at places (n, 2) in the picture, nan outside it."""
    h, w = grey.shape
    known = np.nan_to_num(places_px, nan=-1.0, posinf=-1.0, neginf=-1.0)
    inside = np.asarray((known >= 0).all(axis=1) & (known <= (w - 1, h - 1)).all(axis=1), np.bool_)
    spots = np.where(inside[:, None], places_px, 0.0).astype(np.float32)
    values = np.asarray(cv2.remap(grey, spots[:, :1], spots[:, 1:], cv2.INTER_LINEAR), np.float64).ravel()
    return np.where(inside, values, np.nan)


def _median(values: NDArray[np.float64]) -> float:
    known = values[np.isfinite(values)]
    return float(np.median(known)) if known.size else float("nan")

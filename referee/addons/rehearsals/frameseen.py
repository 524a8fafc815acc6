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
from calibration.table import TableSetup
from vision.assessment.light import sampled
from vision.assessment.selftest import markers_edge_px
from vision.geometry.printed_frame import frame_band
from vision.geometry.view import View

PARTS = 8
"""Parts of the frame by direction from its middle, the first around the positive x axis."""
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
    values = sampled(grey, view.project(at_mm))
    paper = np.array([_median(values[part == number]) for number in range(PARTS)])
    found = find_markers(view.picture_bgr, table)
    edges = {number: round(markers_edge_px(view.picture_bgr, {number: at}), 3) for number, at in found.items()}
    ink = [
        1 - np.percentile(inside, _INK_PERCENTILE) / max(_median(values), 1.0)
        for number in found
        if len(inside := _inside(grey, view.project(band.points_mm[band.squares[number]][::_EVERY])))
    ]
    return FrameSeen(paper, edges, float(np.median(ink)) if ink else 0.0)


def _inside(grey: NDArray[np.uint8], places_px: NDArray[np.float64]) -> NDArray[np.float64]:
    values = sampled(grey, places_px)
    return values[np.isfinite(values)]


def _median(values: NDArray[np.float64]) -> float:
    known = values[np.isfinite(values)]
    return float(np.median(known)) if known.size else float("nan")

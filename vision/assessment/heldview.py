"""Finds what is wrong with a picture by a camera in a hand, so that its holder is told at once."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boardfinder import BoardPoseError
from calibration.boardsearch import Unseen
from calibration.errors import PoseError
from calibration.pose import MIN_MARKERS
from calibration.table import TableSetup
from vision.geometry.view import View
from vision.handheld import unfit
from vision.heights.scorer import part_of
from vision.nextview import side_of
from vision.posefinder import PoseFinder

DARK = 40.0
"""Brightness, of 255, of a picture's lightest tenth below which print hardly differs from paper."""
BLURRED_PX = 6.0
"""Where no marker is found, edges wider than this are why."""
FAR_PX = 9.0
"""Fields that are smaller in the picture hardly tell a stone."""
LOW_DEG = 12.0
"""From below this height over the board, stacks hide all that stands behind them."""
INTO_DEG = 66.0
"""From so high over the board a phone looks down into what stands there: it may come near, and show a part."""
LEAST_PART = 0.4
"""Share of the fields that such a picture shows at least, for it is one of few (chosen by hand)."""
_LIGHT_PERCENTILE = 90


class Fault(StrEnum):
    """Reasons to leave a view out."""

    DARK = "dark"
    BLURRED = "blurred"
    FRAME = "frame"
    """Too few of the frame's markers are in the picture."""
    ABSENT = "absent"
    """The board of a table without a frame is not in it."""
    EDGE = "edge"
    """The edge of such a board can't be made out."""
    CUT_OFF = "cut off"
    """The board reaches out of the picture."""
    FAR = "far"
    LOW = "low"


_UNSEEN = {Unseen.ABSENT: Fault.ABSENT, Unseen.PART: Fault.CUT_OFF, Unseen.UNSURE: Fault.EDGE}


@dataclass(frozen=True, slots=True)
class Framed:
    """How a picture shows the board. fault: why it makes no view, ``None`` where it makes one.

    rim: the playing fields' corners as shares of the picture's width and height, empty where the frame is not found.
    side_deg: azimuth and elevation of the place it was taken from, ``None`` where that is not known.
    """

    fault: Fault | None
    rim: tuple[tuple[float, float], ...] = ()
    side_deg: tuple[float, float] | None = None


def framed(picture_bgr: NDArray[np.uint8], finder: PoseFinder, camera: str) -> Framed:
    """Look through a picture (height, width, 3) for what spoils it.

    Raises CalibrationError for an unknown or uncalibrated camera and for a picture of another size than its lens.
    """
    finder.lens(camera).check_size(picture_bgr, camera)
    if is_dark(picture_bgr):
        return Framed(Fault.DARK)
    try:
        view = finder.view(picture_bgr, camera)
    except PoseError as error:
        return Framed(why_unplaced(picture_bgr, error))
    table = finder.table
    corners = view.project(_rim_mm(table))
    whole = np.isfinite(corners).all()
    rim = tuple((round(float(x), 3), round(float(y), 3)) for x, y in corners / view.lens.size) if whole else ()
    fault = _badly_placed(view, corners, table) or (Fault.BLURRED if unfit(view, table) else None)
    return Framed(fault, rim, side_of(view.pose.centre_mm))


def is_dark(picture_bgr: NDArray[np.uint8]) -> bool:
    """Return whether a picture is too dark for print to differ from paper; a few thousand pixels are looked at."""
    few = np.ascontiguousarray(picture_bgr[::8, ::8])
    return float(np.percentile(cv2.cvtColor(few, cv2.COLOR_BGR2GRAY), _LIGHT_PERCENTILE)) < DARK


def why_unplaced(picture_bgr: NDArray[np.uint8], error: PoseError) -> Fault:
    """Return what is wrong with a picture in which the frame, or the board itself, is not found."""
    grey = np.asarray(cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    if error.markers < MIN_MARKERS and _steepest_px(grey) > BLURRED_PX:
        return Fault.BLURRED
    return _UNSEEN[error.why] if isinstance(error, BoardPoseError) else Fault.FRAME


def _rim_mm(table: TableSetup) -> NDArray[np.float64]:
    x, y = table.half_size_mm
    return np.array([[-x, -y, 0.0], [x, -y, 0.0], [x, y, 0.0], [-x, y, 0.0]])


def _steepest_px(grey: NDArray[np.uint8]) -> float:
    """Return how wide the steepest edges of a picture are: its contrast over their slope."""
    soft = cv2.GaussianBlur(grey.astype(np.float32), (3, 3), 0)
    slope = np.hypot(cv2.Sobel(soft, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(soft, cv2.CV_32F, 0, 1) / 8)
    low, high = np.percentile(soft, (2, 98))
    return float((high - low) / max(float(np.percentile(slope, 99.8)), 1e-6))


def _badly_placed(view: View, corners: NDArray[np.float64], table: TableSetup) -> Fault | None:
    width, height = view.lens.size
    elevation_deg = side_of(view.pose.centre_mm)[1]
    if not (np.isfinite(corners).all() and (corners >= 0).all() and (corners <= (width, height)).all()):
        part = part_of(view, table)
        looks_into = elevation_deg >= INTO_DEG and (part is None or part[..., 0].mean() >= LEAST_PART)
        return None if looks_into else Fault.CUT_OFF
    if elevation_deg < LOW_DEG:
        return Fault.LOW
    area = float(cv2.contourArea(corners.astype(np.float32)))
    return Fault.FAR if np.sqrt(area / (table.rows * table.columns)) < FAR_PX else None

"""Measures how a camera does, in one picture and from one to the next: pure, and cheap enough for once a minute.

The markers are looked for once; sharpness, pose and light all follow from them. Nothing is read of the board.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.lens import Lens
from calibration.pose import MIN_MARKERS, find_markers, pose_from_markers
from calibration.table import TableSetup
from referee.values.camerahealth import Befell
from vision.assessment.selftest import BLACK, BURNT, markers_edge_px

MOVED_PX = 2.5
"""A frame that lies so far from where it lay was moved, or its camera was: it is the width of a sharp edge. Markers
are found to about 0.2 px, and the median over all their corners leaves still less to chance."""
LIGHT_TIMES = 1.26
"""The light changed when the picture is so much brighter or darker: with a picture's usual gamma of 2.2 the light
itself is then 5/3 of what it was, two thirds of a stop; cameras hold their exposure in steps of a third."""
DARK_MEAN = 23.0
"""A table this dark on average shows nothing. Paper at 45 of 255 is useless (referee/certificate); a table reflects
about a fifth of the light, paper 85 per cent, and (0.2 / 0.85) ** (1 / 2.2) of 45 is 23."""
_STEP = 4
"""Every so many pixels, across and down, the light is measured."""


@dataclass(frozen=True, slots=True, eq=False)
class PictureFigures:
    """What one picture shows. corners_px: (4, 2) of each marker found. The rest as in ``CameraSample``."""

    corners_px: Mapping[int, NDArray[np.float64]]
    edge_px: float | None
    reprojection_px: float | None
    mean: float
    burnt: float
    black: float


def picture_figures(picture_bgr: NDArray[np.uint8], table: TableSetup, lens: Lens | None) -> PictureFigures:
    """Measure a picture, (height, width, 3). lens: ``None`` where it is not known or not of this size.

    The light is that within the markers, or of the whole picture where fewer than three are found.
    """
    found = find_markers(picture_bgr, table)
    pixels = picture_bgr[::_STEP, ::_STEP].reshape(-1, 3)
    if len(found) >= MIN_MARKERS:
        hull = cv2.convexHull(np.concatenate(list(found.values())).astype(np.float32) / _STEP)
        mask = np.zeros(picture_bgr[::_STEP, ::_STEP].shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, hull.astype(np.int32), 1)
        pixels = pixels[mask.ravel() > 0]
    return PictureFigures(
        found,
        markers_edge_px(picture_bgr, found) if found else None,
        _reprojection_px(found, table, lens),
        float(pixels.mean()),
        float((pixels >= BURNT).all(axis=1).mean()),
        float((pixels <= BLACK).all(axis=1).mean()),
    )


def _reprojection_px(found: Mapping[int, NDArray[np.float64]], table: TableSetup, lens: Lens | None) -> float | None:
    if lens is None:
        return None
    try:
        return pose_from_markers(found, lens, table).reprojection_px
    except CalibrationError:
        return None


@dataclass(frozen=True, slots=True, eq=False)
class Usual:
    """What a camera's pictures are compared with. corners_px: of the markers; empty and ``None`` before the first."""

    corners_px: Mapping[int, NDArray[np.float64]] = field(default_factory=dict)
    mean: float | None = None
    dark: bool = False


def befallen(usual: Usual, now: PictureFigures, fixed: bool) -> tuple[tuple[tuple[Befell, float], ...], Usual]:
    """Return what differs from the usual, each with its size, and what is usual from now on.

    fixed: whether frame and camera are meant to lie still: not where a board is turned or a camera is in a hand. The
    sizes: of a move in pixels; of light how many times brighter it became; of darkness the mean.
    """
    happened: list[tuple[Befell, float]] = []
    moved = _moved_px(usual.corners_px, now.corners_px) if fixed else None
    if moved is None:
        corners = {**now.corners_px, **usual.corners_px}  # those that were hidden at first join
    elif moved >= MOVED_PX:
        happened.append((Befell.MOVED, moved))
        corners = dict(now.corners_px)
    else:
        corners = {**now.corners_px, **usual.corners_px}
    usual = replace(usual, corners_px=corners if fixed else {})
    dark = now.mean < DARK_MEAN
    times = 1.0 if usual.mean is None else max(now.mean, 1.0) / max(usual.mean, 1.0)
    if dark and not usual.dark and usual.mean is not None:
        happened.append((Befell.DARK, now.mean))
    elif not 1 / LIGHT_TIMES < times < LIGHT_TIMES:
        happened.append((Befell.LIGHT, times))
    changed = bool(happened) and happened[-1][0] is not Befell.MOVED
    return tuple(happened), replace(usual, mean=now.mean if usual.mean is None or changed else usual.mean, dark=dark)


def _moved_px(before: Mapping[int, NDArray[np.float64]], now: Mapping[int, NDArray[np.float64]]) -> float | None:
    """Return how far corners seen in both lie apart, the median in pixels; ``None`` with fewer than three markers."""
    both = sorted(before.keys() & now.keys())
    if len(both) < MIN_MARKERS:
        return None
    off = np.concatenate([now[number] - before[number] for number in both])
    return float(np.median(np.linalg.norm(off, axis=1)))

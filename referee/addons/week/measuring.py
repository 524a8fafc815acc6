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
"""The light changed when the markers are so much brighter or darker: with a picture's usual gamma of 2.2 the light
itself is then 5/3 of what it was, two thirds of a stop; cameras hold their exposure in steps of a third."""
DARK_MEAN = 23.0
"""A table this dark on average shows nothing. Paper at 45 of 255 is useless (referee/certificate); a table reflects
about a fifth of the light, paper 85 per cent, and (0.2 / 0.85) ** (1 / 2.2) of 45 is 23."""
DARK_PAPER = 45.0
"""Where no frame is seen, a picture is dark only if next to nothing in it is brighter than useless paper: a hand or a
cloth over the board is no night."""
_BRIGHTEST_PERCENTILE = 98
_STEP = 4
"""Every so many pixels, across and down, the light is measured."""


@dataclass(frozen=True, slots=True, eq=False)
class PictureFigures:
    """What one picture shows.

    corners_px: (4, 2) of each marker found. marker_light: mean brightness of each, 0 to 255. brightest: what next to
    nothing in the picture outshines, no marker either. The rest as in ``CameraSample``.
    """

    corners_px: Mapping[int, NDArray[np.float64]]
    marker_light: Mapping[int, float]
    brightest: float
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
    brightest = float(np.percentile(pixels.mean(axis=1), _BRIGHTEST_PERCENTILE))
    if len(found) >= MIN_MARKERS:
        hull = cv2.convexHull(np.concatenate(list(found.values())).astype(np.float32) / _STEP)
        mask = np.zeros(picture_bgr[::_STEP, ::_STEP].shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, hull.astype(np.int32), 1)
        pixels = pixels[mask.ravel() > 0]
    light = {number: _brightness(picture_bgr, at) for number, at in found.items()}
    return PictureFigures(
        found,
        light,
        max([brightest, *light.values()]),
        markers_edge_px(picture_bgr, found) if found else None,
        _reprojection_px(found, table, lens),
        float(pixels.mean()),
        float((pixels >= BURNT).all(axis=1).mean()),
        float((pixels <= BLACK).all(axis=1).mean()),
    )


def _brightness(picture_bgr: NDArray[np.uint8], corners_px: NDArray[np.float64]) -> float:
    """Return the mean brightness of a marker, 0 to 255: its print is the same whatever stands on the board."""
    low = np.maximum(np.floor(corners_px.min(axis=0)).astype(int), 0)
    high = np.ceil(corners_px.max(axis=0)).astype(int) + 1
    part = picture_bgr[low[1] : high[1], low[0] : high[0]]
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners_px - low).astype(np.int32), 1)
    return float(part[mask > 0].mean())


def _reprojection_px(found: Mapping[int, NDArray[np.float64]], table: TableSetup, lens: Lens | None) -> float | None:
    if lens is None:
        return None
    try:
        return pose_from_markers(found, lens, table).reprojection_px
    except CalibrationError:
        return None


@dataclass(frozen=True, slots=True, eq=False)
class Usual:
    """What a camera's pictures are compared with; empty before the first.

    corners_px: of the markers. marker_light: brightness of each. dark_mean: brightness of the table while it is dark,
    ``None`` otherwise.
    """

    corners_px: Mapping[int, NDArray[np.float64]] = field(default_factory=dict)
    marker_light: Mapping[int, float] = field(default_factory=dict)
    dark_mean: float | None = None


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
    light, usual = _light(usual, now)
    return (*happened, *light), usual


def _light(usual: Usual, now: PictureFigures) -> tuple[tuple[tuple[Befell, float], ...], Usual]:
    """Compare the light alone: marker by marker, so that neither a hand nor what stands on the board matters."""
    framed = len(now.corners_px) >= MIN_MARKERS
    if now.mean < DARK_MEAN if framed else now.brightest < DARK_PAPER:
        news = usual.dark_mean is None and usual.marker_light
        return ((Befell.DARK, now.mean),) if news else (), replace(usual, dark_mean=now.mean)
    if usual.dark_mean is not None and framed:
        times = max(now.mean, 1.0) / max(usual.dark_mean, 1.0)
        return ((Befell.LIGHT, times),), replace(usual, marker_light=now.marker_light, dark_mean=None)
    both = sorted(usual.marker_light.keys() & now.marker_light.keys())
    if len(both) >= MIN_MARKERS:
        ratios = [max(now.marker_light[each], 1.0) / max(usual.marker_light[each], 1.0) for each in both]
        times = float(np.median(ratios))
        if not 1 / LIGHT_TIMES < times < LIGHT_TIMES:
            return ((Befell.LIGHT, times),), replace(usual, marker_light=now.marker_light)
    return (), replace(usual, marker_light={**now.marker_light, **usual.marker_light})


def _moved_px(before: Mapping[int, NDArray[np.float64]], now: Mapping[int, NDArray[np.float64]]) -> float | None:
    """Return how far corners seen in both lie apart, the median in pixels; ``None`` with fewer than three markers."""
    both = sorted(before.keys() & now.keys())
    if len(both) < MIN_MARKERS:
        return None
    off = np.concatenate([now[number] - before[number] for number in both])
    return float(np.median(np.linalg.norm(off, axis=1)))

"""Measures the light on a table in one picture: how much, how even, and where lamps are mirrored. Pure.

All is compared with the printed frame's paper, whose white is known. The light on it is fitted as a plane of
logarithms (across so small a table light falls off by nearly the same factor for each mm), by absolute
residuals, so that what lies on the paper or throws a shadow there counts little.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.addons.lamp.figures import Glare, LampFigures
from referee.addons.lamp.shadecast import shadows
from referee.values.board import Field
from vision.assessment.light import GAMMA, light_of, sampled, top_points
from vision.geometry.printed_frame import frame_band
from vision.geometry.view import View

FULL_LIGHT = (250 / 255) ** GAMMA
"""From here on a sensor is full, and brighter light can't be told."""
PAPER_REFLECTS = 0.85
DIFFUSE_MOST = 1 / PAPER_REFLECTS
"""Nothing dull is brighter than this, in parts of paper under the same light: it would reflect more than all."""
NEARER_TIMES = 1.3
"""A stack's top is nearer to the lamp: four stones of 20 mm under a lamp 60 cm up get this much more than paper."""
_PER_FIELD = 8
"""A field is looked at in so many places along each side."""
_LEAST_PAPER = 40


@dataclass(frozen=True, slots=True, eq=False)
class PaperLight:
    """The light on the frame's paper: its logarithm is ``level + slope @ (x, y)``, mm. Light 1 fills a sensor."""

    level: float
    slope: NDArray[np.float64]

    def at(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the light on paper at points (..., 2 or 3)."""
        return np.asarray(np.exp(self.level + points_mm[..., :2] @ self.slope), np.float64)


def lamp_figures(view: View, table: TableSetup, heights: NDArray[np.int8] | None = None) -> LampFigures | None:
    """Measure the light in a view; ``None`` where hardly any of the frame's paper is in the picture.

    heights: (rows, columns) of the stacks that stand there, where that is known.
    """
    grey = np.asarray(cv2.cvtColor(view.picture_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    points = _paper_points(table)
    values = sampled(grey, view.project(points))
    seen = np.isfinite(values)
    if int(seen.sum()) < _LEAST_PAPER:
        return None
    points, values = points[seen], values[seen]
    light = paper_light(points, values)
    rim = np.array([points.min(axis=0), points.max(axis=0)])
    corners = light.at(np.array([(x, y) for x in rim[:, 0] for y in rim[:, 1]]))
    standing = np.zeros((table.rows, table.columns), np.int8) if heights is None else heights
    return LampFigures(
        paper=float(np.median(values)),
        noise=_noise(grey, view, points),
        uneven=float(1 - corners.min() / corners.max()),
        bright_deg=math.degrees(math.atan2(light.slope[1], light.slope[0])),
        glare=_glare(view, table, standing, light),
        shadows=None if heights is None else shadows(view, grey, table, heights, light.at),
    )


def paper_light(points_mm: NDArray[np.float64], brightness: NDArray[np.float64]) -> PaperLight:
    """Fit the light on paper at points (n, 3) with a brightness (n,), by iteratively reweighted least squares."""
    wanted = np.log(light_of(brightness))
    terms = np.column_stack([np.ones(len(points_mm)), points_mm[:, :2]])
    weights = np.ones(len(points_mm))
    found = np.zeros(3)
    for _ in range(12):
        scaled = terms * weights[:, None]
        found[:] = np.linalg.lstsq(scaled, wanted * weights, rcond=None)[0]
        weights = 1 / np.sqrt(np.maximum(np.abs(wanted - terms @ found), 0.02))
    return PaperLight(float(found[0]), found[1:])


@lru_cache(maxsize=4)
def _paper_points(table: TableSetup) -> NDArray[np.float64]:
    band = frame_band(table)
    return np.asarray(band.points_mm[band.paper][::11], np.float64)


def _noise(grey: NDArray[np.uint8], view: View, points_mm: NDArray[np.float64]) -> float:
    """Return a pixel's noise on the paper, grey levels.

    Immerkaer (Fast Noise Variance Estimation, 1996): what a difference of two Laplacians leaves, which no plane and
    no straight edge passes; the median over the paper, so that print near by does not count.
    """
    kernel = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    places = np.round(view.project(points_mm)).astype(int)
    left = np.abs(cv2.filter2D(grey, cv2.CV_32F, kernel))[places[:, 1], places[:, 0]]
    return float(np.median(left)) / 0.6745 / 6


def _glare(view: View, table: TableSetup, heights: NDArray[np.int8], light: PaperLight) -> Glare | None:
    """Find what is brighter than anything dull could be: a lamp's mirror image.

    The lamp stands where the line of sight goes on from there, mirrored at a level face.
    """
    points = top_points(table, heights, _PER_FIELD)
    paper = light.at(points)
    if DIFFUSE_MOST * float(np.median(paper)) >= FULL_LIGHT:
        return None
    darkest = np.asarray(view.picture_bgr.min(axis=2), np.uint8)  # a mirror image has the lamp's white, not a colour
    seen = light_of(np.nan_to_num(sampled(darkest, view.project(points))))
    shines = (seen > DIFFUSE_MOST * paper) & (seen >= np.minimum(DIFFUSE_MOST * NEARER_TIMES * paper, FULL_LIGHT))
    if not shines.any():
        return Glare()
    share = shines.mean(axis=(2, 3))
    ahead = points[shines][:, :2] - view.pose.centre_mm[:2]
    way = (ahead / np.linalg.norm(ahead, axis=1, keepdims=True)).mean(axis=0)
    order = sorted(np.argwhere(share > 1 / _PER_FIELD**2 * 2).tolist(), key=lambda at: -share[at[0], at[1]])
    return Glare(
        float(share.sum()),
        tuple(Field(row, col) for row, col in order),
        math.degrees(math.atan2(way[1], way[0])),
    )

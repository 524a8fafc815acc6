"""Measures how bright and of what colour the light is, by the frame's white paper, and frees colours of it.

Paper around every marker is looked at; between them the light is taken to change evenly across the mat. A colour is
then a share of white paper's: the same thing looks the same under another lamp, except for its gloss and shadows.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.layout import quiet_mm
from calibration.table import TableSetup
from vision.geometry.view import View
from vision.ledger.places import MAT_PX_PER_MM

_GAMMA = 2.2
_DARK = 0.06
"""Light that gloss and reflections add to a colour; darker colours are harder to distinguish."""
DAZZLING = 249.0
"""From this coded value on a camera may have seen any brightness."""
_TELLING = 0.04
"""Darker parts of a mat tell nothing of the light."""
_MOST_CHANGE, _MOST_DAZZLED = 0.25, 0.9
"""Largest change (natural log) of the mat against the light that the paper shows, usually and where the paper is
over-exposed."""
_LEAST = 0.004
"""Darker shares than this are noise."""


@dataclass(frozen=True, eq=False)
class Light:
    """White paper's brightness: its natural log is ``factors`` (3, 3), a row a colour, times (1, x mm, y mm).

    dazzled: whether the paper is too bright to tell, in some colour.
    """

    factors: NDArray[np.float64]
    dazzled: bool = False

    def white(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return linear blue, green, red (n, 3) of white paper at places (n, 2 or 3) mm."""
        terms = np.column_stack([np.ones(len(points_mm)), points_mm[:, :2]])
        return np.asarray(np.exp(terms @ self.factors.T), np.float64)


Lit = tuple[View, Light]
"""A picture and the light in it."""


def linear(coded: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the linear light, 0 to 1, of coded values 0 to 255."""
    return np.asarray((np.maximum(coded, 0.5) / 255) ** _GAMMA, np.float64)


def seen_at(view: View, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return coded blue, green, red (n, 3) of a picture at table points (n, 3) mm; nan outside the picture."""
    at = view.project(points_mm)
    height, width = view.picture_bgr.shape[:2]
    with np.errstate(invalid="ignore"):
        inside = (at >= 0).all(axis=1) & (at[:, 0] <= width - 1) & (at[:, 1] <= height - 1)
    safe = np.where(inside[:, None], at, 0).astype(np.float32)
    found = np.zeros((len(at), 3), np.float64)
    for start in range(0, len(at), 30000):  # remap takes pictures of less than 32768 pixels a side
        part = safe[start : start + 30000]
        found[start : start + 30000] = cv2.remap(
            view.picture_bgr, part[None, :, 0], part[None, :, 1], cv2.INTER_LINEAR
        )[0]
    found[~inside] = np.nan
    return found


def light_of(view: View, table: TableSetup) -> Light:
    """Measure the light on the mat, by the paper around the frame's markers in one picture."""
    places, values = [], []
    for corners in table.markers.values():
        middle = corners.mean(axis=0)
        reach = 1 + quiet_mm(table.marker_size_mm) * 0.5 / (np.linalg.norm(corners[0] - middle))
        ring = np.concatenate([corners, (corners + np.roll(corners, -1, axis=0)) / 2])
        scale = np.where(np.arange(8) < 4, reach, 1 + quiet_mm(table.marker_size_mm) / table.marker_size_mm)
        points = middle + (ring - middle) * scale[:, None]
        seen = seen_at(view, points)
        seen = seen[np.isfinite(seen).all(axis=1)]
        if len(seen) >= 4:
            # The brighter ones: what else may be there, a shadow or a finger, is darker than paper.
            bright = seen[np.argsort(seen.sum(axis=1))[len(seen) // 2 :]]
            places.append(middle[:2])
            values.append(np.log(linear(bright)).mean(axis=0))
    if not places:
        return Light(np.array([[np.log(0.8), 0.0, 0.0]] * 3))
    dazzled = (np.array(values) > np.log(linear(np.array(DAZZLING)))).any(axis=1).mean() > 0.3
    return Light(_even(np.array(places), np.array(values), 300.0), bool(dazzled))


def agreed(view: View, light: Light, mat: NDArray[np.float32], table: TableSetup) -> Light:
    """Fit the light under which most of the mat looks as it did empty, even where the paper is over-exposed.

    mat: the empty mat, as from ``pictured_mat``.
    """
    half_x, half_y = table.half_size_mm
    x, y = np.meshgrid(np.linspace(-half_x, half_x, 46)[1:-1], np.linspace(-half_y, half_y, 46)[1:-1])
    points = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
    empty = mat_at(mat, table, points)
    ratio = np.log(shares(view, light, points)) - np.log(np.maximum(empty, _LEAST))
    with np.errstate(invalid="ignore"):
        fine = np.isfinite(ratio).all(axis=1) & (empty > _TELLING).all(axis=1)
    if fine.mean() < 0.08:
        return light
    rest = ratio[fine] - np.median(ratio[fine], axis=0)
    change = _even(points[fine, :2], rest, 300.0 * np.sqrt(fine.sum() / 20))
    change[:, 0] += np.median(ratio[fine], axis=0)
    most = _MOST_DAZZLED if light.dazzled else _MOST_CHANGE
    change[:, 0] = np.clip(change[:, 0], -most, most)
    return Light(light.factors + change, light.dazzled)


def _even(places: NDArray[np.float64], values: NDArray[np.float64], stiff: float) -> NDArray[np.float64]:
    """Fit factors (3, 3) of an even change over places (n, 2) that most of the values (n, 3) follow."""
    terms = np.column_stack([np.ones(len(places)), places])
    ridge = np.diag([0.0, stiff, stiff])
    weight = np.ones(len(places))
    factors = np.zeros((3, 3))
    for _ in range(5):  # what lies in a shadow, in a glare or under a thing counts less
        root = np.sqrt(weight)[:, None]
        both = np.vstack([terms * root, ridge]), np.vstack([values * root, np.zeros((3, 3))])
        factors = np.linalg.lstsq(both[0], both[1], rcond=None)[0].T
        off = np.abs(terms @ factors.T - values).max(axis=1)
        weight = 1 / (1 + (off / 0.15) ** 2) ** 2
    return factors


def shares(view: View, light: Light, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return colours (n, 3) at table points (n, 3) mm as shares of white paper's; nan outside the picture."""
    return np.asarray(np.maximum(linear(seen_at(view, points_mm)) / light.white(points_mm), _LEAST), np.float64)


def log_share(share: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the natural log of colours as they are compared: dark ones, to which stray light adds, differ less."""
    return np.asarray(np.log(share + _DARK), np.float64)


def relit(share: NDArray[np.float64], shift: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return colours (..., 3) without what the light added to them: ``shift`` (3,) in the logs of ``log_share``."""
    return np.asarray(np.maximum(np.exp(log_share(share) - shift) - _DARK, 0.001), np.float64)


def likeness(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the distance of two colours (..., 3), shares of white: light and noise rarely make 1 or more.

    Brightness counts less than colour, because shadows and gloss change it; of dark colours only brightness is known.
    """
    a, b = log_share(one), log_share(other)
    bright = (a - b).mean(axis=-1)
    tint = (a - b) - bright[..., None]
    return np.asarray(np.sqrt((np.linalg.norm(tint, axis=-1) / 0.25) ** 2 + (bright / 0.45) ** 2), np.float64)


def mat_points(table: TableSetup) -> tuple[NDArray[np.float64], tuple[int, int]]:
    """Return the mat's places (n, 3) mm in the order of its picture's pixels, and that picture's height and width."""
    half_x, half_y = table.half_size_mm
    width, height = round(2 * half_x * MAT_PX_PER_MM), round(2 * half_y * MAT_PX_PER_MM)
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    points = np.stack([(x + 0.5) / MAT_PX_PER_MM - half_x, half_y - (y + 0.5) / MAT_PX_PER_MM, np.zeros(x.shape)], -1)
    return points.reshape(-1, 3), (height, width)


def pictured_mat(view: View, light: Light, table: TableSetup) -> NDArray[np.float32]:
    """Return the empty mat as shares of white paper, (h, w, 3); what the camera does not see is nan."""
    points, size = mat_points(table)
    return np.asarray(shares(view, light, points).reshape(*size, 3), np.float32)


def mat_at(mat: NDArray[np.float32], table: TableSetup, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the empty mat's colours (n, 3) at places (n, 2 or 3) mm; nan beside it."""
    half = np.array(table.half_size_mm)
    columns = (points_mm[:, 0] + half[0]) * MAT_PX_PER_MM
    rows = (half[1] - points_mm[:, 1]) * MAT_PX_PER_MM
    height, width = mat.shape[:2]
    inside = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
    found = np.full((len(points_mm), 3), np.nan)
    found[inside] = mat[rows[inside].astype(int), columns[inside].astype(int)]
    return found

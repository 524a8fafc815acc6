"""Checks whether the focal length stayed the same from picture to picture: autofocus and zoom change it.

Every picture is given a focal length of its own beside its pose, the rest of the lens being known. A tilted target
tells it well, one held square hardly; each comes with its uncertainty. Then two questions are asked: do the pictures
before some moment differ from those after it (zoom, refocus), and do near ones differ from far ones (autofocus)?
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.target import TargetView

LEAST_SHIFT = 0.006
"""Smaller differences (share of the focal length) spoil nothing: a pose takes them for distance."""
LEAST_SIGMAS = 5.0
LEAST_GROUP = 3
"""Pictures on either side of a split."""
_FLOOR = 0.0005
"""No picture tells its focal length better than this share: corners are not quite independent of each other."""


@dataclass(frozen=True, eq=False)
class Placed:
    """One picture's target and its pose: rotation (3, 3), translation (3,) in the target's units, to the camera."""

    name: str
    sight: TargetView
    rotation: NDArray[np.float64]
    translation: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FocusShift:
    """The focal length of some pictures differs from that of the others.

    by: ``time`` (the order of the pictures) or ``distance``. pictures: those of the smaller group. share: how much
    longer their focal length is (0.02: 2 %). sigmas: how many standard deviations that is.
    """

    by: str
    pictures: tuple[str, ...]
    share: float
    sigmas: float


def focus_shift(places: Sequence[Placed], lens: Lens) -> FocusShift | None:
    """Return the clearest split of the pictures into two focal lengths, or ``None`` when one explains them all."""
    if len(places) < 2 * LEAST_GROUP:
        return None
    each = np.array([own_focal(place, lens) for place in places])
    if not np.isfinite(each).all():
        return None
    distances = [float(place.translation[2]) for place in places]
    found = [
        split
        for by, order in (("time", np.arange(len(places))), ("distance", np.argsort(distances, kind="stable")))
        if (split := _best_split(by, order, each, places)) is not None
    ]
    return max(found, key=lambda split: split.sigmas, default=None)


def own_focal(place: Placed, lens: Lens) -> tuple[float, float]:
    """Return one picture's focal length as a share of the lens's, and its standard deviation.

    Both are nan where the picture does not tell.
    """
    rotation, shift, scale = place.rotation.copy(), place.translation.copy(), 1.0
    points = place.sight.target_mm.astype(np.float64)
    turn = np.asarray(cv2.Rodrigues(rotation)[0], np.float64).reshape(3)
    covariance = np.full((7, 7), np.nan)
    for _ in range(6):
        matrix = lens.matrix.copy()
        matrix[[0, 1], [0, 1]] *= scale
        seen, jacobian = cv2.projectPoints(points, turn, shift, matrix, lens.distortion)
        off = (place.sight.seen_px - np.asarray(seen, np.float64).reshape(-1, 2)).reshape(-1)
        full = np.asarray(jacobian, np.float64)
        # Columns: rotation 3, translation 3, then fx and fy, which here share one factor.
        by_scale = full[:, 6] * lens.matrix[0, 0] + full[:, 7] * lens.matrix[1, 1]
        slopes = np.column_stack([full[:, :6], by_scale])
        normal = slopes.T @ slopes
        try:
            covariance = np.linalg.inv(normal)
        except np.linalg.LinAlgError:
            return np.nan, np.nan
        step = covariance @ (slopes.T @ off)
        turn, shift, scale = turn + step[:3], shift + step[3:6], scale + float(np.clip(step[6], -0.2, 0.2))
    freedom = max(len(off) - 7, 1)
    if not covariance[6, 6] > 0:
        return np.nan, np.nan
    spread = float(np.sqrt(covariance[6, 6] * float(off @ off) / freedom))
    return scale, max(spread, _FLOOR)


def _best_split(
    by: str, order: NDArray[np.intp], each: NDArray[np.float64], places: Sequence[Placed]
) -> FocusShift | None:
    best: FocusShift | None = None
    for cut in range(LEAST_GROUP, len(order) - LEAST_GROUP + 1):
        groups = order[:cut], order[cut:]
        (one, one_sd), (two, two_sd) = (_mean(each[group]) for group in groups)
        if by == "distance" and one <= two:
            continue  # focusing on what is near moves a lens away from its sensor: it gets longer, never shorter
        sigmas = abs(one - two) / float(np.hypot(one_sd, two_sd))
        small, share = (groups[0], one / two - 1) if cut <= len(order) / 2 else (groups[1], two / one - 1)
        if sigmas >= LEAST_SIGMAS and abs(share) >= LEAST_SHIFT and (best is None or sigmas > best.sigmas):
            names = tuple(places[k].name for k in sorted(small.tolist()))
            best = FocusShift(by, names, float(share), float(sigmas))
    return best


def _mean(group: NDArray[np.float64]) -> tuple[float, float]:
    """Return the weighted mean of (n, 2) values with deviations, and its deviation.

    The deviation is widened by how far the values scatter.
    """
    weight = 1 / group[:, 1] ** 2
    mean = float((weight * group[:, 0]).sum() / weight.sum())
    chi2 = float((weight * (group[:, 0] - mean) ** 2).sum()) / (len(group) - 1)
    return mean, float(np.sqrt(max(chi2, 1.0) / weight.sum()))

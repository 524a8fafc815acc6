"""Finds something that is neither tower nor board, such as an arm, over the board in a picture.

The markers are the witness: one that the tower can't hide must look like its print. No colour of skin or sleeve is
assumed. An arm that reaches over the board betrays itself so in about every other picture and is never wrongly found
there; what covers no marker is told by the other pictures of the tower, which refute it (``spoilt``).
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from vision.geometry.printed_frame import likeness
from vision.geometry.view import View
from vision.tower.grid import FLOOR, MOST_LEVELS, TowerSizes

MARKER_SEEN = 0.35
"""A marker's place whose likeness to its print is less than this is covered."""
_MARGIN_LEVELS = 1


def covered_markers(
    view: View, filled: NDArray[np.bool_], table: TableSetup, measures: TowerSizes
) -> tuple[int, ...]:
    """Return the ids of markers in the picture that don't look like their print, though the tower hides none of them.

    filled: (CELLS,) of the tower. It may be a level higher than that.
    """
    top = min(int(filled.reshape(MOST_LEVELS, FLOOR).any(axis=1).sum()) + _MARGIN_LEVELS, MOST_LEVELS)
    hull = cv2.convexHull(view.project(measures.corners_mm(0, top)).astype(np.float32))
    covered = []
    for number, corners in table.markers.items():
        places = view.project(corners).astype(np.float32)
        if not np.isfinite(places).all() or cv2.intersectConvexConvex(cv2.convexHull(places), hull)[0] > 0:
            continue
        like = likeness(view, table, number)
        if like is not None and like < MARKER_SEEN:
            covered.append(number)
    return tuple(covered)

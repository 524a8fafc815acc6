"""Finds which of two pictures shows the thing that lies over the board: it has edges all along the outline.

What differs between two still pictures is a thing that came or a thing that went, and the difference alone does not
tell which. But along the outline of the difference the picture with the thing has an edge nearly everywhere, while
the one without it goes on from inside to outside, with an edge here and there. (How left luggage is told from taken
luggage: Spagnolo et al., AVSS 2006.)
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.gate.intruder import grown
from vision.gate.region import Region
from vision.gate.texture import Grid, Texture, differences

DECIDED = 0.05
"""Natural logarithm of how much stronger the edges must be. An edge here and there weighs little in their
geometric mean."""
_BESIDE_FIELDS = 1.0
"""An arm is seen best where it comes in, over the plain table beside the board."""
_CLOSED_FIELDS = 0.5
"""A hand may look in part like what it covers; gaps so narrow are part of it."""
_FEWEST_PX = 12
_FLOOR = 0.01
_CUT_OFF_PX = 5


def outlined(one: Texture, other: Texture, over: NDArray[np.bool_], region: Region) -> float:
    """Return how much stronger the edges along the outline of what differs are in one picture than in the other.

    over: (h, w) bool, the places on the board that differ and belong to a thing that reaches in; what hangs together
    with it beside the board is looked at as well. The natural logarithm of the ratio: above ``DECIDED`` the thing
    lies in the one, below minus that in the other. 0 where too little of an outline is seen.
    """
    wide = Region(grown(region.mask, _BESIDE_FIELDS * region.field_px), region.field_px)
    thing = _together(over, differences(one, other, wide)) | over
    closed = _closed(thing, _CLOSED_FIELDS * region.field_px)
    soft = cv2.GaussianBlur(closed, (0, 0), 1.0)
    across, down = cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)
    steep = np.hypot(across, down)
    # A thing cut off at the edge of the region or of the picture has no outline there.
    within = np.pad(wide.mask.astype(np.uint8), 1)
    inner = cv2.erode(within, np.ones((_CUT_OFF_PX, _CUT_OFF_PX), np.uint8))[1:-1, 1:-1] > 0
    use = (steep > 0.3 * steep.max(initial=0.0)) & inner
    if int(use.sum()) < _FEWEST_PX:
        return 0.0
    normal = across[use] / steep[use], down[use] / steep[use]
    return _edges(one.logs, use, normal) - _edges(other.logs, use, normal)


def _together(over: NDArray[np.bool_], differs: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the parts of what differs that are connected to what is over the board."""
    near = cv2.dilate((differs | over).astype(np.uint8), np.ones((3, 3), np.uint8))
    _, labels = cv2.connectedComponents(near)
    found = np.unique(labels[over])
    return np.asarray(np.isin(labels, found[found > 0]) & differs, np.bool_)


def _closed(thing: NDArray[np.bool_], gap_px: float) -> Grid:
    """Return a mask without its narrow gaps, 0 and 1."""
    side = max(3, 2 * round(gap_px) + 1)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    return np.asarray(cv2.morphologyEx(thing.astype(np.uint8), cv2.MORPH_CLOSE, disc), np.float32)


def _edges(logs: Grid, use: NDArray[np.bool_], normal: tuple[Grid, Grid]) -> float:
    """Mean logarithm of a picture's slope across an outline."""
    slope_x = cv2.Sobel(logs, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)[use]
    slope_y = cv2.Sobel(logs, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)[use]
    return float(np.log(np.abs(slope_x * normal[0] + slope_y * normal[1]) + _FLOOR).mean())

"""Distinguishes things that reach in over the board from outside, such as an arm, from pieces that were moved.

An arm comes over the board's rim and still hangs over it: what differs from the board as it last stood is one thing
with the rim, broad there or large. A piece set down at the rim is small.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.gate.region import Region

RIM_FIELDS = 2.0
"""Length along the rim from which on a thing is no piece: a diagonal field, and a little on both sides."""
AREA_FIELDS = 3.5
"""Area, in fields, from which on a thing that touches the rim is no piece either."""
MOST_SHARE = 0.3
"""More of the board than this is never changed by a move: the light, the view, or something large."""
SPECK_FIELDS = 0.08
NEAR_FIELDS = 0.3
"""Places so near to each other, or to the rim, are taken to hang together: an arm may look like what it covers."""


def intruders(changed: NDArray[np.bool_], region: Region, rim: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the mask (h, w) of changed places that belong to something that reaches in over the given rim."""
    found = np.zeros(changed.shape, np.bool_)
    near = grown(changed, NEAR_FIELDS * region.field_px)
    count, labels = cv2.connectedComponents(near.astype(np.uint8), connectivity=8)
    if count < 2:
        return found
    field_area = region.field_px**2
    for label in range(1, count):
        around = labels == label
        thing = around & changed
        area = int(thing.sum())
        if area < SPECK_FIELDS * field_area:
            continue
        across = float((around & rim).sum()) / region.rim_px
        if across and (across > RIM_FIELDS * region.field_px or area > AREA_FIELDS * field_area):
            found |= thing
    return found


def largest(mask: NDArray[np.bool_]) -> int:
    """Return how many pixels the largest connected part of a mask has."""
    if not mask.any():
        return 0
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    return int(stats[1:, cv2.CC_STAT_AREA].max(initial=0))


def apart(things: NDArray[np.bool_], one: NDArray[np.bool_], other: NDArray[np.bool_]) -> bool:
    """Return whether some part of ``things`` lies on ``one``, another part on ``other``, and no part on both."""
    _, labels = cv2.connectedComponents(things.astype(np.uint8), connectivity=8)
    on_one, on_other = (set(np.unique(labels[mask & things])) for mask in (one, other))
    return bool(on_one) and bool(on_other) and not on_one & on_other


def grown(mask: NDArray[np.bool_], by_px: float) -> NDArray[np.bool_]:
    """Return a mask grown by a margin."""
    side = 2 * round(by_px) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    return np.asarray(cv2.dilate(mask.astype(np.uint8), disc), np.bool_)


def filled(mask: NDArray[np.bool_], field_px: float) -> NDArray[np.bool_]:
    """Return a mask of things with a margin and without gaps, where they look like the board."""
    side = 2 * round(field_px) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, disc)
    return grown(np.asarray(closed, np.bool_), field_px / 2)

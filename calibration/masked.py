"""Keep of a picture only what is meant to be in it: the rest is filled flat before the picture reaches a disk.

A picture keeps its size, so that its lens and whatever is found in it hold as before; what is flat takes hardly any
room in a file.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.target import TargetFinder, TargetView

Part = tuple[tuple[int, int], ...]
"""Corners (x, y) of a convex part of a picture, whole pixels, in order."""
Outline = tuple[Part, ...]
"""The parts of a picture that are kept; none where nothing is known of it."""
FLAT = 128
"""Value of blue, green and red outside: a grey that is neither paper nor print."""
JPEG_QUALITY = 95
"""Quality of pictures for a lens: their corners are measured to a tenth of a pixel."""
_SQUARES_AROUND = 2.0
"""Margin around the target's corners: its outermost squares, their markers and the paper's rim."""


def only_inside(picture: NDArray[np.uint8], outline: Outline) -> NDArray[np.uint8]:
    """Return a picture (height, width, 3) of the same size, flat outside an outline. The picture stays as it is."""
    inside = np.zeros(picture.shape[:2], np.uint8)
    for part in outline:
        cv2.fillConvexPoly(inside, np.array(part, np.int32).reshape(-1, 1, 2), 255)
    flat = np.full_like(picture, FLAT)
    return np.asarray(cv2.copyTo(picture, inside, flat), np.uint8)


def hull(points_px: NDArray[np.float64], size: tuple[int, int]) -> Part:
    """Return the convex part of a picture of this width and height that holds points (n, 2), cut at its edges."""
    inside = np.clip(np.round(points_px), 0, np.array(size) - 1).astype(np.int32)
    found = np.asarray(cv2.convexHull(inside.reshape(-1, 1, 2))).reshape(-1, 2)
    return tuple((int(x), int(y)) for x, y in found)


def target_outline(seen: TargetView, size: tuple[int, int]) -> Outline:
    """Return the outline of the calibration target in a picture of this width and height, with its rim."""
    corners = seen.seen_px.astype(np.float64)
    apart = np.linalg.norm(corners[:, None] - corners[None], axis=-1)
    np.fill_diagonal(apart, np.inf)
    # The largest gap to a neighbour counts: towards the camera a square is larger than further back.
    reach = _SQUARES_AROUND * float(apart.min(axis=1).max())
    around = np.array([(x, y) for x in (-reach, reach) for y in (-reach, reach)])
    return (hull((corners[:, None] + around[None]).reshape(-1, 2), size),)


def target_jpeg(picture: NDArray[np.uint8], seen: TargetView) -> bytes:
    """Encode the calibration target in a picture, flat around it: who holds it is left out."""
    height, width = picture.shape[:2]
    shown = only_inside(picture, target_outline(seen, (width, height)))
    return cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()


def target_only(picture: NDArray[np.uint8], finder: TargetFinder) -> bytes | None:
    """Return the calibration target in a picture as JPEG, flat around it; ``None`` where it isn't found."""
    seen = finder.find(picture)
    return None if isinstance(seen, str) else target_jpeg(picture, seen)

"""Guesses where the corners of a board lie in a picture of which nothing is known, for a finger to confirm."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.rimcolours import learn_colours

_LONGER_PX = 320
_AROUND = 0.06
"""Share of a picture's sides at its edge that shows the table about the board."""
_MIDDLE = 0.35
"""Share of its sides in the middle that shows the board."""
_ROUNDS = 3
_NEAR_PX, _FEWEST = 12.0, 20
_LEAST = 0.05
"""Share of the picture that a board fills at least."""


def guessed_corners(picture_bgr: NDArray[np.uint8]) -> NDArray[np.float64] | None:
    """Return the corners of what lies in the middle, (4, 2) px, far left first, clockwise; ``None`` for nothing.

    What is at the picture's edge is taken for the table, what is in its middle for the board; each pixel goes to
    that whose colours it has rather, and the colours are learnt anew from what was found.
    """
    height, width = picture_bgr.shape[:2]
    share = _LONGER_PX / max(height, width)
    size = round(width * share), round(height * share)
    small = cv2.cvtColor(cv2.resize(picture_bgr, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2LAB)
    lab: NDArray[np.uint8] = np.asarray(cv2.GaussianBlur(small, (0, 0), 1.0), np.uint8)
    around, board = _frame((size[1], size[0]), _AROUND), _middle((size[1], size[0]))
    found: NDArray[np.uint8] | None = None
    for _ in range(_ROUNDS):
        if not board.any() or not around.any():
            return None
        nats = learn_colours(lab[board], lab[around]).told(lab)[:-1].max(axis=0)
        mask = cv2.morphologyEx((nats > 0).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
        found = _largest(np.asarray(mask, np.uint8))
        if found is None:
            return None
        board = found.astype(bool)
        around = cv2.dilate(found, np.ones((7, 7), np.uint8)) == 0
    assert found is not None
    corners = _corners(found)
    return None if corners is None else corners / share


def _frame(shape: tuple[int, int], share: float) -> NDArray[np.bool_]:
    found = np.ones(shape, np.bool_)
    high, wide = (max(2, round(side * share)) for side in shape)
    found[high:-high, wide:-wide] = False
    return found


def _middle(shape: tuple[int, int]) -> NDArray[np.bool_]:
    return ~_frame(shape, (1 - _MIDDLE) / 2)


def _largest(mask: NDArray[np.uint8]) -> NDArray[np.uint8] | None:
    """Return the largest part of a mask; ``None`` where that is too small for a board."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    if count < 2:
        return None
    largest = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    if stats[largest, cv2.CC_STAT_AREA] < _LEAST * mask.size:
        return None
    return np.asarray(labels == largest, np.uint8)


def _corners(mask: NDArray[np.uint8]) -> NDArray[np.float64] | None:
    """Return the quadrilateral around a mask, (4, 2) px."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = cv2.convexHull(max(outlines, key=cv2.contourArea))
    four = np.asarray(cv2.approxPolyN(outline, 4, ensure_convex=True)).reshape(-1, 2).astype(np.float64)
    if len(four) != 4:
        return None
    middle = four.mean(axis=0)
    order = np.argsort(np.arctan2(*(four - middle).T[::-1]))
    four = four[order]  # clockwise as the picture shows it
    four = np.roll(four, -int(np.argmin(four.sum(axis=1))), axis=0)
    places = np.asarray(max(outlines, key=cv2.contourArea)).reshape(-1, 2).astype(np.float64)
    lines = [_side(places, start, end) for start, end in zip(four, np.roll(four, -1, axis=0), strict=True)]
    met = [np.cross(before, after) for before, after in zip(np.roll(lines, 1, axis=0), lines, strict=True)]
    return np.array([one[:2] / one[2] if abs(one[2]) > 1e-9 else old for one, old in zip(met, four, strict=True)])


def _side(places: NDArray[np.float64], start: NDArray[np.float64], end: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the line, (3,), on which most places of an outline lie near a side: pieces reach out over it."""
    way = (end - start) / max(float(np.linalg.norm(end - start)), 1e-9)
    across = np.array([-way[1], way[0]])
    along = (places - start) @ way / max(float(np.linalg.norm(end - start)), 1e-9)
    near = places[(np.abs((places - start) @ across) < _NEAR_PX) & (along > 0.05) & (along < 0.95)]
    if len(near) >= _FEWEST:
        x, y, at_x, at_y = np.ravel(cv2.fitLine(near.astype(np.float32), cv2.DIST_WELSCH, 1.0, 0.01, 0.01))
        start, across = np.array([at_x, at_y], np.float64), np.array([-y, x], np.float64)
    return np.array([*across, -float(across @ start)])

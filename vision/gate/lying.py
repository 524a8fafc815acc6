"""Tells what lies over the board's rim, such as pieces along its outer row, from what reaches in, such as an arm.

An arm comes from outside: beside the place where it crosses the rim the picture has changed outside the board, too,
and it is seen to come. A piece ends at the rim. What lies there has not stirred for a while.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.gate.intruder import NEAR_FIELDS, SPECK_FIELDS, grown
from vision.gate.region import Region
from vision.gate.texture import LEAST, Scale, Texture, from_logs

_STRIP_FIELDS = 0.5, 1.5
"""Where an arm must be seen outside the board: so far from the rim. Nearer lie shadows, and a piece's own side."""
_MOST = 0.98


def lain_s(thing: NDArray[np.bool_], moved_s: NDArray[np.float64], at_s: float) -> float:
    """Return for how long a thing, (h, w) bool, has not stirred.

    moved_s: (h, w) when each place last changed.
    """
    return at_s - _late(moved_s[thing], _MOST)


def lying(
    over: NDArray[np.bool_],
    seen: Texture,
    board: Texture,
    scale: Scale,
    region: Region,
    moved_s: NDArray[np.float64],
    at_s: float,
    lies_s: float,
) -> NDArray[np.bool_]:
    """Return the mask (h, w) of what has lain on the board's outer row for ``lies_s`` of what is ``over`` it."""
    found = np.zeros_like(over)
    near_px = NEAR_FIELDS * region.field_px
    strip = _strip(region)
    changed = _changed_beside(seen, board, scale, strip)
    count, labels = cv2.connectedComponents(grown(over, near_px).astype(np.uint8), connectivity=8)
    for label in range(1, count):
        around = labels == label
        thing = around & over
        if lain_s(thing, moved_s, at_s) < lies_s:
            continue
        beside = strip & grown(around & region.rim, _STRIP_FIELDS[1] * region.field_px)
        if int(beside.sum()) < _STRIP_FIELDS[0] * region.field_px**2:
            continue  # the picture ends here, so that an arm would not be seen outside
        if int((changed & beside).sum()) < SPECK_FIELDS * region.field_px**2:
            found |= thing
    return found


def _strip(region: Region) -> NDArray[np.bool_]:
    """Return the mask (h, w) of a strip around the board, a little off its rim."""
    near, far = (grown(region.mask, share * region.field_px) for share in _STRIP_FIELDS)
    return far & ~near


def _changed_beside(seen: Texture, board: Texture, scale: Scale, strip: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the mask (h, w) of places of the strip that are brighter or darker, beyond a change of all of it.

    Not by ``fine``: into that, bright pieces reach out over the rim.
    """
    if not strip.any():
        return strip
    apart = np.asarray(seen.logs - board.logs, np.float32)
    return _is_large(apart - np.float32(np.median(apart[strip])), scale) & strip


def _is_large(apart: NDArray[np.float32], scale: Scale) -> NDArray[np.bool_]:
    return np.asarray(np.abs(cv2.blur(apart, (3, 3))) > LEAST * scale.contrast, np.bool_)


def put_under(
    seen: Texture, board: Texture, under: Texture, covers: NDArray[np.bool_], scale: Scale, region: Region
) -> tuple[Texture, NDArray[np.bool_]]:
    """Return the board under what has become part of the table, and where (h, w) that covers it, after a new board.

    seen, board: the new board and the one before, with what lies there. What has changed beside it is on the board.
    """
    covers = covers & ~_is_large(np.asarray(seen.logs - board.logs, np.float32), scale)
    logs = np.where(covers | ~region.mask, under.logs, seen.logs)
    return from_logs(np.asarray(logs, np.float32), scale, region), covers


def _late(times_s: NDArray[np.float64], share: float) -> float:
    """Return the time before which a share of the places changed last, of those that have changed."""
    known_s = times_s[np.isfinite(times_s)]
    return float(np.quantile(known_s, share, method="nearest")) if known_s.size else -np.inf

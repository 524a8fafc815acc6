"""Measures what stayed as it was between two looks at the table, field by field.

A camera that stands still shows an unchanged stack unchanged, whatever it is made of and however poor the light. So
the same field is compared in two looks, on the plane of the top face that is known to have stood there. How large a
difference noise, light and a slightly different pose make is taken from the two looks themselves: most fields do not
change from one turn to the next, so the differences' median and spread are those of unchanged fields.

Weak spots: when more than about half of the fields changed the median is no longer theirs, and everything looks
unchanged that changed as much; the evidence is therefore limited to a few nats, and looks that differ nearly
everywhere are not compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.values.belief import Unchanged
from referee.values.board import Board
from vision.geometry.view import camera_of, roams
from vision.geometry.visibility import tops_seen
from vision.heights.sweep import CELL_PX, MARGIN, Sweep

MOST_NATS, LEAST_NATS = 4.5, -1.0
"""Evidence of a field that looks the same for no change, and of one that looks different against it."""
SAME_SPREADS, OTHER_SPREADS = 0.6, 2.0
"""Up to so many spreads over the median a difference is that of an unchanged field; from so many on it isn't."""
NEEDED_SHARE = 0.5
"""A camera compares the fields of whose top face it sees this share."""
PLAIN_SHIFT_PX = 3.0
"""A stone more or less moves a top face by so much where the comparison counts in full; from right above it hardly
moves it."""
FEWEST_FIELDS = 20
"""With fewer fields in sight a median says too little."""
MOST_DIFFERENCE = 0.25
"""A median difference (share of the brightness) from which on the two looks are not of the same board."""
_BLUR_PX = 1.2
_SHIFTS_PX = (-1, 0, 1)
_EDGE_PX = 2
_GAIN = (0.7, 1.4)
_FLOOR = 0.003
"""A difference this small is no difference."""
_LEAST_SPREAD = 0.15
"""Spread of the logarithm of differences below which chance would decide."""


@dataclass(frozen=True, eq=False)
class CameraLook:
    """One camera's rectified pictures of one look. centre_mm: (3,) where the camera stood.

    part: (rows, cols, levels) whether the top face of a stack so high would lie in the picture; ``None`` where the
    whole board does.
    """

    sweep: Sweep
    centre_mm: NDArray[np.float64]
    part: NDArray[np.bool_] | None = None

    def holds(self, levels: NDArray[np.integer]) -> NDArray[np.bool_] | bool:
        """Return whether (rows, cols) the picture holds what lies so many levels high over each field."""
        if self.part is None:
            return True
        levels = np.minimum(levels, self.part.shape[2] - 1)
        return np.asarray(np.take_along_axis(self.part, levels[..., None].astype(np.intp), axis=2)[..., 0], np.bool_)


Look = Mapping[str, CameraLook]
"""One look at the table: what was seen in each picture, by the picture's name."""


def unchanged(then: Look, now: Look, board: Board, table: TableSetup) -> Unchanged:
    """Compare two looks. Return how much they speak for every field being as it was.

    then: a look at ``board``, which is known by now. now: a later look. Cameras are compared with themselves, as
    ``comparable`` tells.
    """
    stacks = np.zeros(board.heights.shape)
    flags = np.zeros(board.heights.shape)
    lift = board.heights.astype(np.intp)
    flag_lift = np.round(board.heights + 0.6 * table.flag.height_mm / table.cube_mm[2]).astype(np.intp)
    for later, earlier in comparable(then, now).items():
        before, after = then[earlier], now[later]
        tops, heads = (_plain(before, board, table, above_mm) for above_mm in (0.0, 0.6 * table.flag.height_mm))
        tops, heads = (seen & before.holds(flag_lift) & after.holds(flag_lift) for seen in (tops, heads))
        stacks += _evidence(before.sweep, after.sweep, lift, tops)
        flags += _evidence(before.sweep, after.sweep, flag_lift, tops & heads)
    return Unchanged(np.clip(stacks, LEAST_NATS, MOST_NATS), np.clip(flags, LEAST_NATS, MOST_NATS))


def comparable(then: Look, now: Look) -> dict[str, str]:
    """Return which pictures of a later look can be compared with which of an earlier one, by their names.

    A camera that stands still is compared with itself unless it was moved to another side of the board. Of one that
    is held in a hand the two pictures must have been taken from so near each other that what is a stone higher is
    displaced alike in both; most have no such partner.
    """
    found: dict[str, str] = {}
    for later, after in now.items():
        near = {
            earlier: _apart_px(before.sweep, after.sweep)
            for earlier, before in then.items()
            if camera_of(earlier) == camera_of(later)
            and np.array_equal(before.sweep.cells, after.sweep.cells)
            and before.sweep.slope.shape == after.sweep.slope.shape
        }
        best = min(near, key=lambda name: near[name], default=None)
        if best is not None and (not roams(later) or near[best] <= max(_SHIFTS_PX)):
            found[later] = best
    return found


def _apart_px(one: Sweep, other: Sweep) -> float:
    """Return how differently, in rectified pixels, two pictures displace what is a stone higher."""
    return float(np.hypot(*(_at_fields(one) - _at_fields(other))).max()) * CELL_PX


def _plain(camera: CameraLook, board: Board, table: TableSetup, above_mm: float) -> NDArray[np.bool_]:
    """Return the mask (rows, cols) of fields whose top face a camera sees past stacks and pieces.

    above_mm: asks for a patch so high over the top face instead.
    """
    seen = tops_seen(camera.centre_mm, board.heights, table, above_mm, standing=board.flags > 0)
    return np.asarray(seen >= NEEDED_SHARE, np.bool_)


def _evidence(before: Sweep, after: Sweep, level: NDArray[np.intp], seen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return nats for no change, (rows, cols) in board order; 0 for fields not in ``seen``."""
    out = np.zeros(seen.shape)
    if seen.sum() < FEWEST_FIELDS:
        return out
    at = before.cells[..., 0], before.cells[..., 1]
    levels = np.minimum(level[at], min(len(before.stack), len(after.stack)) - 1)
    difference = np.empty(seen.shape)
    fields = _top_fields(before, levels.astype(np.int8).tobytes()), _cut(_mosaic(after.stack, levels))
    difference[at] = _difference(*fields).reshape(levels.shape)
    if np.median(difference[seen]) > MOST_DIFFERENCE:
        return out
    scale = np.log(difference + _FLOOR)
    middle = np.median(scale[seen])
    spread = max(_LEAST_SPREAD, 1.4826 * float(np.median(np.abs(scale[seen] - middle))))
    away = (scale - middle) / spread
    nats = np.interp(away, (SAME_SPREADS, OTHER_SPREADS), (MOST_NATS, LEAST_NATS))
    shift_px = np.empty(seen.shape)
    shift_px[at] = np.hypot(*_at_fields(before)) * CELL_PX
    nats *= np.clip(shift_px / PLAIN_SHIFT_PX, 0.2, 1.0)
    out[seen] = nats[seen]
    return out


def _at_fields(one: Sweep) -> NDArray[np.float32]:
    """Return the slopes (2, rows, cols) at the fields' middles."""
    first = MARGIN * CELL_PX + CELL_PX // 2
    rows, cols = one.cells.shape[:2]
    return one.slope[:, first : first + rows * CELL_PX : CELL_PX, first : first + cols * CELL_PX : CELL_PX]


def _mosaic(stack: NDArray[np.uint8], levels: NDArray[np.intp]) -> NDArray[np.float32]:
    """Return every field on its own level's plane, side by side, slightly blurred.

    Shape (rows * CELL_PX, cols * CELL_PX, 3).
    """
    rows, cols = levels.shape
    edge = MARGIN * CELL_PX
    fields = stack[:, edge:-edge, edge:-edge].reshape(len(stack), rows, CELL_PX, cols, CELL_PX, 3)
    row, col = np.indices(levels.shape)
    picked = fields[levels, row, :, col].transpose(0, 2, 1, 3, 4).reshape(rows * CELL_PX, cols * CELL_PX, 3)
    return np.asarray(cv2.GaussianBlur(picked.astype(np.float32), (0, 0), _BLUR_PX), np.float32)


@lru_cache(maxsize=16)
def _top_fields(one: Sweep, levels: bytes) -> NDArray[np.float32]:
    """Return a look's fields, each on its own level (int8).

    They are cached, since later looks are compared with the same one again.
    """
    return _cut(_mosaic(one.stack, np.frombuffer(levels, np.int8).reshape(one.cells.shape[:2]).astype(np.intp)))


def _difference(here: NDArray[np.float32], there: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the difference (n,) of each field as a share of its brightness, at the best gain and small shift."""
    inner = here[:, _EDGE_PX:-_EDGE_PX, _EDGE_PX:-_EDGE_PX]
    power = _mean_product(inner, inner)
    best = np.full(power.shape, np.inf)
    for dy in _SHIFTS_PX:
        for dx in _SHIFTS_PX:
            moved = there[:, _EDGE_PX - dy : CELL_PX - _EDGE_PX - dy, _EDGE_PX - dx : CELL_PX - _EDGE_PX - dx]
            cross, own = _mean_product(inner, moved), _mean_product(moved, moved)
            gain = np.clip(cross / np.maximum(own, 1.0), *_GAIN)
            # The sum of (one - gain * moved) squared, without a third pass over the pixels.
            rest = np.maximum(power - 2 * gain * cross + gain * gain * own, 0.0)
            best = np.minimum(best, np.sqrt(rest / (power + 100.0)))
    return best


def _cut(mosaic: NDArray[np.float32]) -> NDArray[np.float32]:
    """Cut a mosaic into its fields: (rows * cols, CELL_PX, CELL_PX, 3)."""
    rows, cols = mosaic.shape[0] // CELL_PX, mosaic.shape[1] // CELL_PX
    cut = mosaic.reshape(rows, CELL_PX, cols, CELL_PX, 3).transpose(0, 2, 1, 3, 4)
    return np.ascontiguousarray(cut).reshape(rows * cols, CELL_PX, CELL_PX, 3)


def _mean_product(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the mean product of two stacks of fields (n, h, w, 3), (n,): over each field's pixels and colours."""
    sums = np.asarray(np.einsum("nhwc,nhwc->n", one, other), np.float64)
    return np.asarray(sums / one[0].size, np.float64)

"""Finds what each camera can see of every field: the share of a top face in plain view, level by level.

A network that looks at a field behind a tower still says something, and may be sure of it. How much of the field a
camera can see follows from the geometry alone, once it is roughly known how high the stacks are; what a camera says
of things it cannot see is given no weight.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup

STEP = 0.2
"""Spacing of the points checked along a line of sight, in fields."""
MOST_KEPT = 96
"""Answers kept: the pictures of a look are asked about nearly the same stacks again with each that is added."""
_SPOTS = np.array([(0.0, 0.0), (-0.6, -0.6), (0.6, -0.6), (-0.6, 0.6), (0.6, 0.6)])
"""Places on a top face that are looked at, in half sides from its middle."""


def tops_seen(
    centre_mm: NDArray[np.float64],
    heights: NDArray[np.int8],
    table: TableSetup,
    above_mm: float = 0.0,
    wanted: NDArray[np.bool_] | None = None,
    standing: NDArray[np.bool_] | None = None,
) -> NDArray[np.float64]:
    """Return the share (rows, cols) of every stack's top face that a camera sees, or of a patch ``above_mm`` over it.

    wanted: (rows, cols) the fields that are asked for, all by default; the others get 0. standing: (rows, cols) where
    a piece stands, which hides what is behind it as well; without it stacks alone do.
    """
    fields = np.argwhere(np.ones(heights.shape, np.bool_) if wanted is None else wanted)
    out = np.zeros(heights.shape)
    lifts = heights[fields[:, 0], fields[:, 1], None].astype(np.float64) * table.cube_mm[2] + above_mm
    hidden = _blocked(centre_mm, heights, fields, lifts, table, standing)
    out[fields[:, 0], fields[:, 1]] = 1.0 - hidden.mean(axis=(1, 2))
    return out


def seen_share(
    centre_mm: NDArray[np.float64], heights: NDArray[np.int8], lift_mm: NDArray[np.float64], table: TableSetup
) -> NDArray[np.float64]:
    """Return the share of a level patch over every field that a camera sees past all other stacks.

    Args:
        centre_mm: (3,) where the camera stands, table axes.
        heights: (rows, cols) stones in each stack.
        lift_mm: heights over the board at which the patch is looked at: (levels,) for all fields, or
            (rows, cols, levels), each field's own.
        table: sizes and distances of the fields.

    Returns:
        (rows, cols, levels), 0 to 1.
    """
    rows, cols = heights.shape
    lifts = np.broadcast_to(lift_mm, (rows, cols, lift_mm.shape[-1])).reshape(rows * cols, -1)
    fields = np.argwhere(np.ones((rows, cols), np.bool_))
    blocked = _blocked(centre_mm, heights, fields, lifts, table)
    return np.asarray(1.0 - blocked.mean(axis=-1), np.float64).reshape(rows, cols, -1)


def _blocked(
    centre_mm: NDArray[np.float64],
    heights: NDArray[np.int8],
    fields: NDArray[np.intp],
    lifts_mm: NDArray[np.float64],
    table: TableSetup,
    standing: NDArray[np.bool_] | None = None,
) -> NDArray[np.bool_]:
    """Return whether each spot of patches over fields is hidden, (n, k, spots), locked.

    fields: (n, 2) row and column. lifts_mm: (n, k) heights of the patches.
    """
    stands = None if standing is None else np.ascontiguousarray(standing, np.bool_).tobytes()
    board = np.ascontiguousarray(heights, np.int8)
    asked = fields.astype(np.int16).tobytes(), lifts_mm.tobytes(), lifts_mm.shape
    return _kept(centre_mm.tobytes(), board.tobytes(), board.shape, *asked, table, stands)


@lru_cache(maxsize=MOST_KEPT)
def _kept(
    centre: bytes,
    board: bytes,
    shape: tuple[int, int],
    asked: bytes,
    lifts: bytes,
    patches: tuple[int, int],
    table: TableSetup,
    standing: bytes | None,
) -> NDArray[np.bool_]:
    """Return what ``_blocked`` does; arrays come as their bytes."""
    heights = np.frombuffer(board, np.int8).reshape(shape)
    pieces = None if standing is None else np.frombuffer(standing, np.bool_).reshape(shape)
    fields = np.frombuffer(asked, np.int16).reshape(-1, 2).astype(np.intp)
    lifts_mm = np.frombuffer(lifts, np.float64).reshape(patches)
    blocked = _traced(np.frombuffer(centre, np.float64), heights, fields, lifts_mm, table, pieces)
    blocked.setflags(write=False)
    return blocked


def _traced(
    centre_mm: NDArray[np.float64],
    heights: NDArray[np.int8],
    fields: NDArray[np.intp],
    lifts_mm: NDArray[np.float64],
    table: TableSetup,
    standing: NDArray[np.bool_] | None,
) -> NDArray[np.bool_]:
    """Follow the line of sight from each spot towards the camera; arguments and result as for ``_blocked``."""
    rows, cols = heights.shape
    pitch = np.array(table.pitch_mm)
    half = np.array(table.cube_mm[:2]) / 2
    middle = np.array([(cols - 1) / 2, (rows - 1) / 2])
    start = np.empty((*lifts_mm.shape, len(_SPOTS), 3))
    start[..., :2] = ((fields[:, ::-1] - middle) * pitch)[:, None, None] + _SPOTS * half
    start[..., 2] = lifts_mm[..., None]
    sight = centre_mm - start
    across = np.hypot(sight[..., 0], sight[..., 1])
    # Above the highest stack nothing hides anything.
    pieces = np.zeros(heights.shape, np.bool_) if standing is None else standing
    top = float((heights * table.cube_mm[2] + pieces * table.flag.tallest_mm).max())
    with np.errstate(divide="ignore"):
        reach = np.clip((top - start[..., 2]) / np.maximum(sight[..., 2], 1e-6), 0.0, 1.0) * across
    own = np.broadcast_to((fields[:, 0] * cols + fields[:, 1])[:, None, None], across.shape).reshape(-1)
    direction = (sight / np.maximum(across, 1e-6)[..., None]).reshape(-1, 3)
    start, reach = start.reshape(-1, 3), reach.reshape(-1)
    blocked = np.zeros(len(start), np.bool_)
    tops = heights.reshape(-1) * table.cube_mm[2] - 0.5
    heads = np.where(pieces.reshape(-1), tops + table.flag.tallest_mm, tops)
    stride = STEP * float(pitch.min())
    open_ = np.flatnonzero(reach > 0)
    for k in range(1, int(np.ceil(reach.max(initial=0.0) / stride)) + 1):
        point = start[open_] + direction[open_] * (k * stride)
        place = np.round(point[:, :2] / pitch + middle)
        off = point[:, :2] - (place - middle) * pitch
        inside = (np.abs(off) <= half).all(axis=1)
        x, y = place[:, 0].astype(np.intp), place[:, 1].astype(np.intp)
        inside &= (x >= 0) & (y >= 0) & (x < cols) & (y < rows)
        at = np.where(inside, y * cols + x, 0)
        behind = np.where(np.hypot(off[:, 0], off[:, 1]) <= table.flag.radius_mm, heads[at], tops[at])
        hidden = inside & (at != own[open_]) & (point[:, 2] < behind)
        blocked[open_[hidden]] = True
        # A line of sight is followed until something is in its way, or until it is over all stacks.
        open_ = open_[~hidden & (reach[open_] > k * stride)]
    return blocked.reshape(across.shape)

"""Where hands have been: which fields nothing came near, in any frame since a board stood that is known.

A stack that no hand came near is as it was, whether a camera sees it or not. What differs from the board as it last
stood quiet is a hand, what it carries, or a piece that it moved. Each such thing is taken with its outline filled in
and something around it, since a hand may look in part like what it covers. A field is reached at a moment when no
camera shows the space over its stack, and around it, to be free: who takes a stone must bring a hand there, and knuckles
stand over a stack that hides the finger tips.

Nothing is said once frames were missing for longer than a hand needs, or while the light or the view changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.pose import Pose
from calibration.table import TableSetup
from vision.gate.gate import GateState, GateStatus
from vision.gate.region import TOWER_LEVELS, Region
from vision.gate.texture import differences
from vision.geometry.visibility import tops_seen

LONGEST_GAP_S = 0.3
"""A hand takes longer than this to come, take something and go."""
AROUND_FIELDS = 0.5
"""What is seen of a hand is taken to be so much larger on every side."""
BESIDE_FIELDS = 0.75
"""A hand this near to a field's middle, and to its stack's height, may have touched the stack."""
HAND_MM = 60.0
"""So far over finger tips a hand is still there: knuckles of a hand that reaches down."""
FREE_SHARE = 0.5
"""A camera must see so much of the space over a stack to say that nothing was there."""
TOGETHER_S = 0.25
"""Cameras show a hand in the same place within this time."""
_SPECK_FIELDS = 0.02
_MOSTLY = 0.9
_TROUBLED = frozenset({GateStatus.LIGHT, GateStatus.VIEW})


@dataclass(frozen=True, eq=False)
class Spaces:
    """Where one camera's small pictures show the space over every stack.

    region: where hands are looked for. pixels: flat indices of each field's space, one field after the other; starts:
    where each field's begin, (rows * columns,). free: (rows, columns) bool, the fields of which the camera sees it.
    """

    region: Region
    pixels: NDArray[np.intp]
    starts: NDArray[np.intp]
    free: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Sight:
    """What one camera saw of hands. last_s: (rows, columns) when each field's space was last not free, minus infinity
    for never. at_s: time of the newest frame."""

    spaces: Spaces
    last_s: NDArray[np.float64]
    at_s: float


@dataclass(frozen=True, eq=False)
class Hands:
    """Where hands have been since a known board stood: what each camera saw, and the fields (rows, columns) reached.

    ``None`` for a camera that missed something.
    """

    sights: Mapping[str, Sight | None]
    reached: NDArray[np.bool_]

    @property
    def alone(self) -> NDArray[np.bool_] | None:
        """The fields that nothing came near; ``None`` where no camera has seen all of the time."""
        return ~self.reached if any(self.sights.values()) else None


def begun(spaces: Mapping[str, Spaces], at_s: float) -> Hands:
    """Nothing has been near yet. spaces: of every camera that shows the board free, ``None`` for the others."""
    sights = {camera: Sight(one, np.full(one.free.shape, -np.inf), at_s) for camera, one in spaces.items()}
    if not sights:
        raise ValueError("somebody must look")
    return Hands(sights, ~np.logical_or.reduce([one.free for one in spaces.values()]))


def followed(hands: Hands, camera: str, state: GateState, at_s: float) -> Hands:
    """What is known after one more frame of a camera, which its gate has seen already. at_s: its time, seconds."""
    sight = hands.sights.get(camera)
    if sight is None:
        return hands
    known = state.known
    lost = at_s - sight.at_s > LONGEST_GAP_S or state.sight in _TROUBLED
    if lost or known is None or known.board is None or not state.recent:
        return _without(hands, camera)
    if state.sight is GateStatus.STILL:
        return replace(hands, sights={**hands.sights, camera: replace(sight, at_s=at_s)})
    seen = differences(state.recent[-1].texture, known.board, sight.spaces.region)
    now = _not_free(sight.spaces, _filled(seen, sight.spaces.region.field_px))
    sight = replace(sight, last_s=np.where(now, at_s, sight.last_s), at_s=at_s)
    sights = {**hands.sights, camera: sight}
    return Hands(sights, hands.reached | (now & _by_all(sights, at_s)))


def _without(hands: Hands, camera: str) -> Hands:
    """A camera that missed something counts for nothing from its last frame on: what it kept free is open again."""
    sights = {**hands.sights, camera: None}
    left = [one for one in sights.values() if one is not None]
    if not left:
        return Hands(sights, np.ones_like(hands.reached))
    # Where the others saw something at any time, that camera alone may have kept the field free.
    seen = [np.isfinite(one.last_s) | ~one.spaces.free for one in left]
    return Hands(sights, hands.reached | np.logical_and.reduce(seen))


def _by_all(sights: Mapping[str, Sight | None], at_s: float) -> NDArray[np.bool_]:
    """The fields (rows, columns) that no camera shows to be free at about a time."""
    near = [
        ~one.spaces.free | (one.last_s >= at_s - TOGETHER_S) | (one.at_s < at_s - TOGETHER_S)
        for one in sights.values()
        if one is not None
    ]
    return np.asarray(np.logical_and.reduce(near), np.bool_)


def _not_free(spaces: Spaces, seen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The fields (rows, columns) in whose space something is seen, (h, w)."""
    found = np.logical_or.reduceat(seen.reshape(-1)[spaces.pixels], spaces.starts)
    return np.asarray(found.reshape(spaces.free.shape) & spaces.free, np.bool_)


def spaces_of(
    lens: Lens, pose: Pose, table: TableSetup, board: Region, heights: NDArray[np.int8]
) -> Spaces | None:
    """Where a camera's small pictures show the space over stacks of such heights (rows, columns).

    board: where the board lies in them, as the gate has it. ``None`` where it can't be told.
    """
    region = space_over(lens, pose, table, board)
    if region is None:
        return None
    free = np.asarray(tops_seen(pose.centre_mm, heights, table, above_mm=HAND_MM / 2) >= FREE_SHARE, np.bool_)
    pixels, starts, count = [], [], 0
    for (row, col), stones in np.ndenumerate(heights):
        low_mm, high_mm = max(0, int(stones) - 1) * table.cube_mm[2], int(stones) * table.cube_mm[2] + HAND_MM
        reach_x, reach_y = (BESIDE_FIELDS * pitch for pitch in table.pitch_mm)
        x, y = table.centre_mm(row, col)
        box = np.array(
            [[x + a, y + b, z] for a in (-reach_x, reach_x) for b in (-reach_y, reach_y) for z in (low_mm, high_mm)]
        )
        inside = _inside(_small_px(box, lens, pose, region.mask.shape), region)
        free[row, col] &= inside.size > 0
        pixels.append(inside if inside.size else np.zeros(1, np.intp))
        starts.append(count)
        count += len(pixels[-1])
    return Spaces(region, np.concatenate(pixels), np.array(starts, np.intp), free)


def _filled(seen: NDArray[np.bool_], field_px: float) -> NDArray[np.bool_]:
    """Every thing with its outline's hull filled in, and something around it."""
    side = 2 * max(1, round(AROUND_FIELDS * field_px)) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    grown = cv2.dilate(seen.astype(np.uint8), disc)
    out = np.zeros_like(grown)
    for outline in cv2.findContours(grown, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
        if cv2.contourArea(outline) > _SPECK_FIELDS * field_px**2:
            cv2.fillConvexPoly(out, cv2.convexHull(outline), 1)
    return np.asarray(out > 0, np.bool_)


def space_over(lens: Lens, pose: Pose, table: TableSetup, board: Region) -> Region | None:
    """Where a camera sees the board and the hands over it; ``None`` where that can't be told. board: as the gate has."""
    half_x, half_y = (half + BESIDE_FIELDS * max(table.pitch_mm) for half in table.half_size_mm)
    top_mm = TOWER_LEVELS * table.cube_mm[2] + HAND_MM
    box = np.array([[x, y, z] for x in (-half_x, half_x) for y in (-half_y, half_y) for z in (0.0, top_mm)])
    places = _small_px(box, lens, pose, board.mask.shape)
    if not np.isfinite(places).all():
        return None
    mask = np.zeros(board.mask.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(cv2.convexHull(places)).astype(np.int32), 1)
    return Region(board.mask | (mask > 0), board.field_px)


def _inside(places: NDArray[np.float32], region: Region) -> NDArray[np.intp]:
    """Flat indices of the pixels within the hull of some places (n, 2); none where the hull leaves the region."""
    none = np.zeros(0, np.intp)
    if not np.isfinite(places).all() or (np.abs(places) > 4 * max(region.mask.shape)).any():
        return none
    height, width = region.mask.shape
    if (places < -0.5).any() or (places[:, 0] > width - 0.5).any() or (places[:, 1] > height - 0.5).any():
        return none
    hull = np.zeros(region.mask.shape, np.uint8)
    cv2.fillConvexPoly(hull, np.round(cv2.convexHull(places)).astype(np.int32), 1)
    pixels = np.flatnonzero(hull)
    return pixels if region.mask.reshape(-1)[pixels].mean() > _MOSTLY else none


def _small_px(points_mm: NDArray[np.float64], lens: Lens, pose: Pose, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Places (n, 2) of table points in a small picture of shape (h, w), pixels."""
    shares = (pose.project(points_mm, lens) + 0.5) / np.array(lens.size)
    return np.asarray(shares * np.array([shape[1], shape[0]]) - 0.5, np.float32)

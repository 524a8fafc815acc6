"""Follows hands: it finds the fields that nothing came near, in any frame since a known board stood.

A stack that no hand came near is as it was, whether a camera sees it or not. What differs from the board as it last
stood quiet is a hand, what it carries, or a piece that it moved. Each such thing is taken with its outline's hull
filled in, since a hand may look in part like what it covers. Who touches a stack has a hand right over it; so a field
is reached when at one time every camera that sees the space over its stack sees something there. Of a hidden stack it
is the lowest layer that is seen at all. (A visual hull, Laurentini, PAMI 1994, of one layer a field.)

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
from vision.geometry.visibility import seen_share

LONGEST_GAP_S = 0.3
"""A hand takes longer than this to come, take something and go."""
AROUND_FIELDS = 0.25
"""Margin by which a visible hand is taken to be larger on every side, fields."""
BESIDE_FIELDS, BEHIND_FIELDS = 0.6, 1.0
"""Distance from a field's middle of a hand that touches its stack; and of one that reaches down to a hidden stack,
where it comes into sight."""
MOST_OVER = 6
"""A stack over which no camera sees anything so many stones up is never held for left alone."""
FREE_SHARE = 0.5
"""A camera must see so much of the space over a stack to say that nothing was there."""
TOGETHER_S = 0.15
"""Cameras show a hand in the same place within this time."""
_SPECK_FIELDS = 0.02
_MOSTLY = 0.9
_TROUBLED = frozenset({GateStatus.LIGHT, GateStatus.VIEW})


@dataclass(frozen=True, eq=False)
class Standpoint:
    """A camera's position at the table. board: where the board lies in its small pictures, as the gate has it."""

    lens: Lens
    pose: Pose
    board: Region


@dataclass(frozen=True, eq=False)
class Spaces:
    """Places in one camera's small pictures that show the space over every stack.

    region: where hands are looked for. pixels: flat indices of each field's space, one field after the other; starts:
    where each field's begin, (rows * columns,). free: (rows, columns) bool, the fields of which the camera sees it.
    """

    region: Region
    pixels: NDArray[np.intp]
    starts: NDArray[np.intp]
    free: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class FieldSight:
    """One camera's sightings of hands. at_s: time of the newest frame.

    last_s: (rows, columns) when each field's space was last not free, minus infinity for never.
    """

    spaces: Spaces
    last_s: NDArray[np.float64]
    at_s: float


@dataclass(frozen=True, eq=False)
class Hands:
    """The fields (rows, columns) that hands have reached since a known board stood, and each camera's sightings.

    ``None`` for a camera that missed something.
    """

    sights: Mapping[str, FieldSight | None]
    reached: NDArray[np.bool_]

    @property
    def alone(self) -> NDArray[np.bool_] | None:
        """Return the mask of fields that nothing came near; ``None`` where no camera has seen all of the time."""
        return ~self.reached if any(self.sights.values()) else None


def begun(spaces: Mapping[str, Spaces], at_s: float) -> Hands:
    """Begin to follow hands; nothing has been near yet.

    spaces: of every camera that shows the board free. Raises ValueError without any camera.
    """
    sights = {camera: FieldSight(one, np.full(one.free.shape, -np.inf), at_s) for camera, one in spaces.items()}
    if not sights:
        raise ValueError("somebody must look")
    return Hands(sights, ~np.logical_or.reduce([one.free for one in spaces.values()]))


def followed(hands: Hands, camera: str, state: GateState, at_s: float) -> Hands:
    """Return what is known after one more frame of a camera, which its gate has seen already.

    at_s: its time, seconds.
    """
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
    """Drop a camera that missed something, from its last frame on: what it alone kept free is open again."""
    sights = {**hands.sights, camera: None}
    left = [one for one in sights.values() if one is not None]
    if not left:
        return Hands(sights, np.ones_like(hands.reached))
    # Where the others saw something at any time, that camera alone may have kept the field free.
    seen = [np.isfinite(one.last_s) | ~one.spaces.free for one in left]
    return Hands(sights, hands.reached | np.logical_and.reduce(seen))


def _by_all(sights: Mapping[str, FieldSight | None], at_s: float) -> NDArray[np.bool_]:
    """Return the mask (rows, columns) of fields that no camera shows to be free at about a time."""
    near = [
        ~one.spaces.free | (one.last_s >= at_s - TOGETHER_S) | (one.at_s < at_s - TOGETHER_S)
        for one in sights.values()
        if one is not None
    ]
    return np.asarray(np.logical_and.reduce(near), np.bool_)


def _not_free(spaces: Spaces, seen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the mask (rows, columns) of fields in whose space something is seen, (h, w)."""
    found = np.logical_or.reduceat(seen.reshape(-1)[spaces.pixels], spaces.starts)
    return np.asarray(found.reshape(spaces.free.shape) & spaces.free, np.bool_)


def _filled(seen: NDArray[np.bool_], field_px: float) -> NDArray[np.bool_]:
    """Fill every thing with its outline's hull, and add a margin around it."""
    side = 2 * max(1, round(AROUND_FIELDS * field_px)) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    grown = cv2.dilate(seen.astype(np.uint8), disc)
    out = np.zeros_like(grown)
    for outline in cv2.findContours(grown, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
        if cv2.contourArea(outline) > _SPECK_FIELDS * field_px**2:
            cv2.fillConvexPoly(out, cv2.convexHull(outline), 1)
    return np.asarray(out > 0, np.bool_)


def space_over(one: Standpoint, table: TableSetup) -> Region | None:
    """Return where a camera sees the board and the hands over it; ``None`` where that is not known."""
    half_x, half_y = (half + max(table.pitch_mm) for half in table.half_size_mm)
    top_mm = (TOWER_LEVELS + 1) * table.cube_mm[2]
    box = np.array([[x, y, z] for x in (-half_x, half_x) for y in (-half_y, half_y) for z in (0.0, top_mm)])
    places = _small_px(box, one, one.board.mask.shape)
    if not np.isfinite(places).all():
        return None
    mask = np.zeros(one.board.mask.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(cv2.convexHull(places)).astype(np.int32), 1)
    return Region(one.board.mask | (mask > 0), one.board.field_px)


def spaces_of(vantages: Mapping[str, Standpoint], table: TableSetup, heights: NDArray[np.int8]) -> dict[str, Spaces]:
    """Return where each camera's small pictures show the space over stacks of such heights (rows, columns).

    It is the lowest layer over a stack, a stone high, that some camera sees. Cameras for which it can't be told are
    left out.
    """
    if not vantages:
        return {}
    over_mm = {name: _seen_from(one.pose.centre_mm, table, heights) for name, one in vantages.items()}
    lowest_mm = np.min(list(over_mm.values()), axis=0)
    made = {}
    for name, one in vantages.items():
        region = space_over(one, table)
        if region is not None:
            made[name] = _spaces(one, region, table, heights, lowest_mm, over_mm[name] <= lowest_mm)
    return made


def _spaces(
    one: Standpoint,
    region: Region,
    table: TableSetup,
    heights: NDArray[np.int8],
    over_mm: NDArray[np.float64],
    sees: NDArray[np.bool_],
) -> Spaces:
    free = sees & np.isfinite(over_mm)
    pixels, starts, count = [], [], 0
    for (row, col), stones in np.ndenumerate(heights):
        inside = np.zeros(0, np.intp)
        if free[row, col]:
            beside = BEHIND_FIELDS if over_mm[row, col] else BESIDE_FIELDS
            low_mm = int(stones) * table.cube_mm[2] + float(over_mm[row, col])
            inside = _inside(_small_px(_layer(table, row, col, beside, low_mm), one, region.mask.shape), region)
            free[row, col] = inside.size > 0
        pixels.append(inside if inside.size else np.zeros(1, np.intp))
        starts.append(count)
        count += len(pixels[-1])
    return Spaces(region, np.concatenate(pixels), np.array(starts, np.intp), free)


def _layer(table: TableSetup, row: int, col: int, beside_fields: float, low_mm: float) -> NDArray[np.float64]:
    """Return the corners (8, 3) mm of a layer over a field, a stone high, ``beside_fields`` wide on each side."""
    x, y = table.centre_mm(row, col)
    reach_x, reach_y = (beside_fields * pitch for pitch in table.pitch_mm)
    levels_mm = (low_mm, low_mm + table.cube_mm[2])
    return np.array([[x + a, y + b, z] for a in (-reach_x, reach_x) for b in (-reach_y, reach_y) for z in levels_mm])


def _seen_from(centre_mm: NDArray[np.float64], table: TableSetup, heights: NDArray[np.int8]) -> NDArray[np.float64]:
    """Return how far over each stack a camera begins to see, (rows, columns) mm; infinity: nowhere."""
    over_mm = np.arange(MOST_OVER + 1) * table.cube_mm[2]
    lifts_mm = (heights[..., None].astype(np.float64) + 0.5) * table.cube_mm[2] + over_mm
    seen = seen_share(centre_mm, heights, lifts_mm, table) >= FREE_SHARE
    return np.asarray(np.where(seen.any(axis=2), over_mm[seen.argmax(axis=2)], np.inf), np.float64)


def _inside(places: NDArray[np.float32], region: Region) -> NDArray[np.intp]:
    """Return flat indices of the pixels within the hull of places (n, 2); none where it leaves the region."""
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


def _small_px(points_mm: NDArray[np.float64], one: Standpoint, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Return the places (n, 2) of table points in a small picture of shape (h, w), pixels."""
    shares = (one.pose.project(points_mm, one.lens) + 0.5) / np.array(one.lens.size)
    return np.asarray(shares * np.array([shape[1], shape[0]]) - 0.5, np.float32)

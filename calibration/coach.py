"""Coaches a lens calibration: it says where to hold the target next, and when a picture is worth taking.

Pure: every look gives a new state and an advice. A lens is well known when the target was seen in every part of the
picture (distortion), tilted to every side (focal length: Zhang 2000) and once from near (few pixels, much noise).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.coverage import GRID, hull_cells
from calibration.solve import FIRST_FOCAL
from calibration.target import TargetView

PICTURES = 12
"""Pictures that are asked for; more add little."""
STILL_SPEED = 0.02
"""Picture widths a second: at an exposure of 1/30 s a target this slow smears by less than a pixel of 1280."""
STILL_S = 0.4
"""Time for which the target must stand still."""
GAP_S = 1.5
"""After a longer gap between looks nothing is known of what happened in it."""
BLURRED_PX, BLURRED_TIMES = 5.0, 1.5
"""Edges wider than this, and this many times wider than the sharpest seen so far, are not taken."""
TILT_DEG = 15.0
FILLED = 0.5
"""A ninth of the picture counts as filled when this share of it was covered."""
NEAR_SHARE = 0.2
"""The target should once cover this share of the picture."""
NEW_SHARE = 0.03
"""A picture that covers this share of the picture for the first time is worth taking."""
OTHER_WIDTHS, OTHER_DEG = 0.1, 10.0
"""Beyond the goals, pictures must differ from all taken ones by this much in place or tilt."""


class Place(StrEnum):
    """A ninth of the picture, as one sees it on the screen."""

    UPPER_LEFT = "upper left"
    UPPER = "upper middle"
    UPPER_RIGHT = "upper right"
    LEFT = "left"
    MIDDLE = "middle"
    RIGHT = "right"
    LOWER_LEFT = "lower left"
    LOWER = "lower middle"
    LOWER_RIGHT = "lower right"


class Tilt(StrEnum):
    """The side of the picture on which the target comes nearer to the camera."""

    LEFT = "left"
    RIGHT = "right"
    UPPER = "upper"
    LOWER = "lower"


class Call(StrEnum):
    """The coach's calls."""

    SHOW = "show the target"
    HOLD = "hold it still"
    SHARPEN = "the picture is blurred"
    MOVE = "hold it elsewhere"
    TAKEN = "taken"
    DONE = "enough"


_ORDER = (
    Place.MIDDLE,
    Place.UPPER_LEFT,
    Place.LOWER_RIGHT,
    Place.UPPER_RIGHT,
    Place.LOWER_LEFT,
    Place.LEFT,
    Place.RIGHT,
    Place.UPPER,
    Place.LOWER,
)


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do now. place, tilt: where the target is wanted next (``None``: anywhere). near: closer than so far.

    why: for SHOW, what the finder said. The picture of this look is to be kept when ``call`` is TAKEN.
    """

    call: Call
    place: Place | None = None
    tilt: Tilt | None = None
    near: bool = False
    why: str = ""


@dataclass(frozen=True, eq=False)
class Held:
    """The pose in which the target was held.

    cells: (12, 16) bool covered. centre: (2,) in picture widths. tilt_deg: (2,) by how much it comes nearer to the
    right and to the lower side. share: of the picture that it covers.
    """

    cells: NDArray[np.bool_]
    centre: NDArray[np.float64]
    tilt_deg: NDArray[np.float64]
    share: float


@dataclass(frozen=True, eq=False)
class CoachState:
    """The coach's memory. size: (width, height) of the pictures."""

    size: tuple[int, int]
    taken: tuple[Held, ...] = ()
    last: TargetView | None = None
    last_s: float = 0.0
    still_since_s: float | None = None
    sharpest_px: float = float("inf")

    @property
    def covered(self) -> NDArray[np.bool_]:
        """Return the mask (12, 16) of cells covered so far."""
        cells = np.zeros((GRID[1], GRID[0]), np.bool_)
        for held in self.taken:
            cells |= held.cells
        return cells

    @property
    def missing_places(self) -> tuple[Place, ...]:
        """Return the ninths of the picture still to be filled, the most useful first."""
        covered = self.covered
        return tuple(place for place in _ORDER if _ninth(covered, place).mean() < FILLED)

    @property
    def missing_tilts(self) -> tuple[Tilt, ...]:
        """Return the sides to which the target was not yet tilted."""
        return tuple(tilt for tilt in Tilt if not any(tilt in _tilts(held) for held in self.taken))

    @property
    def missing_near(self) -> bool:
        """Return whether the target was never large in the picture."""
        return not any(held.share >= NEAR_SHARE for held in self.taken)

    @property
    def progress(self) -> float:
        """Return the share of the work that is done, 0 to 1."""
        done = 9 - len(self.missing_places) + 4 - len(self.missing_tilts) + (not self.missing_near)
        return (done + min(len(self.taken), PICTURES)) / (14 + PICTURES)

    @property
    def done(self) -> bool:
        """Return whether the pictures taken are enough."""
        goals = self.missing_places or self.missing_tilts or self.missing_near
        return not goals and len(self.taken) >= PICTURES


def step(state: CoachState, time_s: float, sight: TargetView | str) -> tuple[CoachState, Advice]:
    """Take one look at the target, ``time_s`` seconds on any steady clock. Return the state after it and an advice.

    sight: as TargetFinder.find gives it.
    """
    if state.done:
        return state, Advice(Call.DONE)
    if isinstance(sight, str):
        return replace(state, last=None, still_since_s=None), _wish(state, Call.SHOW, sight)
    still_since = _still_since(state, time_s, sight)
    state = replace(
        state, last=sight, last_s=time_s, still_since_s=still_since, sharpest_px=min(state.sharpest_px, sight.edge_px)
    )
    held = held_at(sight, state.size)
    if not _worth(state, held):
        return state, _wish(state, Call.MOVE)
    if still_since is None or time_s - still_since < STILL_S:
        return state, _wish(state, Call.HOLD)
    if sight.edge_px > max(BLURRED_PX, BLURRED_TIMES * state.sharpest_px):
        return state, _wish(state, Call.SHARPEN)
    after = replace(state, taken=(*state.taken, held), still_since_s=None)
    return after, Advice(Call.TAKEN) if after.done else _wish(after, Call.TAKEN)


def held_at(sight: TargetView, size: tuple[int, int]) -> Held:
    """Estimate how the target is held, by a first guess of the lens: good to a few degrees, enough for a coach."""
    width, height = size
    focal = FIRST_FOCAL * width
    matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
    target = np.ascontiguousarray(sight.target_mm, np.float64)
    ok, turn, _ = cv2.solvePnP(target, sight.seen_px.astype(np.float64), matrix, None, flags=cv2.SOLVEPNP_IPPE)
    tilt = np.zeros(2)
    if ok:
        normal = np.asarray(cv2.Rodrigues(np.asarray(turn, np.float64).reshape(3))[0], np.float64)[:, 2]
        normal = normal if normal[2] < 0 else -normal
        # The plane's depth grows by normal_x / |normal_z| to the right: there it comes nearer when that is negative.
        tilt = np.degrees(np.arctan(-normal[:2] / max(abs(float(normal[2])), 1e-6)))
    cells = hull_cells(sight.seen_px, size)
    return Held(cells, sight.seen_px.mean(axis=0).astype(np.float64) / width, tilt, float(cells.mean()))


def _tilts(held: Held) -> set[Tilt]:
    right, lower = held.tilt_deg
    sides = {Tilt.RIGHT: right, Tilt.LEFT: -right, Tilt.LOWER: lower, Tilt.UPPER: -lower}
    return {tilt for tilt, degrees in sides.items() if degrees >= TILT_DEG}


def _ninth(cells: NDArray[np.bool_], place: Place) -> NDArray[np.bool_]:
    row, col = divmod(list(Place).index(place), 3)
    down, across = cells.shape
    return cells[down * row // 3 : down * (row + 1) // 3, round(across * col / 3) : round(across * (col + 1) / 3)]


def _worth(state: CoachState, held: Held) -> bool:
    """Return whether a picture of the target held like this brings something new."""
    if any(tilt in _tilts(held) for tilt in state.missing_tilts):
        return True
    if state.missing_near and held.share >= NEAR_SHARE:
        return True
    fresh = held.cells & ~state.covered
    if any(_ninth(fresh, place).any() for place in state.missing_places) and fresh.mean() >= NEW_SHARE:
        return True
    return len(state.taken) < PICTURES and _differs(held, state.taken)


def _differs(held: Held, taken: Sequence[Held]) -> bool:
    return all(
        float(np.linalg.norm(held.centre - other.centre)) > OTHER_WIDTHS
        or float(np.abs(held.tilt_deg - other.tilt_deg).max()) > OTHER_DEG
        for other in taken
    )


def _wish(state: CoachState, call: Call, why: str = "") -> Advice:
    places, tilts, near = state.missing_places, state.missing_tilts, state.missing_near
    if places or tilts or near:
        return Advice(call, places[0] if places else None, tilts[0] if tilts else None, near, why)
    # All goals are met, only the number is not: a place and a tilt that were seldom shown together.
    place, tilt = min(
        ((ninth, side) for ninth in _ORDER for side in Tilt),
        key=lambda pair: sum(
            float(_ninth(held.cells, pair[0]).mean()) * (1 if pair[1] in _tilts(held) else 0.3)
            for held in state.taken
        ),
    )
    return Advice(call, place, tilt, False, why)


def _still_since(state: CoachState, time_s: float, sight: TargetView) -> float | None:
    if state.last is None or not 0 < time_s - state.last_s <= GAP_S:
        return None
    moved = _moved_px(state.last, sight)
    if moved is None or moved > STILL_SPEED * state.size[0] * (time_s - state.last_s):
        return None
    return state.last_s if state.still_since_s is None else state.still_since_s


def _moved_px(before: TargetView, now: TargetView) -> float | None:
    """Return how far the target's corners moved, pixels: median over those seen both times, ``None`` for none."""
    _, one, two = np.intersect1d(before.ids, now.ids, return_indices=True)
    if not len(one):
        return None
    moved = float(np.median(np.linalg.norm(now.seen_px[two] - before.seen_px[one], axis=1)))
    if len(before.ids) == len(now.ids) and before.ids[0] == now.ids[0]:
        # A plain chessboard may be numbered from its other end.
        turned = float(np.median(np.linalg.norm(now.seen_px[::-1] - before.seen_px, axis=1)))
        moved = min(moved, turned)
    return moved

"""Searches a lens by the printed frame while somebody moves the camera, and says which views it needs. Pure.

One view hardly separates distance from focal length; views from other sides do (calibration/framelens.py). Views are
taken in as they come, one of each place, until the estimate's own deviations say that it is good enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.framelens import FrameLens, FrameSight, solve_frame_lens
from calibration.pose import MIN_MARKERS
from calibration.table import TableSetup

FOCAL_SURE, CENTRE_SURE_PX = 0.003, 4.5
"""Deviations at which a lens is known: of the focal length as a share, of the principal point. The solver counts a
corner as 0.4 px (``framelens.SEEN_PX``) where one is found to about 0.15 px, and deviations go with that in
proportion: what it calls 0.3 % and 4.5 px is 0.11 % and 1.7 px, so that errors of twice that are still usable."""
WELL_LEFT_PX = 0.5
"""More than this left over at the corners is no lens that fits."""
FEWEST_VIEWS, MOST_VIEWS = 4, 16
ANOTHER_SHARE = 0.06
"""A view is of another place when the corners, in the middle of all, have moved by this share of the width."""
STILL_PX = 1.2
"""Two pictures whose corners moved by no more were taken with a hand held still: nothing is smeared or sheared."""


class Wanted(StrEnum):
    """The views that the search waits for."""

    FRAME = "frame"
    """More of the frame in the picture."""
    STILLNESS = "stillness"
    ANOTHER_SIDE = "another side"
    NOTHING = "nothing"
    """The lens is known."""


@dataclass(frozen=True, eq=False)
class LensSearch:
    """The state of the search. views: one of each place. last: the newest picture's sight. wanted: the next."""

    views: tuple[FrameSight, ...] = ()
    last: FrameSight | None = None
    wanted: Wanted = Wanted.FRAME
    found: FrameLens | None = None

    @property
    def missing(self) -> int:
        """Return how many views are wanted at least; one where only sureness is missing."""
        return 0 if self.wanted is Wanted.NOTHING else max(1, FEWEST_VIEWS - len(self.views))


def looked(search: LensSearch, sight: FrameSight, table: TableSetup) -> LensSearch:
    """Take a picture's markers in. The lens is solved anew with each new view; nothing changes once it is known."""
    if search.wanted is Wanted.NOTHING:
        return search
    before, search = search.last, replace(search, last=sight)
    if len(set(sight.seen_px) & set(table.markers)) < MIN_MARKERS:
        return replace(search, wanted=Wanted.FRAME)
    if any(view.size != sight.size for view in search.views):  # the phone was turned, or zoomed: begin anew
        search = replace(search, views=(), found=None)
    if before is None or _moved_px(sight.seen_px, before.seen_px) > STILL_PX:
        return replace(search, wanted=Wanted.STILLNESS)
    far_px = ANOTHER_SHARE * max(sight.size)
    if any(_moved_px(sight.seen_px, view.seen_px) < far_px for view in search.views):
        return replace(search, wanted=Wanted.ANOTHER_SIDE)
    return _solved(replace(search, views=(*search.views, sight)[-MOST_VIEWS:]), table)


def _solved(search: LensSearch, table: TableSetup) -> LensSearch:
    if len(search.views) < FEWEST_VIEWS:
        return replace(search, wanted=Wanted.ANOTHER_SIDE)
    try:
        found = solve_frame_lens(search.views, table)
    except CalibrationError:
        return replace(search, wanted=Wanted.ANOTHER_SIDE)
    wanted = Wanted.NOTHING if is_sure(found) else Wanted.ANOTHER_SIDE
    return replace(search, found=found, wanted=wanted)


def is_sure(found: FrameLens) -> bool:
    """Return whether a lens is known as well as a target would tell it: by its deviations and by its residuals."""
    centre_px = max(found.deviations["cx"], found.deviations["cy"])
    focal_share = found.deviations["focal"] / float(found.lens.matrix[0, 0])
    enough = len(found.used) >= FEWEST_VIEWS
    return enough and focal_share <= FOCAL_SURE and centre_px <= CENTRE_SURE_PX and found.rms_px <= WELL_LEFT_PX


def _moved_px(one: Mapping[int, NDArray[np.float64]], other: Mapping[int, NDArray[np.float64]]) -> float:
    """Return by how much the markers that both show lie apart, the median of all; infinite where they share none."""
    shared = [number for number in one if number in other]
    if not shared:
        return float("inf")
    return float(np.median([np.linalg.norm(one[number] - other[number], axis=1).mean() for number in shared]))

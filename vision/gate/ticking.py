"""Finds places of a picture that change by themselves: a time stamp burnt into a film, a counter, a lamp that blinks.

Pieces are moved by hands, and a hand comes in over the board's rim. What changes again and again in the same place
while nothing comes in is no move and must neither keep the board from standing still nor count as a new one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.gate.intruder import grown
from vision.gate.region import Region

FLIPS = 3
"""Changes after which a place counts as changing by itself."""
FLIPS_S = 2.0
"""Time without anything coming in that this takes, too: a piece that was let go has stopped rocking by then."""
FORGET_S = 60.0
"""Time without a change of its own after which a place counts again."""
MOST_SHARE = 0.15
"""When more of the board seems to change by itself, it is the light that flickers, or the picture trembles."""
SLOW_S = 0.2
"""Between frames farther apart than this a hand may have come and gone unseen."""
LEAVES_S = 2.0
"""A hand takes no longer to leave."""
DEEP_FIELDS = 1.5
"""Depth that something must reach in, fields, for its way to tell enough."""
MOST_OF_IT = 0.9
LEFT_LAST = 0.15
"""Share of the outer third of its way that changes after most of the inner third has."""
_AROUND_FIELDS = 0.2


@dataclass(frozen=True, slots=True, eq=False)
class Ticking:
    """Notes on the places of a picture that change.

    flips: (h, w) how often each place has changed since ``clear_s``, when something was last seen to come in. last_s:
    (h, w) when a place that changes by itself last did. moved_s: (h, w) when each place last changed. touched:
    whether anything has come in over the rim since the newest quiet board.
    """

    flips: NDArray[np.uint16]
    last_s: NDArray[np.float64]
    moved_s: NDArray[np.float64]
    clear_s: float
    touched: bool = False


def begun(shape: tuple[int, ...], at_s: float) -> Ticking:
    """Begin with nothing noticed yet of pictures of shape (h, w)."""
    never = np.full(shape, -np.inf)
    return Ticking(np.zeros(shape, np.uint16), never, never, at_s)


def noticed(ticking: Ticking, at_s: float, step: NDArray[np.bool_], reaching: bool, region: Region) -> Ticking:
    """Return what is noticed after one more frame.

    step: (h, w) bool, what changed since the frame before, on the whole board. reaching: whether something reaches
    in, or the whole picture changes.
    """
    touched = ticking.touched or reaching or bool((step & region.counted & region.rim).any())
    moved_s = np.where(step, at_s, ticking.moved_s) if step.any() else ticking.moved_s
    ticking = replace(ticking, moved_s=moved_s, touched=touched)
    if reaching:
        return replace(ticking, flips=np.zeros_like(ticking.flips), clear_s=at_s)
    if not step.any():
        return ticking
    flips = ticking.flips + step
    steady = at_s - ticking.clear_s >= FLIPS_S
    known = region.ignored if region.ignored is not None else np.zeros(step.shape, np.bool_)
    last_s = np.where(step & (known | ((flips >= FLIPS) & steady)), at_s, ticking.last_s)
    return replace(ticking, flips=flips, last_s=last_s)


def ignored(ticking: Ticking, at_s: float, region: Region) -> NDArray[np.bool_] | None:
    """Return the mask (h, w) of places that change by themselves; ``None`` where there are none."""
    recent = ticking.last_s > at_s - FORGET_S
    if not recent.any():
        return None
    around = grown(recent, _AROUND_FIELDS * region.field_px) & region.mask
    return None if around.sum() > MOST_SHARE * region.area_px else around


def withdrawn(ticking: Ticking, over: NDArray[np.bool_], at_s: float, region: Region) -> bool:
    """Return whether what differs over the rim (``over``) was left behind by something that has gone out.

    A hand that goes leaves the innermost places first and the rim last; one that comes and rests moved last where its
    finger tips are.
    """
    inward = cv2.distanceTransform(region.mask.astype(np.uint8), cv2.DIST_L2, 3) / region.field_px
    use = over & (ticking.moved_s > at_s - LEAVES_S) & region.counted
    if int(use.sum()) < region.field_px**2 or float(inward[use].max()) < DEEP_FIELDS:
        return False
    depth, moved_s = inward[use], ticking.moved_s[use]
    outer, inner = np.quantile(depth, (1 / 3, 2 / 3))
    if not (depth > inner).any():  # the board is the whole picture, which has no rim to go out over
        return False
    last_s = np.quantile(moved_s[depth > inner], MOST_OF_IT)
    return float((moved_s[depth <= outer] > last_s).mean()) > LEFT_LAST

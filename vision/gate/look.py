"""Chooses the frames of a look at the table, once somebody has asked for one."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.gate.gate import GateState, GateStatus

SETTLE_S = 0.2
"""The settling time: so long the board must have stood still when it is read. Stones that were let go have stopped
rocking by then, and at 15 frames a second there are three frames to choose the sharpest from."""
MOST_MEANT = 4
"""A look is the mean of so many still frames at most: half the noise, and four pictures to decode."""
AFTER = 2
"""Frames that must come after the look was asked for: an old picture is never ruled on."""


def chosen(state: GateState, asked_s: float, settle_s: float = SETTLE_S) -> tuple[int, ...]:
    """Return the numbers of the frames to read, the sharpest first; empty while the board is not ready to be read.

    asked_s: when the look was asked for, on the clock of the frames. Only frames that came after it are taken.
    """
    if state.sight is not GateStatus.STILL and not state.resting:
        return ()
    after = [still for still in state.still if still.at_s >= asked_s]
    if len(after) < AFTER or state.still[-1].at_s - state.still[0].at_s < settle_s:
        return ()
    return tuple(still.number for still in sorted(after, key=lambda still: -still.sharpness))


def mean_of(pictures_bgr: Sequence[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    """Return the mean of several pictures of a still board, (height, width, 3) each.

    Noise falls with the root of their number. Pictures of another size than the first are left out. Raises ValueError
    for none.
    """
    if not pictures_bgr:
        raise ValueError("a mean needs a picture")
    alike = [picture for picture in pictures_bgr if picture.shape == pictures_bgr[0].shape]
    if len(alike) == 1:
        return alike[0]
    total = np.zeros(alike[0].shape, np.float32)
    for picture in alike:
        cv2.accumulate(picture, total)
    return np.asarray(cv2.convertScaleAbs(total, alpha=1 / len(alike)), np.uint8)


def join(late_bgr: NDArray[np.uint8], early_bgr: NDArray[np.uint8], hidden: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Join two pictures of the same size, (height, width, 3): the late one, but the early one where it is hidden.

    hidden: (h, w) bool places of the small picture, as ``Quiet.joined`` has them.
    """
    size = late_bgr.shape[1], late_bgr.shape[0]
    share = cv2.resize(hidden.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
    return np.where(share[..., None] > 0.5, early_bgr, late_bgr)

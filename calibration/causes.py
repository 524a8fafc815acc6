"""Finds why a lens does not fit its pictures: what is wrong with target or camera is added to the model and tried.

Each cause explains the same corners with a few unknowns more: a target that is bent (one surface for all pictures), a
rolling shutter (the target moves while the rows of a picture are read out, one speed a picture), a focus that changes
(one focal length a picture). The cause is told that explains most, where it explains most of what was left over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.focus import Placed
from calibration.leastsquares import least_squares
from calibration.lens import Lens

EXPLAINED = 0.25
"""A cause must take away so much of the sum of squares, beyond what as many unknowns take away from mere noise."""
MOST_PICTURES = 20
"""Of more pictures so many tell the cause, evenly chosen."""
_CAUTION = 4.0
"""How many times Schwarz's penalty an unknown must earn, as for the third radial term (calibration/solve.py)."""
_LENS, _POSE = 8, 6


class LensCause(Enum):
    """What is wrong with the target or the camera."""

    BENT = "bent"
    ROLLING = "rolling"
    FOCUS = "focus"


_SHARED = {LensCause.BENT: 3, LensCause.ROLLING: 0, LensCause.FOCUS: 0}
_EACH = {LensCause.BENT: 0, LensCause.ROLLING: 3, LensCause.FOCUS: 1}


def likeliest(places: Sequence[Placed], lens: Lens, fixed_focus: bool = False) -> LensCause | None:
    """Return the cause that explains most of what the lens leaves over; ``None`` where none explains enough.

    fixed_focus: the camera can't focus, so the focus is no cause.
    """
    places = places[:: -(-len(places) // MOST_PICTURES)]
    plain = _Problem(places, lens, None).least()
    numbers = 2 * sum(len(place.sight.ids) for place in places)
    best: tuple[float, LensCause] | None = None
    for cause in LensCause:
        added = _SHARED[cause] + _EACH[cause] * len(places)
        if added >= numbers / 4 or (fixed_focus and cause is LensCause.FOCUS):  # so few corners fit anything
            continue
        left = _Problem(places, lens, cause).least()
        score = numbers * np.log(left / plain) + _CAUTION * added * np.log(numbers) / 2
        enough = left < (1 - EXPLAINED) * (1 - added / numbers) * plain
        if enough and score < 0 and (best is None or score < best[0]):
            best = float(score), cause
    return None if best is None else best[1]


@dataclass(frozen=True, eq=False)
class _Problem:
    """The unknowns in one vector: 8 of the lens, those of the cause for all, then for each picture pose and own.

    All of them are changes from what was found without the cause.
    """

    places: Sequence[Placed]
    lens: Lens
    cause: LensCause | None

    def least(self) -> float:
        """Return the least sum of squares, in square pixels."""
        scale = max(self.lens.rms_px, 1e-3)
        residuals = self._residuals(scale)
        shared = _LENS + (_SHARED[self.cause] if self.cause else 0)
        each = _POSE + (_EACH[self.cause] if self.cause else 0)
        count = len(self.places)
        far = float(np.median([place.translation[2] for place in self.places]))
        focal = float(self.lens.matrix[0, 0])
        own = [1.0] * 3 + [far] * 3 + [far if self.cause is LensCause.ROLLING else 1.0] * (each - _POSE)
        steps = 1e-2 * np.concatenate(
            [
                [focal, focal, focal, focal, 1.0, 1.0, 0.1, 0.1],
                np.full(shared - _LENS, self._size_mm()),
                np.tile(own, count),
            ]
        )
        owner = np.repeat(np.arange(count), [2 * len(place.sight.ids) for place in self.places])
        groups = [(np.array([k]), np.full(len(owner), k)) for k in range(shared)]
        groups += [(shared + each * np.arange(count) + k, shared + each * owner + k) for k in range(each)]
        solved = least_squares(residuals, np.zeros(len(steps)), steps, groups, most_rounds=25, tolerance=1e-4)
        off = residuals(solved.unknowns) * scale
        return float(off @ off)

    def _size_mm(self) -> float:
        return max(float(np.ptp(place.sight.target_mm[:, :2])) for place in self.places) / 2

    def _residuals(self, scale: float) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
        shared = _LENS + (_SHARED[self.cause] if self.cause else 0)
        starts = [
            (
                np.asarray(cv2.Rodrigues(place.rotation)[0], np.float64).reshape(3),
                place.translation,
                place.sight.target_mm.astype(np.float64),
                place.sight.seen_px.astype(np.float64),
            )
            for place in self.places
        ]
        middle = np.mean([start[2].mean(axis=0) for start in starts], axis=0)
        half = self._size_mm()

        def residuals(unknowns: NDArray[np.float64]) -> NDArray[np.float64]:
            matrix, distortion = self.lens.matrix.copy(), self.lens.distortion.copy()
            matrix[[0, 1, 0, 1], [0, 1, 2, 2]] += unknowns[:4]
            distortion[:4] += unknowns[4:8]
            own = unknowns[shared:].reshape(len(starts), -1)
            off = []
            for (turn, shift, target, seen), mine in zip(starts, own, strict=True):
                points, focal = target, matrix
                if self.cause is LensCause.BENT:
                    x, y = ((target - middle)[:, :2] / half).T
                    bulge = np.stack([x * x, x * y, y * y], axis=1) @ unknowns[_LENS:shared]
                    points = target + np.outer(bulge, (0, 0, 1))
                elif self.cause is LensCause.ROLLING:
                    moved = np.outer(seen[:, 1] / self.lens.size[1] - 0.5, mine[_POSE:])
                    points = target + moved @ np.asarray(cv2.Rodrigues(turn + mine[:3])[0], np.float64)
                elif self.cause is LensCause.FOCUS:
                    focal = matrix.copy()
                    focal[[0, 1], [0, 1]] *= 1 + mine[_POSE]
                there, _ = cv2.projectPoints(points, turn + mine[:3], shift + mine[3:6], focal, distortion)
                off.append((np.asarray(there, np.float64).reshape(-1, 2) - seen).reshape(-1) / scale)
            return np.concatenate(off)

        return residuals

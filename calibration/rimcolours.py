"""Tells a board's rim from everything else by its colours, learnt from one picture of it.

Colours fall into bins of CIELAB. For each of a few colours that the rim has, every bin knows how much likelier it is
there than elsewhere: a likelihood ratio in nats (Jones and Rehg, International Journal of Computer
Vision 46, 2002).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

MOST_COLOURS = 8
"""Colours of a rim that are told apart: four players', paper, print, and what hides some of it."""
_ALIKE = 25.0
"""Two of a rim's colours nearer than this in CIELAB may be one in other light."""
_LIGHTS, _TINTS = 16, 64
_CLIP_NATS = 3.0
"""No pixel says more than this: one in twenty may lie."""
_RIM_FLOOR, _ELSEWHERE_FLOOR = 0.02, 0.1
"""Share of pixels that have any colour. What was never seen is rather not the rim."""


@dataclass(frozen=True, eq=False)
class RimColours:
    """nats: (colours, bins) likelihood ratios. middles: (colours, 3) CIELAB as OpenCV scales it."""

    nats: NDArray[np.float32]
    middles: NDArray[np.float32]

    def told(self, lab: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return how much likelier pixels (..., 3) are each of the rim's colours than anything else, (colours, ...).

        After the rim's colours comes one more: that of none of them.
        """
        nats = self.nats[:, _bins(lab)]
        return np.asarray(np.concatenate([nats, -nats.max(axis=0, keepdims=True)]), np.float32)

    def nearest(self, lab: NDArray[np.float32]) -> NDArray[np.intp]:
        """Return the two of the rim's colours that each of (n, 3) colours may be, (n, 2): often one twice."""
        off = np.linalg.norm(lab[:, None] - self.middles[None], axis=-1)
        two = np.argsort(off, axis=1)[:, :2]
        apart = np.linalg.norm(self.middles[two[:, 0]] - self.middles[two[:, 1]], axis=-1)
        two[:, 1] = np.where(apart < _ALIKE, two[:, 1], two[:, 0])
        return np.asarray(two, np.intp)


def learn_colours(rim_lab: NDArray[np.uint8], elsewhere_lab: NDArray[np.uint8]) -> RimColours:
    """Learn from pixels (n, 3) of the rim and of everything else."""
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 0.5)
    some = rim_lab[:: max(1, len(rim_lab) // 20000)].astype(np.float32)
    count = min(MOST_COLOURS, len(some))
    by_light = np.argsort(np.argsort(some[:, 0], kind="stable"), kind="stable") * count // len(some)
    guess = by_light.astype(np.int32).reshape(-1, 1)
    _, _, found = cv2.kmeans(some, count, guess, stop, 1, cv2.KMEANS_USE_INITIAL_LABELS)
    middles = np.asarray(found, np.float32)
    which = RimColours(np.empty((0, 0), np.float32), middles).nearest(rim_lab.astype(np.float32))[:, 0]
    elsewhere = _spread(elsewhere_lab, _ELSEWHERE_FLOOR)
    nats = [np.log(_spread(rim_lab[which == number], _RIM_FLOOR) / elsewhere) for number in range(count)]
    return RimColours(np.clip(np.stack(nats), -_CLIP_NATS, _CLIP_NATS).astype(np.float32), middles)


def learn_one(board_lab: NDArray[np.uint8], elsewhere_lab: NDArray[np.uint8]) -> RimColours:
    """Learn all colours of pixels (n, 3) as one, against those of everything else."""
    nats = np.log(_spread(board_lab, _RIM_FLOOR) / _spread(elsewhere_lab, _ELSEWHERE_FLOOR))
    middle = board_lab.reshape(-1, 3).mean(axis=0, keepdims=True)
    return RimColours(np.clip(nats[None], -_CLIP_NATS, _CLIP_NATS).astype(np.float32), middle.astype(np.float32))


def _bins(lab: NDArray[np.uint8]) -> NDArray[np.int64]:
    light = lab[..., 0].astype(np.int64) * _LIGHTS // 256
    green_red, blue_yellow = (np.clip(lab[..., axis].astype(np.int64) - 64, 0, 127) // 2 for axis in (1, 2))
    return np.asarray((light * _TINTS + green_red) * _TINTS + blue_yellow)


def _spread(lab: NDArray[np.uint8], floor: float) -> NDArray[np.float64]:
    """Return how likely each bin is, (bins,), by pixels (n, 3); like colours count too, for light varies."""
    count = np.bincount(_bins(lab), minlength=_LIGHTS * _TINTS**2).astype(np.float64)
    across_light = cv2.GaussianBlur(count.reshape(_LIGHTS, -1), (1, 9), sigmaX=0.1, sigmaY=1.0)
    tints = [cv2.GaussianBlur(one, (9, 9), 1.5) for one in across_light.reshape(_LIGHTS, _TINTS, _TINTS)]
    smooth = np.stack(tints).reshape(-1)
    return np.asarray((1 - floor) * smooth / max(float(smooth.sum()), 1.0) + floor / len(smooth))

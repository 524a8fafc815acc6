"""The pictures that count for one reading, and the scenery expected behind the tower in each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.tower.drawing import EVIDENCE, NEUTRAL, NOISE, Drawing, Faces
from vision.tower.scenery import Scenery
from vision.tower.stage import REGIONS

SCENERY_CAP = 3.0
WIDE = 0.3
"""Cost of a sample of scenery, times the logarithm of its spread, since its neighbours are off likewise."""
_UNKNOWN = 1.0
"""Spread of the scenery in pictures that don't count."""


class Setting:
    """Some pictures of a drawing before their scenery.

    kept: (looks,) their numbers, ascending. order: the place of every picture of the drawing among them, -1 for none.
    expected, spread: of all samples' scenery, (n, 3) and (n,).
    """

    def __init__(self, drawing: Drawing, kept: Sequence[int], sceneries: Sequence[Scenery]) -> None:
        """Store the sceneries of the remaining pictures."""
        stage = drawing.stage
        self.drawing, self.kept = drawing, np.array(kept, np.int64)
        self.order = np.full(stage.looks, -1)
        self.order[self.kept] = np.arange(len(kept))
        self._look = self.order[stage.first_region // REGIONS]
        counts = self._look >= 0
        self.expected = np.zeros((len(counts), 3), np.float32)
        self.expected[counts] = np.concatenate([one.expected for one in sceneries])
        self.spread = np.full(len(counts), _UNKNOWN, np.float32)
        self.spread[counts] = np.concatenate([one.spread for one in sceneries])
        spread = np.maximum(self.spread.astype(np.float64), NOISE)
        off = ((stage.colours.astype(np.float64) - self.expected) ** 2).sum(axis=1)
        cost = 1.5 * np.log1p(off / (3 * spread**2)) + WIDE * np.log(spread / NOISE) - NEUTRAL
        self._cost = np.where(counts, EVIDENCE * np.minimum(cost, SCENERY_CAP), 0.0)

    @property
    def looks(self) -> int:
        """Return how many pictures count."""
        return len(self.kept)

    def scenery(self, samples: NDArray[np.integer]) -> NDArray[np.float64]:
        """Return what samples cost as scenery in each picture, (looks,) nats."""
        costs = np.bincount(self._look[samples] + 1, self._cost[samples], self.looks + 1)[1:]
        return np.asarray(costs, np.float64)

    def of_kept(self, faces: Faces) -> Faces:
        """Return the faces in pictures that count."""
        at = self.order[faces.regions // REGIONS] >= 0
        return Faces(faces.regions[at], faces.seen[at], faces.weights[at])

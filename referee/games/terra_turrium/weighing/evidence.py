"""Measure what the pictures say of each field against the board before the turn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.values.belief import BoardBelief
from referee.values.board import Board


@dataclass(frozen=True, slots=True)
class FieldEvidence:
    """Nats by which the pictures prefer a change of a field to no change.

    unchanged: log-likelihood of the board before the turn. heights, flags: for each field the gain of every height
    and of every flag (index 0: none); those that stood there before have 0.
    """

    unchanged: float
    heights: tuple[tuple[float, ...], ...]
    flags: tuple[tuple[float, ...], ...]

    @classmethod
    def of(cls, seen: BoardBelief, before: Board) -> FieldEvidence:
        """Count a belief from a board. A stack higher than the eyes can tell is taken for the highest they can."""
        unchanged, gains = 0.0, []
        for scores, values in ((seen.heights, before.heights), (seen.flags, before.flags)):
            known = np.minimum(values.astype(np.intp), scores.shape[2] - 1)[..., None]
            own = np.take_along_axis(scores, known, axis=2)
            unchanged += float(own.sum())
            gains.append(tuple(map(tuple, (scores - own).reshape(-1, scores.shape[2]).tolist())))
        return cls(unchanged, gains[0], gains[1])

    def height(self, field: int, height: int) -> float:
        """Return the gain of a height on a field, in nats."""
        row = self.heights[field]
        return row[min(height, len(row) - 1)]

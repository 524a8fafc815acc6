"""Find how large a bare board is against its fields, in a picture of its set-up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from calibration.table import TableSetup
from vision.geometry.view import View
from vision.heights.pieces import Pieces
from vision.heights.scorer import camera_says, rectified

LEAST, MOST = 0.8, 1.2
"""Factors of the size that was told between which the true one is looked for."""
COARSE, FINE = 0.02, 0.01
"""Steps in which it is looked for, and then about the best. Stones show no further off than a sixth of a field, which
is a factor of 0.03 on a board of ten."""
SURER_NATS = 3.0
"""A factor is taken where what the network is sure of is likelier by twenty to one. Measured on drawn set-ups of two
games, touched 6 pixels off (docs/evidence/experiments.md)."""
_LEVELS = 5
"""Planes that are looked at: set-ups are low."""


def board_scale(view: View, table: TableSetup, pieces: Pieces) -> float:
    """Return the factor by which the told outer size of a bare board is to be multiplied; 1.0 where it may be right.

    A board whose size is told too large is thought to be seen from too far away, by the same factor, and no stone to
    lie on its field: the network is unsure of what stands there. The factor by which it is surest is right. It needs
    stones on the board; of an empty one nothing is learnt.
    """
    assert table.board is not None
    assert table.board.size_mm is not None
    fields = max(2 * half / size for half, size in zip(table.half_size_mm, table.board.size_mm, strict=True))

    def sureness(factor: float) -> float:
        moved = replace(view, pose=replace(view.pose, translation_mm=view.pose.translation_mm * factor))
        return float(camera_says(rectified(moved, table, _LEVELS), table, pieces)[0].max(axis=2).sum())

    as_told = sureness(1.0)
    if as_told > -SURER_NATS:
        return 1.0
    coarse = np.arange(max(LEAST, fields), MOST, COARSE)
    best = coarse[np.argmax([sureness(factor) for factor in coarse])]
    fine = np.array([one for one in best + FINE * np.arange(-3, 4) if one >= fields])
    sure = np.array([sureness(factor) for factor in fine])
    if sure.max() < as_told + SURER_NATS:
        return 1.0
    weights = np.exp(sure - sure.max())
    return float((weights * fine).sum() / weights.sum())

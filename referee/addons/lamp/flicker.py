"""Finds waves of light over a picture's rows: lamps that go bright and dark with the mains, 100 or 120 Hz. Pure.

A rolling shutter reads row after row, so that a lamp's flicker becomes stripes, and they stand elsewhere in the next
picture. Between two pictures of a table at rest everything else cancels. Stripes that stand still (a camera whose
rate divides the flicker's) look like a table that is striped and are not found.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

LEAST_PICTURES = 3
WAVES = np.arange(1.0, 8.01, 0.25)
"""Waves over a picture's height that are tried: 10 to 80 ms for all its rows, at 100 Hz."""
EXPLAINED = 0.6
"""Share of what differs between two pictures' rows that one wave must explain: hands and shadows are no waves."""
_TRIM = 0.25
"""Share of a row's pixels, on both sides, that is left out: those where something moves."""


def flicker(greys: Sequence[NDArray[np.uint8]]) -> float | None:
    """Return the amplitude of moving waves as a share of the brightness, 0 for none; ``None`` with too few pictures.

    greys: small pictures of one camera one after the other, (h, w) each. Of all pairs of neighbours the median
    counts: a wave that is there runs through most of them.
    """
    if len(greys) < LEAST_PICTURES:
        return None
    return float(np.median([_wave(before, after) for before, after in pairwise(greys)]))


def _wave(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> float:
    """Return the amplitude of the wave in one picture by its difference to the next, 0 where no wave explains it.

    A wave that has moved by a share p of its length differs from itself by 2 sin(pi p) times its amplitude; over p
    that is 1.27 times, on average.
    """
    ratio = np.log(np.maximum(after, 8).astype(np.float64) / np.maximum(before, 8))
    rows = np.sort(ratio, axis=1)
    cut = int(_TRIM * rows.shape[1])
    line = rows[:, cut : rows.shape[1] - cut].mean(axis=1)
    at = np.linspace(0, 1, len(line))
    trend = np.column_stack([np.ones_like(at), at])
    line = line - trend @ np.linalg.lstsq(trend, line, rcond=None)[0]
    total = float((line**2).sum())
    if total <= 1e-12:
        return 0.0
    best, amplitude = 0.0, 0.0
    for waves in WAVES:
        terms = np.column_stack([np.sin(2 * np.pi * waves * at), np.cos(2 * np.pi * waves * at), trend])
        found = np.linalg.lstsq(terms, line, rcond=None)[0]
        explained = 1 - float(((line - terms @ found) ** 2).sum()) / total
        if explained > best:
            best, amplitude = explained, float(np.hypot(found[0], found[1]))
    return amplitude / 1.27 if best >= EXPLAINED else 0.0

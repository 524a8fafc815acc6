"""Towers that a search may begin with, and that have nothing to do with what is seen."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from vision.tower.grid import CELLS, FLOOR, MOST_LEVELS


def starts(seed: int) -> Mapping[str, NDArray[np.bool_]]:
    """Return which cells are filled, (CELLS,), by the start's name.

    None, all, columns of any height, cells anywhere.
    """
    rng = np.random.default_rng(seed)
    heights = rng.integers(0, MOST_LEVELS + 1, FLOOR)
    return {
        "empty": np.zeros(CELLS, np.bool_),
        "full": np.ones(CELLS, np.bool_),
        "columns": (np.arange(MOST_LEVELS)[:, None] < heights).ravel(),
        "anywhere": rng.random(CELLS) < 0.5,
    }

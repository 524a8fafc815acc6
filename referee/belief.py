"""A reading as a belief: for every field, how likely each height and each flag made the pictures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class BoardBelief:
    """What the pictures say of every field, before any rule or history is asked.

    heights: (rows, cols, levels) natural-log likelihoods of height 0, 1, ... levels - 1. Only differences within
        a field matter; a field no camera can see is flat.
    flags: (rows, cols, 5) natural-log likelihoods of no flag and of each Colour value.
    """

    heights: NDArray[np.float64]
    flags: NDArray[np.float64]

    def __post_init__(self) -> None:
        for name in ("heights", "flags"):
            grid = np.array(getattr(self, name), dtype=np.float64)
            if grid.ndim != 3 or not np.isfinite(grid).all():
                raise ValueError(f"{name} must be a finite (rows, cols, n) array")
            grid.setflags(write=False)
            object.__setattr__(self, name, grid)
        if self.heights.shape[:2] != self.flags.shape[:2] or self.flags.shape[2] != 5:
            raise ValueError(f"heights {self.heights.shape} and flags {self.flags.shape} don't fit")

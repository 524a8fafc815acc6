"""A reading as a belief: for every field, how likely each height and each flag made the pictures.

Also what a game lets the eyes expect. Both the eyes and the rules' side know these values and nothing of each other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.board import Board, Colour, Field


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


@dataclass(frozen=True, slots=True)
class Sighting:
    """What a game tells the eyes to expect: a prior for reading, never a promise.

    colours: whose flags can stand on the board. flags_each: how many flags a colour can have on the board.
    previous: the board known to have stood before. outside: fields out of play. tracks: name of each margin track
    in use and the place (1 upward, 0 for off the track) where its marker stone should stand.
    """

    colours: frozenset[Colour]
    flags_each: int
    previous: Board | None = None
    outside: frozenset[Field] = frozenset()
    tracks: tuple[tuple[str, int], ...] = ()

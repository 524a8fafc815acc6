"""A small board without a printed frame, and its corners as fingers touch them."""

from __future__ import annotations

import numpy as np

from tests.scene import Scene, lens, pose

PLAIN = Scene(bare=True, rim=(120, 160, 190), stones={"nw": 2, "ne": 1, "se": 4, "sw": 3})
LOW = PLAIN.with_(heights={(row, col): 1 for row in range(6) for col in range(6)}, flags={(0, 2): "red"})
HIGH = PLAIN.with_(
    heights={(0, 0): 2, (1, 4): 4, (2, 2): 3, (3, 5): 1, (5, 1): 4, (4, 3): 2},
    flags={(1, 4): "blue", (5, 1): "green"},
)
LENS = lens(distorted=False)
TOUCHED = pose(-75, 700, 380)
_CORNERS = {"nw": (-130, 130), "ne": (130, 130), "se": (130, -130), "sw": (-130, -130)}


def touches(off_px: float) -> dict[str, list[float]]:
    """Return the corners as fingers touch them, each so far off into another direction."""
    found = {}
    for turn, (name, at) in enumerate(_CORNERS.items()):
        aside = off_px * np.array([np.cos(1 + 2.5 * turn), np.sin(1 + 2.5 * turn)])
        found[name] = list(TOUCHED.project(np.array([*at, 0.0]), LENS) + aside)
    return found

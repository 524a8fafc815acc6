"""Build what a reader believes of a board."""

from __future__ import annotations

import numpy as np

from referee.games.terra_turrium.colours import Colour
from referee.values.belief import BoardBelief
from tests.scene import Scene, grids


def belief(scene: Scene, sure: float = 8.0) -> BoardBelief:
    heights, flags = grids(scene)
    height_scores = np.where(np.arange(11) == heights[..., None], 0.0, -sure)
    flag_scores = np.full((6, 6, 5), -sure)
    flag_scores[..., 0] = np.where(flags, -sure, 0.0)
    for place, word in scene.flags.items():
        flag_scores[(*place, int(Colour.from_word(word)))] = 0.0
    return BoardBelief(height_scores, flag_scores, "rygb")

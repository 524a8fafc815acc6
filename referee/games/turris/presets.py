"""Give sizes of the game's bars: those of the box as far as they are known, and what people make of wood."""

from __future__ import annotations

from referee.kinds.tower.presets import TowerPreset
from referee.values.words import say

PRESETS = (
    TowerPreset(
        name="bars-18",
        about=say("wooden bars of 18 x 18 x 36 mm on a felt base, on a board that is turned"),
        bar_mm=(18.0, 18.0, 36.0),
        base_mm=(58.0, 58.0, 1.2),
        board_mm=(220.0, 220.0),
    ),
    TowerPreset(
        name="bars-25",
        about=say("wooden bars of 25 x 25 x 50 mm, on a board that is turned"),
        bar_mm=(25.0, 25.0, 50.0),
        base_mm=(80.0, 80.0, 1.2),
        board_mm=(260.0, 260.0),
    ),
)

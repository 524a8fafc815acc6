"""Sizes of boards and pieces in mm, from which players begin to measure; the first is that of the virtual table."""

from __future__ import annotations

from referee.kinds.grid.presets import StackFigure, TablePreset

from .kit import SIDE

PRESETS = (
    TablePreset(
        name="wood",
        about="wooden blocks and pawns on a board of fields 24 mm wide",
        columns=SIDE,
        rows=SIDE,
        pitch_mm=(24.0, 24.0),
        stone_mm=(21.0, 21.0, 14.0),
        figures=(StackFigure("knight", 26.0, 7.0),),
        board_mm=(144.0, 144.0),
        thickness_mm=5.0,
    ),
)

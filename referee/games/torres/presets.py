"""Give sizes of the game's pieces: the plastic ones of the boxes, and what people make of wood."""

from __future__ import annotations

from referee.games.torres.geometry import SIDE
from referee.kinds.grid.presets import StackFigure, TablePreset
from referee.values.words import say

_FIGURES = (StackFigure("knight", 30.0, 8.0), StackFigure("king", 40.0, 9.0))

PRESETS = (
    TablePreset(
        name="box",
        about=say("hollow plastic blocks with arches, and figures, as in the boxes"),
        columns=SIDE,
        rows=SIDE,
        pitch_mm=(31.0, 31.0),
        stone_mm=(28.0, 28.0, 20.0),
        figures=_FIGURES,
        board_mm=(320.0, 320.0),
        thickness_mm=2.5,
    ),
    TablePreset(
        name="wood-25",
        about=say("wooden cubes of 25 mm with a hole in each side, and pawns"),
        columns=SIDE,
        rows=SIDE,
        pitch_mm=(28.0, 28.0),
        stone_mm=(25.0, 25.0, 25.0),
        figures=_FIGURES,
        board_mm=(290.0, 290.0),
        thickness_mm=4.0,
    ),
)

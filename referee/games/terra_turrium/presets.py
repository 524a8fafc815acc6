"""Give sizes of the game's pieces: the plastic ones of the German edition, and what people make of wood."""

from __future__ import annotations

from referee.kinds.grid.presets import MarginTrack, StackFigure, TablePreset
from referee.values.words import say

_TRACKS = (
    MarginTrack("nw", above=True, rightwards=False, places=5),
    MarginTrack("ne", above=True, rightwards=True, places=5),
    MarginTrack("se", above=False, rightwards=True, places=5),
    MarginTrack("sw", above=False, rightwards=False, places=5),
)

PRESETS = (
    TablePreset(
        name="plastic",
        about=say("flat see-through plastic stones with rods, as in the German edition"),
        columns=10,
        rows=10,
        pitch_mm=(22.0, 22.0),
        stone_mm=(20.5, 20.5, 13.0),
        flag_style="rod",
        figures=(StackFigure("flag", 25.0, 3.0),),
        board_mm=(284.0, 284.0),
        thickness_mm=2.0,
        tracks=_TRACKS,
        track_off_mm=12.0,
        track_pitch_mm=22.0,
    ),
    TablePreset(
        name="cubes-20",
        about=say("wooden cubes of 20 mm with little banners"),
        columns=10,
        rows=10,
        pitch_mm=(22.0, 22.0),
        stone_mm=(20.0, 20.0, 20.0),
        flag_style="banner",
        figures=(StackFigure("flag", 35.0, 6.0),),
        board_mm=(284.0, 284.0),
        thickness_mm=3.0,
        tracks=_TRACKS,
        track_off_mm=12.0,
        track_pitch_mm=22.0,
    ),
    TablePreset(
        name="cubes-25",
        about=say("wooden cubes of 25 mm with pawns"),
        columns=10,
        rows=10,
        pitch_mm=(27.0, 27.0),
        stone_mm=(25.0, 25.0, 25.0),
        flag_style="pawn",
        figures=(StackFigure("flag", 24.0, 7.0),),
        board_mm=(340.0, 340.0),
        thickness_mm=4.0,
        tracks=_TRACKS,
        track_off_mm=14.0,
        track_pitch_mm=27.0,
    ),
)

"""Figures of a sound table, for tests that spoil one of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.certificate.figures import CameraFigures, LostCamera, SetupFigures, SightFigures, TableFigures
from referee.certificate.judge import judge
from referee.certificate.values import Certificate
from referee.games.terra_turrium.colours import Colour
from referee.values.words import say

SOUND = CameraFigures(
    name="cam0",
    size=(1280, 960),
    at_mm=(30.0, -430.0, 640.0),
    markers=8,
    markers_all=8,
    reprojection_px=0.2,
    edge_px=2.4,
    burnt=0.0,
    black=0.001,
    paper=215.0,
    colour_gap=41.0,
    colours=(Colour.YELLOW, Colour.GREEN),
    field_px=40.0,
    levels_px=(18.0, 20.0),
    outside=0,
)
OTHER = replace(SOUND, name="cam1", at_mm=(450.0, 260.0, 560.0))
LOST = LostCamera("cam1", (1280, 960), say("no camera sees the frame"))
RIGHT = SetupFigures(100)


def grid(value: float, rows: int = 10, columns: int = 10) -> tuple[tuple[float, ...], ...]:
    return tuple((value,) * columns for _ in range(rows))


SIGHT = SightFigures(grid(20.0), grid(0.03), (-300.0, 300.0, 800.0), 0.4)


def certificate(
    cameras: tuple[CameraFigures | LostCamera, ...] = (SOUND, OTHER),
    setup: SetupFigures = RIGHT,
    sight: SightFigures | None = SIGHT,
) -> Certificate:
    return judge(TableFigures("oak", "A game", "2026-11-20T13:05:00+0100", (110.0, 110.0), cameras, setup), sight)


def spoilt(**changes: Any) -> CameraFigures:
    return replace(SOUND, **changes)

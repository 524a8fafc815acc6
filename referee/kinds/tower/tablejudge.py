"""The certificate of a table for a tower: whether the cameras see every level while it is turned. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from referee.certificate.figures import CameraFigures, TableFigures
from referee.certificate.judge import MARKED, certified, checked, from_limits
from referee.certificate.values import CameraPart, Certificate, Check
from referee.values.words import decimal, say

LEVELS = (11, 9)
"""Forty bars fill nine levels built tightly, and reach level 11 where three levels are unfinished."""
LEVEL_PX = (16.0, 8.0)
"""The reader looks at a square with 8 points a side: twice as many pixels keep it sharp, fewer are guessed."""


@dataclass(frozen=True, slots=True)
class TowerFigures:
    """Figures on how well the best camera will see a tower that is turned.

    levels: wholly in its picture, from the lowest up. level_px: how high a level is in it at least.
    """

    levels: int
    level_px: float


def judge_tower(found: TableFigures, tower: TowerFigures | None) -> Certificate:
    """Judge what was measured. Return the certificate. tower: ``None`` when no camera could be used."""
    return certified(found, _camera, [_levels(tower), _size(tower)] if tower is not None else [])


def _camera(figures: CameraFigures) -> CameraPart:
    return CameraPart(figures.name, tuple(check(figures) for check in MARKED), figures.at_mm, figures.size)


def _levels(tower: TowerFigures) -> Check:
    advice = say("Move the camera back, or look a little higher, until a whole tower fits the picture.")
    value = say("{n} of {all}, by the best camera", n=min(tower.levels, LEVELS[0]), all=LEVELS[0])
    return checked(say("Levels in view when the tower is turned"), value, from_limits(tower.levels, LEVELS), advice)


def _size(tower: TowerFigures) -> Check:
    advice = say("Bring the camera nearer or lower, or choose a larger picture and calibrate its lens for it.")
    value = say("{value} px", value=decimal(tower.level_px, 0))
    return checked(say("Height of a level"), value, from_limits(tower.level_px, LEVEL_PX), advice)

"""Tables with a printed frame, drawn as a phone photographs them: a tower of bars, and a mat with dice."""

from __future__ import annotations

import json

import cv2
import numpy as np

from calibration.pose import Pose
from calibration.table import TableSetup, parse_table
from referee.cli.answers import SizeAnswers
from referee.cli.tablekind import table_kind
from referee.games import package_named
from referee.virtual.drawing.prints import Layer, layers_of
from referee.virtual.lenses import PHONE, SIZE, pose_of
from tests.vision.ledger.laid import laid, with_spots
from tests.web.barewalk import LENS, BareWalk, Image, photograph
from vision.geometry.view import View

LOW_DEG = 35.0
"""From so low the sides of a tower are seen."""
_EYE_MM, _UP_MM = 480.0, 620.0
_MAT_MM, _AWAY_MM, _TURN = 100.0, 45.0, 0.4
_TABLE, _MAT, _BONE, _INK = (58, 84, 118), (120, 150, 96), (225, 232, 236), (40, 36, 34)
_PIPS = {
    1: ((0.5, 0.5),),
    2: ((0.25, 0.25), (0.75, 0.75)),
    3: ((0.25, 0.25), (0.5, 0.5), (0.75, 0.75)),
    4: ((0.25, 0.25), (0.25, 0.75), (0.75, 0.25), (0.75, 0.75)),
    5: ((0.25, 0.25), (0.25, 0.75), (0.5, 0.5), (0.75, 0.25), (0.75, 0.75)),
    6: ((0.25, 0.2), (0.25, 0.5), (0.25, 0.8), (0.75, 0.2), (0.75, 0.5), (0.75, 0.8)),
}


def framed(game: str, preset: str) -> TableSetup:
    """Return the table of a box with its printed frame."""
    package = package_named(game)
    start = next(one for one in package.presets if one.name == preset)
    answers = SizeAnswers({"cameras": (PHONE,)}, False)
    return parse_table(json.dumps(table_kind(package.game.kit).measured(game, start, answers)))


class TowerWalk(BareWalk):
    """Photographs of a tower on the board that carries the markers."""

    def __init__(self) -> None:
        super().__init__(framed("turris", "bars-18"), "turris")

    def photograph(self, lying: str, side_deg: float, number: int = 0) -> bytes:
        """Return the file that a phone writes."""
        return photograph(self.picture(lying, side_deg, LOW_DEG), number)


class MatWalk:
    """Photographs of a mat; what lies there is two dice, as ``1+2``, or nothing."""

    def __init__(self) -> None:
        self.table = framed("terrabilis", "mat")
        self._kit = package_named("terrabilis").game.kit
        half = np.array(self.table.half_size_mm)
        wide, deep = np.rint(2 * half).astype(int)
        mat = Layer(np.full((deep, wide, 3), _MAT, np.uint8), -half, half, 0.0, False)
        self._layers = layers_of(self.table, mat)[1:]

    def photograph(self, lying: str, side_deg: float, number: int = 0) -> bytes:
        """Return the file that a phone writes."""
        return photograph(self.picture(lying, side_deg), number)

    def picture(self, lying: str, side_deg: float) -> Image:
        """Return what a phone shows from a side, (960, 1280, 3)."""
        turn = np.radians(side_deg)
        eye = float(_EYE_MM * np.cos(turn)), float(_EYE_MM * np.sin(turn)), _UP_MM
        pose = pose_of(PHONE, self.table, self._kit, held=(*eye, 0.0, 0.0))
        shown = np.full((SIZE[1], SIZE[0], 3), _TABLE, np.uint8)
        for layer in self._layers:
            self._lay(shown, layer, pose)
        for at, face in enumerate(map(int, lying.split("+")) if lying else ()):
            top = with_spots(_BONE, _INK, list(_PIPS[face]))
            view = View(PHONE, shown, LENS, pose)
            where = (_MAT_MM - at * _AWAY_MM, -20.0 + at * _AWAY_MM)
            assert self.table.die_mm is not None
            shown = laid(view, top, self.table.die_mm, where, _TURN * (at + 1))
        return shown

    def _lay(self, shown: Image, layer: Layer, pose: Pose) -> None:
        (west, south), (east, north) = layer.low, layer.high
        ends = [[west, north], [east, north], [east, south], [west, south]]
        seen = pose.project(np.column_stack([ends, np.full(4, layer.z_mm)]), LENS).astype(np.float32)
        height, width = layer.picture.shape[:2]
        own = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(own, seen)
        cv2.warpPerspective(layer.picture, warp, SIZE, dst=shown, borderMode=cv2.BORDER_TRANSPARENT)

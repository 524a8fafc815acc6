"""Test a table with the set-up standing: turn pictures into a certificate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.table import TableSetup
from referee.certificate.figures import CameraFigures, LostCamera, SetupFigures, TableFigures
from referee.certificate.values import Certificate
from referee.games.contract import Game
from referee.kinds import platform
from referee.values.board import Board
from referee.values.words import Words, say, verbatim
from vision.assessment.legibility import Eye, px_per_level
from vision.assessment.selftest import picture_health
from vision.geometry.view import View, camera_of, number_of
from vision.posefinder import PoseFinder

_LOW_PERCENTILE = 5.0


@dataclass(frozen=True, slots=True)
class Occasion:
    """When and where a check is made. table: the folder's name. made_at: local date and time, ISO 8601."""

    table: str
    made_at: str


@dataclass(frozen=True, slots=True)
class TableSeen:
    """What is checked: one look at a table with the set-up standing.

    views: of the cameras that see the frame; lost: the others. said: what is known of the game (edition, seats,
    variants, ...), as ``Rules.infer_setup`` takes it.
    """

    game: Game[Any]
    reader: PoseFinder
    views: tuple[View, ...]
    lost: tuple[CameraFigures | LostCamera, ...]
    said: Mapping[str, object]
    occasion: Occasion

    def figures(self, cameras: Sequence[CameraFigures | LostCamera], setup: SetupFigures) -> TableFigures:
        """Return all that was measured; cameras are put in the table's order."""
        table, order = self.reader.table, self.reader.table.cameras
        return TableFigures(
            self.occasion.table,
            self.game.title,
            self.occasion.made_at,
            table.half_size_mm,
            tuple(sorted(cameras, key=lambda each: (order.index(camera_of(each.name)), number_of(each.name)))),
            setup,
        )

    def bare(self) -> list[CameraFigures | LostCamera]:
        """Return every camera's figures where nothing stands on fields."""
        table = self.reader.table
        none = np.zeros((table.rows, table.columns), np.int8)
        return [
            *self.lost,
            *(camera_figures(view, table, Board(none, none, ""), none, ()) for view in self.views),
        ]


def certify(
    game: Game[Any],
    reader: PoseFinder,
    pictures: Mapping[str, NDArray[np.uint8]],
    said: Mapping[str, object],
    occasion: Occasion,
) -> Certificate:
    """Check a table on one look at the set-up.

    pictures: camera to (h, w, 3) BGR, of one in a hand several, numbered; cameras without any count as lost. said:
    what is known of the game. Raises RequestError where that contradicts itself, CalibrationError for taught places
    that can't be read.
    """
    views, lost = _views(reader, pictures)
    seen = TableSeen(game, reader, tuple(views), tuple(lost), said, occasion)
    made: Certificate = platform(game.kit.kind, "certificate").certificate(seen)
    return made


def _views(
    reader: PoseFinder, pictures: Mapping[str, NDArray[np.uint8]]
) -> tuple[list[View], list[CameraFigures | LostCamera]]:
    """Return the cameras that can be used, and the others with their trouble."""
    views: list[View] = []
    lost: list[CameraFigures | LostCamera] = []
    for camera in reader.table.cameras:
        named = [name for name in pictures if camera_of(name) == camera]
        if not named and (camera not in reader.table.beside or not pictures):
            lost.append(LostCamera(camera, (0, 0), say("no picture of it was given")))
        for name in named:
            picture = pictures[name]
            size = int(picture.shape[1]), int(picture.shape[0])
            try:
                found, cameras = PoseFinder.views(reader, {name: picture})  # a grey picture is judged with the others
            except CalibrationError as error:
                lost.append(LostCamera(name, size, verbatim(str(error))))
                continue
            views += found
            if not found:
                lost.append(LostCamera(name, size, _lost_words(cameras[name].markers, reader.table)))
    return views, lost


def _lost_words(markers: int, table: TableSetup) -> Words:
    return say("the frame can’t be seen: {n} of {all} markers are found", n=markers, all=len(table.markers))


def camera_figures(
    view: View, table: TableSetup, board: Board, expected: NDArray[np.int8], words: Sequence[str]
) -> CameraFigures:
    """Return what one view says of its camera. board: as read. expected: (rows, columns) heights it is measured for.

    words: of the pieces, by code.
    """
    health = picture_health(view, table, board, words)
    levels = px_per_level(Eye(view.lens, view.pose), table, expected)
    inside = levels[np.isfinite(levels)]
    low, middle = np.percentile(inside, (_LOW_PERCENTILE, 50)) if inside.size else (0.0, 0.0)
    x, y, z = (float(value) for value in view.pose.centre_mm)
    return CameraFigures(
        name=view.camera,
        size=health.size,
        at_mm=(x, y, z),
        markers=health.markers,
        markers_all=health.markers_all,
        reprojection_px=health.reprojection_px,
        edge_px=health.edge_px,
        burnt=health.burnt,
        black=health.black,
        paper=health.paper,
        colour_gap=health.colour_gap,
        colours=health.colours,
        field_px=health.field_px,
        levels_px=(float(low), float(middle)),
        outside=int(levels.size - inside.size),
    )

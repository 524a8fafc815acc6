"""Reads what lies on a mat from pictures: dice, pawns, counters, cards; the rest stays open."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.lens import Lens
from calibration.table import TableSetup, load_table
from vision.geometry.kept import Space, spaces_over
from vision.geometry.pinhole import pinhole_crop
from vision.geometry.view import View
from vision.ledger import things
from vision.ledger.dice import DieSeen, dice_of, pair_of, place_scores
from vision.ledger.light import light_of
from vision.ledger.places import Places
from vision.ledger.plane import Area, top_plane
from vision.ledger.symbols import Symbols
from vision.ledger.teaching import taught_places
from vision.ledger.topface import DiceLook, TopCutter, looked_at_closely
from vision.posefinder import PoseFinder
from vision.reading import CameraView


@dataclass(frozen=True, eq=False)
class MatSeen:
    """The things on a mat. ``None`` stands for what is not sure; what was never taught is absent.

    dice: every die that may lie there, the surest first. pair: the two faces where exactly two dice lie there and
    both are told. pawns: the space of each, from 0. counters: number by colour. cards: how many lie
    before each player. cameras: how each saw the frame.
    """

    dice: tuple[DieSeen, ...]
    pair: tuple[int, ...] | None
    pawns: Mapping[str, int | None]
    counters: Mapping[str, int | None]
    cards: Mapping[str, int | None]
    cameras: Mapping[str, CameraView]
    duration_ms: float

    @property
    def lost(self) -> bool:
        """Return whether no camera could be used, so that nothing was read."""
        return all(view.reprojection_px is None for view in self.cameras.values())


def read_mat(views: Sequence[View], table: TableSetup, places: Places) -> tuple[tuple[DieSeen, ...], things.Laid]:
    """Read everything that lies on a mat from the pictures of one moment.

    Raises CalibrationError for a table without dice.
    """
    die_mm, area = _die_of(table), rolled_on(places, table)
    dice = looked_at_closely([dice_look(view, die_mm, area) for view in views], die_mm, Symbols(places.symbols))
    looks = [(view, light_of(view, table)) for view in views]
    return dice, things.laid(looks, places, table)


def _die_of(table: TableSetup) -> float:
    if table.die_mm is None:
        raise CalibrationError('table.json says nothing of dice: give "die" (a die\'s side) and "mat" (width, depth)')
    return table.die_mm


def rolled_on(places: Places, table: TableSetup) -> Area:
    """Return where dice are rolled: as taught, else the whole mat."""
    half_x, half_y = table.half_size_mm
    return Area(*places.rolled_on) if places.rolled_on else Area((-half_x, -half_y), (half_x, half_y))


def dice_look(view: View, die_mm: float, area: Area) -> DiceLook:
    """Return a camera's picture of an area, and where dice may lie in it by the first network."""
    corners = [
        [x, y, z] for x in (area.low[0], area.high[0]) for y in (area.low[1], area.high[1]) for z in (0, die_mm)
    ]
    picture, matrix = pinhole_crop(view, np.array(corners, np.float64))
    plane = top_plane(picture, matrix, view.pose.rotation, view.pose.translation_mm, area, die_mm)
    about = float(area.low[0] + area.high[0]) / 2, float(area.low[1] + area.high[1]) / 2
    cutter = TopCutter(picture, matrix, view.pose.rotation, view.pose.translation_mm, die_mm, about)
    return DiceLook(cutter, dice_of(plane, place_scores(plane)))


class MatReader(PoseFinder):
    """Reads what lies on one table's mat."""

    def __init__(
        self, table: TableSetup, folder: Path, places: Places, lenses: Mapping[str, Lens] | None = None
    ) -> None:
        super().__init__(table, folder, lenses)
        self.places = places

    @classmethod
    def open(cls, folder: Path) -> MatReader:
        """Open a table folder with its taught places. Raises CalibrationError, saying what to do."""
        return cls(load_table(folder), folder, taught_places(folder))

    @property
    def die_mm(self) -> float:
        """Return the side of a die, mm. Raises CalibrationError for a table without dice."""
        return _die_of(self.table)

    @property
    def spaces(self) -> tuple[Space, ...]:
        """Return the spaces over the frame and over all places that were taught, as high as what stands there."""
        reach = np.linalg.norm([*self.places.card_mm, 2 * self.places.counter_radius_mm]) / 2
        around = np.array([[-reach, -reach], [reach, reach]])
        middles = np.concatenate([self.places.track, self.places.spots, *self.places.cards.values()])
        ends = (middles[:, None] + around[None]).reshape(-1, 2)
        rolled_on = np.array(self.places.rolled_on or np.zeros((0, 2)), np.float64).reshape(-1, 2)
        top_mm = max(self.places.pawn_mm[0], 2 * (self.table.die_mm or 0.0))
        return spaces_over(self.table, top_mm, np.concatenate([ends, rolled_on]))

    def read(self, pictures: Mapping[str, NDArray[np.uint8]]) -> MatSeen:
        """Read one look at the mat: camera to (height, width, 3) BGR.

        Raises CalibrationError for a table without dice, a missing lens, or one that does not fit its picture.
        """
        began = time.perf_counter()
        views, cameras = self.views(pictures)
        dice, laid = read_mat(views, self.table, self.places)
        took_ms = 1000 * (time.perf_counter() - began)
        return MatSeen(dice, pair_of(dice), laid.pawns, laid.counters, laid.cards, cameras, took_ms)

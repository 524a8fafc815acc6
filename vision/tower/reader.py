"""Reads a tower from pictures of a turned board: the poses, then the tower."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.table import TableSetup, load_table
from vision.geometry.view import View
from vision.posefinder import PoseFinder
from vision.reading import CameraView
from vision.tower.explain import explain_tower
from vision.tower.grid import TowerSizes
from vision.tower.reading import TowerReading, facing, read_tower

Pictures = Mapping[str, NDArray[np.uint8]]


@dataclass(frozen=True, eq=False)
class TowerLook:
    """A tower read from several pictures, or none where no picture shows the board.

    cameras: of each view its cameras' poses. duration_ms: what reading took. facing: the side that looks at the first
    camera in the last view, empty where none sees the board.
    """

    reading: TowerReading | None
    cameras: tuple[Mapping[str, CameraView], ...]
    duration_ms: float
    facing: str = ""


class TowerReader(PoseFinder):
    """Reads the towers of one table."""

    def __init__(self, table: TableSetup, folder: Path, lenses: Mapping[str, Lens] | None = None) -> None:
        TowerSizes.of(table)
        super().__init__(table, folder, lenses)

    @classmethod
    def open(cls, folder: Path) -> TowerReader:
        """Open a table folder. Raises CalibrationError for one that is none, or not of a tower of bars."""
        return cls(load_table(folder), folder)

    def read(self, views: Sequence[Pictures], previous: str | None = None) -> TowerLook:
        """Read a tower from the pictures of all views, between which the board was turned.

        previous: tower text known to have stood before. Raises CalibrationError where a lens is missing or does not
        fit its pictures, ValueError for a previous text that is none.
        """
        start = time.perf_counter()
        seen: list[View] = []
        newest: list[View] = []
        cameras = []
        for pictures in views:
            newest, found = self.views(pictures)
            seen += newest
            cameras.append(found)
        reading = read_tower(seen, self.table, previous)
        last = facing(newest[0].pose) if newest else ""
        return TowerLook(reading, tuple(cameras), (time.perf_counter() - start) * 1000, last)

    def explain(self, views: Sequence[Pictures], reading: TowerReading) -> NDArray[np.uint8]:
        """Draw a reading over the pictures it was made from: (h, w, 3) BGR."""
        return explain_tower([view for pictures in views for view in self.views(pictures)[0]], self.table, reading)

"""From pictures of a turned board to a tower: the poses, then the reading."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.errors import PoseError
from calibration.lens import Lens
from calibration.lenses import find_lens
from calibration.pose import find_pose
from calibration.table import TableSetup, load_table
from vision.geometry.view import View
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


class TowerReader:
    """Reads the towers of one table. Lenses are found when a camera is first asked for."""

    def __init__(self, table: TableSetup, folder: Path, lenses: Mapping[str, Lens] | None = None) -> None:
        TowerSizes.of(table)
        self.table = table
        self.folder = folder
        self._lenses = dict(lenses or {})

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
        cameras, before = [], 0
        for pictures in views:
            before = len(seen)
            cameras.append(self._poses(pictures, seen))
        reading = read_tower(seen, self.table, previous)
        last = facing(seen[before].pose) if len(seen) > before else ""
        return TowerLook(reading, tuple(cameras), (time.perf_counter() - start) * 1000, last)

    def views(self, pictures: Pictures) -> list[View]:
        """The cameras that see the board, each with its lens and pose. Raises CalibrationError as ``read`` does."""
        seen: list[View] = []
        self._poses(pictures, seen)
        return seen

    def explain(self, views: Sequence[Pictures], reading: TowerReading) -> NDArray[np.uint8]:
        """Draw a reading over the pictures it was made from: (h, w, 3) BGR."""
        return explain_tower([view for pictures in views for view in self.views(pictures)], self.table, reading)

    def lens(self, camera: str) -> Lens:
        """A camera's lens. Raises CalibrationError for an unknown camera, or one that is not calibrated."""
        if camera not in self._lenses:
            self._lenses[camera] = find_lens(self.folder, self.table, camera)
        return self._lenses[camera]

    def _poses(self, pictures: Pictures, seen: list[View]) -> dict[str, CameraView]:
        """Find each camera's pose against the board as it is turned now, and add the views to those seen."""
        found = {}
        for camera, picture in pictures.items():
            lens = self.lens(camera)
            try:
                pose = find_pose(picture, lens, self.table, camera)
            except PoseError as error:
                found[camera] = CameraView(error.markers, None, str(error))
                continue
            found[camera] = CameraView(pose.markers, pose.reprojection_px, "")
            seen.append(View(camera, picture, lens, pose))
        return found

"""Reads a tower from pictures of a turned board: the poses, then the tower."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.masked import Outline, hull
from calibration.table import TableSetup, load_table
from vision.geometry.kept import Space, spaces_over
from vision.geometry.view import View, roams
from vision.handheld import unfit
from vision.posefinder import PoseFinder
from vision.reading import CameraView
from vision.tower.explain import explain_tower
from vision.tower.grid import TowerSizes
from vision.tower.rays import sampled_px
from vision.tower.reading import TowerReading, facing, read_tower, read_without_each

Pictures = Mapping[str, NDArray[np.uint8]]


MOST_KNOWN = 48
"""Pictures of which is kept what was found in them, at most; a reading leaves its own."""


@dataclass(frozen=True, eq=False)
class _Known:
    """A picture, the view it makes, if any, and how its camera saw the frame."""

    picture: NDArray[np.uint8]
    view: View | None
    how: CameraView


@dataclass(frozen=True, eq=False)
class TowerLook:
    """A tower read from several pictures, or none where no picture shows the board.

    cameras: of each view how its cameras saw the frame; places_mm: where they stood, table axes. duration_ms: what
    reading took. facing: the side that looks at the first camera in the last view, empty where none sees the board.
    """

    reading: TowerReading | None
    cameras: tuple[Mapping[str, CameraView], ...]
    duration_ms: float
    facing: str = ""
    places_mm: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)


class TowerReader(PoseFinder):
    """Reads the towers of one table."""

    def __init__(self, table: TableSetup, folder: Path, lenses: Mapping[str, Lens] | None = None) -> None:
        self._measures = TowerSizes.of(table)
        super().__init__(table, folder, lenses)
        self._known: dict[tuple[str, int], _Known] = {}

    @classmethod
    def open(cls, folder: Path) -> TowerReader:
        """Open a table folder. Raises CalibrationError for one that is none, or not of a tower of bars."""
        return cls(load_table(folder), folder)

    @property
    def spaces(self) -> tuple[Space, ...]:
        """Return the space over the board; what stands on it lies in the part that ``outline`` adds."""
        board = np.array(self._measures.board_mm) / 2
        return spaces_over(self.table, self._measures.base_mm, np.array([-board, board]))[:1]

    def outline(self, view: View) -> Outline:
        """Return the outline of the board and of the tower, with the room beside it that tells what is behind."""
        found = super().outline(view)
        part = sampled_px(view, self._measures)
        if part is None:
            return found
        (left, top), (right, bottom), _ = part
        strip = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float64)
        return (*found, hull(strip, view.lens.size))

    def read(self, views: Sequence[Pictures], previous: str | None = None) -> TowerLook:
        """Read a tower from the pictures of all views, between which the board was turned or the camera moved.

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
        places = {view.camera: _place_mm(view) for view in seen}
        read = {(name, id(picture)) for pictures in views for name, picture in pictures.items()}
        self._known = {key: known for key, known in self._known.items() if key in read}
        reading = read_tower(seen, self.table, previous)
        last = facing(newest[0].pose) if newest else ""
        return TowerLook(reading, tuple(cameras), (time.perf_counter() - start) * 1000, last, places)

    def views(self, pictures: Pictures) -> tuple[list[View], dict[str, CameraView]]:
        """Return the pictures that can be read as views, and how each camera saw the frame.

        What was found in a picture is kept for the next reading, which may have the same and more. Raises
        CalibrationError.
        """
        views: list[View] = []
        cameras: dict[str, CameraView] = {}
        for name, picture in pictures.items():
            known = self._known.pop((name, id(picture)), None)
            if known is None or known.picture is not picture:
                found, how = super().views({name: picture})
                if found and roams(name) and (problem := unfit(found[0], self.table)):
                    found, how = [], {name: CameraView(how[name].markers, None, problem)}
                known = _Known(picture, next(iter(found), None), how[name])
            self._known[name, id(picture)] = known
            views += [known.view] if known.view is not None else []
            cameras[name] = known.how
        for oldest in list(self._known)[:-MOST_KNOWN]:
            del self._known[oldest]
        return views, cameras

    def without_each(self, views: Sequence[Pictures], previous: str | None) -> Iterator[TowerReading]:
        """Yield what is read with each view left out in turn."""
        groups = [self.views(pictures)[0] for pictures in views]
        yield from read_without_each(groups, self.table, previous)

    def explain(self, views: Sequence[Pictures], reading: TowerReading) -> NDArray[np.uint8]:
        """Draw a reading over the pictures it was made from: (h, w, 3) BGR."""
        return explain_tower([view for pictures in views for view in self.views(pictures)[0]], self.table, reading)


def _place_mm(view: View) -> tuple[float, float, float]:
    x, y, z = (round(float(value), 1) for value in view.pose.centre_mm)
    return x, y, z

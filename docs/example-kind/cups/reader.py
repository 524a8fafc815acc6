"""From pictures to a row: a cup that stands mouth up is dark inside, one that stands mouth down shows its base."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.table import TableSetup, load_table
from cups.observation import DOWN, OPEN, UP
from referee.match.events import AnyGame
from vision.geometry.view import View
from vision.posefinder import PoseFinder
from vision.reading import CameraView

DARK, PALE = 90.0, 140.0
"""Brightness (0 to 255) below which a cup's middle is its mouth, and above which it is its base."""
MIDDLE = 0.3
"""So much of a cup's radius around its middle is looked at."""


@dataclass(frozen=True, slots=True)
class RowSeen:
    """One look. text: a sign a cup, ``?`` where cameras differ or can't tell. cameras: how each saw the frame."""

    text: str
    cameras: Mapping[str, CameraView]
    duration_ms: float
    clear: bool = True

    @property
    def lost(self) -> bool:
        """Return whether no camera saw the frame."""
        return all(view.reprojection_px is None for view in self.cameras.values())


class RowReader(PoseFinder):
    """Reads the cups of one table. PoseFinder finds each camera's pose by its lens and the printed frame."""

    def read(self, pictures: Mapping[str, NDArray[np.uint8]]) -> RowSeen:
        """Read one look. Raises CalibrationError where a camera does not fit its lens."""
        began = time.perf_counter()
        views, cameras = self.views(pictures)
        cups = range(self.table.columns)
        told = [{_sign(_brightness(view, self.table, number)) for view in views} for number in cups]
        text = "".join(signs.pop() if len(signs) == 1 else OPEN for signs in told)
        return RowSeen(text, cameras, 1000 * (time.perf_counter() - began))


def _brightness(view: View, table: TableSetup, number: int) -> float:
    """Return how bright the middle of a cup's upper end is."""
    x, y = table.centre_mm(0, number)
    radius, height = table.cube_mm[0] / 2 * MIDDLE, table.cube_mm[2]
    turn = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    ring = np.column_stack([x + radius * np.cos(turn), y + radius * np.sin(turn), np.full(12, height)])
    grey = cv2.cvtColor(view.picture_bgr, cv2.COLOR_BGR2GRAY)
    mask = np.zeros(grey.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(view.project(ring)).astype(np.int32), 255)
    return float(cv2.mean(grey, mask)[0])


def _sign(brightness: float) -> str:
    return UP if brightness < DARK else DOWN if brightness > PALE else OPEN


def reader(game: AnyGame, folder: Path) -> RowReader:
    """Open what reads a table's cups. Raises CalibrationError."""
    return RowReader(load_table(folder), folder)


def reader_at(game: AnyGame, table: TableSetup, folder: Path, lenses: Mapping[str, Lens] | None = None) -> RowReader:
    """Return what reads a table's cups, whichever of its cameras are calibrated."""
    return RowReader(table, folder, lenses)

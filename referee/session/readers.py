"""The session's contract with the reader of a kind: only what every kind's reader has."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from calibration.lens import Lens
from calibration.table import TableSetup
from referee.kinds import platform
from referee.match.events import AnyGame
from referee.session.capture import Pictures
from vision.geometry.view import View
from vision.posefinder import PoseFinder
from vision.reading import CameraView


class Reader(Protocol):
    """Reads one table's pictures. How it reads a look is agreed between a kind's reader and its adapter."""

    @property
    def table(self) -> TableSetup:
        """Return the table's measures."""

    def lens(self, camera: str) -> Lens:
        """Return a camera's lens. Raises CalibrationError for one that is not calibrated."""

    def views(self, pictures: Pictures) -> tuple[list[View], dict[str, CameraView]]:
        """Return the cameras that see the frame as views, and how each camera saw it. Raises CalibrationError."""


def reader_at(game: AnyGame, table: TableSetup, folder: Path, lenses: Mapping[str, Lens] | None = None) -> PoseFinder:
    """Return what reads a game's table, whichever of its cameras are calibrated.

    folder: the table's. lenses: those that are known already. Raises CalibrationError for measures or taught places
    that can't be used.
    """
    found: PoseFinder = platform(game.kit.kind, "reader").reader_at(game, table, folder, lenses)
    return found


def reader_of(game: AnyGame, folder: Path | None) -> Reader | None:
    """Open what reads a game's table; ``None`` where no table is known, or nothing is looked at.

    Raises CalibrationError for measures or lenses that can't be used.
    """
    if folder is None:
        return None
    opened: Reader | None = platform(game.kit.kind, "reader").reader(game, folder)
    return opened

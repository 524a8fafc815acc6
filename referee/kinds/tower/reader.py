"""Readers of towers of bars."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from calibration.lens import Lens
from calibration.table import TableSetup
from referee.match.events import AnyGame
from vision.tower.reader import TowerReader


def reader(game: AnyGame, folder: Path) -> TowerReader:
    """Open what reads a table's tower. Raises CalibrationError."""
    return TowerReader.open(folder)


def reader_at(
    game: AnyGame, table: TableSetup, folder: Path, lenses: Mapping[str, Lens] | None = None
) -> TowerReader:
    """Return what reads a table's tower. Raises CalibrationError for a table without bars."""
    return TowerReader(table, folder, lenses)

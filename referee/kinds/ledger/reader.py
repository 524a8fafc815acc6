"""Readers of mats."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from calibration.lens import Lens
from calibration.table import TableSetup, game_without_cameras
from referee.match.events import AnyGame
from vision.ledger.reader import MatReader
from vision.ledger.teaching import taught_places


def reader(game: AnyGame, folder: Path) -> MatReader | None:
    """Open what reads a table's mat, ``None`` where it has no cameras. Raises CalibrationError."""
    return None if game_without_cameras(folder) else MatReader.open(folder)


def reader_at(game: AnyGame, table: TableSetup, folder: Path, lenses: Mapping[str, Lens] | None = None) -> MatReader:
    """Return what reads a table's mat. Raises CalibrationError for a table without dice."""
    return MatReader(table, folder, taught_places(folder), lenses)

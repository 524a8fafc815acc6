"""Readers of mats."""

from __future__ import annotations

from pathlib import Path

from calibration.table import game_without_cameras
from referee.match.events import AnyGame
from vision.ledger.reader import MatReader


def reader(game: AnyGame, folder: Path) -> MatReader | None:
    """Open what reads a table's mat, ``None`` where it has no cameras. Raises CalibrationError."""
    return None if game_without_cameras(folder) else MatReader.open(folder)

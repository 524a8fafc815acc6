"""Readers of towers of bars."""

from __future__ import annotations

from pathlib import Path

from referee.match.events import AnyGame
from vision.tower.reader import TowerReader


def reader(game: AnyGame, folder: Path) -> TowerReader:
    """Open what reads a table's tower. Raises CalibrationError."""
    return TowerReader.open(folder)

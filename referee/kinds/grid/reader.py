"""Readers of boards of stacks and pieces."""

from __future__ import annotations

from pathlib import Path

from referee.match.events import AnyGame
from vision.reader import TableReader


def reader(game: AnyGame, folder: Path) -> TableReader:
    """Open what reads a table's board. Raises CalibrationError."""
    return TableReader.open(folder, kit=game.kit)

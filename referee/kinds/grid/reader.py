"""Readers of boards of stacks and pieces."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from calibration.lens import Lens
from calibration.table import TableSetup
from referee.match.events import AnyGame
from vision.reader import TableReader


def reader(game: AnyGame, folder: Path) -> TableReader:
    """Open what reads a table's board. Raises CalibrationError."""
    return TableReader.open(folder, kit=game.kit)


def reader_at(
    game: AnyGame, table: TableSetup, folder: Path, lenses: Mapping[str, Lens] | None = None
) -> TableReader:
    """Return what reads a table's board, whichever of its cameras are calibrated."""
    return TableReader(table, folder, lenses, game.kit)

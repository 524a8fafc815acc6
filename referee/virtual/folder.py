"""Makes a table folder for a virtual table: sizes from the game's preset, lenses as the virtual cameras have them."""

from __future__ import annotations

from pathlib import Path

from calibration.errors import CalibrationError
from calibration.lens import save_lens
from calibration.table import TableSetup
from calibration.writing import write_table
from referee.games import package_named
from referee.games.package import GamePackage
from referee.kinds import has_platform
from referee.virtual.lenses import CAMERAS, lens_of
from referee.virtual.touching import virtual_kind


def can_be_laid(package: GamePackage) -> bool:
    """Return whether a virtual table can be laid for a game, that is whether its tables have sizes."""
    return _sizes(package) is not None


def make_table(folder: Path, game: str) -> TableSetup:
    """Write ``table.json`` and the lenses' files. Raises CalibrationError where the game's tables have no sizes."""
    data = _sizes(package_named(game))
    if data is None:
        raise CalibrationError(f"{game} has no sizes of a table: no virtual table can be laid for it")
    folder.mkdir(parents=True, exist_ok=True)
    table = write_table(folder, data)
    for camera in table.cameras:
        save_lens(folder / "calibration" / f"{camera}.json", lens_of(camera))
    return table


def _sizes(package: GamePackage) -> dict[str, object] | None:
    game = package.game
    if not has_platform(game.kit.kind, "virtual"):
        return None
    return virtual_kind(game.kit).laid(game.name, package.presets, CAMERAS)

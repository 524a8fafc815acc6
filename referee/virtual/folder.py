"""Makes a table folder for a virtual table: sizes from the game's preset, lenses as the virtual cameras have them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from calibration.errors import CalibrationError
from calibration.lens import save_lens
from calibration.table import TableSetup
from calibration.writing import write_table
from referee.games import package_named, packages
from referee.games.package import GamePackage
from referee.kinds import has_platform
from referee.match.turnkind import needs_pictures
from referee.virtual.lenses import CAMERAS, PHONE, lens_of
from referee.virtual.touching import virtual_kind

VIRTUAL_TABLE = "virtual table"
"""What games played at a virtual table name as their table."""


def can_be_laid(package: GamePackage) -> bool:
    """Return whether a virtual table can be laid for a game, that is whether its tables have sizes."""
    return sizes_of(package, CAMERAS) is not None


def make_table(folder: Path, game: str, held: bool = False, cameras: Sequence[str] = CAMERAS) -> TableSetup:
    """Write ``table.json`` and the lenses' files.

    held: a phone in a hand is its only camera, in place of ``cameras``. Raises CalibrationError, naming other games,
    where none can be laid.
    """
    package = package_named(game)
    data = sizes_of(package, (PHONE,) if held else cameras)
    if data is None:
        why = "" if needs_pictures(package.game.kit) else ", where everything is declared"
        others = ", ".join(name for name, other in packages().items() if can_be_laid(other))
        raise CalibrationError(f"there is no virtual table for {game}{why}: use one of {others}")
    folder.mkdir(parents=True, exist_ok=True)
    table = write_table(folder, data | {"held": [PHONE]} if held else data)
    for camera in table.cameras:
        save_lens(folder / "calibration" / f"{camera}.json", lens_of(camera))
    return table


def sizes_of(package: GamePackage, cameras: Sequence[str]) -> dict[str, object] | None:
    """Return the contents of a virtual table's ``table.json``; ``None`` where none can be laid.

    Raises CalibrationError for the name of a preset that the game does not have.
    """
    game, presets = package.game, {preset.name: preset for preset in package.presets}
    if not presets or not has_platform(game.kit.kind, "virtual"):
        return None
    name = package.virtual or next(iter(presets))
    if name not in presets:
        raise CalibrationError(f"{game.name} has no preset {name!r} to lay a virtual table by: name one it has")
    return virtual_kind(game.kit).laid(game.name, presets[name], cameras)

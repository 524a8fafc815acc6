"""A table folder for a virtual table: sizes from the game's preset, lenses as the virtual cameras have them."""

from __future__ import annotations

from pathlib import Path

from calibration.errors import CalibrationError
from calibration.lens import save_lens
from calibration.making import Margins, Measures, TowerMeasures, table_data, tower_data
from calibration.table import TableSetup
from calibration.writing import write_table
from referee.games import package_named
from referee.games.package import GamePackage
from referee.games.presets import AnyPreset, TablePreset, TowerPreset
from referee.virtual.lenses import CAMERAS, lens_of

USUAL = {"grid": 1}
"""Which preset is laid: wooden stones are read best."""


def can_be_laid(package: GamePackage) -> bool:
    """Whether a virtual table can be laid for a game: one whose tables have sizes."""
    return isinstance(_preset(package), TowerPreset | TablePreset)


def make_table(folder: Path, game: str) -> TableSetup:
    """Write ``table.json`` and the lenses' files. Raises CalibrationError where the game's tables have no sizes."""
    preset = _preset(package_named(game))
    if isinstance(preset, TowerPreset):
        sizes = TowerMeasures(game, preset.bar_mm, preset.base_mm, preset.board_mm, CAMERAS)
        data = tower_data(sizes)
    elif isinstance(preset, TablePreset):
        data = table_data(_measures(game, preset))
    else:
        raise CalibrationError(f"{game} has no sizes of a table: no virtual table can be laid for it")
    folder.mkdir(parents=True, exist_ok=True)
    table = write_table(folder, data)
    for camera in table.cameras:
        save_lens(folder / "calibration" / f"{camera}.json", lens_of(camera))
    return table


def _preset(package: GamePackage) -> AnyPreset | None:
    at = min(USUAL.get(package.game.kit.kind, 0), len(package.presets) - 1)
    return package.presets[at] if package.presets else None


def _measures(game: str, preset: TablePreset) -> Measures:
    tracks = [(track.name, track.above, track.rightwards, track.places) for track in preset.tracks]
    return Measures(
        game=game,
        columns=preset.columns,
        rows=preset.rows,
        pitch_mm=preset.pitch_mm,
        stone_mm=preset.stone_mm,
        flag_style=preset.flag_style,
        flag_height_mm=preset.flag_mm[0],
        flag_radius_mm=preset.flag_mm[1],
        board_mm=preset.board_mm,
        thickness_mm=preset.thickness_mm,
        margins=Margins(tracks, preset.track_off_mm, preset.track_pitch_mm) if tracks else None,
        cameras=CAMERAS,
    )

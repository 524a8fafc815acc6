"""From measured sizes to the contents of a new ``table.json``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from calibration.errors import CalibrationError
from calibration.layout import DICTIONARY, design_frame, marker_size, quiet_mm
from calibration.writing import corners_json

TARGET = {"squares": [10, 7], "square": 25.0, "marker": 18.0, "dictionary": "DICT_5X5_100"}
"""A calibration target that A4 and Letter hold with room for a ruler."""


@dataclass(frozen=True, slots=True)
class Margins:
    """The margin tracks. tracks: (name, above, rightwards, places); off_mm: from the playing fields' edge to the
    tracks' middle; pitch_mm: from place to place."""

    tracks: Sequence[tuple[str, bool, bool, int]]
    off_mm: float
    pitch_mm: float


@dataclass(frozen=True, slots=True)
class Measures:
    """What was measured, in mm: see ``table.json`` in the formats; board_mm is the board's outer width and depth.

    king_mm: a king's height and radius, where knights and a king stand on the stacks: the flag's sizes are then a
    knight's.
    """

    game: str
    columns: int
    rows: int
    pitch_mm: tuple[float, float]
    stone_mm: tuple[float, float, float]
    flag_style: str
    flag_height_mm: float
    flag_radius_mm: float
    board_mm: tuple[float, float]
    thickness_mm: float
    margins: Margins | None
    cameras: Sequence[str]
    marker_mm: float | None = None
    king_mm: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class TowerMeasures:
    """What was measured, in mm, where a tower of bars is built on a board that is turned.

    bar_mm: a bar's width, depth and length. base_mm: of what the tower stands on: width, depth, thickness. board_mm:
    the board's width and depth.
    """

    game: str
    bar_mm: tuple[float, float, float]
    base_mm: tuple[float, float, float]
    board_mm: tuple[float, float]
    cameras: Sequence[str]


def tower_data(measures: TowerMeasures) -> dict[str, object]:
    """The contents of ``table.json`` for a tower: the markers lie on its board, along the edge, and turn with it.

    Raises CalibrationError where the board has no room for markers around the tower.
    """
    size = marker_size(measures.board_mm)
    band = size + 2 * quiet_mm(size)
    inside = (measures.board_mm[0] - 2 * band, measures.board_mm[1] - 2 * band)
    needed = tuple(max(3 * measures.bar_mm[0], side) for side in measures.base_mm[:2])
    for axis, room, need in zip(("wide", "deep"), inside, needed, strict=True):
        if room < need:
            least = f"{need + 2 * band:g} mm {axis}"
            raise CalibrationError(f"the board must be {least} at least: markers of {size:g} mm go around the tower")
    return {
        "game": measures.game,
        "columns": 3,
        "rows": 3,
        "bar": list(measures.bar_mm),
        "colours": {"light": "light", "dark": "dark"},
        "turntable": True,
        "board": list(measures.board_mm),
        "base": list(measures.base_mm),
        "cameras": list(measures.cameras),
        "markers": {
            "dictionary": DICTIONARY,
            "size": size,
            "corners": corners_json(design_frame(inside, 0.0, size)),
        },
        "charuco": TARGET,
    }


@dataclass(frozen=True, slots=True)
class MatMeasures:
    """What was measured, in mm, where dice are rolled on a mat. mat_mm: its width and depth; die_mm: a die's side."""

    game: str
    mat_mm: tuple[float, float]
    die_mm: float
    cameras: Sequence[str]


def mat_data(measures: MatMeasures) -> dict[str, object]:
    """The contents of ``table.json`` for a mat: the printed frame lies around it."""
    size = marker_size(measures.mat_mm)
    frame = design_frame(measures.mat_mm, 0.0, size)
    return {
        "game": measures.game,
        "die": measures.die_mm,
        "mat": list(measures.mat_mm),
        "cameras": list(measures.cameras),
        "markers": {"dictionary": DICTIONARY, "size": size, "corners": corners_json(frame)},
        "charuco": TARGET,
    }


def table_data(measures: Measures) -> dict[str, object]:
    """The contents of ``table.json``; its values are validated when it is written.

    Raises CalibrationError where the board does not hold its fields and tracks, or is too large for a frame.
    """
    _check(measures)
    size = measures.marker_mm or marker_size(measures.board_mm)
    return {
        "game": measures.game,
        "columns": measures.columns,
        "rows": measures.rows,
        "pitch": list(measures.pitch_mm),
        "cube": list(measures.stone_mm),
        **_pieces(measures),
        "cameras": list(measures.cameras),
        "margin_fields": _margin_fields(measures),
        "markers": {
            "dictionary": DICTIONARY,
            "size": size,
            "corners": corners_json(design_frame(measures.board_mm, -measures.thickness_mm, size)),
        },
        "charuco": TARGET,
    }


def _pieces(measures: Measures) -> dict[str, object]:
    sizes = {"height": measures.flag_height_mm, "radius": measures.flag_radius_mm}
    if measures.king_mm is None:
        return {"flag": {"style": measures.flag_style, **sizes}}
    return {"knight": sizes, "king": {"height": measures.king_mm[0], "radius": measures.king_mm[1]}}


def _check(measures: Measures) -> None:
    fields = measures.columns * measures.pitch_mm[0], measures.rows * measures.pitch_mm[1]
    for axis, across, board in zip(("wide", "deep"), fields, measures.board_mm, strict=True):
        if board < across:
            raise CalibrationError(f"the board is {board:g} mm {axis}, but its fields alone measure {across:g} mm")
    if measures.margins is None:
        return
    half = fields[1] / 2 + measures.margins.off_mm
    if half > measures.board_mm[1] / 2:
        raise CalibrationError(
            f"the margin tracks lie {half:g} mm from the board's middle, but the board ends at "
            f"{measures.board_mm[1] / 2:g} mm: the frame around it would cover them"
        )


def _margin_fields(measures: Measures) -> Mapping[str, object]:
    if measures.margins is None:
        return {}
    margins = measures.margins
    y = measures.rows * measures.pitch_mm[1] / 2 + margins.off_mm
    return {
        name: [
            [(1 if rightwards else -1) * (step + 0.5) * margins.pitch_mm, y if above else -y]
            for step in range(places)
        ]
        for name, above, rightwards, places in margins.tracks
    }

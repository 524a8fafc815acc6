"""Tables on which a tower of bars is built, as ``referee new`` and the virtual table make them."""

from __future__ import annotations

from collections.abc import Sequence

import click

from calibration.errors import CalibrationError
from calibration.layout import marker_size, quiet_mm
from calibration.making import frame_data
from referee.cli.answers import SizeAnswers, Sizes
from referee.cli.boxpicture import BoxDrawing
from referee.cli.tablekind import BOARD, check_step
from referee.kinds.tower.presets import TowerPreset
from referee.values.kit import Kit

_BARS = (
    ((0, 0, 0), (1, 1, 2), 0), ((1, 0, 0), (2, 1, 1), 1), ((0, 1, 0), (2, 1, 1), 1), ((2, 1, 0), (1, 1, 2), 1),
    ((0, 1, 1), (1, 2, 1), 0), ((1, 1, 1), (1, 1, 2), 1), ((0, 2, 0), (1, 1, 1), 1), ((1, 2, 0), (2, 1, 1), 0),
)  # fmt: skip
"""Of a picture, the farthest first: each bar's place and size, in squares, and which of the kit's pieces it is,
counted round where it has fewer."""
_FELT, _BOARD = "#3f6b4c", "#e8e6e0"
OPTIONS: Sequence[click.Option] = (
    BOARD,
    click.Option(["--bar"], type=Sizes(3), help="A bar's width, depth and length, where a tower of bars is built."),
    click.Option(["--base"], type=Sizes(3, 0.0), help="Width, depth and thickness of what a tower stands on."),
)


def is_measured(start: TowerPreset) -> bool:
    """Return true: bars and board have sizes."""
    return True


def measured(game: str, start: TowerPreset, answers: SizeAnswers) -> dict[str, object]:
    """Return the contents of ``table.json``. Raises CalibrationError where the board has no room for markers."""
    bar = answers.sizes("bar", "A bar's width x depth x length", start.bar_mm)
    base = answers.sizes("base", "What the tower stands on, width x depth x thickness", start.base_mm, 0.0)
    board = answers.sizes("board", "The width x depth of the board that is turned", start.board_mm)
    return table_data(game, bar, base, (board[0], board[1]), answers.cameras())


def picture(kit: Kit, start: TowerPreset) -> str:
    """Return a tower of some bars of a preset, as SVG."""
    drawing, side, (wide, deep, thick) = BoxDrawing(), start.bar_mm[0], start.base_mm
    rim = 1.1 * side
    drawing.box((-rim, -rim, -thick - 1.0), (3 * side + 2 * rim, 3 * side + 2 * rim, 1.0), _BOARD)
    drawing.box(((3 * side - wide) / 2, (3 * side - deep) / 2, -thick), (wide, deep, thick), _FELT)
    for at, size, piece in _BARS:
        x, y, z = (side * place for place in at)
        across, away, high = (side * squares for squares in size)
        drawing.box((x, y, z), (across, away, high), kit.pieces[piece % len(kit.pieces)].paint.light)
    return drawing.svg()


last_step = check_step


def table_data(
    game: str,
    bar_mm: Sequence[float],
    base_mm: Sequence[float],
    board_mm: tuple[float, float],
    cameras: Sequence[str],
) -> dict[str, object]:
    """Return the contents of ``table.json``: the markers lie on the board, along its edge, and turn with it.

    bar_mm: width, depth and length. base_mm: of what the tower stands on: width, depth, thickness. Raises
    CalibrationError where the board has no room for markers around the tower.
    """
    size = marker_size(board_mm)
    band = size + 2 * quiet_mm(size)
    inside = (board_mm[0] - 2 * band, board_mm[1] - 2 * band)
    needed = tuple(max(3 * bar_mm[0], side) for side in base_mm[:2])
    for axis, room, need in zip(("wide", "deep"), inside, needed, strict=True):
        if room < need:
            least = f"{need + 2 * band:g} mm {axis}"
            raise CalibrationError(f"the board must be {least} at least: markers of {size:g} mm go around the tower")
    return {
        "game": game,
        "columns": 3,
        "rows": 3,
        "bar": list(bar_mm),
        "colours": {"light": "light", "dark": "dark"},
        "turntable": True,
        "board": list(board_mm),
        "base": list(base_mm),
        "cameras": list(cameras),
        **frame_data(inside, 0.0, size),
    }

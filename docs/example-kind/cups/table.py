"""What is measured of a table with a row of cups, for ``referee new``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from calibration.layout import marker_size
from calibration.making import frame_data
from calibration.table import TableSetup
from cups.presets import RowPreset
from referee.cli.answers import SizeAnswers, Sizes
from referee.cli.tablekind import check_step
from referee.games import game_named

MARGIN_MM = 20.0
"""From the outer cups to the printed frame."""
OPTIONS: Sequence[click.Option] = (
    click.Option(["--cup"], type=Sizes(2), help="A cup's width and height."),
    click.Option(["--apart"], type=Sizes(1), help="From one cup's middle to the next."),
)


def is_measured(start: RowPreset) -> bool:
    """Return true: cups have sizes."""
    return True


def measured(game: str, start: RowPreset, answers: SizeAnswers) -> dict[str, object]:
    """Return the contents of ``table.json``."""
    cup = answers.sizes("cup", "A cup's width x height", start.cup_mm)
    apart = answers.sizes("apart", "From one cup's middle to the next", [start.pitch_mm])
    return table_data(game, (cup[0], cup[1]), apart[0], answers.cameras())


def table_data(game: str, cup_mm: tuple[float, float], pitch_mm: float, cameras: Sequence[str]) -> dict[str, object]:
    """Return the contents of ``table.json``: the frame of markers goes around the row."""
    cups, (width, height) = game_named(game).kit.columns, cup_mm
    inside = (cups * pitch_mm + 2 * MARGIN_MM, pitch_mm + 2 * MARGIN_MM)
    return {
        "game": game,
        "columns": cups,
        "rows": 1,
        "pitch": [pitch_mm, pitch_mm],
        "cube": [width, width, height],
        "figures": False,
        "cameras": list(cameras),
        **frame_data(inside, 0.0, marker_size(inside)),
    }


def last_step(table: TableSetup, folder: Path) -> str:
    """Return how the set-up is checked."""
    return check_step(table, folder)

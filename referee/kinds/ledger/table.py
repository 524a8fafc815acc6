"""Tables of a ledger, as ``referee new`` makes them: without cameras, or with a mat under cameras."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from calibration.layout import marker_size
from calibration.making import frame_data
from calibration.table import TableSetup
from referee.cli.answers import SizeAnswers, Sizes
from referee.kinds.ledger.presets import LedgerPreset, MatPreset

OPTIONS: Sequence[click.Option] = (
    click.Option(["--mat"], type=Sizes(2), help="A mat's width and depth, where dice are rolled on one."),
    click.Option(["--die"], type=Sizes(1, 5.0), help="A die's side."),
)


def is_measured(start: LedgerPreset | MatPreset) -> bool:
    """Return whether cameras look at a mat."""
    return isinstance(start, MatPreset)


def measured(game: str, start: MatPreset, answers: SizeAnswers) -> dict[str, object]:
    """Return the contents of ``table.json``: the printed frame lies around the mat."""
    mat = answers.sizes("mat", "The mat's width x depth", start.mat_mm)
    die = answers.sizes("die", "A die's side", [start.die_mm], 5.0)
    size = marker_size((mat[0], mat[1]))
    return {
        "game": game,
        "die": die[0],
        "mat": list(mat),
        "cameras": answers.cameras(),
        **frame_data((mat[0], mat[1]), 0.0, size),
    }


def last_step(table: TableSetup, folder: Path) -> str:
    """Return how a mat's places are shown to the cameras."""
    return (
        f"**Show the mat**: `referee run {folder.name or folder} --host 0.0.0.0`, then open the page with `/mat` at "
        "the end and\n   tap what it asks for: it needs the mat empty first, then with pawns and counters on it."
    )

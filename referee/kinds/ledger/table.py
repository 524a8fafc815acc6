"""Tables of a ledger, as ``referee new`` makes them: without cameras, or with a mat under cameras."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from calibration.layout import marker_size
from calibration.making import frame_data
from calibration.table import TableSetup
from referee.cli.answers import SizeAnswers, Sizes
from referee.cli.boxpicture import BoxDrawing
from referee.kinds.ledger.presets import LedgerPreset, MatPreset
from referee.values.kit import Kit

_DIE_MM = 16.0
_DICE = ((62.0, 34.0), (38.0, 58.0))
_PIPS = (
    ((0.5, 0.5), (0.25, 0.25), (0.75, 0.75)),
    ((0.25, 0.25), (0.25, 0.75), (0.75, 0.25), (0.75, 0.75), (0.5, 0.5)),
)
_MAT, _SCREEN, _CASE, _BONE, _INK = "#8fae9a", "#f4efe4", "#3a3632", "#fbfaf5", "#2b231a"
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


def picture(kit: Kit, start: LedgerPreset | MatPreset) -> str:
    """Return a corner of the mat with pawns, or a tablet where everything is declared, and two dice, as SVG."""
    drawing = BoxDrawing()
    if isinstance(start, MatPreset):
        drawing.box((0.0, 0.0, -1.0), (110.0, 90.0, 1.0), _MAT)
        for number, piece in enumerate(kit.pieces):
            x, y = 14.0 + 24.0 * number, 14.0
            drawing.round((x, y, 0.0), 6.0, 2.0, 15.0, piece.paint.light)
            drawing.ball((x, y, 18.0), 4.0, piece.paint.light)
    else:
        drawing.box((0.0, 0.0, -4.0), (110.0, 80.0, 4.0), _CASE)
        drawing.box((6.0, 6.0, 0.0), (98.0, 68.0, 0.2), _SCREEN)
    for (x, y), pips in zip(_DICE, _PIPS, strict=True):
        drawing.box((x, y, 0.2), (_DIE_MM, _DIE_MM, _DIE_MM), _BONE)
        for right, down in pips:
            drawing.spot((x + right * _DIE_MM, y + down * _DIE_MM, _DIE_MM), 0.09 * _DIE_MM, _INK)
    return drawing.svg()


def last_step(table: TableSetup, folder: Path) -> str:
    """Return how a mat's places are shown to the cameras."""
    return (
        f"**Show the mat**: `referee run {folder.name or folder} --host 0.0.0.0`, then open the page with `/mat` at "
        "the end and\n   tap what it asks for: it needs the mat empty first, then with pawns and counters on it."
    )

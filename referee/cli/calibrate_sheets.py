"""``referee calibrate sheets``: the frame, the calibration target and an instruction, to be printed true to size."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import click

from calibration.errors import CalibrationError
from calibration.files import write_atomic
from calibration.printing.paper import PAPERS, PaperName
from calibration.printing.sheets import sheets_pdf
from calibration.table import load_framed
from referee.cli.failures import in_words
from referee.cli.jsonlines import FAULTY
from referee.cli.pictures import TABLE
from referee.cli.sheet_words import sheet_texts
from referee.values.words import LANGUAGES


@click.command(name="sheets")
@TABLE
@click.option("--paper", type=click.Choice(tuple(PAPERS)), default="a4", show_default=True, help="Size of the paper.")
@click.option(
    "--language", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Language of the instructions."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Write to this file [default: sheets-PAPER.pdf in the table's folder].",
)
def command(folder: Path, paper: str, language: str, out: Path | None) -> None:
    """Write a PDF to print: the marker frame in strips, the calibration target, and what to do with them.

    The frame is the one in table.json, at whatever size of board. Print at 100 % and check the ruler on every page.
    """
    try:
        table = load_framed(folder)
        name = cast(PaperName, paper)
        pdf = sheets_pdf(table, name, sheet_texts(table, paper, language))
        path = out or folder / f"sheets-{paper}.pdf"
        write_atomic(path, pdf)
    except (CalibrationError, OSError) as error:
        click.echo(f"referee calibrate sheets: {in_words(error, out or folder)}", err=True)
        raise SystemExit(FAULTY) from None
    click.echo(f"{path}: print it at 100 % and check the ruler on every page")

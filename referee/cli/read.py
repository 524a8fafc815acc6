"""``referee read``: what stands on the table, from pictures; one JSON request a line."""

from __future__ import annotations

from pathlib import Path

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from referee.cli.jsonlines import FAULTY, FILES, check_keys, run_lines
from referee.cli.pictures import TABLE, open_reader
from referee.cli.requesting import requests_of
from referee.games.contract import RequestError


class Explanations:
    """Writes the pictures that explain readings: OUT.png, then OUT-2.png and so on."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._count = 0

    def write(self, picture: NDArray[np.uint8]) -> None:
        """Write the next one. Raises RequestError when it can't be written."""
        self._count += 1
        name = self._path.name if self._count == 1 else f"{self._path.stem}-{self._count}{self._path.suffix}"
        path = self._path.with_name(name)
        try:
            path.write_bytes(cv2.imencode(".png", picture)[1].tobytes())
        except OSError as error:
            raise RequestError("explain", f"--explain: {path} can't be written: {error.strerror}") from error


@click.command(name="read")
@TABLE
@click.option(
    "--explain",
    "out",
    metavar="OUT.png",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also draw what was read, and how surely, over the pictures; OUT-2.png and so on for further requests.",
)
@FILES
@click.pass_context
def command(context: click.Context, folder: Path, out: Path | None, files: tuple[Path, ...]) -> None:
    """Read boards from pictures: one JSON request a line of each FILE (or standard input), one JSON answer a line.

    Exit status: 0 all lines answered, 2 some line in error, or the table cannot be used.
    """
    if out is not None and out.suffix.lower() != ".png":
        raise click.BadParameter("the picture is a PNG: give a name that ends in .png", param_hint="--explain")
    explain = None if out is None else Explanations(out).write
    game, reader = open_reader(context, folder)
    if reader is None:
        click.echo(
            f"referee read: {folder}: this table has no cameras, so no camera looks and nothing can be read: "
            f"rule on what is declared with referee audit --table {folder}",
            err=True,
        )
        context.exit(FAULTY)
    requests = requests_of(game)

    def answer(request: dict[str, object], base: Path) -> dict[str, object]:
        check_keys(request, requests.READ_KEYS)
        return requests.read(game, reader, request, base, explain)

    context.exit(run_lines(files, answer))

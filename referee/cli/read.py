"""``referee read``: boards from pictures, one JSON request a line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.table import TableSetup
from referee.cli.jsonlines import FILES, check_keys, run_lines
from referee.cli.mats import read_mat_pictures
from referee.cli.pictures import TABLE, load_pictures, open_mat, open_table, open_tower
from referee.cli.towers import Explain, read_tower
from referee.games.contract import Game, RequestError
from referee.values.belief import Prior
from referee.values.board import Board, BoardError
from vision.reader import TableReader
from vision.reading import CameraView, Reading

SAID = ("seats", "players", "edition")
"""Keys that say something of the game that is played."""
KEYS = ("id", "images", *SAID, "previous")


def answer(
    game: Game[Any], reader: TableReader, request: Mapping[str, object], base: Path, explain: Explain | None = None
) -> dict[str, object]:
    """Read the board of one request and return the answer without its id; ``explain`` gets the picture that shows it.

    Image paths are relative to ``base``. Raises RequestError for what cannot be read, saying what to do.
    """
    check_keys(request, KEYS)
    expect = _sighting(game, request, reader.table)
    owners = _owners(request.get("seats"), reader.table)
    pictures = load_pictures(request.get("images"), base, reader.table)
    try:
        reading = reader.read(pictures, expect, owners)
    except CalibrationError as error:
        raise RequestError("calibration", str(error)) from error
    if reading.lost:
        raise RequestError("frame-not-seen", "; ".join(view.problem for view in reading.cameras.values()))
    if explain is not None:
        explain(reader.explain(pictures, reading, expect))
    told = to_json(reading)
    if not game.kit.tracks:
        del told["aggressor"]
    if reading.score:
        told["score"] = dict(reading.score)
    return told


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


def to_json(reading: Reading) -> dict[str, object]:
    """A reading as formats.md writes it, without its id."""
    return {
        "board": reading.text,
        "confidence": np.round(reading.confidence[::-1], 4).tolist(),
        "aggressor": dict(reading.stones),
        "clear": reading.clear,
        "blocked": [field.name for field in reading.blocked],
        "cameras": {name: _camera(view) for name, view in reading.cameras.items()},
        "ms": round(reading.duration_ms, 1),
    }


def _camera(view: CameraView) -> dict[str, object]:
    told = None if view.reprojection_px is None else round(view.reprojection_px, 3)
    plain: dict[str, object] = {"markers": view.markers, "reprojection_px": told}
    return plain | {"problem": view.problem} if view.problem else plain


def _sighting(game: Game[Any], request: Mapping[str, object], table: TableSetup) -> Prior | None:
    """What the request lets one expect; ``None`` when it says nothing."""
    said = {key: request[key] for key in SAID if request.get(key) is not None}
    expected = game.expectation(said, (table.rows, table.columns))
    previous = _previous(game, request.get("previous"), table)
    return replace(expected, previous=previous) if said or previous is not None else None


def _owners(seats: object, table: TableSetup) -> dict[str, str] | None:
    """Whose stone stands on which margin track, as far as valid seats say it."""
    if not isinstance(seats, dict):
        return None
    return {track: str(seats[track]) for track in table.margin_fields if seats.get(track) is not None}


def _previous(game: Game[Any], value: object, table: TableSetup) -> Board | None:
    if value is None:
        return None
    try:
        return Board.parse(value, table.rows, table.columns, game.kit.letters)
    except BoardError as error:
        raise RequestError("board", f"previous: {error}") from error


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
    tower = open_tower(context, folder)
    if tower is not None:
        context.exit(run_lines(files, lambda request, base: read_tower(tower, request, base, explain)))
    mat = open_mat(context, folder)
    if mat is not None:
        context.exit(run_lines(files, lambda request, base: read_mat_pictures(mat, request, base)))
    game, reader = open_table(context, folder)
    context.exit(run_lines(files, lambda request, base: answer(game, reader, request, base, explain)))

"""``referee read``: boards from pictures, one JSON request a line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.lenses import read_picture
from calibration.table import TableSetup
from referee.belief import Sighting
from referee.board import Board, BoardError, Colour, Field
from referee.cli.jsonlines import FAULTY, run_lines
from referee.games.terra_turrium.geometry import FIELDS, bits
from referee.games.terra_turrium.ruleset import EDITIONS, rule_set
from referee.ruling import RequestError
from vision.reader import Reader
from vision.reading import CameraView, Reading

KEYS = ("id", "images", "seats", "players", "edition", "previous")
FLAGS_EACH = 6
PLAYERS = (2, 3, 4)

Seats = Mapping[str, Colour | None]


def answer(reader: Reader, request: Mapping[str, object], base: Path) -> dict[str, object]:
    """Read the board of one request and return the answer without its id.

    Image paths are relative to ``base``. Raises RequestError for what cannot be read, saying what to do.
    """
    for key in request:
        if key not in KEYS:
            raise RequestError("request", f"unknown key {key[:40]!r}: a request has {', '.join(KEYS)}")
    table = reader.table
    seats = _seats(request.get("seats"), table)
    expect = _sighting(request, seats, table)
    pictures = load_pictures(request.get("images"), base, table)
    colours = {track: colour for track, colour in seats.items() if colour is not None} if seats else None
    try:
        reading = reader.read(pictures, expect, colours)
    except CalibrationError as error:
        raise RequestError("calibration", str(error)) from error
    if reading.lost:
        raise RequestError("frame-not-seen", "; ".join(view.problem for view in reading.cameras.values()))
    return to_json(reading)


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


def load_pictures(images: object, base: Path, table: TableSetup) -> dict[str, NDArray[np.uint8]]:
    """Decode the pictures a request names, camera to (h, w, 3) BGR. Raises RequestError naming the picture."""
    if not isinstance(images, dict) or not images:
        raise RequestError("images", 'images must name at least one picture: {"cam0": "path"}')
    pictures = {}
    for camera, name in images.items():
        if camera not in table.cameras:
            known = ", ".join(table.cameras)
            raise RequestError("camera", f"images: the table has no camera {camera[:40]!r}: use {known}")
        if not isinstance(name, str) or not name or "\0" in name:
            raise RequestError("images", f"images: {camera} must be the path of a picture")
        path = base / name
        if not path.is_file():
            raise RequestError("picture", f"{camera}: there is no picture {name!r}")
        picture = read_picture(path)
        if picture is None:
            raise RequestError("picture", f"{camera}: {name!r} cannot be read as a picture")
        pictures[camera] = picture
    return pictures


def _seats(value: object, table: TableSetup) -> Seats | None:
    if value is None:
        return None
    tracks = tuple(table.margin_fields)
    if not isinstance(value, dict) or set(value) != set(tracks):
        raise RequestError("seats", f"seats must give each of {', '.join(tracks)} a colour or null")
    try:
        seats = {seat: None if word is None else Colour.from_word(word) for seat, word in value.items()}
    except BoardError as error:
        raise RequestError("seats", f"seats: {error}") from error
    taken = [colour for colour in seats.values() if colour is not None]
    counts = sorted(taken.count(colour) for colour in set(taken))
    if counts not in ([2, 2], [1, 1, 1], [1, 1, 1, 1]):
        raise RequestError("seats", "seats: give four colours, three and a null, or two colours two places each")
    return seats


def _sighting(request: Mapping[str, object], seats: Seats | None, table: TableSetup) -> Sighting | None:
    """What the request lets one expect; ``None`` when it says nothing."""
    edition = request.get("edition")
    if edition is not None and edition not in EDITIONS:
        raise RequestError("edition", f"edition is {str(edition)[:40]!r}: use one of {', '.join(EDITIONS)}")
    players = _players(request.get("players"), seats)
    previous = _previous(request.get("previous"), table)
    if players is None and previous is None:
        return None
    colours = frozenset(colour for colour in seats.values() if colour is not None) if seats else frozenset(Colour)
    outside = frozenset[Field]()
    # The outer rings of the set-up are out of play with fewer players. Editions differ; without one, what all share.
    if players is not None and (table.rows, table.columns) == (10, 10):
        chosen = EDITIONS if edition is None else (str(edition),)
        masks = [rule_set(name, players, frozenset(), "path", "allowed").outside for name in chosen]
        outside = frozenset(field for i, field in enumerate(FIELDS) if all(i in set(bits(mask)) for mask in masks))
    return Sighting(colours, FLAGS_EACH, previous, outside)


def _players(value: object, seats: Seats | None) -> int | None:
    seated = len({colour for colour in seats.values() if colour is not None}) if seats else None
    if value is None:
        return seated
    if type(value) is not int or value not in PLAYERS:
        raise RequestError("players", f"players is {str(value)[:40]}: use 2, 3 or 4")
    if seated is not None and seated != value:
        raise RequestError("players", f"players is {value}, but seats names {seated} colours: correct one of them")
    return value


def _previous(value: object, table: TableSetup) -> Board | None:
    if value is None:
        return None
    try:
        return Board.parse(value, table.rows, table.columns)
    except BoardError as error:
        raise RequestError("board", f"previous: {error}") from error


@click.command(name="read")
@click.option(
    "--table",
    "folder",
    required=True,
    type=click.Path(path_type=Path),
    help="The table folder, with its table.json and calibration.",
)
@click.argument("files", nargs=-1, metavar="[FILE ...]", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.pass_context
def command(context: click.Context, folder: Path, files: tuple[Path, ...]) -> None:
    """Read boards from pictures: one JSON request a line of each FILE (or standard input), one JSON answer a line.

    Exit status: 0 all lines answered, 2 some line in error, or the table cannot be used.
    """
    try:
        reader = Reader.open(folder)
    except CalibrationError as error:
        click.echo(f"referee read: {error}", err=True)
        context.exit(FAULTY)
    context.exit(run_lines(files, lambda request, base: answer(reader, request, base)))

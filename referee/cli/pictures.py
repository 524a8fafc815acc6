"""Open the table that commands are told, and load the pictures that a request names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.picturefile import PictureError, decode_picture
from calibration.table import TableSetup, game_without_cameras, load_framed, load_table, place_in_table
from referee.cli.jsonlines import FAULTY
from referee.cli.requesting import requests_of
from referee.games import game_named
from referee.games.contract import AnyGame, RequestError
from referee.session.readers import Reader, reader_at, reader_of
from vision.geometry.view import camera_of, roaming_name, roams
from vision.posefinder import PoseFinder

MOST_VIEWS = 16
"""Pictures by one camera that are read as one look; further ones cost time and tell nothing."""
TABLE = click.option(
    "--table",
    "folder",
    required=True,
    type=click.Path(path_type=Path),
    help="The table folder, with its table.json and calibration.",
)


def open_table(context: click.Context, folder: Path) -> tuple[AnyGame, PoseFinder]:
    """Open the game a table is for and what finds its cameras. Says why and exits when the table can't be used."""
    try:
        table = load_framed(folder)
        game = game_named(table.game)
        reader = reader_at(game, table, folder)
        reader.require_lenses()
    except (CalibrationError, RequestError) as error:
        where = f"{place_in_table(folder, 'game')}: " if isinstance(error, RequestError) else ""
        click.echo(f"{context.command_path}: {where}{error}", err=True)
        context.exit(FAULTY)
    return game, reader


def open_reader(context: click.Context, folder: Path) -> tuple[AnyGame, Reader | None]:
    """Open the game a table is for and what reads the table, ``None`` where it needs no cameras and has none.

    Says why and exits when the table can't be used, or its kind can't be read by request.
    """
    try:
        game = game_named(game_without_cameras(folder) or load_table(folder).game)
        requests_of(game)  # a kind need not have any
        reader = reader_of(game, folder)
    except (CalibrationError, RequestError) as error:
        where = f"{place_in_table(folder, 'game')}: " if isinstance(error, RequestError) else ""
        click.echo(f"{context.command_path}: {where}{error}", err=True)
        context.exit(FAULTY)
    return game, reader


def load_pictures(images: object, base: Path, table: TableSetup) -> Mapping[str, NDArray[np.uint8]]:
    """Decode the pictures a request names, camera to (h, w, 3) BGR. Raises RequestError naming the picture."""
    return {name: _load(camera_of(name), path, base / path) for name, path in _paths(images, table, 1).items()}


def load_views(
    images: object, base: Path, table: TableSetup, first: int = 1
) -> tuple[Mapping[str, NDArray[np.uint8]], Mapping[str, str]]:
    """Decode the pictures a request names, of a camera one or a list of those it took from the hand.

    first: the number of the first picture of each list. Returns the pictures by their names, and what is wrong with
    those of a list that can't be read. Raises RequestError naming the picture where no other can take its place.
    """
    paths = _paths(images, table, MOST_VIEWS, first)
    found: dict[str, NDArray[np.uint8]] = {}
    problems: dict[str, str] = {}
    for name, path in paths.items():
        try:
            found[name] = _load(camera_of(name), path, base / path)
        except RequestError as error:
            problems[name] = str(error)
            if len(problems) == len(paths) or not roams(name):
                raise
    return found, problems


def _paths(images: object, table: TableSetup, most: int, first: int = 1) -> dict[str, str]:
    """Return the path of each picture a request names, by the picture's name, once all of it is well-formed."""
    if not isinstance(images, dict) or not images:
        raise RequestError("images", 'images must name at least one picture: {"cam0": "path"}')
    found: dict[str, str] = {}
    for camera, said in images.items():
        if camera not in table.cameras:
            known = ", ".join(table.cameras)
            raise RequestError("camera", f"images: the table has no camera {camera[:40]!r}: use {known}")
        listed = isinstance(said, list) and most > 1
        if listed and not 0 < len(said) <= most:
            raise RequestError("images", f"images: {camera} must list 1 to {most} pictures, not {len(said)}")
        for number, path in enumerate(said if listed else [said], first):
            if not isinstance(path, str) or not path or "\0" in path:
                what = "the path of a picture, or a list of them" if most > 1 else "the path of a picture"
                raise RequestError("images", f"images: {camera} must be {what}")
            found[roaming_name(camera, number) if listed else camera] = path
    return found


def _load(camera: str, name: str, path: Path) -> NDArray[np.uint8]:
    shown = repr(name if len(name) <= 80 else f"...{name[-77:]}")
    try:
        return decode_picture(path.read_bytes())
    except PictureError as error:
        raise RequestError("picture", f"{camera}: {shown} cannot be read as a picture: {error}") from None
    except FileNotFoundError:
        raise RequestError("picture", f"{camera}: there is no picture {shown}: correct its path") from None
    except (OSError, ValueError) as error:  # a ValueError: text that can't be a path
        why = error.strerror if isinstance(error, OSError) else error
        raise RequestError("picture", f"{camera}: the picture {shown} cannot be read: {why}") from error

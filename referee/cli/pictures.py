"""Open the table that commands are told, and load the pictures that a request names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.picturefile import PictureError, decode_picture
from calibration.table import TableSetup, game_without_cameras, load_table
from referee.cli.jsonlines import FAULTY
from referee.games import game_named
from referee.games.contract import AnyGame, RequestError
from referee.session.readers import Reader, reader_at, reader_of
from vision.posefinder import PoseFinder

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
        table = load_table(folder)
        game = game_named(table.game)
        reader = reader_at(game, table, folder)
        reader.require_lenses()
    except (CalibrationError, RequestError) as error:
        where = f"{folder / 'table.json'}: game: " if isinstance(error, RequestError) else ""
        click.echo(f"referee {context.info_name}: {where}{error}", err=True)
        context.exit(FAULTY)
    return game, reader


def open_reader(context: click.Context, folder: Path) -> tuple[AnyGame, Reader | None]:
    """Open the game a table is for and what reads the table, ``None`` where it needs no cameras and has none.

    Says why and exits when the table can't be used.
    """
    try:
        game = game_named(game_without_cameras(folder) or load_table(folder).game)
        reader = reader_of(game, folder)
    except (CalibrationError, RequestError) as error:
        where = f"{folder / 'table.json'}: game: " if isinstance(error, RequestError) else ""
        click.echo(f"referee {context.info_name}: {where}{error}", err=True)
        context.exit(FAULTY)
    return game, reader


def load_pictures(images: object, base: Path, table: TableSetup) -> Mapping[str, NDArray[np.uint8]]:
    """Decode the pictures a request names, camera to (h, w, 3) BGR. Raises RequestError naming the picture."""
    if not isinstance(images, dict) or not images:
        raise RequestError("images", 'images must name at least one picture: {"cam0": "path"}')
    for camera, name in images.items():
        if camera not in table.cameras:
            known = ", ".join(table.cameras)
            raise RequestError("camera", f"images: the table has no camera {camera[:40]!r}: use {known}")
        if not isinstance(name, str) or not name or "\0" in name:
            raise RequestError("images", f"images: {camera} must be the path of a picture")
    return {camera: _load(camera, name, base / name) for camera, name in images.items()}


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

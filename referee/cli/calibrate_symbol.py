"""``referee calibrate symbol``: shows the referee a face of a die that bears a symbol in place of pips."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import click
import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.lenses import read_picture
from calibration.table import load_table
from referee.cli.jsonlines import FAULTY
from referee.cli.pictures import TABLE
from referee.games import game_named
from referee.games.contract import RequestError
from referee.kinds import has_platform, platform


class KnowsSymbols(Protocol):
    """A kind's module ``symbols``, for tables on which dice are read."""

    def show(
        self, folder: Path, camera: str, picture: NDArray[np.uint8], at_px: tuple[float, float], number: int
    ) -> int:
        """Keep a face and return how many pictures of it are kept. Raises CalibrationError."""

    def forget(self, folder: Path, number: int) -> None:
        """Forget a number's symbol. Raises CalibrationError."""


@click.command(name="symbol")
@TABLE
@click.option(
    "--face", "number", required=True, type=click.IntRange(1, 6), help="The number that the symbol stands for."
)
@click.option("--image", metavar="CAMERA=FILE", help="A picture in which the die lies with the symbol on top.")
@click.option("--at", nargs=2, type=float, metavar="X Y", help="The middle of the die's top in the picture, pixels.")
@click.option("--forget", is_flag=True, help="Forget the symbol of this number.")
def command(folder: Path, number: int, image: str | None, at: tuple[float, float] | None, forget: bool) -> None:
    """Show the referee a die's face that bears a symbol in place of pips.

    The face is cut out of the picture and kept in the table's folder (symbol-6.png); from then on the referee tells
    it as this number. Show every face that bears a symbol; a face shown in different light is recognised more often.
    """
    try:
        game = game_named(load_table(folder).game)
        if not has_platform(game.kit.kind, "symbols"):
            raise CalibrationError(f"{folder}: on a table of {game.name} no dice are read")
        found: Any = platform(game.kit.kind, "symbols")
        kind: KnowsSymbols = found
        if forget:
            kind.forget(folder, number)
            click.echo(f"the symbol of {number} is forgotten")
            return
        camera, equals, file = (image or "").partition("=")
        if not equals or at is None:
            raise CalibrationError("give --image CAMERA=FILE and --at X Y, or --forget")
        picture = read_picture(Path(file))
        if picture is None:
            raise CalibrationError(f"{file}: cannot be read as a picture")
        kept = kind.show(folder, camera, picture, at, number)
        click.echo(f"kept as the {number}: {kept} picture{'s' if kept > 1 else ''} of this face")
    except (CalibrationError, RequestError, OSError) as error:
        click.echo(f"referee calibrate symbol: {error}", err=True)
        raise SystemExit(FAULTY) from None

"""``referee new``: a table folder from what was measured, asked for or given as options."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from calibration.errors import CalibrationError
from calibration.files import write_atomic
from calibration.layout import pieces
from calibration.table import TableSetup, load_framed
from calibration.writing import add_phone, with_phone, write_table
from referee.cli.answers import SizeAnswers
from referee.cli.failures import in_words
from referee.cli.jsonlines import FAULTY
from referee.cli.sheet_words import board_size
from referee.cli.table_readme import readme
from referee.cli.tablekind import TableKind, kind_named, table_kind
from referee.games import game_named, names, presets_named
from referee.games.contract import RequestError
from referee.games.presets import Preset
from referee.kinds import kind_names

DRAWING = "measure.svg"
ONE_PHONE, PHONE = "one-phone", "phone"
"""The preset of a table whose only camera is a phone in a hand, and what that camera is called."""


def _options() -> list[click.Option]:
    """Return every kind's options of sizes, each once."""
    found: dict[str, click.Option] = {}
    for kind in kind_names():
        for option in kind_named(kind).OPTIONS:
            found.setdefault(str(option.name), option)
    return list(found.values())


@click.command(name="new")
@click.argument("folder", metavar="TABLE", type=click.Path(path_type=Path, file_okay=False))
@click.option("--game", type=click.Choice(names()), default=names()[0], show_default=True)
@click.option(
    "--preset",
    help="Sizes to start from; without a terminal, what no option gives is taken from it. one-phone asks nothing: "
    "the game's usual sizes, and a phone in the hand as the only camera.",
)
@click.option("--camera", "cameras", multiple=True, help="A camera's name (give one for each) [cam0, cam1].")
@click.option(
    "--phone",
    is_flag=True,
    help="A phone in the hand as well, which photographs what the cameras leave unsure. With a TABLE that is there, "
    "only the phone is added.",
)
@click.option("--replace", is_flag=True, help="Overwrite a table that is there; its table.json is kept beside.")
def command(folder: Path, game: str, preset: str | None, phone: bool, replace: bool, **given: Any) -> None:
    """Make the folder TABLE for a new table: sizes, cameras, and a frame of markers that fits its board.

    On a terminal you are asked for what no option gives. Measure with a ruler or, better, a caliper: half a
    millimetre in a stone's height is a stone in a tower of twenty. Nothing is overwritten without --replace.
    """
    try:
        there = (folder / "table.json").exists() and not replace
        if there and phone and preset is None and not any(given.values()):
            _add_phone(folder)
            return
        if there:
            raise CalibrationError(
                f"{folder / 'table.json'}: there is a table already: choose another folder, or give --replace"
            )
        kind = table_kind(game_named(game).kit)
        held = preset == ONE_PHONE
        asks = sys.stdin.isatty() and not held
        start = _measured(game, kind) if held else _preset(game, preset, asks)
        if held:
            given["cameras"] = given["cameras"] or (PHONE,)
        if not kind.is_measured(start):
            _without_cameras(folder, game, given | {"phone": phone or None})
            return
        if asks:
            folder.mkdir(parents=True, exist_ok=True)
            _write_drawing(folder)
            click.echo(f"What the letters mean is drawn in {folder / DRAWING}. Enter takes the value in brackets.\n")
        data = kind.measured(game, start, SizeAnswers(given, asks))
        if held:
            data["held"] = list(given["cameras"])
        elif phone or (asks and click.confirm("A phone in the hand as well, for what the cameras leave unsure")):
            data = with_phone(data, PHONE)
        table = write_folder(folder, data, replace)
    except (CalibrationError, RequestError, OSError) as error:
        click.echo(f"referee new: {in_words(error, folder)}", err=True)
        raise SystemExit(FAULTY) from None
    _tell(folder, table)
    if held:
        click.echo(f"Sizes: {start.about}.")


command.params[3:3] = _options()


def _add_phone(folder: Path) -> None:
    """Add a phone to a table that is there. Raises CalibrationError where that has one, or no camera beside it."""
    table = load_framed(folder)
    if table.held:
        raise CalibrationError(f"{folder / 'table.json'}: {table.held[0]} is a phone in the hand already")
    kept = add_phone(folder, PHONE)
    click.echo(f"{folder / 'table.json'} names a phone in the hand now; what it said before is kept in {kept.name}.")
    click.echo("Start 'referee run' anew, and pair the phone: it photographs what the cameras leave unsure.")


def _without_cameras(folder: Path, game: str, given: dict[str, Any]) -> None:
    """Write a table of which nothing is measured. Raises CalibrationError for sizes or cameras given all the same."""
    odd = [name for name, value in given.items() if value not in (None, ())]
    if odd:
        raise CalibrationError(f"--{odd[0].replace('_', '-')} is not needed: nothing is measured at this table")
    write_unmeasured(folder, game)
    click.echo(f"{folder / 'table.json'} is written: a table without cameras.")
    click.echo(f"Next: referee run {folder} --host 0.0.0.0, then open the page on your tablets and phones.")


def _write_drawing(folder: Path) -> None:
    from calibration.printing.measure import measure_svg  # what draws it takes long to load

    write_atomic(folder / DRAWING, measure_svg().encode())


def write_unmeasured(folder: Path, game: str) -> None:
    """Write the folder of a table without cameras. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    write_atomic(folder / "table.json", f'{{"game": "{game}", "cameras": []}}\n'.encode())


def write_folder(folder: Path, data: dict[str, object], replace: bool) -> TableSetup:
    """Write a table's folder: its sizes, what they mean, and what to do next. Raises CalibrationError, OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    table = write_table(folder, data, replace)
    _write_drawing(folder)
    if not (folder / "README.md").exists():
        write_atomic(folder / "README.md", readme(folder, table).encode())
    return table


def _preset(game: str, name: str | None, asks: bool) -> Preset:
    presets = {preset.name: preset for preset in presets_named(game)}
    if name is None and asks:
        click.echo("Sizes to start from (yours are asked for next):")
        for preset in presets.values():
            click.echo(f"  {preset.name:10} {preset.about}")
        name = click.prompt(
            "Which is most like your table", default=next(iter(presets)), type=click.Choice(list(presets))
        )
    known = ", ".join([*presets, ONE_PHONE])
    if name is None:
        raise CalibrationError(f"there is no terminal to ask on: give --preset, one of {known}, and your sizes")
    if name not in presets:
        raise CalibrationError(f"there is no preset {name!r}: use one of {known}")
    return presets[name]


def _measured(game: str, kind: TableKind) -> Preset:
    """Return the first preset of a game at which something is measured. Raises CalibrationError for none."""
    for preset in presets_named(game):
        if kind.is_measured(preset):
            return preset
    raise CalibrationError(f"nothing of {game} is looked at: it needs no phone as a camera")


def _tell(folder: Path, table: TableSetup) -> None:
    click.echo(
        f"\n{folder / 'table.json'} is written, with {len(table.markers)} markers of {table.marker_size_mm:g} mm "
        "around the board."
    )
    click.echo(
        f"The printed frame fits a board of {board_size(pieces(table))} mm, from edge to edge: lay a ruler on yours "
        "before you print. For other sizes: referee new --help names the options."
    )
    click.echo(f"Next: referee calibrate sheets --table {folder}")
    click.echo(f"All steps are in {folder / 'README.md'}.")

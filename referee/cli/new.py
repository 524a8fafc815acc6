"""``referee new``: a table folder from what was measured, asked for or given as options."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calibration.errors import CalibrationError
from calibration.files import write_atomic
from calibration.making import Margins, MatMeasures, Measures, TowerMeasures, mat_data, table_data, tower_data
from calibration.printing.measure import measure_svg
from calibration.table import TableSetup
from calibration.writing import write_table
from referee.cli.jsonlines import FAULTY
from referee.cli.table_readme import readme
from referee.games import names, presets_named
from referee.games.presets import AnyPreset, LedgerPreset, MatPreset, TablePreset, TowerPreset

STYLES = ("rod", "pole", "banner", "pawn")
DRAWING = "measure.svg"


if TYPE_CHECKING:
    _Lengths = click.ParamType[tuple[float, ...]]
else:
    _Lengths = click.ParamType  # older versions of click know no type arguments


class Sizes(_Lengths):
    """So many lengths in mm, such as 22 or 20.5x20.5x13; one alone stands for two equal ones."""

    def __init__(self, count: int, least_mm: float = 0.1) -> None:
        self.count, self.least_mm = count, least_mm
        self.name = "x".join(["MM"] * count)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, ...]:
        """The lengths, checked."""
        if isinstance(value, tuple):
            return value
        try:
            sizes = tuple(float(part.replace(",", ".")) for part in str(value).lower().replace("×", "x").split("x"))
        except ValueError:
            sizes = ()
        if len(sizes) == 1 and self.count == 2:
            sizes *= 2
        if len(sizes) != self.count:
            example = ("22", "22x22", "20.5x20.5x13")[self.count - 1]
            what = "a length" if self.count == 1 else f"{self.count} lengths"
            self.fail(f"{value!r} is not {what} in mm, such as {example}", param, ctx)
        if not all(self.least_mm <= size <= 2000 for size in sizes):
            self.fail(f"{value!r}: lengths lie between {self.least_mm:g} and 2000 mm", param, ctx)
        return sizes


@click.command(name="new")
@click.argument("folder", metavar="TABLE", type=click.Path(path_type=Path, file_okay=False))
@click.option("--game", type=click.Choice(names()), default=names()[0], show_default=True)
@click.option("--preset", help="Sizes to start from; without a terminal, what no option gives is taken from it.")
@click.option("--columns", type=click.IntRange(1, 26), help="Fields from left to right.")
@click.option("--rows", type=click.IntRange(1, 99), help="Fields from bottom to top.")
@click.option("--pitch", type=Sizes(2), help="From one field's middle to the next, across and away (A x B).")
@click.option("--stone", type=Sizes(3), help="A stone's width, depth and height (C x D x E).")
@click.option("--flag", type=click.Choice(STYLES), help="What the flags look like.")
@click.option("--flag-height", type=Sizes(1), help="How far a flag stands out of its stack (F).")
@click.option("--flag-radius", type=Sizes(1), help="Half of a flag's thickness (G).")
@click.option("--knight-height", type=Sizes(1), help="How far a knight stands out of its stack (F).")
@click.option("--knight-radius", type=Sizes(1), help="Half of a knight's thickness (G).")
@click.option("--king-height", type=Sizes(1), help="How far the king stands out of his stack.")
@click.option("--king-radius", type=Sizes(1), help="Half of the king's thickness.")
@click.option("--board", type=Sizes(2), help="The board's outer width and depth (H x I).")
@click.option("--thickness", type=Sizes(1, 0.0), help="The board's thickness (J).")
@click.option("--tracks/--no-tracks", default=None, help="Whether the board has the game's margin tracks.")
@click.option("--track-distance", type=Sizes(1), help="From the playing fields' edge to a track's middle (K).")
@click.option("--track-pitch", type=Sizes(1), help="From one place of a track to the next (L).")
@click.option("--bar", type=Sizes(3), help="A bar's width, depth and length, where a tower of bars is built.")
@click.option("--base", type=Sizes(3, 0.0), help="Width, depth and thickness of what a tower stands on.")
@click.option("--mat", type=Sizes(2), help="A mat's width and depth, where dice are rolled on one.")
@click.option("--die", type=Sizes(1, 5.0), help="A die's side.")
@click.option("--camera", "cameras", multiple=True, help="A camera's name (give one for each) [cam0, cam1].")
@click.option("--replace", is_flag=True, help="Overwrite a table that is there; its table.json is kept beside.")
def command(folder: Path, game: str, preset: str | None, replace: bool, **given: Any) -> None:
    """Make the folder TABLE for a new table: sizes, cameras, and a frame of markers that fits its board.

    On a terminal you are asked for what no option gives. Measure with a ruler or, better, a caliper: half a
    millimetre in a stone's height is a stone in a tower of twenty. Nothing is overwritten without --replace.
    """
    try:
        if (folder / "table.json").exists() and not replace:
            raise CalibrationError(
                f"{folder / 'table.json'}: there is a table already: choose another folder, or give --replace"
            )
        asks = sys.stdin.isatty()
        start = _preset(game, preset, asks)
        if isinstance(start, LedgerPreset):
            _without_cameras(folder, game, given)
            return
        if asks:
            folder.mkdir(parents=True, exist_ok=True)
            write_atomic(folder / DRAWING, measure_svg().encode())
            click.echo(f"What the letters mean is drawn in {folder / DRAWING}. Enter takes the value in brackets.\n")
        answers = _Answers(given, asks)
        if isinstance(start, MatPreset):
            data = mat_data(_mat_measures(game, start, answers))
        elif isinstance(start, TowerPreset):
            data = tower_data(_tower_measures(game, start, answers))
        else:
            data = table_data(_measures(game, start, answers))
        folder.mkdir(parents=True, exist_ok=True)
        table = write_table(folder, data, replace)
        write_atomic(folder / DRAWING, measure_svg().encode())
        if not (folder / "README.md").exists():
            write_atomic(folder / "README.md", readme(folder, table).encode())
    except (CalibrationError, OSError) as error:
        click.echo(f"referee new: {error}", err=True)
        raise SystemExit(FAULTY) from None
    _tell(folder, table)


def _without_cameras(folder: Path, game: str, given: dict[str, Any]) -> None:
    """A table of which nothing is measured. Raises CalibrationError where sizes or cameras are given all the same."""
    odd = [name for name, value in given.items() if value not in (None, ())]
    if odd:
        raise CalibrationError(f"--{odd[0].replace('_', '-')} is not needed: nothing is measured at this table")
    folder.mkdir(parents=True, exist_ok=True)
    write_atomic(folder / "table.json", f'{{"game": "{game}", "cameras": []}}\n'.encode())
    click.echo(f"{folder / 'table.json'} is written: a table without cameras.")
    click.echo(f"Next: referee run {folder} --host 0.0.0.0, then open the page on your tablets and phones.")


class _Answers:
    """What was given as options, asked for where there is a terminal, else taken from the preset."""

    def __init__(self, given: dict[str, Any], asks: bool) -> None:
        self.given, self.asks = given, asks

    def get(self, name: str, question: str, default: Any, kind: Any = None) -> Any:
        """One value. ``default`` as a person would write it."""
        if self.given.get(name) is not None:
            return self.given[name]
        if self.asks:
            return click.prompt(question, default=default, type=kind)
        return kind.convert(default, None, None) if isinstance(kind, click.ParamType) else default

    def sizes(self, name: str, question: str, default: Sequence[float], least_mm: float = 0.1) -> tuple[float, ...]:
        """Lengths in mm."""
        told = "x".join(f"{size:g}" for size in default)
        sizes: tuple[float, ...] = self.get(name, f"{question}, mm", told, Sizes(len(default), least_mm))
        return sizes


def _preset(game: str, name: str | None, asks: bool) -> AnyPreset:
    presets = {preset.name: preset for preset in presets_named(game)}
    if name is None and asks:
        click.echo("Sizes to start from (yours are asked for next):")
        for preset in presets.values():
            click.echo(f"  {preset.name:10} {preset.about}")
        name = click.prompt(
            "Which is most like your table", default=next(iter(presets)), type=click.Choice(list(presets))
        )
    if name is None:
        raise CalibrationError(
            f"there is no terminal to ask on: give --preset, one of {', '.join(presets)}, and your sizes"
        )
    if name not in presets:
        raise CalibrationError(f"there is no preset {name!r}: use one of {', '.join(presets)}")
    return presets[name]


def _measures(game: str, start: TablePreset, answers: _Answers) -> Measures:
    columns = answers.get("columns", "Fields from left to right", start.columns, click.IntRange(1, 26))
    rows = answers.get("rows", "Fields from bottom to top", start.rows, click.IntRange(1, 99))
    pitch = answers.sizes("pitch", "A x B  from one field's middle to the next, across x away", start.pitch_mm)
    stone = answers.sizes("stone", "C x D x E  a stone's width x depth x height", start.stone_mm)
    while answers.asks and (stone[0] > pitch[0] or stone[1] > pitch[1]):
        click.echo(
            f"  A stone of {stone[0]:g} x {stone[1]:g} mm does not fit on fields {pitch[0]:g} x {pitch[1]:g} mm apart"
        )
        answers.given["stone"] = None
        stone = answers.sizes("stone", "C x D x E  a stone's width x depth x height", start.stone_mm)
    figures = _figures(start, answers)
    fields = [columns * pitch[0], rows * pitch[1]]
    room = [start.board_mm[0] - start.columns * start.pitch_mm[0], start.board_mm[1] - start.rows * start.pitch_mm[1]]
    usual = [size + margin for size, margin in zip(fields, room, strict=True)]
    board = answers.sizes("board", "H x I  the board's outer width x depth", usual)
    thickness = answers.sizes("thickness", "J  the board's thickness", [start.thickness_mm], 0.0)
    return Measures(
        game=game,
        columns=columns,
        rows=rows,
        pitch_mm=(pitch[0], pitch[1]),
        stone_mm=(stone[0], stone[1], stone[2]),
        flag_style=figures.style,
        flag_height_mm=figures.height_mm,
        flag_radius_mm=figures.radius_mm,
        board_mm=(board[0], board[1]),
        thickness_mm=thickness[0],
        margins=_margins(start, answers),
        cameras=_cameras(answers),
        king_mm=figures.king_mm,
    )


@dataclass(frozen=True, slots=True)
class _Figures:
    """What stands on stacks: flags, or knights and (``king_mm``: height and radius) a king."""

    style: str
    height_mm: float
    radius_mm: float
    king_mm: tuple[float, float] | None = None


def _figures(start: TablePreset, answers: _Answers) -> _Figures:
    """Asked for or given. Raises CalibrationError for sizes of figures that the game does not have."""
    king = start.king_mm
    odd = (
        ("flag", "flag_height", "flag_radius")
        if king
        else ("knight_height", "knight_radius", "king_height", "king_radius")
    )
    for name in odd:
        if answers.given.get(name) is not None:
            use = "--knight-height and --knight-radius" if king else "--flag-height and --flag-radius"
            raise CalibrationError(f"--{name.replace('_', '-')} does not fit this game: give {use}")
    style = start.flag_style
    if king is None:
        style = answers.get("flag", "The flags look most like a", style, click.Choice(STYLES))
    word = "knight" if king else "flag"
    height = answers.sizes(f"{word}_height", f"F  how far a {word} stands out of its stack", start.flag_mm[:1])
    radius = answers.sizes(f"{word}_radius", f"G  half of a {word}'s thickness", start.flag_mm[1:])
    if king is None:
        return _Figures(style, height[0], radius[0])
    tall = answers.sizes("king_height", "How far the king stands out of his stack", king[:1])
    wide = answers.sizes("king_radius", "Half of the king's thickness", king[1:])
    return _Figures(style, height[0], radius[0], (tall[0], wide[0]))


def _tower_measures(game: str, start: TowerPreset, answers: _Answers) -> TowerMeasures:
    bar = answers.sizes("bar", "A bar's width x depth x length", start.bar_mm)
    base = answers.sizes("base", "What the tower stands on, width x depth x thickness", start.base_mm, 0.0)
    board = answers.sizes("board", "The width x depth of the board that is turned", start.board_mm)
    return TowerMeasures(
        game=game,
        bar_mm=(bar[0], bar[1], bar[2]),
        base_mm=(base[0], base[1], base[2]),
        board_mm=(board[0], board[1]),
        cameras=_cameras(answers),
    )


def _mat_measures(game: str, start: MatPreset, answers: _Answers) -> MatMeasures:
    mat = answers.sizes("mat", "The mat's width x depth", start.mat_mm)
    die = answers.sizes("die", "A die's side", [start.die_mm], 5.0)
    return MatMeasures(game, (mat[0], mat[1]), die[0], _cameras(answers))


def _margins(start: TablePreset, answers: _Answers) -> Margins | None:
    has = answers.given.get("tracks")
    if has is None and start.tracks:
        has = click.confirm("Does the board have the game's margin tracks", default=True) if answers.asks else True
    if not has or not start.tracks:
        return None
    off = answers.sizes("track_distance", "K  from the fields' edge to a track's middle", [start.track_off_mm])
    pitch = answers.sizes("track_pitch", "L  from one place of a track to the next", [start.track_pitch_mm])
    return Margins([(t.name, t.above, t.rightwards, t.places) for t in start.tracks], off[0], pitch[0])


def _cameras(answers: _Answers) -> list[str]:
    if answers.given.get("cameras"):
        return list(answers.given["cameras"])
    if not answers.asks:
        return ["cam0", "cam1"]
    count = click.prompt("How many cameras", default=2, type=click.IntRange(1, 8))
    return [f"cam{number}" for number in range(count)]


def _tell(folder: Path, table: TableSetup) -> None:
    click.echo(
        f"\n{folder / 'table.json'} is written, with {len(table.markers)} markers of {table.marker_size_mm:g} mm "
        "around the board."
    )
    click.echo(f"Next: referee calibrate sheets --table {folder}")
    click.echo(f"All steps are in {folder / 'README.md'}.")

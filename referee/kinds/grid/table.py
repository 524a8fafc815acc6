"""Tables with a board of stacks, as ``referee new`` and the virtual table make them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import click

from calibration.errors import CalibrationError
from calibration.layout import marker_size
from calibration.making import frame_data
from referee.cli.answers import SizeAnswers, Sizes
from referee.cli.boxpicture import BoxDrawing
from referee.cli.tablekind import BOARD, check_step
from referee.kinds.grid.presets import FIGURES, STYLES, MarginTrack, StackFigure, TablePreset
from referee.values.kit import Kit

_STACKS = ((0, 0, 3), (1, 0, 2), (0, 1, 1), (2, 0, 1), (1, 1, 1), (0, 2, 1))
"""Of a picture: across and towards the viewer, and how many stones, the farthest first."""
_STANDING = {(0, 0): 0, (2, 0): 1, (0, 2): -1}
"""Which of the kit's pieces stand there, counted round where it has fewer."""
_SIDE = 3
_BOARD, _WOOD, _PLASTIC = "#7d9a86", "#d2ae84", "#aaa49e"
FLAG = "flag"
"""The one figure that looks in several ways."""


def _figure_options() -> list[click.Option]:
    found = []
    for word in FIGURES:
        found += [
            click.Option([f"--{word}-height"], type=Sizes(1), help=f"How far a {word} stands out of its stack (F)."),
            click.Option([f"--{word}-radius"], type=Sizes(1), help=f"Half of a {word}'s thickness (G)."),
        ]
    return found


OPTIONS: Sequence[click.Option] = (
    click.Option(["--columns"], type=click.IntRange(1, 26), help="Fields from left to right."),
    click.Option(["--rows"], type=click.IntRange(1, 99), help="Fields from bottom to top."),
    click.Option(["--pitch"], type=Sizes(2), help="From one field's middle to the next, across and away (A x B)."),
    click.Option(["--stone"], type=Sizes(3), help="A stone's width, depth and height (C x D x E)."),
    click.Option(["--flag"], type=click.Choice(STYLES), help="What the flags look like."),
    *_figure_options(),
    BOARD,
    click.Option(["--thickness"], type=Sizes(1, 0.0), help="The board's thickness (J)."),
    click.Option(["--tracks/--no-tracks"], default=None, help="Whether the board has the game's margin tracks."),
    click.Option(["--track-distance"], type=Sizes(1), help="From the playing fields' edge to a track's middle (K)."),
    click.Option(["--track-pitch"], type=Sizes(1), help="From one place of a track to the next (L)."),
)


@dataclass(frozen=True, slots=True)
class Margins:
    """off_mm: from the playing fields' edge to the tracks' middle. pitch_mm: from place to place."""

    tracks: Sequence[MarginTrack]
    off_mm: float
    pitch_mm: float


@dataclass(frozen=True, slots=True)
class Measures:
    """Measured sizes in mm: see ``table.json`` in the formats; board_mm is the board's outer width and depth."""

    game: str
    columns: int
    rows: int
    pitch_mm: tuple[float, float]
    stone_mm: tuple[float, float, float]
    figures: Sequence[StackFigure]
    flag_style: str
    board_mm: tuple[float, float]
    thickness_mm: float
    margins: Margins | None
    cameras: Sequence[str]


def is_measured(start: TablePreset) -> bool:
    """Return true: board and stones have sizes."""
    return True


def measured(game: str, start: TablePreset, answers: SizeAnswers) -> dict[str, object]:
    """Return the contents of ``table.json``. Raises CalibrationError for sizes that don't fit each other."""
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
    style, figures = _figures(start, answers)
    fields = [columns * pitch[0], rows * pitch[1]]
    room = [start.board_mm[0] - start.columns * start.pitch_mm[0], start.board_mm[1] - start.rows * start.pitch_mm[1]]
    usual = [size + margin for size, margin in zip(fields, room, strict=True)]
    board = answers.sizes("board", "H x I  the board's outer width x depth", usual)
    thickness = answers.sizes("thickness", "J  the board's thickness", [start.thickness_mm], 0.0)
    measures = Measures(
        game=game,
        columns=columns,
        rows=rows,
        pitch_mm=(pitch[0], pitch[1]),
        stone_mm=(stone[0], stone[1], stone[2]),
        figures=figures,
        flag_style=style,
        board_mm=(board[0], board[1]),
        thickness_mm=thickness[0],
        margins=_margins(start, answers),
        cameras=answers.cameras(),
    )
    return table_data(measures)


def bare(start: TablePreset, framed: Mapping[str, object]) -> dict[str, object]:
    """Return a preset's ``table.json`` for a board without a printed frame. framed: the same with one."""
    kept = {key: value for key, value in framed.items() if key not in ("markers", "charuco")}
    return kept | {"board": {"size": list(start.board_mm), "thickness": start.thickness_mm}}


def picture(kit: Kit, start: TablePreset) -> str:
    """Return a corner of the board with some stacks of a preset, as SVG."""
    drawing, (wide, deep, high), doors = BoxDrawing(), start.stone_mm, kit.block == "arched"
    across, away = start.pitch_mm
    rim, least = 0.3 * across, (across - wide) / 2
    drawing.box(
        (-rim, -rim, -start.thickness_mm),
        (_SIDE * across + 2 * rim, _SIDE * away + 2 * rim, start.thickness_mm),
        _BOARD,
    )
    stone = _PLASTIC if doors else _WOOD
    for col, row, stones in _STACKS:
        x, y = col * across + least, row * away + least
        for level in range(stones):
            drawing.box((x, y, level * high), (wide, deep, high), stone, doors)
        if (col, row) in _STANDING and kit.pieces and start.figures:
            piece = kit.pieces[_STANDING[col, row] % len(kit.pieces)]
            figure = start.figures[-1 if piece.shape == start.figures[-1].word else 0]
            _stand(drawing, (x + wide / 2, y + deep / 2, stones * high), figure, start.flag_style, piece.paint.light)
    return drawing.svg()


def _stand(drawing: BoxDrawing, at: tuple[float, float, float], figure: StackFigure, style: str, colour: str) -> None:
    (x, y, z), radius, height = at, figure.radius_mm, figure.height_mm
    if style == "rod":
        drawing.round(at, radius, radius, height, colour)
    elif style in ("pole", "banner"):
        drawing.round(at, radius, radius, 2.0, colour)
        drawing.round((x, y, z + 2.0), 1.3, 1.3, height - 2.0, colour)
        if style == "banner":
            drawing.cloth((x, y, z + height), 0.45 * height, 0.35 * height, colour)
    elif figure.word == "king":
        drawing.round(at, radius, 0.45 * radius, 0.7 * height, colour)
        drawing.round((x, y, z + 0.7 * height), 0.5 * radius, radius, 0.3 * height, colour)
    else:
        drawing.round(at, radius, 0.35 * radius, 0.7 * height, colour)
        drawing.ball((x, y, z + height - 0.6 * radius), 0.6 * radius, colour)


last_step = check_step


def _figures(start: TablePreset, answers: SizeAnswers) -> tuple[str, tuple[StackFigure, ...]]:
    """Ask for the figures that stand on stacks, or take those given.

    Raises CalibrationError for figures that the game does not have.
    """
    words = [figure.word for figure in start.figures]
    for word in FIGURES:
        for name in (f"{word}_height", f"{word}_radius", *((FLAG,) if word == FLAG else ())):
            if word not in words and answers.given.get(name) is not None:
                use = f"give --{words[0]}-height and --{words[0]}-radius" if words else "nothing stands on its stacks"
                raise CalibrationError(f"--{name.replace('_', '-')} does not fit this game: {use}")
    style = start.flag_style
    if FLAG in words:
        style = answers.get("flag", "The flags look most like a", style, click.Choice(STYLES))
    found = []
    for number, figure in enumerate(start.figures):
        letters = ("", "") if number else ("F  ", "G  ")
        far, half = f"{letters[0]}how far a {figure.word} stands", f"{letters[1]}half of a {figure.word}'s thickness"
        height = answers.sizes(f"{figure.word}_height", f"{far} out of its stack", [figure.height_mm])
        radius = answers.sizes(f"{figure.word}_radius", half, [figure.radius_mm])
        found.append(StackFigure(figure.word, height[0], radius[0]))
    return style, tuple(found)


def _margins(start: TablePreset, answers: SizeAnswers) -> Margins | None:
    has = answers.given.get("tracks")
    if has is None and start.tracks:
        has = click.confirm("Does the board have the game's margin tracks", default=True) if answers.asks else True
    if not has or not start.tracks:
        return None
    off = answers.sizes("track_distance", "K  from the fields' edge to a track's middle", [start.track_off_mm])
    pitch = answers.sizes("track_pitch", "L  from one place of a track to the next", [start.track_pitch_mm])
    return Margins(start.tracks, off[0], pitch[0])


def table_data(measures: Measures) -> dict[str, object]:
    """Return the contents of ``table.json``; its values are validated when it is written.

    Raises CalibrationError where the board does not hold its fields and tracks, or is too large for a frame.
    """
    _check(measures)
    return {
        "game": measures.game,
        "columns": measures.columns,
        "rows": measures.rows,
        "pitch": list(measures.pitch_mm),
        "cube": list(measures.stone_mm),
        **({figure.word: _sizes(figure, measures.flag_style) for figure in measures.figures} or {"figures": False}),
        "cameras": list(measures.cameras),
        "margin_fields": _margin_fields(measures),
        **frame_data(measures.board_mm, -measures.thickness_mm, marker_size(measures.board_mm)),
    }


def _sizes(figure: StackFigure, style: str) -> dict[str, object]:
    sizes: dict[str, object] = {"height": figure.height_mm, "radius": figure.radius_mm}
    return {"style": style, **sizes} if figure.word == FLAG else sizes


def _check(measures: Measures) -> None:
    fields = measures.columns * measures.pitch_mm[0], measures.rows * measures.pitch_mm[1]
    for axis, across, board in zip(("wide", "deep"), fields, measures.board_mm, strict=True):
        if board < across:
            raise CalibrationError(f"the board is {board:g} mm {axis}, but its fields alone measure {across:g} mm")
    if measures.margins is None:
        return
    half = fields[1] / 2 + measures.margins.off_mm
    if half > measures.board_mm[1] / 2:
        raise CalibrationError(
            f"the margin tracks lie {half:g} mm from the board's middle, but the board ends at "
            f"{measures.board_mm[1] / 2:g} mm: the frame around it would cover them"
        )


def _margin_fields(measures: Measures) -> Mapping[str, object]:
    if measures.margins is None:
        return {}
    margins = measures.margins
    y = measures.rows * measures.pitch_mm[1] / 2 + margins.off_mm
    return {
        track.name: [
            [(1 if track.rightwards else -1) * (step + 0.5) * margins.pitch_mm, y if track.above else -y]
            for step in range(track.places)
        ]
        for track in margins.tracks
    }

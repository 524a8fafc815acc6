"""The short README of a new table's folder: what to do next."""

from __future__ import annotations

from pathlib import Path

from calibration.table import TableSetup
from referee.cli.tablekind import table_kind
from referee.games import game_named
from referee.match.turnkind import needs_pictures

WALK = """**Walk once around the board** with the game set up: hold the phone still for a moment at each side, nearer
   and further away, until it says that the set-up is right. Its lens, the set-up and the table's certificate come out
   of that walk."""
MAT_WALK = """**Walk once around the mat**: touch *Walk around the board* and hold the phone still for a moment at
   each side, nearer and further away. That finds its lens and has no end of its own: touch *Stop showing*, then *To
   the game* and *Begin*. The pictures are on the page `/mat`, where the mat is taught."""
"""Where turns are ruled on by what is declared, no picture shows that the set-up is right."""

_BESIDE = """
The phone needs none of these steps. While `referee run` is on, pair it: it photographs what the cameras leave unsure.
"""


def readme(folder: Path, table: TableSetup) -> str:
    """Return the text, with the table's own folder and camera names in its commands."""
    name = folder.name or str(folder)
    if table.board is not None:
        return _bare_board(name)
    if table.held == table.cameras:
        return _one_phone(name, WALK if needs_pictures(game_named(table.game).kit) else MAT_WALK)
    cameras = " and ".join(f"`calibration/{camera}/`" for camera in table.prepared)
    pictures = ", ".join(f"`1_{camera}.jpg`" for camera in table.prepared)
    return f"""# {name}

`table.json` holds the sizes of this table in millimetres; correct it with any editor, wrong values are named with
their line. `measure.svg` shows what to measure. The commands are run from the folder above this one. Where
the settings name your cameras (`referee settings`), `--live` takes the pictures for the steps 2 to 4.

1. **Print**: `referee calibrate sheets --table {name}` (`--paper letter`, `--language de` or `fr`). Print
   `sheets-a4.pdf` at 100 %, check the ruler on every page, cut the frame out and lay it around the board as the first
   page says.
2. **Lenses**: lock each camera's focus, take about twelve pictures of the calibration target with it, put them into
   {cameras}, then `referee calibrate lenses --table {name}`.
3. **Frame**: take three or four pictures of the empty board with every camera, put them into `frame/` (named after
   their camera: {pictures}), then `referee calibrate frame --table {name}`.
4. {table_kind(game_named(table.game).kit).last_step(table, folder)}
{_BESIDE if table.held else ""}"""


def _one_phone(name: str, walk: str) -> str:
    return f"""# {name}

`table.json` holds the sizes of this table in millimetres; correct it with any editor, wrong values are named with
their line. `measure.svg` shows what to measure. The commands are run from the folder above this one.

1. **Print**: `referee calibrate sheets --table {name}` (`--paper letter`, `--language de` or `fr`). Print
   `sheets-a4.pdf` at 100 %, check the ruler on every page, cut the frame out and lay it around the board.
2. **Start**: `referee run {name} --host 0.0.0.0`, and scan the code with the phone.
3. {walk}

From then on: *Turn ended* on the phone, *Photograph* the board from two or three sides, read the ruling.
"""


def _bare_board(name: str) -> str:
    return f"""# {name}

`table.json` holds the sizes of this table in millimetres; correct it with any editor, wrong values are named with
their line. `measure.svg` shows what to measure. The commands are run from the folder above this one.

1. **Start**: `referee run {name} --host 0.0.0.0`, and scan the code with the phone. Nothing is printed.
2. **Photograph the board** as it is set up, from three sides, and confirm its corners on the phone.

From then on: *Turn ended* on the phone, *Photograph* the board from two or three sides, read the ruling.
"""

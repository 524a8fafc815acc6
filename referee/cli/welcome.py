"""Let people choose on a page what a referee that was named no table does: the first page of ``referee run``."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import click

from calibration.boardfile import touches_path
from calibration.errors import CalibrationError
from calibration.table import BareBoard, load_table, parse_table
from referee.cli.answers import SizeAnswers
from referee.cli.new import PHONE, write_folder, write_unmeasured
from referee.cli.sheet_words import sheet_texts
from referee.cli.tablekind import bare_data, box_picture, table_kind
from referee.daemon.hosting import LETS_IN
from referee.games import game_named, names, presets_named
from referee.service.server import ANYWHERE, OwnHosts, PageServer, address, bind
from referee.service.settings import Settings
from web.contract import LOCAL_HOSTS
from web.welcome import BoxOffered, ChoiceStep, create_welcome

TABLES = "tables"
"""Folder, in the data folder, of the tables that were made on the page."""
_TABLE = "table"
"""Before a table's name, where it is chosen."""
_SENT_S = 0.5
"""Time for the last answer to reach the browser before the page's server ends."""
_LOOK = {"drawn": ("demo", "--play"), "recorded": ("demo",)}


class FirstPage:
    """Takes the choices of whoever opens the first page. Safe to call from several threads."""

    def __init__(self, settings: Settings) -> None:
        self._folder = settings.data_folder / TABLES
        self._mutex = threading.Lock()
        self._chosen, self.secret = "", secrets.token_urlsafe(16)
        self._table: Path | None = None
        self._printed = False
        self._bare: dict[str, object] | None = None
        self.begun = threading.Event()

    @property
    def step(self) -> ChoiceStep:
        """Return how far the choice has come."""
        with self._mutex:
            if not self._chosen:
                return ChoiceStep.CHOOSE
            return ChoiceStep.LAY if self._printed else ChoiceStep.PRINT

    def boxes(self) -> Sequence[BoxOffered]:
        """Return the boxes of all games."""
        return [
            BoxOffered(
                f"box:{game}:{preset.name}",
                game_named(game).title,
                preset.about,
                box_picture(game_named(game).kit, preset),
            )
            for game in names()
            for preset in presets_named(game)
        ]

    def tables(self) -> Sequence[BoxOffered]:
        """Return the tables that were made here and played at, the newest first.

        What was only chosen, and taken back, is none; a table that somebody laid into the folder by hand is.
        """
        made, played, found = (
            {box.id.partition(":")[2].replace(":", "-"): box for box in self.boxes()},
            self._played(),
            [],
        )
        for path in sorted(self._folder.glob("*/table.json"), key=lambda path: -path.stat().st_mtime):
            name = path.parent.name
            stem, _, number = (name, "", "") if name in made else name.rpartition("-")
            box = made.get(stem)
            if box is None:
                found.append(BoxOffered(f"{_TABLE}:{name}", name, ""))
            elif name in played:
                found.append(replace(box, id=f"{_TABLE}:{name}", title=f"{box.title} {number}".strip()))
        return found

    def choose(self, what: str) -> bool:
        """Choose, or take the choice back; whether there is such a thing."""
        kind, _, name = what.partition(":")
        if what and what not in _LOOK and what not in {box.id for box in (*self.boxes(), *self.tables())}:
            return False
        with self._mutex:
            self._chosen, self._table, self._printed, self._bare = what, None, kind != "box", None
            if kind == _TABLE:
                self._table = self._folder / name
            elif kind == "box":
                self._table, self._printed = self._made(*name.split(":"))
        return True

    def sheets(self, spoken: str) -> bytes | None:
        """Return the frame to be printed as PDF, where one is."""
        from calibration.printing.sheets import sheets_pdf  # few ask for it, and what draws it takes long to load

        with self._mutex:
            table = None if self._printed else self._table
        if table is None:
            return None
        setup = load_table(table)
        return sheets_pdf(setup, "a4", sheet_texts(setup, "a4", spoken))

    def printed(self) -> None:
        """Learn that the frame lies around the board."""
        with self._mutex:
            self._printed = True

    @property
    def bare_mm(self) -> tuple[float, float] | None:
        """Return the usual outer width and depth of the board that was chosen, where it can do without a frame."""
        with self._mutex:
            if self._bare is None or self._printed:
                return None
            board = _board(self._bare)
        return board.size_mm

    @property
    def unseen(self) -> BoxOffered | None:
        """Return the chosen game's table at which nothing is looked at, where it has one and needs a frame else."""
        with self._mutex:
            kind, _, name = self._chosen.partition(":")
            needs_frame = kind == "box" and not self._printed and self._bare is None
        game = name.partition(":")[0]
        return next((box for box in self.boxes() if box.id in self._unseen(game)), None) if needs_frame else None

    def bare(self, size_mm: tuple[float, float]) -> bool:
        """Learn that nothing is printed, and the board's outer width and depth; whether its fields fit on it."""
        with self._mutex:
            if self._bare is None or self._table is None or self._printed:
                return True
            board = {"size": list(size_mm), "thickness": _board(self._bare).thickness_mm}
            (self._table / "README.md").unlink(missing_ok=True)  # it tells of the frame
            try:
                write_folder(self._table, self._bare | {"board": board}, replace=True)
            except CalibrationError:
                return False
            self._printed = True
        return True

    def go(self) -> None:
        """Begin with what was chosen."""
        if self.step is ChoiceStep.LAY:
            self.begun.set()

    def there(self) -> str:
        """Return where the page goes on: with a code, by which its browser is paired."""
        with self._mutex:
            return f"/{'virtual' if self._chosen == 'drawn' else ''}#pair={self.secret}"

    def command(self, settings: Settings, host: str | None) -> tuple[str, ...]:
        """Return the words of the command that was chosen. host: that somebody named."""
        port = ("--port", str(settings.page.port))
        if self._table is None:
            return (*_LOOK[self._chosen], *port, *(("--host", host) if host else ()))
        usual = settings.page.host
        reached = host or (ANYWHERE if usual in LOCAL_HOSTS else usual)  # a phone must reach it
        return ("run", str(self._table), *port, "--host", reached)

    def _made(self, game: str, preset_name: str) -> tuple[Path, bool]:
        """Make a table for a box: its folder, and whether nothing is to be printed for it.

        One that was made and never played at is taken again, so that another choice leaves nothing behind.
        """
        preset = next(one for one in presets_named(game) if one.name == preset_name)
        kind, stem = table_kind(game_named(game).kit), f"{game}-{preset_name}"
        taken = self._played()
        folder = next(
            self._folder / name
            for number in range(1, 1000)
            if (name := stem if number == 1 else f"{stem}-{number}") not in taken
        )
        if not kind.is_measured(preset):
            write_unmeasured(folder, game)
            return folder, True
        data = kind.measured(game, preset, SizeAnswers({"cameras": (PHONE,)}, False)) | {"held": [PHONE]}
        write_folder(folder, data, replace=True)
        self._bare = bare_data(game_named(game).kit, preset, data)
        touches_path(folder).unlink(missing_ok=True)  # of a board that was shown, and never played on
        return folder, False

    @staticmethod
    def _unseen(game: str) -> Sequence[str]:
        kind = table_kind(game_named(game).kit)
        return [f"box:{game}:{preset.name}" for preset in presets_named(game) if not kind.is_measured(preset)]

    def _played(self) -> AbstractSet[str]:
        """Return the names of the tables at which a game was begun."""
        games = (self._folder.parent / "games").glob("*.journal")
        return {path.stem.rpartition("-")[0].rpartition("-")[0] for path in games}


def _board(bare: Mapping[str, object]) -> BareBoard:
    found = parse_table(json.dumps(bare)).board
    assert found is not None
    return found


def welcome(settings: Settings, host: str | None, stop: threading.Event) -> None:
    """Serve the first page until something is chosen, and become the command that does it. Raises ServerError."""
    with ExitStack() as parts:
        desk = FirstPage(settings)
        page = settings.page
        sock = parts.enter_context(bind(page.host, page.port))
        app = create_welcome(desk, OwnHosts(page.host, page.allowed_hosts))
        parts.enter_context(PageServer(app, sock, page.behind_proxy))
        click.echo(f"Choose what to do: open {address(sock)} in a browser on this computer.")
        while not desk.begun.wait(0.2):
            if stop.is_set():
                click.echo("Stopped.")
                return
        stop.wait(_SENT_S)
        taken = settings.model_copy(update={"page": page.model_copy(update={"port": sock.getsockname()[1]})})
        words = desk.command(taken, host)
    sys.stdout.flush()
    python = [sys.executable, "-c", "from referee.cli import main; main()"]
    environment = os.environ | {LETS_IN: desk.secret}
    if os.name == "nt":  # no process becomes another there
        raise SystemExit(subprocess.call([*python, *words], env=environment))
    os.execve(sys.executable, [*python, *words], environment)

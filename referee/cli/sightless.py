"""A table without cameras: a game of which everything is declared, refereed from its page alone."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from pathlib import Path

import click

from calibration.errors import CalibrationError
from referee.cli.gamebook import book_of, file_name, greet, referee_on
from referee.daemon import Helpers, TurnLoop
from referee.daemon.buttons import Buttons
from referee.daemon.gamesfolder import GamesFolder
from referee.daemon.hosting import Hosting
from referee.daemon.nosight import NoSight
from referee.match.events import AnyGame
from referee.match.turnkind import needs_pictures
from referee.service.settings import Settings
from referee.service.watchdog import Watchdog
from referee.storage.housekeeping import Housekeeping
from referee.storage.retention import Limits

DAY_S = 24 * 3600


def run_sightless(
    table: Path, game: AnyGame, settings: Settings, game_file: Path | None, new: bool, stop: threading.Event
) -> None:
    """Referee until told to stop. Raises CalibrationError for a game that must be seen."""
    if needs_pictures(game.kit):
        raise CalibrationError(f"{table / 'table.json'}: {game.title} must be seen: name at least one camera")
    with ExitStack() as parts:
        games, kept = settings.data_folder / "games", settings.evidence
        keeper = Housekeeping(games, Limits(kept.keep_days * DAY_S, kept.keep_mb * 1_000_000))
        hosting = Hosting(
            settings.page, settings.data_folder, lambda: loop.journal, lambda: loop.state, parts, keeper.make_room
        )
        parts.enter_context(keeper)
        measures = {"table.json": (table / "table.json").read_bytes()}
        folder = GamesFolder(games, file_name(table), make_room=keeper.make_room, measures=measures)
        book = book_of(folder, game, table, game_file, new, settings.data_folder / "copies")
        sight = NoSight()
        hosting.desk.on_put(sight.wake)
        vitals, watchdog = hosting.vitals(), Watchdog()
        buttons = Buttons(game, hosting.desk, vitals)
        helpers = Helpers(vitals, watchdog, buttons.on_change, notices=lambda: tuple(buttons.notices))
        loop = TurnLoop(game, None, sight, book, hosting.desk, hosting.board.publish, helpers=helpers)
        parts.callback(lambda: loop.close())
        if settings.button_box.port:
            parts.enter_context(buttons.attach(settings.button_box.port, settings.button_box.declare_buttons))
        hosting.serve(vitals, settings.language, games=games, game=game)
        greet(hosting, book, game, settings.page.port, setup=False)
        referee_on(loop, buttons, watchdog, stop, f"{game.title} at {hosting.url}")
    click.echo("Stopped.")

"""The arbiter's desk: what ``referee hall`` does where no other command of a hall is named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from referee.addons.hall.messages import HallError
from referee.addons.hall.settings import HallSettings
from referee.cli.jsonlines import FAULTY
from referee.cli.serving import ready_to_serve
from referee.service.logs import configure
from referee.service.server import ServerError
from referee.service.settings import SettingsError, load_settings
from referee.storage.chain import JournalError
from web.auth.store import AuthStoreError

KNOWN = (HallError, SettingsError, ServerError, AuthStoreError, JournalError, OSError)
MOST_DEMO = 12

_OPTIONS = (
    click.option("--broker", help="Address of the broker, mqtts://user:password@host; else the one in the settings."),
    click.option(
        "--data",
        "folder",
        type=click.Path(file_okay=False, path_type=Path),
        help="Folder of the desk's key and devices; without it desk in the data folder of the settings.",
    ),
    click.option("--host", default="127.0.0.1", show_default=True, help="Address the desk listens at."),
    click.option("--port", default=8090, show_default=True, type=click.IntRange(0, 65535), help="Port of the desk."),
    click.option(
        "--spectators",
        metavar="HOST:PORT",
        default="127.0.0.1:8091",
        show_default=True,
        help="Where the pages for everybody are: /wall, /table/ID and /overlay/ID.",
    ),
    click.option(
        "--delay",
        default=0.0,
        show_default=True,
        type=click.FloatRange(0.0, 3600.0),
        help="Seconds by which spectators see everything late.",
    ),
    click.option(
        "--tournament",
        metavar="FILE",
        type=click.Path(dir_okay=False, path_type=Path),
        help="CSV of a tournament's pairings (docs/operate/arbiters-desk.md); results are written beside it.",
    ),
    click.option(
        "--demo",
        metavar="TABLES",
        type=click.IntRange(1, MOST_DEMO),
        help="Begin a broker and so many tables that play by themselves.",
    ),
)


def desk_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the desk's options to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def run_desk(
    broker: str | None,
    folder: Path | None,
    host: str,
    port: int,
    spectators: str,
    delay: float,
    tournament: Path | None,
    demo: int | None,
) -> None:
    """Open the desk until it is stopped, and exit where it can't be opened."""
    place = _place(spectators)
    stop = ready_to_serve()
    try:
        settings = load_settings().settings
        configure(settings.log.level, settings.log.format)
        from referee.addons.hall.desk.opening import DeskOptions, open_desk  # only here: it needs paho-mqtt

        options = DeskOptions(
            broker or settings.of(HallSettings).broker,
            folder or settings.data_folder / "desk",
            (host, port),
            place,
            delay,
            settings.language,
            tuple(settings.page.allowed_hosts),
            tournament,
        )
        if demo is None:
            open_desk(options, stop, click.echo)
            return
        from referee.addons.hall.show import show_hall

        show_hall(options, demo, stop, click.echo)
    except KNOWN as error:
        click.echo(f"referee hall: {error}", err=True)
        raise SystemExit(FAULTY) from None


def _place(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise click.BadParameter(f"{text!r} is no HOST:PORT, such as 0.0.0.0:8091", param_hint="--spectators")
    return host, int(port)

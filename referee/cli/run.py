"""``referee run``: a game at a real table, from the cameras to the page, until it is stopped."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import click

from calibration.boardpictures import board_files
from calibration.errors import CalibrationError
from calibration.lens import Lens, lens_text
from calibration.lenses import lens_path
from calibration.table import check_without_cameras, game_without_cameras, load_playable, place_in_table
from referee.addons import AddOnError
from referee.archive.measures import TABLE, keep_measures
from referee.cli.gamebook import file_name, greet, journal_of, referee_on
from referee.cli.jsonlines import FAULTY
from referee.cli.serving import ready_to_serve
from referee.cli.welcome import welcome
from referee.daemon import CommandQueue, Helpers, TableSight
from referee.daemon.assembly import ServedTable
from referee.daemon.buttons import Buttons
from referee.daemon.gamesfolder import GamesFolder
from referee.daemon.hosting import Hosting
from referee.daemon.livetable import LiveTable
from referee.daemon.photographlenses import known_lens
from referee.daemon.setupguide import SetupGuide
from referee.daemon.setupwatch import SetupWatch
from referee.daemon.walkcheck import WalkCheck
from referee.games import game_named
from referee.games.contract import RequestError
from referee.match.live import Live, Notice
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.match.turnkind import needs_pictures
from referee.service.logs import configure
from referee.service.memory import nothing_to_collect
from referee.service.server import ServerError
from referee.service.settings import Settings, SettingsError, load_settings
from referee.service.watchdog import Watchdog
from referee.session.readers import reader_at
from referee.storage.checkpoint import CheckpointError
from referee.storage.housekeeping import Housekeeping
from referee.storage.journal import JournalError
from referee.storage.retention import Limits
from referee.values.metrics import Metrics
from vision.geometry.view import PHOTOGRAPHS
from vision.posefinder import PoseFinder
from vision.sources.address import Scheme, Source, SourceError, parse_source
from web.auth.store import AuthStoreError
from web.tableparts import TableParts
from web.tableview import PhoneCameras, VirtualDesk

KNOWN = (
    CalibrationError,
    CheckpointError,
    AddOnError,
    JournalError,
    AuthStoreError,
    RequestError,
    ServerError,
    SettingsError,
    SourceError,
)
"""Failures that say by themselves what to do."""
DAY_S = 24 * 3600
_LIE_HERE = {Scheme.FILE: "file", Scheme.FOLDER: "folder", Scheme.USB: "device"}
"""Sources that lie at a path of this computer, by what they are called."""


@click.command()
@click.argument("table", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option("--table", "named", hidden=True, type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--game",
    "game_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="JSON file with the position to begin from, or with edition and seats of a new game.",
)
@click.option("--new", is_flag=True, help="Begin a new game even though the last one is not over.")
@click.option(
    "--camera",
    "cameras",
    multiple=True,
    metavar="NAME=URL",
    help="Where a camera's pictures come from, such as cam0=usb:/dev/v4l/by-id/...; without it as in the settings.",
)
@click.option("--port", type=click.IntRange(0, 65535), help="Port of the page; without it the one in the settings.")
@click.option("--host", help="Address to listen at, 0.0.0.0 for every device on the network.")
def command(
    table: Path | None,
    named: Path | None,
    game_file: Path | None,
    new: bool,
    cameras: tuple[str, ...],
    port: int | None,
    host: str | None,
) -> None:
    """Referee the game at TABLE, a table folder, with its cameras; the last game is carried on if it is not over.

    Without TABLE a page asks what to do: play on a real board, whose table it makes, or only look.
    """
    table = table or named  # other commands name it by --table
    if table is None and (game_file or new or cameras):
        raise click.UsageError("Missing argument 'TABLE'.")
    stop = ready_to_serve()
    try:
        settings = load_settings().settings
        configure(settings.log.level, settings.log.format)
        chosen = {"port": settings.page.port if port is None else port, "host": host or settings.page.host}
        settings = settings.model_copy(update={"page": settings.page.model_copy(update=chosen)})
        if table is None:
            welcome(settings, host, stop)
            return
        unseen = game_without_cameras(table) and not cameras
        sources = {} if unseen else camera_sources(table, settings, cameras)
        run_table(table, settings, sources, game_file, new, stop)
    except KNOWN as error:
        click.echo(f"referee run: {error}", err=True)
        raise SystemExit(FAULTY) from None


class Beside(Protocol):
    """What a table has besides its cameras, where it exists in the computer."""

    @property
    def lent(self) -> bool:
        """Return whether it is lent to a visitor for a while."""

    def on_change(self, state: TableState, live: Live) -> None:
        """Follow the table. Called in the turn loop's thread; it must not wait."""

    def desk(self, press: Callable[[str], None], commands: CommandQueue, phones: PhoneCameras | None) -> VirtualDesk:
        """Return what its page uses.

        press: presses the button box, in somebody's name. phones: the cameras that are phones.
        """

    def greet(self, hosting: Hosting, title: str) -> None:
        """Say where the page is."""


def run_table(
    table: Path,
    settings: Settings,
    sources: Mapping[str, Source],
    game_file: Path | None,
    new: bool,
    stop: threading.Event,
    beside: Beside | None = None,
) -> None:
    """Referee at a table until told to stop; without sources, by what is declared alone. Raises what KNOWN names."""
    unseen = "" if sources else game_without_cameras(table)
    setup = None if unseen else load_playable(table)
    if unseen:
        check_without_cameras(table)
    try:
        game = game_named(unseen if setup is None else setup.game)
    except RequestError as error:
        raise CalibrationError(f"{place_in_table(table, 'game')}: {error}") from None
    if setup is None and needs_pictures(game.kit):
        raise CalibrationError(f"{table / 'table.json'}: {game.title} must be seen: name at least one camera")
    reader = reader_at(game, setup, table) if setup is not None else None
    calibrated = _calibrated(reader, sources) if reader is not None else frozenset()
    with ExitStack() as parts:
        games, kept = settings.data_folder / "games", settings.evidence
        keeper = Housekeeping(games, Limits(kept.keep_days * DAY_S, kept.keep_mb * 1_000_000))
        served = ServedTable(settings.page, settings.data_folder, parts, keeper.make_room)
        parts.enter_context(keeper)
        hosting, metrics, watchdog = served.hosting, served.hosting.metrics(tuple(sources)), Watchdog()
        measures = measures_of(table, reader, calibrated)
        folder = GamesFolder(
            games, file_name(table), make_room=keeper.make_room, measures=measures, hands=kept.hands == "keep"
        )
        with nothing_to_collect():
            journal = journal_of(folder, game, table, game_file, new, settings.data_folder / "copies")
        live = (
            LiveTable(
                game,
                reader,
                sources,
                calibrated,
                hosting.commands,
                metrics,
                settings,
                parts,
                lambda: loop.busy,
                lambda: loop.state.phase is Phase.SET_UP,
            )
            if reader is not None
            else None
        )
        buttons = Buttons(game, hosting.commands, metrics)
        walk = (
            WalkCheck(live.guide, (*setup.held, PHOTOGRAPHS), lambda reading: loop.journal.kept(reading))
            if live is not None and setup is not None and setup.board is None
            else None
        )
        watched = SetupWatch(table / TABLE, lambda: journal.journal.path)

        def told() -> tuple[Notice, ...]:
            return (*watched.notices, *hosting.notices())

        loop = served.referee(
            game,
            journal,
            live.sight if live is not None else TableSight(),
            _helpers(live.guide if live is not None else None, metrics, watchdog, buttons, beside, walk, told),
        )
        watched.follow(lambda: loop.journal.journal.path)
        if settings.button_box.port:
            parts.enter_context(buttons.attach(settings.button_box.port, settings.button_box.declare_buttons))

        def measured(camera: str, lens: Lens) -> None:
            measures.update(_measure(camera, lens, measures["table.json"]))
            keep_measures(loop.journal.journal.path, measures)

        def boarded(files: Mapping[str, bytes]) -> None:
            if TABLE in files:
                watched.learn(files[TABLE])
                files = {**files, TABLE: _with_cameras(files[TABLE], measures[TABLE])}
            measures.update(files)
            keep_measures(loop.journal.journal.path, measures, learnt=True)

        brings = live.brings if live is not None else TableParts()
        if beside is not None:
            desk = beside.desk(buttons.press, hosting.commands, brings.phones)
            brings = replace(brings, virtual=desk, tour=True, lent=beside.lent)
        if live is not None:
            live.follow(measured, boarded)
        hosting.serve(metrics, settings, brings, table, games, game, live)
        if beside is None:
            held = setup is not None and setup.held == setup.cameras
            greet(hosting, journal, game, settings.page.port, setup=live is not None, held=held)
        else:
            beside.greet(hosting, game.title)
        referee_on(loop, buttons, watchdog, stop, f"{game.title} at {hosting.url}")
    click.echo("Stopped.")


def measures_of(table: Path, reader: PoseFinder | None, cameras: Iterable[str]) -> dict[str, bytes]:
    """Return the table's file and its lenses, as an export packs them."""
    measures = {"table.json": (table / "table.json").read_bytes()}
    if reader is not None:
        lenses = {name: reader.lens(name) for name in sorted(cameras)}
        photographed = known_lens(table)
        if photographed is not None:
            reader.know(PHOTOGRAPHS, photographed)
            lenses[PHOTOGRAPHS] = photographed
        for name, lens in lenses.items():
            measures |= _measure(name, lens, measures["table.json"])
        if reader.board is not None:
            measures |= board_files(table)
    return measures


def _measure(camera: str, lens: Lens, table_file: bytes) -> dict[str, bytes]:
    """Return the files that tell a lens, and the table's own with the camera in it, so that its pictures are read."""
    data = json.loads(table_file)
    if camera not in data["cameras"]:
        data |= {name: [*data.get(name, ()), camera] for name in ("cameras", "held")}
        table_file = (json.dumps(data, indent=1) + "\n").encode()
    return {"table.json": table_file, f"calibration/{camera}.json": lens_text(lens).encode()}


def _with_cameras(table_file: bytes, known: bytes) -> bytes:
    """Return a table's file with the cameras of another, which photographs may have added to."""
    cameras = {name: value for name, value in json.loads(known).items() if name in ("cameras", "held")}
    return (json.dumps(json.loads(table_file) | cameras, indent=1) + "\n").encode()


def _helpers(
    guide: SetupGuide | None,
    metrics: Metrics,
    watchdog: Watchdog,
    buttons: Buttons,
    beside: Beside | None,
    walk: WalkCheck | None,
    added: Callable[[], tuple[Notice, ...]],
) -> Helpers:
    def on_change(state: TableState, live: Live) -> None:
        buttons.on_change(state, live)
        if walk is not None:
            walk.on_change(state, live)
        if beside is not None:
            beside.on_change(state, live)

    if guide is None:
        return Helpers(metrics, watchdog, on_change, notices=lambda: (*buttons.notices, *added()))
    return Helpers(
        metrics,
        watchdog,
        on_change,
        guide.certificate,
        lambda: (*guide.notices, *buttons.notices, *added()),
    )


def camera_sources(table: Path, settings: Settings, given: tuple[str, ...]) -> dict[str, Source]:
    """Return where each camera's pictures come from. Raises SourceError, CalibrationError, naming what to set."""
    setup = load_playable(table)
    if setup.board is not None:
        return {}  # photographs come without being asked for
    known = setup.cameras
    addresses = {name: (f"phone:{name}", Path.cwd()) for name in setup.held}
    addresses |= {name: (url, Path.cwd()) for name, url in settings.cameras.items() if name in known}
    for item in given:
        name, equals, url = item.partition("=")
        if not equals or name not in known:
            raise SourceError(f"--camera is NAME=URL with one of the table's cameras: {', '.join(known)}")
        addresses[name] = (url, Path.cwd())
    if not addresses:
        raise SourceError(
            f"no camera of {table} has a source: name it in the settings under [cameras], or with "
            f"--camera {known[0]}=usb:/dev/v4l/by-id/..."
        )
    sources = {name: parse_source(url, base) for name, (url, base) in addresses.items()}
    for name, source in sources.items():
        if source.scheme in _LIE_HERE and not Path(source.location).exists():
            what = f"{name}: there is no {_LIE_HERE[source.scheme]} {source.location} yet"
            do = "plug it in" if source.scheme is Scheme.USB else "put it there"
            click.echo(f"{what}. The referee waits for it: {do}, or correct --camera.", err=True)
    return sources


def _calibrated(reader: PoseFinder, sources: Mapping[str, Source]) -> frozenset[str]:
    """Return the cameras whose lens is known; say of fixed ones without what to do, as they take no part in play."""
    found = set()
    for name, source in sources.items():
        try:
            reader.lens(name)
        except CalibrationError as error:
            if name in reader.table.held:
                continue  # photographs do without
            seeks = source.scheme is Scheme.PHONE and not lens_path(reader.folder, name).exists()
            why = "open /camera on the phone, it finds its lens by itself" if seeks else error
            click.echo(f"{name} takes no part in play yet: {why}", err=True)
        else:
            found.add(name)
    return frozenset(found)

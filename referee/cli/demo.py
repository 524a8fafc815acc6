"""``referee demo``: a recorded game goes through lens, pose, reading, ruling, journal and page."""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol, cast

import click
from click.core import ParameterSource

from calibration.errors import CalibrationError
from calibration.table import load_table
from referee.addons import addon_modules
from referee.archive.measures import keep_measures
from referee.cli.demo_declared import show_declared
from referee.cli.demo_play import other_seats, play_file
from referee.cli.demo_play import play as play_game
from referee.cli.failures import about
from referee.cli.jsonlines import FAULTY
from referee.cli.run import measures_of
from referee.cli.serving import ready_to_serve
from referee.daemon import GameJournal, Helpers, TableSight, ViewPublisher, open_game
from referee.daemon.assembly import ServedTable
from referee.daemon.hosting import Hosting
from referee.daemon.preview import eyes_of
from referee.demo.nextjournal import next_journal
from referee.demo.recorded import RecordedSight
from referee.demo.recording import BUNDLED, Recording, RecordingError
from referee.demo.show import Presser
from referee.games import game_named, names, package_named
from referee.games.contract import RequestError
from referee.games.record import RecordError
from referee.match.events import AnyGame
from referee.match.turnkind import needs_pictures
from referee.opponents import Strength
from referee.service.logs import configure
from referee.service.pairing import pairing_link, pairing_told, pairing_words, said_to_the_journal
from referee.service.server import ServerError
from referee.service.settings import Page, Settings, SettingsError, load_settings
from referee.session.readers import reader_at
from referee.storage.checkpoint import CheckpointError
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import Journal, JournalError
from vision.sources.address import SourceError
from web.auth.store import AuthStoreError
from web.tableparts import TableParts

KNOWN = (
    CalibrationError,
    CheckpointError,
    JournalError,
    AuthStoreError,
    RecordError,
    RecordingError,
    RequestError,
    ServerError,
    SettingsError,
    SourceError,
)
"""Failures that say by themselves what to do."""


class DemoWay(Protocol):
    """What an add-on's module ``demo`` has: another way to show what the referee does.

    FLAG: name of the option that chooses it. BELONGING: of those that go with it alone. IDLE: of those that do
    nothing with it. OPTIONS: its options themselves.
    """

    FLAG: str
    BELONGING: Sequence[str]
    IDLE: Sequence[str]
    OPTIONS: Sequence[Callable[[Callable[..., None]], Callable[..., None]]]

    def show(self, settings: Settings, stop: threading.Event, play: bool, chosen: Mapping[str, Any]) -> None:
        """Show it until told to stop. play: whether --play is there. chosen: the values of the options."""


READING_SHARE = 0.3
"""Part of the pace for which "reading the board" stands at least, so that a person sees it come and go."""


_ADDED: Sequence[DemoWay] = cast(Sequence[DemoWay], tuple(addon_modules("demo")))
_BELONGS = {
    "people": ("play",),
    "strength": ("play",),
    "fast": ("script",),
    "phone": ("play", "script"),
    **{name: (way.FLAG,) for way in _ADDED for name in way.BELONGING},
}
"""Options, by name, and those of which each needs one."""
_RECORDED = ("pace", "journal_path", "folder", "once")
_IDLE = {
    "script": (*_RECORDED, "play", *(way.FLAG for way in _ADDED), "people", "strength", "port", "host"),
    **{way.FLAG: (*_RECORDED, *way.IDLE) for way in _ADDED},
    "play": _RECORDED,
}
"""What is shown instead of a recorded game, and the options that do nothing then."""


def _added_options(command: Callable[..., None]) -> Callable[..., None]:
    for way in _ADDED:
        for option in reversed(way.OPTIONS):
            command = option(command)
    return command


@click.command()
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Port of the page; without it the one in the settings (8080)."
)
@click.option(
    "--host",
    help="Address to listen at, 0.0.0.0 for every device on the network; without it the one in the settings.",
)
@click.option(
    "--pace", default=6.0, show_default=True, type=click.FloatRange(0.0, 600.0), help="Seconds a ruling stays."
)
@click.option(
    "--journal", "journal_path", type=click.Path(dir_okay=False, path_type=Path), help="Journal to carry on."
)
@click.option("--game", "of", type=click.Choice(names()), help="The recorded game that comes along with a game.")
@click.option(
    "--recording",
    "folder",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder of another recorded game (game.json, table.json, pictures), instead of the one that comes along.",
)
@click.option("--play", is_flag=True, help="Play yourself: a table in the computer, seen by virtual cameras.")
@click.option(
    "--people",
    default=1,
    show_default=True,
    type=click.IntRange(min=1),
    help="With --play: how many seats people take; the game plays the others.",
)
@click.option(
    "--strength",
    type=click.Choice([strength.value for strength in Strength]),
    default=Strength.MIDDLE.value,
    show_default=True,
    help="With --play: how well the other seats play.",
)
@click.option(
    "--script",
    "script",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Play a script at a virtual table, without a page, and compare the record with it.",
)
@click.option("--fast", is_flag=True, help="Play a script as fast as it is judged, not in real time.")
@click.option(
    "--phone", is_flag=True, help="Play, or play a script fast, with one phone in the hand and no other camera."
)
@_added_options
@click.option("--once", is_flag=True, help="Exit when the recording has ended, instead of keeping the page up.")
def command(
    port: int | None,
    host: str | None,
    pace: float,
    journal_path: Path | None,
    of: str | None,
    folder: Path | None,
    play: bool,
    people: int,
    strength: str,
    script: Path | None,
    fast: bool,
    phone: bool,
    once: bool,
    **added: Any,
) -> None:
    """Referee a recorded game, turn by turn, and show it on a page; or play one at a virtual table."""
    _refuse_idle(click.get_current_context())
    stop = ready_to_serve()
    try:
        settings = load_settings().settings
        configure(settings.log.level, settings.log.format)
        page = settings.page.model_copy(
            update={"port": settings.page.port if port is None else port, "host": host or settings.page.host}
        )
        if script is not None:
            if phone and not fast:
                raise click.UsageError("a script is played with --phone only with --fast as well")
            if not play_file(script, of, fast, stop, phone):
                raise SystemExit(1)
            return
        for way in _ADDED:
            if added[way.FLAG]:
                way.show(settings.model_copy(update={"page": page}), stop, play, added)
                return
        if play:
            wanted = of or str(Recording.open(BUNDLED).game)
            seats = other_seats(package_named(wanted), people, Strength(strength))
            play_game(settings.model_copy(update={"page": page}), wanted, stop, seats, held=phone)
            return
        journal = journal_path or _fresh_journal()
        if folder is None and of is not None and not needs_pictures(game_named(of).kit):
            show_declared(page, package_named(of), pace, journal, once, stop, _opened(once, stop))
        else:
            _demo(page, folder or _bundled(of), pace, journal, once, stop)
    except KNOWN as error:
        told = about(script, error) if script is not None and isinstance(error, RecordError) else error
        click.echo(f"referee demo: {told}", err=True)
        raise SystemExit(FAULTY) from None


def _refuse_idle(context: click.Context) -> None:
    """Raise UsageError for an option that does nothing beside the others, or without one that it belongs to."""
    shown = next((name for name in _IDLE if context.params[name]), None)
    for option in context.command.params:
        name = str(option.name)
        if context.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
            continue
        owners = _BELONGS.get(name, ())
        if owners and not any(context.params[owner] for owner in owners):
            known = " or ".join(f"--{owner}" for owner in owners)
            raise click.UsageError(f"{option.opts[0]} goes with {known}")
        if shown is not None and name in _IDLE[shown]:
            what = "goes with a recorded game" if name in _RECORDED else "does nothing here"
            raise click.UsageError(f"{option.opts[0]} {what}: leave out {option.opts[0]} or --{shown}")


def _bundled(name: str | None) -> Path:
    """Return the folder of a game's recording, or of the referee's own without a name.

    Raises RecordingError for a game that brings none.
    """
    folder = BUNDLED if name is None else package_named(name).recording
    if folder is not None:
        return folder
    if Recording.open(BUNDLED).game == name:
        return BUNDLED
    raise RecordingError(f"no recorded game of {name} comes along: give a folder with --recording")


def _opened(once: bool, stop: threading.Event) -> Callable[[Hosting, Journal, str], None]:
    """Return what to do once the page is up: say where it is, and wait for somebody to open it."""

    def opened(hosting: Hosting, journal: Journal, title: str) -> None:
        _greet(hosting, journal, title)
        if not once:
            _await_reader(hosting.publisher, stop)

    return opened


def _demo(page: Page, folder: Path, pace: float, journal_path: Path, once: bool, stop: threading.Event) -> None:
    recording = Recording.open(folder)
    game = game_named(recording.game)
    with ExitStack() as parts:
        served = ServedTable(page, journal_path.parent, parts)
        hosting, metrics = served.hosting, served.hosting.metrics()
        if hosting.other_port:
            click.echo(f"Port {page.port} is taken, using {hosting.sock.getsockname()[1]} instead.")
        measures = dict[str, bytes]()
        journal = _journal(journal_path, recording, game, measures)
        parts.callback(journal.close)  # until the loop has it, which then closes what is open last
        click.echo("Solving the lenses from their target pictures ...")
        reader = reader_at(game, load_table(recording.folder), recording.folder)
        measures |= measures_of(folder, reader, recording.looks[0].pictures)
        keep_measures(journal_path, measures)
        sight = TableSight(RecordedSight(recording, pace * READING_SHARE), looks := eyes_of(game.kit, reader))
        presser = Presser(hosting.commands, recording.looks, game, pace, click.echo)
        loop = served.referee(game, journal, sight, Helpers(metrics, on_change=presser.on_change))
        hosting.serve(metrics, brings=TableParts(looks=looks), table=folder, games=journal_path.parent)
        _greet(hosting, journal.journal, game.title)
        press = threading.Thread(target=_press, args=(presser, hosting, once, stop), name="recording")
        parts.callback(press.join)
        parts.callback(stop.set)
        press.start()
        loop.run(stop.is_set)
    click.echo("Stopped.")


def _journal(path: Path, recording: Recording, game: AnyGame, measures: Mapping[str, bytes]) -> GameJournal:
    """Open a journal for the recorded game; every game after it gets a journal of its own beside that one.

    measures: of the table, kept beside each journal that is begun here.
    """
    journal = Journal(path)
    try:
        state = open_game(journal, game, game.position(recording.position), recording.source, recorded=True)
    except BaseException:
        journal.close()
        raise

    def another() -> tuple[Journal, EvidenceStore]:
        further = next_journal(path)
        click.echo(f"Played again; journal: {further} (the one before is kept)")
        keep_measures(further, measures)
        return Journal(further), EvidenceStore(pictures_folder(further))

    return GameJournal(journal, state, EvidenceStore(pictures_folder(path)), another)


def _press(presser: Presser, hosting: Hosting, once: bool, stop: threading.Event) -> None:
    """Press the buttons in the players' place, from a thread of its own."""
    if not once and not presser.looks:
        _await_reader(hosting.publisher, stop)
    while presser.play(stop.wait):
        if once:
            stop.set()
            return
        click.echo("The recording has ended; the page stays up and offers to play it again. Stop with Ctrl-C.")
        if not presser.begun_again(stop.wait):
            return


def _await_reader(publisher: ViewPublisher, stop: threading.Event) -> None:
    """Wait until somebody has opened the page, so that nobody misses the first turn."""
    click.echo("The game begins when the page is opened.")
    while not publisher.was_read and not stop.wait(0.1):
        pass


def _greet(hosting: Hosting, journal: Journal, title: str) -> None:
    click.echo(f"{title}: open {hosting.url} in a browser. Stop with Ctrl-C.")
    click.echo(f"Journal: {journal.path} (carry on after a stop with: referee demo --journal {journal.path})")
    code = hosting.auth.desk.new_code()
    if said_to_the_journal():
        click.echo(pairing_told(hosting.url, code, hosting.local))
    elif hosting.local:
        click.echo(f"To press the buttons yourself, open {pairing_link(hosting.url, code)} instead,")
        click.echo(f"or type the code {code.pin[:3]} {code.pin[3:]} on the page under Settings, Pairing and devices.")
    else:
        click.echo(pairing_words(hosting.url, code))
    click.echo(f"More codes: {Path(sys.argv[0]).name} pair --data {journal.path.parent} --url {hosting.url}")


def _fresh_journal() -> Path:
    return Path(tempfile.mkdtemp(prefix="referee-demo-")) / "game.journal"

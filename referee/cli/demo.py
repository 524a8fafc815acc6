"""``referee demo``: a recorded game goes through lens, pose, reading, ruling, journal and page."""

from __future__ import annotations

import math
import signal
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import click

from calibration.errors import CalibrationError
from referee.adjudicate import adjudicate
from referee.checkpoint import CheckpointError, CheckpointOf, Signer
from referee.cli.jsonlines import FAULTY
from referee.daemon import Noticeboard, Referee, open_game
from referee.demo.recording import BUNDLED, Recording, RecordingError
from referee.demo.show import show
from referee.diskspace import free_bytes
from referee.feed import JournalFeed
from referee.games import game_named
from referee.journal import Journal, JournalError
from referee.logs import configure
from referee.ruling import RequestError
from referee.server import OwnHosts, PageServer, ServerError, address, bind
from referee.settings import Page, SettingsError, load_settings
from referee.vitals import Vitals
from vision.reader import Reader
from web.app import create_app
from web.health import watch
from web.tableview import TableParts

LONGEST_WAIT_S = 30.0
"""The game begins when the page is opened, or after this long without anybody."""

KNOWN = (
    CalibrationError,
    CheckpointError,
    JournalError,
    RecordingError,
    RequestError,
    ServerError,
    SettingsError,
)
"""Failures that say by themselves what to do."""

BEAT_S = 2.0
"""Seconds between the loop's signs of life while it waits."""


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
@click.option("--once", is_flag=True, help="Exit when the recording has ended, instead of keeping the page up.")
def command(port: int | None, host: str | None, pace: float, journal_path: Path | None, once: bool) -> None:
    """Referee a recorded game, turn by turn, and show it on a page."""
    stop = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: stop.set())
    try:
        settings = load_settings().settings
        configure(settings.log.level, settings.log.format)
        page = settings.page.model_copy(
            update={"port": settings.page.port if port is None else port, "host": host or settings.page.host}
        )
        _demo(page, pace, journal_path or _fresh_journal(), once, stop)
    except KNOWN as error:
        click.echo(f"referee demo: {error}", err=True)
        raise SystemExit(FAULTY) from None


def _demo(page: Page, pace: float, journal_path: Path, once: bool, stop: threading.Event) -> None:
    recording = Recording.open(BUNDLED)
    game = game_named(recording.game)
    with ExitStack() as parts:
        sock = parts.enter_context(bind(page.host, page.port))
        if page.port and sock.getsockname()[1] != page.port:
            click.echo(f"Port {page.port} is taken, using {sock.getsockname()[1]} instead.")
        journal = parts.enter_context(Journal(journal_path))
        state = open_game(journal, game, game.position(recording.position), recording.source)
        board = Noticeboard()
        click.echo("Solving the lenses from their target pictures ...")
        referee = Referee(game, Reader.open(recording.folder), adjudicate, journal, state, board.publish)
        offered = TableParts(
            log=JournalFeed(lambda: journal),
            checkpoint=CheckpointOf(Signer.open(journal_path.with_name("checkpoint.key")), lambda: journal),
        )
        app = create_app(board, offered, TRUSTED_HOSTS=OwnHosts(page.host, page.allowed_hosts))
        vitals = Vitals(lambda: (free_bytes(journal_path.parent), "on"))
        watch(app, vitals.signs)
        parts.enter_context(PageServer(app, sock))
        parts.callback(board.close)  # first of all when stopping, so that the page's streams end
        _greet(address(sock), journal, game.title)
        if not once and not state.look:
            _await_reader(board, min(LONGEST_WAIT_S, pace * 5), stop, vitals)
        if show(referee, recording, pace, lambda s: _pause(s, stop, vitals), click.echo) and not once:
            click.echo("The recording has ended; the page stays up. Stop with Ctrl-C.")
            _pause(math.inf, stop, vitals)
    click.echo("Stopped.")


def _await_reader(board: Noticeboard, longest_s: float, stop: threading.Event, vitals: Vitals) -> None:
    """Wait until somebody has opened the page, so that nobody misses the first turn."""
    click.echo(f"The game begins when the page is opened, or in {longest_s:.0f} s.")
    until = time.monotonic() + longest_s
    while not board.was_read and time.monotonic() < until and not stop.wait(0.1):
        vitals.beat()


def _pause(seconds: float, stop: threading.Event, vitals: Vitals) -> bool:
    """Wait, with a sign of life now and then; answers whether to stop."""
    until = time.monotonic() + seconds
    while True:
        vitals.beat()
        left = until - time.monotonic()
        if left <= 0 or stop.wait(min(left, BEAT_S)):
            return stop.is_set()


def _greet(url: str, journal: Journal, title: str) -> None:
    click.echo(f"{title}: open {url} in a browser. Stop with Ctrl-C.")
    click.echo(f"Journal: {journal.path} (carry on after a stop with: referee demo --journal {journal.path})")


def _fresh_journal() -> Path:
    return Path(tempfile.mkdtemp(prefix="referee-demo-")) / "game.journal"

"""``referee demo``: a recorded game goes through lens, pose, reading, ruling, journal and page."""

from __future__ import annotations

import signal
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import click

from calibration.errors import CalibrationError
from referee.adjudicate import adjudicate
from referee.cli.jsonlines import FAULTY
from referee.daemon import Noticeboard, Referee, open_game
from referee.demo.recording import BUNDLED, Recording, RecordingError
from referee.demo.show import show
from referee.games import game_named
from referee.journal import Journal, JournalError
from referee.ruling import RequestError
from referee.server import PageServer, ServerError, address, bind, own_hosts
from vision.reader import Reader
from web.app import create_app

LONGEST_WAIT_S = 30.0
"""The game begins when the page is opened, or after this long without anybody."""


@click.command()
@click.option("--port", default=8080, show_default=True, type=click.IntRange(0, 65535), help="Port of the page.")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen at; 0.0.0.0 shows the page to every device on the network.",
)
@click.option(
    "--pace", default=6.0, show_default=True, type=click.FloatRange(0.0, 600.0), help="Seconds a ruling stays."
)
@click.option(
    "--journal", "journal_path", type=click.Path(dir_okay=False, path_type=Path), help="Journal to carry on."
)
@click.option("--once", is_flag=True, help="Exit when the recording has ended, instead of keeping the page up.")
def command(port: int, host: str, pace: float, journal_path: Path | None, once: bool) -> None:
    """Referee a recorded game, turn by turn, and show it on a page."""
    stop = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: stop.set())
    try:
        _demo(port, host, pace, journal_path or _fresh_journal(), once, stop)
    except (CalibrationError, JournalError, RecordingError, RequestError, ServerError) as error:
        click.echo(f"referee demo: {error}", err=True)
        raise SystemExit(FAULTY) from None


def _demo(port: int, host: str, pace: float, journal_path: Path, once: bool, stop: threading.Event) -> None:
    recording = Recording.open(BUNDLED)
    game = game_named(recording.game)
    with ExitStack() as parts:
        sock = parts.enter_context(bind(host, port))
        if port and sock.getsockname()[1] != port:
            click.echo(f"Port {port} is taken, using {sock.getsockname()[1]} instead.")
        journal = parts.enter_context(Journal(journal_path))
        state = open_game(journal, game, game.position(recording.position), recording.source)
        board = Noticeboard()
        click.echo("Solving the lenses from their target pictures ...")
        referee = Referee(game, Reader.open(recording.folder), adjudicate, journal, state, board.publish)
        parts.enter_context(PageServer(create_app(board, TRUSTED_HOSTS=own_hosts(host)), sock))
        parts.callback(board.close)  # first of all when stopping, so that the page's streams end
        _greet(address(sock), journal, game.title)
        if not once and not state.look:
            _await_reader(board, min(LONGEST_WAIT_S, pace * 5), stop)
        if show(referee, recording, pace, stop.wait, click.echo) and not once:
            click.echo("The recording has ended; the page stays up. Stop with Ctrl-C.")
            stop.wait()
    click.echo("Stopped.")


def _await_reader(board: Noticeboard, longest_s: float, stop: threading.Event) -> None:
    """Wait until somebody has opened the page, so that nobody misses the first turn."""
    click.echo(f"The game begins when the page is opened, or in {longest_s:.0f} s.")
    until = time.monotonic() + longest_s
    while not board.was_read and time.monotonic() < until and not stop.wait(0.1):
        pass


def _greet(url: str, journal: Journal, title: str) -> None:
    click.echo(f"{title}: open {url} in a browser. Stop with Ctrl-C.")
    click.echo(f"Journal: {journal.path} (carry on after a stop with: referee demo --journal {journal.path})")


def _fresh_journal() -> Path:
    return Path(tempfile.mkdtemp(prefix="referee-demo-")) / "game.journal"

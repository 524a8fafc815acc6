"""``referee demo`` of a game in which everything is declared: book what was told and rule on it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import click

from referee.daemon import GameJournal, Helpers, TableSight, open_game
from referee.daemon.assembly import ServedTable
from referee.daemon.hosting import Hosting
from referee.demo.declared import DeclaredGame, Declarer
from referee.demo.nextjournal import next_journal
from referee.games.package import GamePackage
from referee.service.settings import Page
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import Journal


def show_declared(
    page: Page,
    package: GamePackage,
    pace: float,
    journal_path: Path,
    once: bool,
    stop: threading.Event,
    opened: Callable[[Hosting, Journal, str], None],
) -> None:
    """Show the package's playthrough until told to stop. opened: says where the page is, and waits for a reader."""
    game, recorded = package.game, DeclaredGame.of(package)
    with ExitStack() as parts:
        served = ServedTable(page, journal_path.parent, parts)
        hosting, metrics = served.hosting, served.hosting.metrics()
        journal = parts.enter_context(Journal(journal_path))
        state = open_game(journal, game, recorded.position, "Recorded game")

        def another() -> tuple[Journal, EvidenceStore]:
            further = next_journal(journal_path)
            click.echo(f"A new game; journal: {further} (the one before is kept)")
            return Journal(further), EvidenceStore(pictures_folder(further))

        kept = GameJournal(journal, state, EvidenceStore(pictures_folder(journal_path)), another)
        loop = served.referee(game, kept, TableSight(), Helpers(metrics))
        hosting.serve(metrics, games=journal_path.parent, game=game)
        declarer = Declarer(hosting.commands, recorded, lambda: loop.state, pace, click.echo)

        def played() -> None:
            opened(hosting, journal, game.title)
            if declarer.play(stop.wait):
                click.echo("The recording has ended; the page stays up. Stop with Ctrl-C." if not once else "Ended.")
                if once:
                    stop.set()

        press = threading.Thread(target=played, name="recording")
        parts.callback(press.join)
        parts.callback(stop.set)
        press.start()
        loop.run(stop.is_set)
    click.echo("Stopped.")

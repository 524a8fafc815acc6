"""``referee report``: one disputed turn, or a whole game, as a file that needs nothing else."""

from __future__ import annotations

from pathlib import Path

import click

from referee.archive.export import game_of
from referee.cli.failures import about, in_words
from referee.cli.gamename import as_journal
from referee.cli.jsonlines import FAULTY
from referee.cli.language import LANGUAGE
from referee.report.dispute import disputed_turn
from referee.report.disputepage import Evidence, dispute_report
from referee.report.gamefile import GameFile, opened_game
from referee.report.html import html_of
from referee.report.overlays import Overlays
from referee.report.pdf import pdf_of
from referee.report.session import session_of
from referee.report.sessionpage import session_page
from referee.storage.journal import JournalError


@click.command(name="report")
@click.argument("path", metavar="GAME", type=click.Path(dir_okay=False, path_type=Path), callback=as_journal)
@click.option("--turn", type=click.IntRange(min=1), help="The turn that is disputed; without it the whole game.")
@click.option(
    "--output",
    "--out",
    "-o",
    "out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write; else GAME.html or GAME-turn-N.html beside you. Of a turn also a PDF: name it OUT.pdf.",
)
@click.option("--pdf", is_flag=True, help="Write GAME-turn-N.pdf instead.")
@click.option(
    "--table",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="The table's folder, where its measures do not lie with the game.",
)
@LANGUAGE
def command(path: Path, turn: int | None, out: Path | None, pdf: bool, table: Path | None, language: str) -> None:
    """Write GAME (a journal, its name, or the ZIP of an export), or all that is known of one turn, into one file.

    The whole game: a replay with its pictures, what was counted over time, questions and corrections. One turn:
    boards before and after, the pictures with what was read on them, the rule, the explanation, who decided what.

    Exit status: 0 written, 2 it could not be.
    """
    ending = "pdf" if pdf else "html"
    page = out or Path(f"{path.stem}.{ending}" if turn is None else f"{path.stem}-turn-{turn}.{ending}")
    as_pdf = pdf or page.suffix.lower() == ".pdf"
    if turn is None and as_pdf:
        raise click.UsageError("A whole game is a page to step through, not a PDF: name a turn with --turn.")
    try:
        with opened_game(path, table) as game:
            made = _game_report(game, language) if turn is None else turn_report(game, turn, language, as_pdf)
        page.write_bytes(made)
    except JournalError as error:
        click.echo(f"referee report: {about(path, error)}", err=True)
        raise SystemExit(FAULTY) from None
    except OSError as error:
        click.echo(f"referee report: {in_words(error, page)}", err=True)
        raise SystemExit(FAULTY) from None
    click.echo(str(page))


def _game_report(game: GameFile, language: str) -> bytes:
    return session_page(session_of(game.entries), game.picture, language).encode()


def turn_report(game: GameFile, turn: int, language: str, as_pdf: bool) -> bytes:
    """Return one turn's report as HTML or PDF.

    Raises JournalError for no such turn, or a game that can't be replayed.
    """
    told = disputed_turn(game.entries, turn)
    report = dispute_report(told, Evidence(game.picture, Overlays.at(game_of(game.entries), game.table)))
    return pdf_of(report, language) if as_pdf else html_of(report, language).encode()

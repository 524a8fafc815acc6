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
from referee.report.disputepage import Evidence
from referee.report.forms import turn_file
from referee.report.gamefile import GameFile, opened_game
from referee.report.overlays import Overlays
from referee.report.session import session_of
from referee.report.sessionpage import session_page
from referee.storage.journal import JournalError
from referee.values.turnform import TurnForm


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
@click.option("--share", is_flag=True, help="Write what is fit to be shown to others instead; see below.")
@click.option(
    "--table",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="The table's folder, where its measures do not lie with the game.",
)
@LANGUAGE
def command(
    path: Path, turn: int | None, out: Path | None, pdf: bool, share: bool, table: Path | None, language: str
) -> None:
    """Write GAME (a journal, its name, or the ZIP of an export), or all that is known of one turn, into one file.

    The whole game: a replay with its pictures, what was counted over time, questions and corrections. One turn:
    boards before and after, the pictures with what was read on them, the rule, the explanation, who decided what.

    --share: of a turn GAME-turn-N.html without names, and the boards as a moving picture, GAME-turn-N.gif; of the
    whole game the moving picture. A name with --out that ends in .gif asks for that alone.

    Exit status: 0 written, 2 it could not be.
    """
    film = share and (turn is None or (out is not None and out.suffix.lower() == ".gif"))
    ending = "gif" if film else "pdf" if pdf else "html"
    page = out or Path(f"{path.stem}.{ending}" if turn is None else f"{path.stem}-turn-{turn}.{ending}")
    as_pdf = pdf or page.suffix.lower() == ".pdf"
    if share and as_pdf:
        raise click.UsageError("What is shared is a page or a moving picture, not a PDF: choose --share or the PDF.")
    if turn is None and as_pdf:
        raise click.UsageError("A whole game is a page to step through, not a PDF: name a turn with --turn.")
    try:
        with opened_game(path, table) as game:
            if film:
                made = {page: _film(game, turn, language)}
            elif turn is None:
                made = {page: _game_report(game, language)}
            elif share:
                made = {page: turn_report(game, turn, language, TurnForm.SHARED)}
                made |= {page.with_suffix(".gif"): turn_report(game, turn, language, TurnForm.FILM)}
            else:
                made = {page: turn_report(game, turn, language, TurnForm.PAPER if as_pdf else TurnForm.PAGE)}
        for one, content in made.items():
            if content:  # no moving picture of a game whose board is not drawn
                one.write_bytes(content)
    except JournalError as error:
        click.echo(f"referee report: {about(path, error)}", err=True)
        raise SystemExit(FAULTY) from None
    except OSError as error:
        click.echo(f"referee report: {in_words(error, page)}", err=True)
        raise SystemExit(FAULTY) from None
    for one, content in made.items():
        if content:
            click.echo(str(one))


def _game_report(game: GameFile, language: str) -> bytes:
    return session_page(session_of(game.entries), game.picture, language).encode()


def _film(game: GameFile, turn: int | None, language: str) -> bytes:
    from referee.report.film import game_film  # it loads what draws pictures

    made = (
        game_film(session_of(game.entries), language)
        if turn is None
        else turn_report(game, turn, language, TurnForm.FILM)
    )
    if not made:
        raise JournalError("the boards of this game are told in words: there is no moving picture of it")
    return made


def turn_report(game: GameFile, turn: int, language: str, form: TurnForm = TurnForm.PAGE) -> bytes:
    """Return one turn as a file.

    Raises JournalError for no such turn, or a game that can't be replayed.
    """
    told = disputed_turn(game.entries, turn)
    return turn_file(form, told, Evidence(game.picture, Overlays.at(game_of(game.entries), game.table)), language)

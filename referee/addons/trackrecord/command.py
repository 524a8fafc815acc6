"""``referee evidence``: how often rulings were put right, over the games of many tables."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click

from referee.addons.trackrecord.counting import MEANINGS, TITLES, GameCount, added_up
from referee.addons.trackrecord.evening import unpacked
from referee.addons.trackrecord.picture import drawn
from referee.archive.shelf import JOURNAL
from referee.cli.failures import about
from referee.cli.games import fail
from referee.cli.jsonlines import FAULTY
from referee.cli.language import LANGUAGE
from referee.report.gamefile import opened_game
from referee.report.session import session_of
from referee.storage.journal import JournalError


@click.command(name="evidence")
@click.argument("paths", metavar="DIR...", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
@click.option(
    "--svg",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw the rates and what bounds them into FILE, too.",
)
@LANGUAGE
@click.pass_context
def command(context: click.Context, paths: tuple[Path, ...], as_json: bool, svg: Path | None, language: str) -> None:
    """Count how often rulings were put right, in the journals, exports and evenings in DIR... and below.

    Real boards, recorded games and boards drawn by the computer are counted apart. A game that lies there twice
    counts once.

    Exit status: 0 all was counted, 2 something could not be read.
    """
    games: dict[str, GameCount] = {}
    unread: list[str] = []
    for file in _files(paths):
        try:
            with unpacked(file) as exports:
                games |= dict(map(_counted, exports))
        except (JournalError, OSError) as error:
            unread.append(about(file, error))
    if not games and not unread:
        fail(context, FileNotFoundError(2, "there are no journals and no exports"))
    records = added_up(games.values())
    if svg is not None:
        try:
            svg.write_text(drawn(records, language), encoding="utf-8")
        except OSError as error:
            fail(context, error)
    if as_json:
        click.echo(json.dumps({"records": [one.to_json() for one in records], "unread": len(unread)}))
    else:
        for one in records:
            click.echo(TITLES[one.origin].text(language))
            for words in (*one.lines, MEANINGS[one.origin]):
                click.echo(f"  {words.text(language)}")
    for line in unread:
        click.echo(line, err=True)
    context.exit(FAULTY if unread else 0)


def _counted(file: Path) -> tuple[str, GameCount]:
    """Return a game's newest hash, by which it is known again, and what became of its rulings."""
    with opened_game(file) as opened:
        session = session_of(opened.entries)
        return session.head, GameCount.of(session.state, opened.table)


def _files(paths: tuple[Path, ...]) -> Iterator[Path]:
    for path in paths:
        found = sorted(path.rglob("*")) if path.is_dir() else [path]
        yield from (file for file in found if file.is_file() and file.suffix in (JOURNAL, ".zip"))

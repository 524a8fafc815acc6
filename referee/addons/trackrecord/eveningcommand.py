"""``referee evening``: pack what a table's evening teaches, once the players have seen it and agreed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

import click

from referee.addons.trackrecord.evening import PAGE, evening_of
from referee.archive.packed import is_packed
from referee.cli.failures import about
from referee.cli.gamename import shelf_of
from referee.cli.games import fail
from referee.cli.language import LANGUAGE
from referee.service.settings import SettingsError
from referee.storage.journal import JournalError, read_journal
from referee.values.words import say, say_n

AN_EVENING = timedelta(hours=18)
"""Games that began so long before the newest are of its evening."""
ASKED = say(
    "Do all who played agree that these pictures of the board, the turns and what stood there may be sent to whoever "
    "improves the referee, and be kept and published?"
)


@click.command(name="evening")
@click.argument("table", metavar="TABLE", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of games, else the usual one.",
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="The ZIP, else evening.zip here.")
@click.option("--all", "every", is_flag=True, help="All games of the table, not those of its last evening.")
@click.option("--agreed", is_flag=True, help="All who played were asked and agree: nobody is asked again.")
@LANGUAGE
@click.pass_context
def command(
    context: click.Context,
    table: Path,
    folder: Path | None,
    out: Path | None,
    every: bool,
    agreed: bool,
    language: str,
) -> None:
    """Pack the games of TABLE's last evening into one ZIP: boards and what truly stood there, no faces, no names.

    TABLE is a table's folder, or a game's journal. What will be in it is written first, as a page to look at; then it
    is asked whether all agree. Nothing is sent: docs/evidence/real-photographs.md says where to.

    Exit status: 0 packed, 1 not agreed, 2 nothing could be packed.
    """
    out = out or Path("evening.zip")
    try:
        journals = [table] if table.is_file() else _games(table, folder, every)
        if not journals or any(is_packed(path) for path in journals):
            fail(context, FileNotFoundError(2, f"no game was played at {table.resolve().name}"))
        with evening_of(journals, language) as evening:
            page = out.with_name(PAGE)
            page.write_text(evening.page, encoding="utf-8")
            click.echo(say("Look at it first: {page}", page=page.resolve().as_uri()).text(language))
            click.echo(
                say_n("{n} picture of the board.", "{n} pictures of the board.", evening.pictures).text(language)
            )
            for record in evening.records:
                click.echo(record.lines[0].text(language))
            if not agreed and not click.confirm(ASKED.text(language), default=False):
                click.echo(say("Nothing was packed.").text(language))
                context.exit(1)
            evening.pack(out)
    except (JournalError, SettingsError, OSError) as error:
        fail(context, OSError(2, about(table, error)))
    click.echo(say("Packed: {file}. Nothing was sent.", file=str(out)).text(language))


def _games(table: Path, folder: Path | None, every: bool) -> Sequence[Path]:
    """Return the journals of the table's last evening, or of all its games, the oldest first."""
    name = table.resolve().name
    cards = [card for card in shelf_of(folder).cards() if not card.trouble and _played_at(card.path, name)]
    if not cards or every:
        return [card.path for card in reversed(cards)]
    newest = datetime.fromisoformat(cards[0].begun_at)
    evening = [card for card in cards if newest - datetime.fromisoformat(card.begun_at) <= AN_EVENING]
    return [card.path for card in reversed(evening)]


def _played_at(journal: Path, table: str) -> bool:
    return read_journal(journal, recover=False)[0].data.get("source") == table

"""``referee audit``: rulings from pictures of finished turns, one JSON request a line."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.audit_again import audit_again
from referee.cli.auditing import Auditor
from referee.cli.gamename import as_journal
from referee.cli.jsonlines import FILES, run_lines
from referee.cli.language import LANGUAGE
from referee.cli.pictures import open_reader


@click.command(name="audit")
@click.option(
    "--table",
    "folder",
    type=click.Path(path_type=Path),
    help="The table folder, with its table.json and calibration.",
)
@click.option(
    "--game",
    "recorded",
    metavar="GAME",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=as_journal,
    help="Judge a recorded game again (a journal, its name, or the ZIP of an export), beside what was ruled then.",
)
@click.option("--turn", type=click.IntRange(min=1), help="With --game: that turn alone.")
@click.option(
    "--report",
    "out",
    metavar="OUT.html",
    type=click.Path(dir_okay=False, path_type=Path),
    help="With --game: write each difference with its pictures into this file, a PDF where its name ends so.",
)
@FILES
@LANGUAGE
@click.pass_context
def command(
    context: click.Context,
    folder: Path | None,
    recorded: Path | None,
    turn: int | None,
    out: Path | None,
    files: tuple[Path, ...],
    language: str,
) -> None:
    """Rule on photographed turns: one JSON request a line of each FILE (or standard input), one JSON answer a line.

    With --game: judge a recorded game again by today's eyes and engine, one JSON line a ruling.

    Exit status: 0 all turns legal, 1 some turn illegal or unsure, 2 some line in error, or the table cannot be used.
    With --game: 0 all ruled as then, 1 some otherwise, 2 the game cannot be used.
    """
    if recorded is not None:
        if files:
            raise click.UsageError("--game takes a recorded game in place of FILE.")
        context.exit(audit_again(recorded, turn, out, folder, language))
    if turn is not None or out is not None:
        raise click.UsageError("--turn and --report belong to --game.")
    if folder is None:
        raise click.UsageError("Missing option '--table' (or '--game').")
    game, reader = open_reader(context, folder)
    auditor = Auditor(game, reader, language)
    context.exit(run_lines(files, auditor.answer, lambda ruled: 0 if ruled["legal"] else 1, language=language))

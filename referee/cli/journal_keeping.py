"""``referee journal export``, ``keep`` and ``prune``: games packed, kept and cleared away."""

from __future__ import annotations

import time
from pathlib import Path

import click

from referee.archive.export import default_name
from referee.archive.export import export as pack
from referee.archive.measures import measures_folder
from referee.cli.failures import in_words
from referee.cli.gamename import as_journal
from referee.cli.jsonlines import FAULTY
from referee.cli.plurals import counted
from referee.service.settings import SettingsError, load_settings
from referee.storage.checkpoint import CheckpointError, Signer
from referee.storage.journal import JournalError
from referee.storage.retention import Limits, Removal, keep_mark, sweep
from referee.values.signs import in_line

JOURNAL = click.argument(
    "path", metavar="JOURNAL", type=click.Path(dir_okay=False, path_type=Path), callback=as_journal
)
"""A journal, by its file or by the name that ``referee games`` gives it."""
DAY_S = 86_400.0
MEGABYTE = 1_000_000


@click.command()
@JOURNAL
@click.option(
    "--output",
    "--out",
    "-o",
    "output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="ZIP file to write; else beside you.",
)
@click.option(
    "--table", type=click.Path(file_okay=False, exists=True, path_type=Path), help="Take the measures of this table."
)
@click.option("--without-table", is_flag=True, help="Leave the table's measures and lenses out.")
@click.option(
    "--key-file",
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    help="The table's key, to sign how far the game came; else checkpoint.key of the data folder, if it is there.",
)
def export(path: Path, output: Path | None, table: Path | None, without_table: bool, key_file: Path | None) -> None:
    """Pack a game into one ZIP: its events, its record, the pictures behind the rulings, the table and its lenses.

    This is what to send in when the referee got something wrong.
    """
    out = output or default_name(path)
    try:
        key = key_file or next((file for file in _keys(path) if file.is_file()), None)
        signer = Signer.open(key) if key is not None else None
        packed = pack(path, out, None if without_table else table or measures_folder(path), signer)
    except (CheckpointError, JournalError) as error:
        click.echo(f"referee journal export: {error}", err=True)
        raise SystemExit(FAULTY) from None
    except OSError as error:
        click.echo(f"referee journal export: {in_words(error, out)}", err=True)
        raise SystemExit(FAULTY) from None
    click.echo(f"{out}: {counted(packed.events, 'event')}, {counted(packed.pictures, 'picture')}")
    for note in packed.notes:
        click.echo(f"  {note}")
    click.echo("The pictures show whatever the cameras saw around the board: look at them before you send them.")


@click.command()
@JOURNAL
@click.option("--release", is_flag=True, help="Let them go again when they are old.")
def keep(path: Path, release: bool) -> None:
    """Keep a game's pictures for good, whatever their age and size."""
    mark = keep_mark(path)
    try:
        if not path.is_file():
            raise FileNotFoundError(2, "there is no such journal")
        if release:
            mark.unlink(missing_ok=True)
        else:
            mark.touch()
    except OSError as error:
        click.echo(f"referee journal keep: {path}: {error.strerror}", err=True)
        raise SystemExit(FAULTY) from None
    click.echo(f"{path}: pictures are kept {'as long as the settings say' if release else 'for good'}")


@click.command()
@click.option("--dry-run", is_flag=True, help="Only tell what would go.")
@click.option(
    "--folder", type=click.Path(file_okay=False, exists=True, path_type=Path), help="Instead of the data folder."
)
def prune(dry_run: bool, folder: Path | None) -> None:
    """Delete pictures that are older, or take more room, than the settings allow.

    Those of running and disputed games stay, and journals are never deleted.
    """
    try:
        settings = load_settings().settings
    except SettingsError as error:
        click.echo(f"referee journal prune: {error}", err=True)
        raise SystemExit(FAULTY) from None
    limits = Limits(settings.evidence.keep_days * DAY_S, settings.evidence.keep_mb * MEGABYTE)
    gone = sweep(folder or settings.data_folder, limits, time.time(), dry_run)
    for journal in dict.fromkeys(item.journal for item in gone):
        click.echo(_told(journal, [item for item in gone if item.journal == journal], dry_run))
    if not gone:
        click.echo("Nothing is too old or too much.")


def _keys(journal: Path) -> tuple[Path, ...]:
    """Return where the key of a journal's table may lie: beside it, or in the data folder that holds ``games``."""
    return journal.with_name("checkpoint.key"), journal.absolute().parent.parent / "checkpoint.key"


def _told(journal: Path, items: list[Removal], dry_run: bool) -> str:
    size_mb = sum(item.picture.size_bytes for item in items) / MEGABYTE
    why = " and ".join(dict.fromkeys(item.why for item in items))
    done = "would go" if dry_run else "gone"
    return f"{in_line(str(journal))}: {counted(len(items), 'picture')} ({size_mb:.1f} MB) {done}: {why}"

"""``referee report``: one disputed turn as an HTML file that needs nothing else."""

from __future__ import annotations

from pathlib import Path

import click

from referee.archive.dispute import disputed_turn
from referee.archive.disputepage import Picture, dispute_page
from referee.archive.packed import is_packed, packed_entries, packed_picture
from referee.cli.jsonlines import FAULTY
from referee.cli.language import LANGUAGE
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import JournalError, read_journal


@click.command(name="report")
@click.argument("path", metavar="GAME", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--turn", type=click.IntRange(min=1), required=True, help="The turn that is disputed.")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="File to write; else GAME-turn-N.html beside you."
)
@LANGUAGE
def command(path: Path, turn: int, out: Path | None, language: str) -> None:
    """Write all that is known of one turn of GAME (a journal, or the ZIP of an export) into one HTML file.

    Boards before and after, the pictures, what was read and how surely, the rule, the explanation, who decided what.

    Exit status: 0 written, 2 it could not be.
    """
    page = out or Path(f"{path.stem}-turn-{turn}.html")
    try:
        packed = is_packed(path)
        entries = packed_entries(path) if packed else read_journal(path)
        store = EvidenceStore(pictures_folder(path))

        def picture(content: str) -> Picture | None:
            found = packed_picture(path, content) if packed else store.picture(content)
            return None if found is None else ("image/png" if found.startswith(b"\x89PNG") else "image/jpeg", found)

        page.write_text(dispute_page(disputed_turn(entries, turn), picture, language), encoding="utf-8")
    except JournalError as error:
        click.echo(f"referee report: {path}: {error}", err=True)
        raise SystemExit(FAULTY) from None
    except OSError as error:
        click.echo(f"referee report: {page} can't be written: {error.strerror}", err=True)
        raise SystemExit(FAULTY) from None
    click.echo(str(page))

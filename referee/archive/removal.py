"""Delete a game, whole or not at all: a plug pulled half-way leaves the game, or the rest of a game that is gone.

The journal is renamed first; from then on the game stands on no shelf. Then its pictures and measures go, and what
was the journal last of all, so that the rest of a deletion can be found and finished (``finish_deletions``).
"""

from __future__ import annotations

import shutil
from pathlib import Path

from referee.archive.measures import measures_folder
from referee.archive.shelf import DAMAGED, GameCard, card_file
from referee.storage.diskspace import sync_folder
from referee.storage.evidence import pictures_folder
from referee.storage.journal import JournalError
from referee.storage.retention import keep_mark, unused
from referee.values.words import Words, say, say_n

GOING = ".deleting"
"""Ending of a journal's name while its game is being deleted."""


def delete_game(journal: Path) -> None:
    """Delete a game with all that belongs to it.

    Raises JournalError where a referee is playing it, or the disk refuses; the game is then still there, or, once its
    journal is gone, ``finish_deletions`` clears the rest away.
    """
    with unused(journal) as free:
        if not free:
            raise JournalError(f"{journal} is being played now: end that game, or stop its referee, first")
        going = journal.with_name(journal.name + GOING)
        try:
            journal.rename(going)
            sync_folder(journal.parent)
            _clear(going)
        except OSError as error:
            raise JournalError(f"{journal} could not be deleted: {error.strerror}") from error
    journal.with_name(journal.name + ".lock").unlink(missing_ok=True)


def finish_deletions(folder: Path) -> list[Path]:
    """Clear away what interrupted deletions left in a folder or below; return the journals it belonged to."""
    gone = []
    for going in sorted(folder.rglob(f"*.journal{GOING}")):
        _clear(going)
        journal = going.with_name(going.name.removesuffix(GOING))
        journal.with_name(journal.name + ".lock").unlink(missing_ok=True)
        gone.append(journal)
    return gone


def _clear(going: Path) -> None:
    """Delete a game's files. Raises OSError."""
    journal = going.with_name(going.name.removesuffix(GOING))
    if journal.exists():  # another game has taken the name: what lies there is that one's
        going.unlink()
        return
    for folder in (pictures_folder(journal), measures_folder(journal)):
        if folder.is_dir():
            shutil.rmtree(folder)
    for ending in ("-wal", "-shm", "-journal", DAMAGED, ".salvaged"):
        journal.with_name(journal.name + ending).unlink(missing_ok=True)
    for beside in (keep_mark(journal), card_file(journal)):
        beside.unlink(missing_ok=True)
    going.unlink()
    sync_folder(journal.parent)


def losses(card: GameCard) -> list[Words]:
    """List what is lost when a game is deleted, line by line."""
    found = [
        say_n("The record of {n} turn", "The record of {n} turns", card.turns),
        say_n("{n} event of the journal", "{n} events of the journal", card.events),
    ]
    if card.pictures:
        megabytes = f"{card.size_bytes / 1e6:.1f}"
        found.append(
            say_n("{n} picture ({mb} MB in all)", "{n} pictures ({mb} MB in all)", card.pictures, mb=megabytes)
        )
    if card.disputed:
        found.append(say("A dispute that is not settled: nobody can look it up any more"))
    if card.result is None and not card.trouble:
        found.append(say("A game that is not over: it can’t be carried on"))
    if card.kept:
        found.append(say("What was marked to be kept for good"))
    return found

"""Repair what a damaged disk left of a game: nothing is invented, nothing is thrown away.

A journal is its events up to the first that is not as it was written. Those are put into a new journal, which takes
the old one's name in one step; the old file stays beside it (``game.journal.damaged``), and what can still be read
after the gap is kept as lines of JSON (``game.journal.salvaged``), for people: no game goes on from it. A picture
that is not what its name says is no evidence: it is set aside under another name.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from referee.archive.shelf import DAMAGED
from referee.storage.aside import file_aside, folder_aside
from referee.storage.chain import ChainError, JournalEntry, JournalError, as_stored, verified
from referee.storage.diskspace import sync_folder
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import read_journal, write_rows
from referee.storage.retention import unused

SALVAGED = ".salvaged"
_ASIDE = ".repairing"
_HIGHEST = 1_000_000
"""Numbers of events that are looked for in a damaged file at most."""
_SMALLEST_EVENT_BYTES = 200
"""Its own hash, that of the event before it, and its time."""
_HEAD_BYTES = 100
"""Size of the head of a SQLite file."""

Row = tuple[object, object, object]


@dataclass(frozen=True, slots=True)
class Repaired:
    """What came of a repair.

    changed: whether the journal was damaged and a new one made. events: how many hold. salvaged: events after the
    gap that can be read, kept for people alone. lost_at: number of the first event that is not as it was, 0 for none.
    bad_pictures: how many were set aside. missing_pictures: how many that events name are not there.
    """

    changed: bool
    events: int
    salvaged: int
    lost_at: int
    bad_pictures: int
    missing_pictures: int

    @property
    def whole(self) -> bool:
        """Return whether nothing was wrong at all."""
        return not self.changed and not self.bad_pictures


def repair_game(path: Path) -> Repaired:
    """Repair a game. Raises JournalError where a referee is playing it, or nothing of it can be read or written."""
    try:
        # What a kill left half written is put right by this, as the journal's next writer would: that is no damage.
        entries: list[JournalEntry] | None = read_journal(path)
    except JournalError:
        entries = None
    with unused(path) as free:
        if not free:
            raise JournalError(f"{path} is being played now: stop its referee first")
        try:
            if entries is None:
                return _journal_repaired(path)
            return Repaired(False, len(entries), 0, 0, _set_aside(path), _missing(path, entries))
        except OSError as error:
            raise JournalError(f"{path} can't be repaired: {error.strerror}; make room on the disk") from error


def _journal_repaired(path: Path) -> Repaired:
    """Put a new journal in the place of a damaged one. Raises JournalError, OSError."""
    aside = path.with_name(path.name + _ASIDE)
    entries, later = _readable(path, aside)
    if not entries:
        raise JournalError(f"{path}: nothing of it can be read; restore it from a backup ('referee restore')")
    bad = _set_aside(path)
    _clear_aside(aside)
    write_rows(aside, ((entry.number, entry.body, entry.hash) for entry in entries))
    _keep_later(path, later)
    _keep_damaged(path)
    for ending in ("-wal", "-shm", "-journal"):  # they are of the damaged file; the new one must not meet them
        path.with_name(path.name + ending).unlink(missing_ok=True)
    aside.replace(path)  # one step: before it lies the damaged journal, after it the repaired one
    sync_folder(path.parent)
    _clear_aside(aside)
    return Repaired(True, len(entries), len(later), len(entries) + 1, bad, _missing(path, entries))


def _readable(path: Path, aside: Path) -> tuple[list[JournalEntry], list[Row]]:
    """Return the events up to the first that is not as it was, and the rows after it that can be read.

    aside: what an earlier repair that was broken off had come to, where it had come further.
    """
    rows = list(_rows(path))
    good: list[JournalEntry] = []
    found = verified(iter(rows), path)
    with contextlib.suppress(ChainError):
        while (entry := next(found, None)) is not None:
            good.append(entry)
    with contextlib.suppress(JournalError):
        before = read_journal(aside)
        good = before if len(before) > len(good) else good
    return good, [row for row in rows if isinstance(row[0], int) and row[0] > len(good)]


def _rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a damaged file, each looked up by its number, so that one bad page hides no others."""
    with folder_aside("referee-repair-") as folder:
        copy = folder / "copy.journal"
        for ending in ("", "-wal", "-journal"):
            with contextlib.suppress(FileNotFoundError):
                shutil.copyfile(path.with_name(path.name + ending), copy.with_name(copy.name + ending))
        _recount(copy)
        try:
            db = sqlite3.connect(copy, isolation_level=None)
        except sqlite3.Error:
            return
        db.text_factory = as_stored
        with contextlib.closing(db):
            for number in range(1, _last(db, copy.stat().st_size) + 1):
                try:
                    row = db.execute("SELECT number, body, hash FROM events WHERE number = ?", (number,)).fetchone()
                except (sqlite3.Error, UnicodeDecodeError, MemoryError, OverflowError):
                    continue
                if row is not None:
                    yield row


def _recount(journal: Path) -> None:
    """Write into a file's head how many pages are left: of one that is shorter than it says SQLite reads nothing."""
    with journal.open("r+b") as file:
        head = file.read(_HEAD_BYTES)
        page_bytes, pages = int.from_bytes(head[16:18], "big"), int.from_bytes(head[28:32], "big")
        page_bytes = 65536 if page_bytes == 1 else page_bytes
        left = -(-file.seek(0, os.SEEK_END) // page_bytes) if page_bytes else 0
        if len(head) == _HEAD_BYTES and 0 < left <= pages:
            file.truncate(left * page_bytes)
            file.seek(28)
            file.write(left.to_bytes(4, "big"))


def _last(db: sqlite3.Connection, size_bytes: int) -> int:
    """Return the highest number an event may have; where the file does not tell, as many as it has room for."""
    for question in ("SELECT max(number) FROM events", "SELECT count(*) FROM events"):
        try:
            found = db.execute(question).fetchone()[0]
        except (sqlite3.Error, UnicodeDecodeError):
            continue
        if isinstance(found, int) and found > 0:
            return min(found, _HIGHEST)
    return min(size_bytes // _SMALLEST_EVENT_BYTES, _HIGHEST)


def _keep_later(path: Path, later: list[Row]) -> None:
    if not later:
        return
    rows = [{"number": number, "event": body, "hash": digest} for number, body, digest in later]
    lines = [json.dumps(row, default=_as_text) for row in rows]
    with file_aside(path.with_name(path.name + SALVAGED)) as file:
        file.write(("\n".join(lines) + "\n").encode("utf-8", "surrogateescape"))


def _as_text(kept: bytes) -> str:
    """Return what the damage left of a text as bytes."""
    return kept.decode("utf-8", "replace")


def _keep_damaged(path: Path) -> None:
    """Give the damaged file a second name; an older one is never written over."""
    target = path.with_name(path.name + DAMAGED)
    number = 1
    while target.exists():
        number += 1
        target = path.with_name(f"{path.name}{DAMAGED}-{number}")
    try:
        os.link(path, target)
    except OSError:  # a disk without second names
        with path.open("rb") as damaged, file_aside(target) as file:
            shutil.copyfileobj(damaged, file)
    sync_folder(path.parent)


def _clear_aside(aside: Path) -> None:
    for ending in ("", "-wal", "-shm", "-journal", ".lock"):
        aside.with_name(aside.name + ending).unlink(missing_ok=True)


def _set_aside(path: Path) -> int:
    """Set pictures aside that are not what their names say; return how many. Raises OSError."""
    bad = 0
    for picture in list(EvidenceStore(pictures_folder(path)).pictures()):
        try:
            right = hashlib.sha256(picture.path.read_bytes()).hexdigest() == picture.content
        except OSError:
            right = False
        if not right:
            picture.path.rename(picture.path.with_name(f"{picture.path.name}{DAMAGED}"))
            bad += 1
    return bad


def _missing(path: Path, entries: list[JournalEntry]) -> int:
    store = EvidenceStore(pictures_folder(path))
    named: set[str] = set()
    for entry in entries:
        pictures = entry.data.get("pictures")
        if isinstance(pictures, dict):
            named |= set(map(str, pictures.values()))
    return sum(1 for content in named if not store.has(content))

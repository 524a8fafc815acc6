"""The durable log of a refereed game: numbered events that are only ever added, each chained to the one before.

An event is one line of canonical JSON that says of itself its number, kind, time, data and the hash of its
predecessor, so it can be published or audited without this program. ``append`` returns only when the event is on
the disk. A hash chain shows an edit, a deletion or a reordering; it can't show a tail that was cut off cleanly or a
journal rewritten as a whole: for that a checkpoint must be kept elsewhere.

Numbers give the order. The time of day in an event is what the machine's clock said, and clocks are set back; how
long something took is told by the event's ``clock``, which only runs forward, until the machine is started again.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from referee.storage.chain import (
    GENESIS,
    ChainError,
    DamagedError,
    JournalEntry,
    JournalError,
    as_stored,
    canonical,
    chain,
    elapsed_s,
    verified,
)
from referee.storage.filelock import lock
from referee.values.closing import Closing
from referee.values.signs import in_line
from referee.values.ticks import Ticks, ticks

__all__ = ["GENESIS", "ChainError", "DamagedError", "Journal", "JournalEntry", "JournalError"]
__all__ += ["canonical", "chain", "elapsed_s", "read_journal", "write_rows"]

APPLICATION_ID = 0x52454652
SCHEMA_VERSION = 1
WAL_SAFE_FROM = (3, 51, 3)
"""Earlier versions can corrupt a write-ahead log that several connections write and checkpoint."""

_TABLE = "CREATE TABLE events (number INTEGER PRIMARY KEY, body TEXT NOT NULL, hash TEXT NOT NULL)"
_NO_DELETE = """CREATE TRIGGER events_no_delete BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;"""
_SCHEMA = f"""
{_TABLE};
CREATE TRIGGER events_keep_order BEFORE INSERT ON events
WHEN NEW.number IS NOT (SELECT coalesce(max(number), 0) + 1 FROM events)
BEGIN SELECT RAISE(ABORT, 'events are added one after the other'); END;
CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
{_NO_DELETE}
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
"""


UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""Errors of a damaged file; the second is raised where SQLite's own words hold damaged text of it."""
DAMAGED = "its table of contents is damaged"
BATCH = 100
"""Events fetched at a time: what somebody who writes may have to wait for."""
MOST = 2**63 - 1
LOCK_WAIT_S = 0.5
"""Time to wait for a lock that a process which deletes old pictures holds for a moment."""


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Journal(Closing):
    """The journal's one writer. Opening verifies every event; a second writer is refused.

    Safe to use from several threads. ``clock`` gives the time written into events, ``ticks`` the one for durations.
    ``make_room`` is called when the disk is full and answers whether it is worth another try.
    """

    def __init__(
        self,
        path: Path,
        clock: Callable[[], datetime] = _utc_now,
        ticks: Callable[[], Ticks] = ticks,
        make_room: Callable[[], bool] = lambda: False,
    ) -> None:
        self.path = path
        self._clock = clock
        self._ticks = ticks
        self._make_room = make_room
        self._mutex = threading.Lock()
        self._newest: JournalEntry | None = None
        self._failed = ""
        self._lock = _lock(path)
        try:
            self._db = _connect(path)
            try:
                self._read: list[JournalEntry] | None = _all_of(self._db, path)
                self._newest = next(reversed(self._read), None)
                found = path.stat()
                self._file = (found.st_dev, found.st_ino)
            except BaseException:
                self._db.close()
                raise
        except BaseException as error:
            os.close(self._lock)
            if isinstance(error, UNREADABLE):
                what = f"{path} can't be read as a journal: {_told(error)}"
                raise (
                    DamagedError(what) if _is_damage(error) else JournalError(f"{what}; choose another file")
                ) from error
            raise

    def append(self, kind: str, data: Mapping[str, object]) -> JournalEntry:
        """Add an event and return it once it is on the disk. Raises JournalError when it could not be written."""
        return self.append_all([(kind, data)])[0]

    def append_all(self, events: Sequence[tuple[str, Mapping[str, object]]]) -> tuple[JournalEntry, ...]:
        """Add events, kind and data of each, and return them once all are on the disk.

        Raises JournalError when they could not be written: then none of them is in the journal, whatever happens.
        """
        with self._mutex:
            at, ticks = self._clock().isoformat(timespec="milliseconds"), self._ticks()
            entries, rows = list[JournalEntry](), list[tuple[int, str, str]]()
            head = self.head
            for number, (kind, data) in enumerate(events, self.last + 1):
                fresh = JournalEntry(number, kind, at, dict(data), head, "", ticks)
                rows.append((number, body := fresh.body, head := chain(head, body)))
                entries.append(replace(fresh, hash=head))
            try:
                if self._failed:
                    self._take_back_refused()
                self._insert(rows)
            except sqlite3.Error as error:
                self._failed = f"event {entries[0].number} could not be written: {error}"
                raise JournalError(f"{self.path}: {self._failed}") from error
            self._failed, self._read = "", None
            self._newest = entries[-1]
            return tuple(entries)

    def _insert(self, rows: Sequence[tuple[int, str, str]]) -> None:
        try:
            self._insert_together(rows)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_FULL or not self._make_room():
                raise
            self._insert_together(rows)

    def _insert_together(self, rows: Sequence[tuple[int, str, str]]) -> None:
        """Insert rows in one transaction, so that a power cut leaves all of them or none."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            self._db.executemany("INSERT INTO events VALUES (?, ?, ?)", rows)
            self._db.execute("COMMIT")
        except sqlite3.Error:
            if self._db.in_transaction:
                self._db.rollback()
            raise

    def _take_back_refused(self) -> None:
        """Take out an event that could not be written for certain, was refused therefore, and stands in the file.

        So it is where the disk failed when all that was left to sync was that SQLite's own journal is gone.
        """
        if self._db.execute("SELECT 1 FROM events WHERE number > ?", (self.last,)).fetchone():
            last = self.last
            take_back = f"DROP TRIGGER events_no_delete; DELETE FROM events WHERE number > {last:d}; {_NO_DELETE}"
            try:
                self._db.executescript(f"BEGIN IMMEDIATE; {take_back} COMMIT;")
            except sqlite3.Error:
                if self._db.in_transaction:
                    self._db.rollback()
                raise

    def entries(self, after: int = 0) -> Iterator[JournalEntry]:
        """Return the events in order, those with a number above ``after``; their chain is checked again on the way.

        Writers wait for a few of them to be fetched, never for their check. Raises ChainError on the way.
        """
        read, self._read = self._read, None
        if after >= self.last:
            return iter(())
        if read is not None and len(read) == self.last:
            return iter(read[max(after, 0) :])  # as they were verified when the journal was opened, a moment ago
        previous = GENESIS
        if after > 0:
            with self._mutex:
                anchor = self._db.execute("SELECT hash FROM events WHERE number = ?", (after,)).fetchone()
            if anchor is None:
                raise ChainError(self.path, after, "is missing")
            previous = anchor[0]
        # A refused event may be in the file; readers never get it.
        rows = _rows(self._db, after, self._mutex, lambda: self.last)
        return verified(rows, self.path, max(after, 0), previous)

    @property
    def newest(self) -> JournalEntry | None:
        """Return the newest event, ``None`` when there is none."""
        return self._newest

    @property
    def last(self) -> int:
        """Return the number of the newest event, 0 when there is none."""
        newest = self._newest
        return newest.number if newest else 0

    @property
    def head(self) -> str:
        """Return the hash of the newest event.

        Whoever keeps it can prove later that nothing before it was changed.
        """
        newest = self._newest
        return newest.hash if newest else GENESIS

    def trouble(self) -> str:
        """Return what keeps the next event from being written, as far as that is known; empty for nothing."""
        if self._failed:
            return self._failed
        try:
            found = self.path.stat()
        except OSError as error:
            return f"the journal is gone: {error.strerror}"
        if (found.st_dev, found.st_ino) != self._file:
            return "another file lies where the journal was"
        if hasattr(os, "statvfs") and os.statvfs(self.path).f_flag & os.ST_RDONLY:
            return "the disk can only be read"
        return "" if os.access(self.path.parent, os.W_OK) else "its folder may not be written to"

    def close(self) -> None:
        """Let the file go; closing twice does nothing."""
        with self._mutex:
            if self._lock >= 0:
                self._db.close()
                os.close(self._lock)
                self._lock = -1


def read_journal(path: Path, recover: bool = True) -> list[JournalEntry]:
    """Read the events of a journal that another process may be writing; write nothing and hold no lock.

    recover: what a killed referee left half written is put right first, as its next writer would; without it such a
    journal can't be read. Raises ChainError where the chain breaks, JournalError for what can't be read as a journal.
    """
    if not path.is_file():
        raise JournalError(f"{path}: there is no such journal")
    try:
        db = sqlite3.connect(f"file:{quote(os.fsencode(path))}?mode=ro", uri=True, isolation_level=None, timeout=10.0)
        db.text_factory = as_stored
        try:
            return [] if _is_fresh(db, path) else _all_of(db, path)
        finally:
            db.close()
    except UNREADABLE as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if not recover or code not in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
            kind = DamagedError if _is_damage(error) else JournalError
            raise kind(f"{path} can't be read as a journal: {_told(error)}") from error
    # A referee was killed while it wrote: only a writer can put right what it left.
    with Journal(path) as journal:
        return list(journal.entries())


def write_rows(path: Path, rows: Iterable[tuple[object, object, object]]) -> None:
    """Write verified rows (number, body, hash) into a fresh journal, with the hashes they have.

    Raises JournalError where the disk does not take them, or gives something else back.
    """
    with Journal(path):
        pass  # creates the tables
    given = list(rows)
    db = sqlite3.connect(path, isolation_level=None)
    try:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("PRAGMA synchronous = EXTRA")
        db.execute("BEGIN")
        db.executemany("INSERT INTO events VALUES (?, ?, ?)", given)
        db.execute("COMMIT")
    except UnicodeEncodeError as error:
        raise JournalError(f"{path} can't be written: an event holds bytes that are no UTF-8") from error
    except sqlite3.Error as error:
        advice = "; make room on the disk" if error.sqlite_errorcode == sqlite3.SQLITE_FULL else ""
        raise JournalError(f"{path} can't be written: {error}{advice}") from error
    finally:
        db.close()
    if [entry.hash for entry in read_journal(path)] != [row[2] for row in given]:
        raise JournalError(f"{path} does not hold what was written into it: the disk is damaged")


def _all_of(db: sqlite3.Connection, path: Path) -> list[JournalEntry]:
    """Read and verify all events.

    Damage can make events disappear without a break in the chain, so the file's own structure is checked, too.
    """
    entries = list(verified(_rows(db), path))
    if db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise ChainError(path, len(entries) + 1, "can't be read: the file is damaged")
    return entries


def _is_damage(error: BaseException) -> bool:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _told(error: BaseException) -> str:
    """Return an error's text, fit for a terminal, since SQLite quotes what it finds in a damaged file."""
    return in_line(DAMAGED if isinstance(error, UnicodeDecodeError) else str(error))


def _lock(path: Path) -> int:
    """Take the writer's lock. The system lets it go when the process dies, however it dies."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise JournalError(f"{path} can't be opened for writing: {error.strerror}; choose another file") from error
    until = time.monotonic() + LOCK_WAIT_S
    while True:
        try:
            lock(handle)
        except OSError as error:
            if time.monotonic() < until:
                time.sleep(LOCK_WAIT_S / 10)
                continue
            os.close(handle)
            raise JournalError(f"{path} is being written by another referee: stop that one first") from error
        return handle


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10.0)
    db.text_factory = as_stored
    try:
        fresh = _is_fresh(db, path)  # before anything is written: another program's database stays as it is
        if sqlite3.sqlite_version_info >= WAL_SAFE_FROM:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
        else:
            # In rollback mode a commit is the journal file's deletion: EXTRA also syncs the folder it lay in.
            db.execute("PRAGMA journal_mode = DELETE")
            db.execute("PRAGMA synchronous = EXTRA")
        if fresh:
            db.executescript(f"BEGIN;{_SCHEMA}COMMIT;")
    except BaseException:
        db.close()
        raise
    return db


def _is_fresh(db: sqlite3.Connection, path: Path) -> bool:
    """Return whether nothing has been written yet. Raises JournalError for a database that is no journal of ours."""
    application = db.execute("PRAGMA application_id").fetchone()[0]
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if application == 0 and not db.execute("SELECT 1 FROM sqlite_master").fetchone():
        return True
    if application != APPLICATION_ID:
        raise JournalError(f"{path} is a database, but not a referee's journal: choose another file")
    if version != SCHEMA_VERSION:
        raise JournalError(
            f"{path} was written by another version of the referee (layout {version}): choose another file"
        )
    if db.execute("SELECT sql FROM sqlite_master WHERE name = 'events'").fetchone() != (_TABLE,):
        raise DamagedError(f"{path} can't be read as a journal: {DAMAGED}")
    return False


def _rows(
    db: sqlite3.Connection,
    after: int = 0,
    mutex: AbstractContextManager[object] | None = None,
    last: Callable[[], int] = lambda: MOST,
) -> Iterator[tuple[object, object, object]]:
    """Yield the rows above a number, up to ``last``, in batches; ``mutex`` is held for each fetch alone."""
    statement = "SELECT number, body, hash FROM events WHERE number > ? AND number <= ? ORDER BY number LIMIT ?"
    while True:
        with mutex or nullcontext():
            found = db.execute(statement, (after, last(), BATCH)).fetchall()
        yield from found
        if len(found) < BATCH:
            return
        after = found[-1][0]

"""The durable log of a refereed game: numbered events that are only ever added, each chained to the one before.

An event is one line of canonical JSON that says of itself its number, kind, time, data and the hash of its
predecessor, so it can be published or audited without this program. ``append`` returns only when the event is on
the disk. A hash chain shows an edit, a deletion or a reordering; it can't show a tail that was cut off cleanly or a
journal rewritten as a whole: for that a checkpoint must be kept elsewhere.

Errors: JournalError (unreadable, in use, no journal) > ChainError (an event is missing or was changed).
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

GENESIS = "0" * 64
"""What the first event is chained to."""

APPLICATION_ID = 0x52454652
SCHEMA_VERSION = 1
_KEYS = {"number", "kind", "at", "data", "previous"}
WAL_SAFE_FROM = (3, 51, 3)
"""Earlier versions can corrupt a write-ahead log that several connections write and checkpoint."""

_SCHEMA = f"""
CREATE TABLE events (number INTEGER PRIMARY KEY, body TEXT NOT NULL, hash TEXT NOT NULL);
CREATE TRIGGER events_keep_order BEFORE INSERT ON events
WHEN NEW.number IS NOT (SELECT coalesce(max(number), 0) + 1 FROM events)
BEGIN SELECT RAISE(ABORT, 'events are added one after the other'); END;
CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
"""


class JournalError(Exception):
    """The journal can't be used; the message says which file and what to do."""


class ChainError(JournalError):
    """An event is missing, out of order or not as it was written; ``number`` says which."""

    def __init__(self, path: Path, number: int, what: str) -> None:
        super().__init__(f"{path}: event {number} {what}; the journal can't be trusted from there on")
        self.number = number


@dataclass(frozen=True, slots=True)
class Entry:
    """One event as it lies in the journal. at: when it was written, ISO 8601 in UTC. hash: of it and all before."""

    number: int
    kind: str
    at: str
    data: Mapping[str, object]
    previous: str
    hash: str


def canonical(value: object) -> str:
    """The one JSON text of a value: sorted keys, no spaces, no NaN."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def chain(previous: str, body: str) -> str:
    """The hash of an event whose predecessor has the hash ``previous``."""
    return hashlib.sha256((previous + body).encode()).hexdigest()


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Journal:
    """The journal's one writer. Opening verifies every event; a second writer is refused.

    Safe to use from several threads. ``clock`` gives the time written into events.
    """

    def __init__(self, path: Path, clock: Callable[[], datetime] = _utc_now) -> None:
        self.path = path
        self._clock = clock
        self._mutex = threading.Lock()
        self._lock = _lock(path)
        try:
            self._db = _connect(path)
            try:
                newest = deque(_verified(self._db, path), maxlen=1)
            except BaseException:
                self._db.close()
                raise
        except BaseException as error:
            os.close(self._lock)
            if isinstance(error, sqlite3.Error):
                raise JournalError(f"{path} can't be read as a journal: {error}; choose another file") from error
            raise
        self._number = newest[0].number if newest else 0
        self._hash = newest[0].hash if newest else GENESIS

    def append(self, kind: str, data: Mapping[str, object]) -> Entry:
        """Add an event and return it once it is on the disk. Raises JournalError when it could not be written."""
        with self._mutex:
            number, at = self._number + 1, self._clock().isoformat(timespec="milliseconds")
            body = canonical({"number": number, "kind": kind, "at": at, "data": data, "previous": self._hash})
            digest = chain(self._hash, body)
            try:
                self._db.execute("INSERT INTO events VALUES (?, ?, ?)", (number, body, digest))
            except sqlite3.Error as error:
                raise JournalError(f"{self.path}: event {number} could not be written: {error}") from error
            entry = Entry(number, kind, at, dict(data), self._hash, digest)
            self._number, self._hash = number, digest
            return entry

    def entries(self, after: int = 0) -> Iterator[Entry]:
        """The events in order, those with a number above ``after``; the chain is checked again on the way."""
        with self._mutex:
            found = [entry for entry in _verified(self._db, self.path) if entry.number > after]
        return iter(found)

    @property
    def last(self) -> int:
        """Number of the newest event, 0 when there is none."""
        return self._number

    @property
    def head(self) -> str:
        """Hash of the newest event: whoever keeps it can prove later that nothing before it was changed."""
        return self._hash

    def close(self) -> None:
        """Let the file go; closing twice does nothing."""
        with self._mutex:
            if self._lock >= 0:
                self._db.close()
                os.close(self._lock)
                self._lock = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _lock(path: Path) -> int:
    """Take the writer's lock. The system lets it go when the process dies, however it dies."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise JournalError(f"{path} can't be opened for writing: {error.strerror}; choose another file") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(handle)
        raise JournalError(f"{path} is being written by another referee: stop that one first") from error
    return handle


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10.0)
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
    """Whether nothing has been written yet. Raises JournalError for a database that is no journal of ours."""
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
    return False


def _verified(db: sqlite3.Connection, path: Path) -> Iterator[Entry]:
    previous = GENESIS
    expected = 1
    for number, body, digest in db.execute("SELECT number, body, hash FROM events ORDER BY number"):
        if number != expected:
            raise ChainError(path, expected, "is missing")
        if not isinstance(body, str) or chain(previous, body) != digest:
            raise ChainError(path, number, "was changed after it was written")
        said = _event(body)
        if said is None:
            raise ChainError(path, number, "is no event")
        if said["number"] != number or said["previous"] != previous:
            raise ChainError(path, number, "stands in a place that is not its own")
        yield Entry(number, said["kind"], said["at"], said["data"], previous, digest)
        previous, expected = digest, expected + 1


def _event(body: str) -> dict[str, Any] | None:
    """An event's body, taken apart; ``None`` when it isn't one."""
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) and said.keys() == _KEYS else None

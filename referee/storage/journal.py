"""The durable log of a refereed game: numbered events that are only ever added, each chained to the one before.

An event is one line of canonical JSON that says of itself its number, kind, time, data and the hash of its
predecessor, so it can be published or audited without this program. ``append`` returns only when the event is on
the disk. A hash chain shows an edit, a deletion or a reordering; it can't show a tail that was cut off cleanly or a
journal rewritten as a whole: for that a checkpoint must be kept elsewhere.

Numbers give the order. The time of day in an event is what the machine's clock said, and clocks are set back; how
long something took is told by the event's ``clock``, which only runs forward, until the machine is started again.

Errors: JournalError (unreadable, in use, no journal) > ChainError (an event is missing or was changed).
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

GENESIS = "0" * 64
"""What the first event is chained to."""

APPLICATION_ID = 0x52454652
SCHEMA_VERSION = 1
_KEYS = {"number", "kind", "at", "data", "previous"}
_CLOCK_KEYS = {"boot", "s"}
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


LOCK_WAIT_S = 0.5
"""How long to wait for a lock that whoever looks after old pictures holds for a moment."""


class JournalError(Exception):
    """The journal can't be used; the message says which file and what to do."""


class ChainError(JournalError):
    """An event is missing, out of order or not as it was written; ``number`` says which."""

    def __init__(self, path: Path, number: int, what: str) -> None:
        super().__init__(f"{path}: event {number} {what}; the journal can't be trusted from there on")
        self.number = number


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock nobody sets. boot: which start of the machine it counts from; s: seconds since then."""

    boot: str
    s: float


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One event as it lies in the journal.

    at: when it was written by the machine's clock, ISO 8601 in UTC. hash: of it and all before. clock: for durations;
    ``None`` in journals written before events had it.
    """

    number: int
    kind: str
    at: str
    data: Mapping[str, object]
    previous: str
    hash: str
    clock: Clock | None = None

    @property
    def body(self) -> str:
        """The event as it was hashed."""
        said: dict[str, object] = {"number": self.number, "kind": self.kind, "at": self.at}
        said |= {"data": self.data, "previous": self.previous}
        if self.clock is not None:
            said["clock"] = {"boot": self.clock.boot, "s": self.clock.s}
        return canonical(said)


def elapsed_s(earlier: JournalEntry, later: JournalEntry) -> float:
    """Seconds between two events: by the clock nobody sets or, across a restart of the machine, by the time of day.

    Never below 0: a time of day that was set back says nothing.
    """
    if earlier.clock is not None and later.clock is not None and earlier.clock.boot == later.clock.boot:
        return max(0.0, later.clock.s - earlier.clock.s)
    between = datetime.fromisoformat(later.at) - datetime.fromisoformat(earlier.at)
    return max(0.0, between.total_seconds())


def canonical(value: object) -> str:
    """The one JSON text of a value: sorted keys, no spaces, no NaN."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def chain(previous: str, body: str) -> str:
    """The hash of an event whose predecessor has the hash ``previous``."""
    return hashlib.sha256((previous + body).encode()).hexdigest()


def _utc_now() -> datetime:
    return datetime.now(UTC)


@cache
def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:  # no Linux: a time is then compared only within one run
        return f"run-{time.time_ns():x}"


def _ticks() -> Clock:
    # Counts on while the machine sleeps, where the system can.
    kind = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return Clock(_boot(), round(time.clock_gettime(kind), 3))


class Journal:
    """The journal's one writer. Opening verifies every event; a second writer is refused.

    Safe to use from several threads. ``clock`` gives the time written into events, ``ticks`` the one for durations.
    ``make_room`` is called when the disk is full and answers whether it is worth another try.
    """

    def __init__(
        self,
        path: Path,
        clock: Callable[[], datetime] = _utc_now,
        ticks: Callable[[], Clock] = _ticks,
        make_room: Callable[[], bool] = lambda: False,
    ) -> None:
        self.path = path
        self._clock = clock
        self._ticks = ticks
        self._make_room = make_room
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

    def append(self, kind: str, data: Mapping[str, object]) -> JournalEntry:
        """Add an event and return it once it is on the disk. Raises JournalError when it could not be written."""
        with self._mutex:
            at = self._clock().isoformat(timespec="milliseconds")
            fresh = JournalEntry(self._number + 1, kind, at, dict(data), self._hash, "", self._ticks())
            body = fresh.body
            entry = replace(fresh, hash=chain(self._hash, body))
            try:
                self._insert(entry.number, body, entry.hash)
            except sqlite3.Error as error:
                raise JournalError(f"{self.path}: event {entry.number} could not be written: {error}") from error
            self._number, self._hash = entry.number, entry.hash
            return entry

    def _insert(self, *row: object) -> None:
        statement = "INSERT INTO events VALUES (?, ?, ?)"
        try:
            self._db.execute(statement, row)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_FULL or not self._make_room():
                raise
            self._db.execute(statement, row)

    def entries(self, after: int = 0) -> Iterator[JournalEntry]:
        """The events in order, those with a number above ``after``; their chain is checked again on the way."""
        with self._mutex:
            found = list(_verified(self._db, self.path, after)) if after < self._number else []
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


def read_journal(path: Path, recover: bool = True) -> list[JournalEntry]:
    """The events of a journal that somebody else may be writing at this moment; nothing is written, no lock is held.

    recover: what a killed referee left half written is put right first, as its next writer would; without it such a
    journal can't be read. Raises ChainError where the chain breaks, JournalError for what can't be read as a journal.
    """
    if not path.is_file():
        raise JournalError(f"{path}: there is no such journal")
    try:
        db = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, isolation_level=None, timeout=10.0)
        try:
            return [] if _is_fresh(db, path) else list(_verified(db, path))
        finally:
            db.close()
    except sqlite3.Error as error:
        if not recover or error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
            raise JournalError(f"{path} can't be read as a journal: {error}") from error
    # A referee was killed while it wrote: only a writer can put right what it left.
    with Journal(path) as journal:
        return list(journal.entries())


def _lock(path: Path) -> int:
    """Take the writer's lock. The system lets it go when the process dies, however it dies."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise JournalError(f"{path} can't be opened for writing: {error.strerror}; choose another file") from error
    until = time.monotonic() + LOCK_WAIT_S
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if time.monotonic() < until:
                time.sleep(LOCK_WAIT_S / 10)
                continue
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


def _verified(db: sqlite3.Connection, path: Path, after: int = 0) -> Iterator[JournalEntry]:
    previous = GENESIS
    if after > 0:
        anchor = db.execute("SELECT hash FROM events WHERE number = ?", (after,)).fetchone()
        if anchor is None:
            raise ChainError(path, after, "is missing")
        previous = anchor[0]
    expected = max(after, 0) + 1
    for number, body, digest in db.execute(
        "SELECT number, body, hash FROM events WHERE number > ? ORDER BY number", (after,)
    ):
        if number != expected:
            raise ChainError(path, expected, "is missing")
        if not isinstance(body, str) or chain(previous, body) != digest:
            raise ChainError(path, number, "was changed after it was written")
        said = _event(body)
        if said is None:
            raise ChainError(path, number, "is no event")
        if said["number"] != number or said["previous"] != previous:
            raise ChainError(path, number, "stands in a place that is not its own")
        ticks = Clock(**said["clock"]) if "clock" in said else None
        yield JournalEntry(number, said["kind"], said["at"], said["data"], previous, digest, ticks)
        previous, expected = digest, expected + 1


def _event(body: str) -> dict[str, Any] | None:
    """An event's body, taken apart; ``None`` when it isn't one."""
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict) or said.keys() - {"clock"} != _KEYS:
        return None
    ticks = said.get("clock", {"boot": "", "s": 0})
    return said if isinstance(ticks, dict) and ticks.keys() == _CLOCK_KEYS else None

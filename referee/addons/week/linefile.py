"""Keeps how each camera did, minute by minute for a week, in a small SQLite file of its own.

It is no part of a game's record. Nothing here raises: where the file can't be read it is begun anew, and where the
disk is full or gone the line has a gap. The last megabytes of a disk are left to the journal.
"""

from __future__ import annotations

import contextlib
import json
import logging
import sqlite3
import threading
from collections.abc import Callable, Mapping
from dataclasses import astuple, fields
from pathlib import Path
from typing import Any, TypeVar

from referee.storage.diskspace import RESERVE_BYTES, free_bytes
from referee.values.camerahealth import Befell, CameraEvent, CameraSample
from referee.values.closing import Closing
from referee.values.words import Words, WordsError

KEPT_S = 7 * 24 * 3600.0
MOST_SAMPLES = 8 * 7 * 24 * 60
"""Rows that are kept whatever the clock says: a week of eight cameras, about 6 MB."""
MOST_EVENTS = 5000
PRUNE_EVERY = 60
"""The file is pruned after so many changes."""
APPLICATION_ID = 0x52454348
VERSION = 1
"""To be raised with the columns: a file of another version is begun anew, as one that can't be read is."""
_VALUES = tuple(each.name for each in fields(CameraSample))
_SCHEMA = f"""
CREATE TABLE samples (id INTEGER PRIMARY KEY, at_s REAL NOT NULL, camera TEXT NOT NULL, {", ".join(_VALUES)});
CREATE TABLE events (id INTEGER PRIMARY KEY, at_s REAL NOT NULL, camera TEXT NOT NULL, what TEXT NOT NULL,
    words TEXT NOT NULL);
CREATE INDEX samples_at ON samples (at_s);
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
"""
_COLUMNS = ("id", "at_s", "camera", *_VALUES)
_LOG = logging.getLogger(__name__)
_Result = TypeVar("_Result")


class CameraLineFile(Closing):
    """The file, to be used from many threads at once. trouble: why nothing is kept now, empty where all is."""

    def __init__(self, path: Path, free: Callable[[Path], int] = free_bytes) -> None:
        """Open the file, or begin it. free: bytes left where a folder lies."""
        self.path, self._free = path, free
        self._mutex = threading.Lock()
        self._db: sqlite3.Connection | None = None
        self._changes = 0
        self.trouble = ""

    def add(
        self, at_s: float, samples: Mapping[str, CameraSample] | None = None, events: tuple[CameraEvent, ...] = ()
    ) -> bool:
        """Keep samples by camera and events together; whether they are. at_s: Unix time of the samples."""
        with self._mutex:
            if self._free(self.path.parent) < RESERVE_BYTES:
                return self._failed("the disk is full")
            try:
                self._work(lambda db: self._put(db, at_s, samples or {}, events))
            except (OSError, sqlite3.Error) as error:
                return self._failed(str(error))
            self._changes += 1
            self.trouble = ""
            return True

    def samples(self, since_s: float) -> list[tuple[float, str, CameraSample]]:
        """Return time, camera and sample of all since a Unix time, oldest first; none where they can't be read."""
        found = self._rows(
            f"SELECT at_s, camera, {', '.join(_VALUES)} FROM samples WHERE at_s >= ? ORDER BY id", since_s
        )
        return [(at_s, camera, CameraSample(*values)) for at_s, camera, *values in found]

    def events(self, since_s: float) -> list[CameraEvent]:
        """Return what befell the cameras since a Unix time, the oldest first; nothing where it can't be read."""
        found = self._rows("SELECT at_s, camera, what, words FROM events WHERE at_s >= ? ORDER BY id", since_s)
        events = []
        for at_s, camera, what, words in found:
            with contextlib.suppress(ValueError, WordsError):  # another version's
                events.append(CameraEvent(at_s, camera, Befell(what), Words.from_json(json.loads(words))))
        return events

    def close(self) -> None:
        """Let the file go; closing twice does nothing."""
        with self._mutex:
            self._let_go()

    def _rows(self, query: str, since_s: float) -> list[Any]:
        with self._mutex:
            if self._db is None and not self.path.exists():
                return []
            try:
                return self._work(lambda db: db.execute(query, (since_s,)).fetchall())
            except (OSError, sqlite3.Error) as error:
                self._failed(str(error))
                return []

    def _put(
        self,
        db: sqlite3.Connection,
        at_s: float,
        samples: Mapping[str, CameraSample],
        events: tuple[CameraEvent, ...],
    ) -> None:
        marks = ", ".join("?" * (2 + len(_VALUES)))
        db.executemany(
            f"INSERT INTO samples (at_s, camera, {', '.join(_VALUES)}) VALUES ({marks})",
            [(at_s, camera, *astuple(sample)) for camera, sample in samples.items()],
        )
        db.executemany(
            "INSERT INTO events (at_s, camera, what, words) VALUES (?, ?, ?, ?)",
            [(one.at_s, one.camera, one.what.value, json.dumps(one.words.to_json())) for one in events],
        )
        if self._changes % PRUNE_EVERY == 0:
            _prune(db, at_s)

    def _work(self, do: Callable[[sqlite3.Connection], _Result]) -> _Result:
        """Do something with the file, all of it or nothing; where it is damaged, begin it anew and do it then."""
        try:
            return self._done(do)
        except sqlite3.DatabaseError as error:
            if type(error) is not sqlite3.DatabaseError:  # no room, no permission: the file itself may be sound
                raise
            _LOG.warning("%s can't be read (%s) and is begun anew", self.path, error)
            self._let_go()
            for left in (self.path, self.path.with_name(f"{self.path.name}-journal")):
                left.unlink(missing_ok=True)  # what is left of a change belongs to the damaged file
            return self._done(do)

    def _done(self, do: Callable[[sqlite3.Connection], _Result]) -> _Result:
        if self._db is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = self._prepared()
        with self._db:
            return do(self._db)

    def _prepared(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, check_same_thread=False)
        try:
            # SQLite's rollback mode: a change is there whole or not at all, however the process or the power ends.
            db.execute("PRAGMA journal_mode = DELETE")
            db.execute("PRAGMA synchronous = FULL")
            kind = db.execute("PRAGMA application_id").fetchone()[0], db.execute("PRAGMA user_version").fetchone()[0]
            if not db.execute("SELECT 1 FROM sqlite_master").fetchone():
                db.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
            elif kind != (APPLICATION_ID, VERSION) or _columns(db) != _COLUMNS:
                raise sqlite3.DatabaseError("it holds something else, or is of another version")
        except BaseException:
            db.close()
            raise
        return db

    def _failed(self, why: str) -> bool:
        if why != self.trouble:
            _LOG.warning("how the cameras do is not kept now: %s: %s", self.path, why)
        self.trouble = why
        self._let_go()
        return False

    def _let_go(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None


def _columns(db: sqlite3.Connection) -> tuple[str, ...]:
    """Return the names of a sample's columns: they follow the values of a CameraSample."""
    return tuple(name for _, name, *_ in db.execute("PRAGMA table_info(samples)"))


def _prune(db: sqlite3.Connection, now_s: float) -> None:
    """Delete what is older than a week, or more than a week can have: clocks may have been wrong."""
    for table, most in (("samples", MOST_SAMPLES), ("events", MOST_EVENTS)):
        db.execute(
            f"DELETE FROM {table} WHERE at_s < ? OR id <= (SELECT max(id) FROM {table}) - ?", (now_s - KEPT_S, most)
        )

"""The file in which paired devices, open pairing codes and given answers are kept: SQLite, beside the journal.

Only hashes of secrets are kept: a copy of the file lets nobody in. It is no part of the game's record; deleting it
makes every device pair again and harms nothing else.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from referee.values.closing import Closing

APPLICATION_ID = 0x52454C4B
SCHEMA_VERSION = 3
BUSY_S = 5.0
_NO_ROOM = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN})
"""A full disk is told in these three ways: no room for data, for bringing them to the disk, for a file beside it."""

_CODES = """
CREATE TABLE codes (
    id INTEGER PRIMARY KEY AUTOINCREMENT, pin TEXT, secret BLOB NOT NULL UNIQUE, boot TEXT NOT NULL,
    until_s REAL NOT NULL, failures INTEGER NOT NULL DEFAULT 0, player TEXT NOT NULL DEFAULT '');
"""
_SCHEMA = f"""
BEGIN IMMEDIATE;
{_CODES}
CREATE TABLE devices (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, token BLOB NOT NULL UNIQUE,
    paired_at REAL NOT NULL, seen_at REAL NOT NULL, player TEXT NOT NULL DEFAULT '');
CREATE TABLE failures (address TEXT PRIMARY KEY, count INTEGER NOT NULL, at REAL NOT NULL);
CREATE TABLE answers (
    device INTEGER NOT NULL REFERENCES devices (id) ON DELETE CASCADE, key TEXT NOT NULL, request BLOB NOT NULL,
    status INTEGER, body TEXT, at REAL NOT NULL, PRIMARY KEY (device, key));
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
COMMIT;
"""
_PLAYERS = "ALTER TABLE devices ADD COLUMN player TEXT NOT NULL DEFAULT '';"
_EARLIER = {
    version: f"BEGIN IMMEDIATE; {players} DROP TABLE codes; {_CODES} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
    for version, players in ((1, _PLAYERS), (2, ""))
}
"""Statements that bring a file of an earlier version up to date. Devices may be one player's own since version 2;
those paired before are everybody's. Codes end by another clock since version 3; those that were open are closed."""

Kept = TypeVar("Kept")


class AuthStoreError(Exception):
    """The file of paired devices can't be used; the message says which file and what to do."""


class Store(Closing):
    """One connection to the file, shared by all threads of the process, one at a time.

    Other processes may open the same file: it is kept in SQLite's rollback mode, where that is safe in every version.
    ``make_room`` is called when the disk is full and answers whether it is worth another try.
    """

    def __init__(self, path: Path, make_room: Callable[[], bool] = lambda: False) -> None:
        self.path = path
        self._make_room = make_room
        self._mutex = threading.RLock()
        self.trouble = ""
        """Why the newest change could not be kept; empty where it was."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=BUSY_S)
        except (OSError, sqlite3.Error) as error:
            reason = getattr(error, "strerror", None) or error
            raise AuthStoreError(f"{path} can't be opened for writing: {reason}; {_advice(error)}") from error
        try:
            self._prepare()
        except sqlite3.Error as error:
            self._db.close()
            raise AuthStoreError(f"{path} can't be read: {error}; {_advice(error)}") from error
        except AuthStoreError:
            self._db.close()
            raise

    def _prepare(self) -> None:
        self._db.execute("PRAGMA foreign_keys = ON")
        self._db.execute("PRAGMA journal_mode = DELETE")
        # EXTRA: a commit is the deletion of SQLite's own journal, which else comes back with the power and undoes it.
        self._db.execute("PRAGMA synchronous = EXTRA")
        self._db.execute("PRAGMA secure_delete = ON")
        application = self._db.execute("PRAGMA application_id").fetchone()[0]
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        if application == 0 and not self._db.execute("SELECT 1 FROM sqlite_master").fetchone():
            self._db.executescript(_SCHEMA)
        elif application != APPLICATION_ID:
            raise AuthStoreError(f"{self.path} is not a file of paired devices: choose another file")
        elif version in _EARLIER:
            self._db.executescript(_EARLIER[version])
        elif version != SCHEMA_VERSION:
            raise AuthStoreError(f"{self.path} was written by another version of the referee: choose another file")

    def change(self, do: Callable[[sqlite3.Connection], Kept]) -> Kept:
        """Keep all that ``do`` does together, or none of it; gives back what it answers.

        It is done once more where the disk was full and room was made. Raises AuthStoreError when it can't be kept.
        """
        with self._mutex:
            try:
                try:
                    kept = self._transaction(do)
                except sqlite3.OperationalError as error:
                    if error.sqlite_errorcode & 0xFF not in _NO_ROOM or not self._make_room():
                        raise
                    kept = self._transaction(do)
            except sqlite3.Error as error:
                self.trouble = f"{self.path.name} could not be written: {error}"
                raise AuthStoreError(f"{self.path} could not be written: {error}; {_advice(error)}") from error
            self.trouble = ""
            return kept

    def _transaction(self, do: Callable[[sqlite3.Connection], Kept]) -> Kept:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            kept = do(self._db)
            self._db.execute("COMMIT")
        except BaseException:
            # A full disk ends some transactions by itself; to roll those back would hide why they failed.
            if self._db.in_transaction:
                with contextlib.suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
            raise
        return kept

    @contextlib.contextmanager
    def look(self) -> Iterator[sqlite3.Connection]:
        """Open the file for reading. Raises AuthStoreError when it can't be read."""
        with self._mutex:
            try:
                yield self._db
            except sqlite3.Error as error:
                raise AuthStoreError(f"{self.path} could not be read: {error}") from error

    def close(self) -> None:
        """Let the file go; closing twice does nothing."""
        with self._mutex:
            self._db.close()


def _advice(error: OSError | sqlite3.Error) -> str:
    """Return what to do about a file that can't be used: only one that is damaged is to be deleted."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return "delete it (every device must pair again)"
    if code == sqlite3.SQLITE_FULL or getattr(error, "errno", 0) in (errno.ENOSPC, errno.EDQUOT):
        return "make room on the disk and try again"
    if code in _NO_ROOM:
        return "make room on the disk, or let the referee write there, and try again"
    return "let the referee write it and try again"

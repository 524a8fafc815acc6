"""Keeps the answers already given, so that a command sent twice is done once, with the same answer.

A key is written down before the command is done and its answer after. Should the referee die between the two, the
key stays without an answer, and a repetition is told so instead of being done a second time.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from web.auth.store import AuthStoreError, Store

KEPT_S = 24 * 3600.0
MOST_ANSWERS = 500
"""Answers kept a device; older ones are dropped."""


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """The state of a key.

    same: it came with the same request. status and body are ``None`` until answered. busy: its command is being done
    at this moment.
    """

    same: bool
    status: int | None
    body: str | None
    busy: bool = False


class Answers:
    """The answers given to each device's keys. clock: the time in seconds since 1970."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock
        self._busy: set[tuple[int, str]] = set()
        self._dropped: set[tuple[int, str]] = set()
        self._mutex = threading.Lock()

    def begin(self, device: int, key: str, request: bytes) -> KeptAnswer | None:
        """Take a key for a request (its hash); ``None`` when it is new and the command is to be done."""
        now = self._clock()

        def take(db: sqlite3.Connection) -> KeptAnswer | None:
            db.execute("DELETE FROM answers WHERE ? - at > ?", (now, KEPT_S))
            db.execute(
                "DELETE FROM answers WHERE device = ? AND key NOT IN "
                "(SELECT key FROM answers WHERE device = ? ORDER BY at DESC LIMIT ?)",
                (device, device, MOST_ANSWERS),
            )
            if (device, key) in self._dropped:
                db.execute("DELETE FROM answers WHERE device = ? AND key = ?", (device, key))
            row = db.execute(
                "SELECT request, status, body FROM answers WHERE device = ? AND key = ?", (device, key)
            ).fetchone()
            if row is not None:
                return KeptAnswer(row[0] == request, row[1], row[2], (device, key) in self._busy)
            db.execute(
                "INSERT INTO answers (device, key, request, at) VALUES (?, ?, ?, ?)", (device, key, request, now)
            )
            return None

        with self._mutex:
            given = self._store.change(take)
            if given is None:
                self._busy.add((device, key))
                self._dropped.discard((device, key))
        return given

    def end(self, device: int, key: str) -> None:
        """Note that a command's work is over, however it went."""
        self._busy.discard((device, key))

    def finish(self, device: int, key: str, status: int, body: str) -> None:
        """Keep the answer given to a key."""
        self._store.change(
            lambda db: db.execute(
                "UPDATE answers SET status = ?, body = ? WHERE device = ? AND key = ?", (status, body, device, key)
            )
        )

    def drop(self, device: int, key: str) -> None:
        """Let a key go whose command was not done, also where the disk takes nothing: then until a restart."""
        with self._mutex:
            self._dropped.add((device, key))
            with contextlib.suppress(AuthStoreError):
                self._store.change(
                    lambda db: db.execute("DELETE FROM answers WHERE device = ? AND key = ?", (device, key))
                )
                self._dropped.discard((device, key))

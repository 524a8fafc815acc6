"""Paired devices: each has a name people gave it, and a secret token that only it knows."""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
import sqlite3
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass

from web.auth.store import AuthStoreError, Store

IDLE_S = 180 * 24 * 3600.0
"""A device not seen for so long must pair again."""
MOST_DEVICES = 64
"""When one more is paired, the one not seen for longest is forgotten."""
NAME_LENGTH = 40
_SEEN_EVERY_S = 60.0
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Device:
    """A paired device. Times in seconds since 1970. player: the word of the one player whose own it is, or empty."""

    id: int
    name: str
    paired_at: float
    seen_at: float
    player: str = ""


def csrf_token(token: str) -> str:
    """Return what a page must send beside its cookie.

    It is made from the session's own secret, so it fits no other session.
    """
    digest = hmac.new(token.encode(), b"referee csrf", hashlib.sha256).digest()
    return urlsafe_b64encode(digest).decode().rstrip("=")


class Devices:
    """The devices that may act. clock: the time in seconds since 1970."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock

    @property
    def trouble(self) -> str:
        """Return why the file of devices can't be written; empty where it can."""
        return self._store.trouble

    def pair(self, name: str) -> tuple[Device, str]:
        """Let a new device in: the device, under that name or one like it, and the token to give to it."""
        return self._store.change(lambda db: self.pair_within(db, name))

    def pair_within(self, db: sqlite3.Connection, name: str, player: str = "") -> tuple[Device, str]:
        """Pair a device as a part of a larger change (``pair``).

        player: whose own the device is, if it is one player's.
        """
        token, now = secrets.token_urlsafe(32), self._now(db)
        self._drop_idle(db, now)
        name = _free_name(db, tidy_name(name))
        row = db.execute(
            "INSERT INTO devices (name, token, paired_at, seen_at, player) VALUES (?, ?, ?, ?, ?) RETURNING id",
            (name, _digest(token), now, now, player),
        ).fetchone()
        return Device(row[0], name, now, now, player), token

    def known(self, token: str | None) -> Device | None:
        """Return the device a token belongs to; ``None`` for no token, a wrong one, or one of a forgotten device."""
        if not token or len(token) > 128 or not token.isascii():
            return None
        now = self._clock()
        with self._store.look() as db:
            row = db.execute(
                "SELECT id, name, paired_at, seen_at, player FROM devices WHERE token = ?", (_digest(token),)
            ).fetchone()
        if row is None or now - row[3] > IDLE_S:
            return None
        # The time of a clock that was set back is ignored: corrected, it must find when the device was last seen.
        if now - row[3] > _SEEN_EVERY_S:
            self._see(row[0], now)
        return Device(*row)

    def _now(self, db: sqlite3.Connection) -> float:
        """Return the time, never before anything that was seen: a small computer may begin in the past."""
        seen = db.execute("SELECT coalesce(max(seen_at), 0) FROM devices").fetchone()[0]
        return max(self._clock(), float(seen))

    def _see(self, number: int, now: float) -> None:
        try:
            self._store.change(lambda db: db.execute("UPDATE devices SET seen_at = ? WHERE id = ?", (now, number)))
        except AuthStoreError as error:  # the device is known even if that can't be written down
            _LOG.warning("%s", error)

    def all(self) -> list[Device]:
        """Return every paired device, the newest first."""
        with self._store.look() as db:
            rows = db.execute("SELECT id, name, paired_at, seen_at, player FROM devices ORDER BY id DESC").fetchall()
        return [Device(*row) for row in rows]

    def rename(self, number: int, name: str) -> Device | None:
        """Give a device another name, or one like it where that is taken; ``None`` where there is no such device."""

        def named(db: sqlite3.Connection) -> tuple[int, str, float, float, str] | None:
            free = _free_name(db, tidy_name(name), number)
            found: tuple[int, str, float, float, str] | None = db.execute(
                "UPDATE devices SET name = ? WHERE id = ? RETURNING id, name, paired_at, seen_at, player",
                (free, number),
            ).fetchone()
            return found

        row = self._store.change(named)
        return None if row is None else Device(*row)

    def forget(self, number: int) -> bool:
        """Let a device in no longer, from now on. Returns whether there was one."""
        return self._store.change(lambda db: db.execute("DELETE FROM devices WHERE id = ?", (number,)).rowcount > 0)

    def _drop_idle(self, db: sqlite3.Connection, now: float) -> None:
        db.execute("DELETE FROM devices WHERE ? - seen_at > ?", (now, IDLE_S))
        db.execute(
            "DELETE FROM devices WHERE id NOT IN (SELECT id FROM devices ORDER BY seen_at DESC, id DESC LIMIT ?)",
            (MOST_DEVICES - 1,),
        )


def tidy_name(name: str) -> str:
    """Return a name fit to be printed: one line of visible characters, not too long, never empty."""
    visible = "".join(sign if sign.isprintable() else " " for sign in name)
    return " ".join(visible.split())[:NAME_LENGTH].strip() or "Device"


def _free_name(db: sqlite3.Connection, name: str, but: int = 0) -> str:
    taken = {row[0] for row in db.execute("SELECT name FROM devices WHERE id != ?", (but,))}
    candidate, number = name, 1
    while candidate in taken:
        number += 1
        candidate = f"{name[: NAME_LENGTH - 4]} {number}"
    return candidate


def _digest(token: str) -> bytes:
    # A plain hash is enough: the token is as hard to guess as the hash itself.
    return hashlib.sha256(token.encode()).digest()

"""Pairs devices: a code shown by the referee, as digits to type or as a QR code to scan, lets one device in.

Six digits can be guessed, so guesses are few: each wrong one makes the next wait longer, for its sender and for
everybody, and after ``GUESSES`` wrong ones the digits are void. The QR code holds a secret of 128 bits that nobody
guesses, so somebody who keeps the digits busy can't keep the players out.
"""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from referee.values.ticks import Ticks, same_start, shared_ticks
from web.auth.devices import Device, Devices
from web.auth.store import Store

DIGITS = 6
LIFE_S = 15 * 60.0
GUESSES = 20
"""Wrong guesses after which a code's digits are void; its QR code still works."""
MOST_CODES = 4
"""Codes open at a time; the oldest gives way."""
FORGOTTEN_S = 3600.0
"""Wrong guesses count until there was none for so long."""
MOST_ADDRESSES = 1000
EVERYBODY = ""


@dataclass(frozen=True, slots=True)
class Backoff:
    """The waits after wrong guesses: none for the first ``free``, then twice as long each time."""

    free: int
    first_s: float
    longest_s: float

    def wait_s(self, failures: int) -> float:
        """Return the seconds between the last of so many wrong guesses and the next one."""
        over = failures - self.free
        return 0.0 if over < 0 else float(min(self.first_s * 2.0 ** min(over, 30), self.longest_s))


ONE = Backoff(free=3, first_s=2.0, longest_s=900.0)
ALL = Backoff(free=8, first_s=1.0, longest_s=60.0)


@dataclass(frozen=True, slots=True)
class Code:
    """An open pairing code, as it is shown once. life_s: how long it is open from then on."""

    pin: str
    secret: str
    life_s: float


class PairingError(Exception):
    """The device was not let in."""


class WrongCodeError(PairingError):
    """The digits or the secret are not those of an open code. void: the digits just became void."""

    def __init__(self, void: bool = False) -> None:
        super().__init__("wrong code")
        self.void = void


class TooManyGuessesError(PairingError):
    """Guesses that come too soon; ``wait_s`` says for how long nobody may guess."""

    def __init__(self, wait_s: float) -> None:
        super().__init__("too many guesses")
        self.wait_s = wait_s


class PairingDesk:
    """Gives out codes and lets devices in that know one.

    clock: the time in seconds since 1970; wrong guesses count by it, over every restart. ticks: a clock that nobody
    sets; codes end by it, and with the start of the machine at the latest, so that none opens again.
    """

    def __init__(
        self,
        store: Store,
        devices: Devices,
        clock: Callable[[], float] = time.time,
        ticks: Callable[[], Ticks] = shared_ticks,
    ) -> None:
        self._store = store
        self._devices = devices
        self._clock, self._ticks = clock, ticks
        # The smaller setting OWASP names: on a small computer 20 MB and a few hundredths of a second a guess.
        self._hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
        self._one_at_a_time = threading.Lock()

    def new_code(self, life_s: float = LIFE_S, player: str = "", secret: str = "") -> Code:
        """Open a new code, for so long or until a device was let in with it.

        player: the word of the one player for whom the device may act; empty for a device that may do everything.
        secret: that somebody was told before, if so.
        """
        pin = f"{secrets.randbelow(10**DIGITS):0{DIGITS}d}"
        code = Code(pin, secret or secrets.token_urlsafe(16), life_s)
        hashed = self._hasher.hash(pin)
        now = self._ticks()

        def open_code(db: sqlite3.Connection) -> None:
            self._drop_expired(db)
            db.execute(
                "INSERT INTO codes (pin, secret, boot, until_s, player) VALUES (?, ?, ?, ?, ?)",
                (hashed, _digest(code.secret), now.boot, now.s + life_s, player),
            )
            db.execute(
                "DELETE FROM codes WHERE id NOT IN (SELECT id FROM codes ORDER BY id DESC LIMIT ?)", (MOST_CODES,)
            )

        self._store.change(open_code)
        return code

    def pair_by_secret(self, secret: str, name: str) -> tuple[Device, str]:
        """Let a device in that scanned a code: the device and its token. Raises WrongCodeError."""

        def let_in(db: sqlite3.Connection) -> tuple[Device, str]:
            self._drop_expired(db)
            row = db.execute("DELETE FROM codes WHERE secret = ? RETURNING player", (_digest(secret),)).fetchone()
            if row is None:
                raise WrongCodeError
            return self._devices.pair_within(db, name, row[0])

        return self._store.change(let_in)

    def pair_by_pin(self, pin: str, name: str, address: str) -> tuple[Device, str]:
        """Let a device in whose user typed the digits: the device and its token.

        address: where the guess came from. Raises WrongCodeError, and TooManyGuessesError before any look at them.
        """
        with self._one_at_a_time:  # so that many guesses at once are still counted one by one
            wait_s = self.wait_s(address)
            if wait_s > 0:
                raise TooManyGuessesError(wait_s)
            # A guess is counted before it is checked, so that cutting the referee's power gains no guess.
            self._count_failure(address)
            number = self._code_with(pin)
            if number is None:
                raise WrongCodeError(self._store.change(_void_guessed) > 0)
            let_in = self._store.change(lambda db: self._let_in(db, number, name, address))
        if let_in is None:  # another device scanned it in the meantime
            raise WrongCodeError
        return let_in

    def _let_in(self, db: sqlite3.Connection, code: int, name: str, address: str) -> tuple[Device, str] | None:
        row = db.execute("DELETE FROM codes WHERE id = ? RETURNING player", (code,)).fetchone()
        if row is None:
            return None
        self._forgive(db, address)
        return self._devices.pair_within(db, name, row[0])

    def wait_s(self, address: str) -> float:
        """Return how long this address must wait before its next guess is looked at, s."""
        now = self._clock()
        with self._store.look() as db:
            rows = db.execute(
                "SELECT address, count, at FROM failures WHERE address IN (?, ?)", (address, EVERYBODY)
            ).fetchall()
        return max(
            (_left_s(ALL if where == EVERYBODY else ONE, count, at, now) for where, count, at in rows), default=0
        )

    def _code_with(self, pin: str) -> int | None:
        now = self._ticks()
        with self._store.look() as db:
            rows = db.execute(
                "SELECT id, pin, boot FROM codes WHERE pin IS NOT NULL AND until_s > ?", (now.s,)
            ).fetchall()
        for number, hashed, boot in rows:
            if not same_start(boot, now.boot):
                continue
            try:
                self._hasher.verify(hashed, pin)
            except VerificationError:
                continue
            return int(number)
        return None

    def _count_failure(self, address: str) -> None:
        now = self._clock()

        def count(db: sqlite3.Connection) -> None:
            self._drop_expired(db)
            db.execute("DELETE FROM failures WHERE abs(? - at) > ?", (now, FORGOTTEN_S))
            for where in (address, EVERYBODY):
                db.execute(
                    "INSERT INTO failures VALUES (?, 1, ?) ON CONFLICT (address) "
                    "DO UPDATE SET count = count + 1, at = excluded.at",
                    (where, now),
                )
            db.execute(
                "DELETE FROM failures WHERE address != '' AND address NOT IN "
                "(SELECT address FROM failures ORDER BY at DESC LIMIT ?)",
                (MOST_ADDRESSES,),
            )
            db.execute("UPDATE codes SET failures = failures + 1 WHERE pin IS NOT NULL")

        self._store.change(count)

    def _forgive(self, db: sqlite3.Connection, address: str) -> None:
        """Take back the failure of a right guess: its sender is a player; what others guessed still counts."""
        db.execute("DELETE FROM failures WHERE address = ?", (address,))
        db.execute("UPDATE failures SET count = count - 1 WHERE address = ? AND count > 0", (EVERYBODY,))
        db.execute("UPDATE codes SET failures = failures - 1 WHERE failures > 0")

    def _drop_expired(self, db: sqlite3.Connection) -> None:
        now = self._ticks()
        db.execute("DELETE FROM codes WHERE until_s <= ?", (now.s,))
        for (boot,) in db.execute("SELECT DISTINCT boot FROM codes").fetchall():
            if not same_start(boot, now.boot):
                db.execute("DELETE FROM codes WHERE boot = ?", (boot,))


def _void_guessed(db: sqlite3.Connection) -> int:
    """Make digits void that were guessed at too often; how many were."""
    return db.execute("UPDATE codes SET pin = NULL WHERE pin IS NOT NULL AND failures >= ?", (GUESSES,)).rowcount


def _left_s(backoff: Backoff, count: int, at: float, now: float) -> float:
    # Never longer than the wait itself, even when the clock was set back.
    wait_s = backoff.wait_s(count)
    return min(wait_s, at + wait_s - now)


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()

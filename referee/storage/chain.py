"""Chains events to one another: the value of an event, its canonical JSON text, its hash, and the check of a chain.

Errors: JournalError (in use, no journal) > DamagedError (unreadable) > ChainError (an event is missing, or changed).
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from referee.values.ticks import Ticks

GENESIS = "0" * 64
"""The hash to which the first event is chained."""

_KEYS = {"number", "kind", "at", "data", "previous"}
_CLOCK_KEYS = {"boot", "s"}


class JournalError(Exception):
    """The journal can't be used; the message says which file and what to do."""


class DamagedError(JournalError):
    """A journal that is not as it was written: a repair may save what can be read of it."""


class ChainError(DamagedError):
    """An event is missing, out of order or not as it was written; ``number`` says which."""

    def __init__(self, path: Path, number: int, what: str) -> None:
        super().__init__(f"{path}: event {number} {what}; the journal can't be trusted from there on")
        self.number = number


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
    clock: Ticks | None = None

    @property
    def body(self) -> str:
        """Return the event as it was hashed."""
        said: dict[str, object] = {"number": self.number, "kind": self.kind, "at": self.at}
        said |= {"data": self.data, "previous": self.previous}
        if self.clock is not None:
            said["clock"] = {"boot": self.clock.boot, "s": self.clock.s}
        return canonical(said)


def elapsed_s(earlier: JournalEntry, later: JournalEntry) -> float:
    """Return the seconds between two events, by the steady clock or, across a restart, by the time of day.

    Never below 0: a time of day that was set back says nothing.
    """
    if earlier.clock is not None and later.clock is not None and earlier.clock.boot == later.clock.boot:
        return max(0.0, later.clock.s - earlier.clock.s)
    between = datetime.fromisoformat(later.at) - datetime.fromisoformat(earlier.at)
    return max(0.0, between.total_seconds())


def canonical(value: object) -> str:
    """Return the canonical JSON text of a value: sorted keys, no spaces, no NaN."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def chain(previous: str, body: str) -> str:
    """Return the hash of an event whose predecessor has the hash ``previous``."""
    return hashlib.sha256((previous + body).encode()).hexdigest()


def as_stored(raw: bytes) -> str:
    """Return the text of a stored file; bytes that are no UTF-8 remain distinguishable from those that are."""
    return raw.decode("utf-8", "surrogateescape")


def verified(
    rows: Iterable[tuple[object, object, object]], path: Path, after: int = 0, previous: str = GENESIS
) -> Iterator[JournalEntry]:
    """Yield the events of a journal's rows (number, body, hash), in order, and verify each.

    after, previous: number and hash of the event before the first of them. Raises ChainError at the first that is not
    as it was written.
    """
    expected = after + 1
    found = iter(rows)
    while (row := _next(found, path, expected)) is not None:
        number, body, digest = row
        if number != expected:
            raise ChainError(path, expected, "is missing")
        if not isinstance(body, str) or not isinstance(digest, str) or _hash(previous, body) != digest:
            raise ChainError(path, expected, "was changed after it was written")
        said = _event(body)
        if said is None:
            raise ChainError(path, expected, "is no event")
        if said["number"] != number or said["previous"] != previous:
            raise ChainError(path, expected, "stands in a place that is not its own")
        ticks = Ticks(**said["clock"]) if "clock" in said else None
        yield JournalEntry(expected, said["kind"], said["at"], said["data"], previous, digest, ticks)
        previous, expected = digest, expected + 1


def _next(
    rows: Iterator[tuple[object, object, object]], path: Path, expected: int
) -> tuple[object, object, object] | None:
    """Return the next row. Raises ChainError where a damaged file breaks off."""
    try:
        return next(rows, None)
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise
        raise ChainError(path, expected, f"can't be read: {error}") from error


def _hash(previous: str, body: str) -> str:
    return hashlib.sha256((previous + body).encode("utf-8", "surrogateescape")).hexdigest()


def _event(body: str) -> dict[str, Any] | None:
    """Parse an event's body; ``None`` when it isn't one."""
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict) or said.keys() - {"clock"} != _KEYS:
        return None
    ticks = said.get("clock", {"boot": "", "s": 0})
    clocked = isinstance(ticks, dict) and ticks.keys() == _CLOCK_KEYS and isinstance(ticks["s"], (int, float))
    told = isinstance(said["kind"], str) and isinstance(said["data"], dict) and _is_time(said["at"])
    return said if clocked and told else None


def _is_time(text: object) -> bool:
    try:
        return isinstance(text, str) and bool(datetime.fromisoformat(text))
    except ValueError:
        return False

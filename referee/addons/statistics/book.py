"""Keep the names of players who want statistics, and since when, in one file. Nobody is in it who did not say so."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from calibration.files import write_atomic

MOST_PLAYERS = 200
LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class BookedPlayer:
    """A player who wants statistics. id: stands in addresses, never given twice; since: a date."""

    id: int
    name: str
    since: str


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[int, Field(ge=1)]
    name: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
    since: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]


class _Book(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    next: Annotated[int, Field(ge=1)] = 1
    players: Annotated[tuple[_Row, ...], Field(max_length=MOST_PLAYERS)] = ()


class PlayerBook:
    """The file. A change that can't be written down raises OSError and is none. Safe for several threads."""

    def __init__(self, file: Path, today: Callable[[], str]) -> None:
        """Open the book. today: gives the date, as 2026-03-14.

        A file that can't be read counts as empty, and is not written over.
        """
        self._file, self._today = file, today
        self._mutex = threading.Lock()

    def players(self) -> tuple[BookedPlayer, ...]:
        """Return those in it, by name. Raises OSError for a file that can't be read."""
        with self._mutex:
            rows = self._read().players
        return tuple(sorted((_booked(row) for row in rows), key=lambda one: one.name.casefold()))

    def add(self, name: str) -> BookedPlayer:
        """Take a player in; one who is in it stays as she is. Raises ValueError for no name, or where it is full."""
        called = " ".join(name.split())
        if not 0 < len(called) <= LONGEST_NAME or not called.isprintable():
            raise ValueError(f"a name has 1 to {LONGEST_NAME} characters")
        with self._mutex:
            book = self._read()
            known = next((row for row in book.players if same_name(row.name, called)), None)
            if known is not None:
                return _booked(known)
            if len(book.players) >= MOST_PLAYERS:
                raise ValueError(f"there are {MOST_PLAYERS} players already")
            row = _Row(id=book.next, name=called, since=self._today())
            self._write(_Book(next=book.next + 1, players=(*book.players, row)))
        return _booked(row)

    def forget(self, number: int) -> bool:
        """Take a player out; return whether there was one."""
        with self._mutex:
            book = self._read()
            left = tuple(row for row in book.players if row.id != number)
            if len(left) == len(book.players):
                return False
            self._write(_Book(next=book.next, players=left))
        return True

    def _read(self) -> _Book:
        try:
            return _Book.model_validate_json(self._file.read_bytes())
        except FileNotFoundError:
            return _Book()
        except ValidationError as error:  # without its text, which would put names into the log
            raise BookError(f"{self._file} is no list of players: {error.error_count()} entries are wrong") from None

    def _write(self, book: _Book) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        told = {"next": book.next, "players": [asdict(_booked(row)) for row in book.players]}
        write_atomic(self._file, f"{json.dumps(told, ensure_ascii=False, indent=1)}\n".encode())


class BookError(OSError):
    """The file is there and is none; the message names it."""


def same_name(one: str, other: str) -> bool:
    """Return whether two names are of one player."""
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()


def _booked(row: _Row) -> BookedPlayer:
    return BookedPlayer(row.id, row.name, row.since)

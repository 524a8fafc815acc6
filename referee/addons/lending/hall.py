"""Lend a hall's tables: decide who sits where, who waits, and when a table is cleared.

Visitors are known by a token that only their browser has. A visitor asks for a table, waits in line while all are
taken, and has one of their own until they leave, do nothing for long, or their time is over. Safe to use from several
threads; tables are opened and closed from ``tend`` and ``ask`` alone, and closing waits for no lock.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from referee.addons.lending.reception import Leaving, NoTableError, VisitorStanding
from referee.values.words import say
from web.limits import Limiter

_LOG = logging.getLogger(__name__)
_REMEMBERED = 1000
_OPENS_S = 120.0
"""A table that has not opened after so long never will."""
_WAITS_S = 60.0
"""Time without a request after which a visitor loses the place in line."""
_LINE = 100
_ASKS_AT_ONCE = 6
_ASKS_A_SECOND = 1 / 60


@dataclass(frozen=True, slots=True)
class HallLimits:
    """Limits of a hall.

    tables: lent at a time. each: tables and places in line of one address. largest_bytes: of one table, memory and
    files together. total_s: how long a table is lent. idle_s: how long its visitor may do nothing; away_s: how long
    the page may say nothing, while others wait.
    """

    tables: int = 3
    each: int = 2
    largest_bytes: int = 900_000_000
    total_s: float = 3600.0
    idle_s: float = 600.0
    away_s: float = 120.0


@dataclass(frozen=True, slots=True)
class TableDoor:
    """How a table is reached: where it answers, and the cookies that let its visitor act."""

    place: tuple[str, int]
    cookies: str


class LentTable(Protocol):
    """A table that was opened for one visitor."""

    @property
    def door(self) -> TableDoor | None:
        """Return how it is reached, once it answers."""

    @property
    def ended(self) -> bool:
        """Return whether it ended by itself."""

    def size_bytes(self) -> int:
        """Return what it takes of memory, its files included."""

    def close(self) -> None:
        """End it and delete everything of it."""


@dataclass(slots=True)
class _Visit:
    address: str
    game: str
    language: str
    seen_s: float
    acted_s: float = 0.0
    begun_s: float = 0.0
    table: LentTable | None = None


class Hall:
    """Tables lent to visitors. open_table: opens one for a game, in a language, without waiting; raises OSError."""

    def __init__(
        self,
        limits: HallLimits,
        open_table: Callable[[str, str], LentTable],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limits, self._open, self._clock = limits, open_table, clock
        self._mutex = threading.RLock()
        self._visits: OrderedDict[str, _Visit] = OrderedDict()
        self._left: OrderedDict[str, Leaving] = OrderedDict()
        self._closing: list[LentTable] = []
        self._asks = Limiter(_ASKS_AT_ONCE, _ASKS_A_SECOND, clock)

    def ask(self, token: str, address: str, game: str, language: str) -> str:
        """Take a place in line, or a table at once; return the visitor's token, a new one for a visitor not known.

        Raises NoTableError.
        """
        with self._mutex:
            if token in self._visits:
                return token
            if self._asks.wait_s(address) > 0:
                raise NoTableError(say("Your network asks for tables very often: try again in some minutes."))
            if sum(visit.address == address for visit in self._visits.values()) >= self._limits.each:
                raise NoTableError(say("From your network there are as many visitors as may be: try again later."))
            if len(self._visits) >= self._limits.tables + _LINE:
                raise NoTableError(say("Too many people wait already: try again later."))
            token = secrets.token_urlsafe(32)
            self._visits[token] = _Visit(address, game, language, self._clock())
            self._seat()
            return token

    def standing(self, token: str) -> VisitorStanding:
        """Return how a visitor stands; asking keeps the place in line."""
        with self._mutex:
            visit = self._visits.get(token)
            if visit is None:
                return VisitorStanding(left=self._left.get(token))
            visit.seen_s = self._clock()
            if visit.table is not None:
                return VisitorStanding(laid=visit.table.door is not None, asked=True)
            line = [each for each, one in self._visits.items() if one.table is None]
            place = line.index(token) + 1
            return VisitorStanding(asked=True, place=place, wait_s=self._wait_s(place))

    def door(self, token: str, acts: bool) -> TableDoor | None:
        """Return how a visitor's table is reached; ``None`` where none is.

        acts: whether the visitor does something.
        """
        with self._mutex:
            visit = self._visits.get(token)
            if visit is None or visit.table is None or visit.table.ended:
                return None
            visit.seen_s = self._clock()
            if acts:
                visit.acted_s = visit.seen_s
            return visit.table.door

    def leave(self, token: str) -> None:
        """Give a visitor's table, or place in line, back."""
        with self._mutex:
            if token in self._visits:
                self._clear(token, Leaving.LEFT)

    def counts(self) -> tuple[int, int]:
        """Return how many tables are lent, and how many people wait."""
        with self._mutex:
            lent = sum(visit.table is not None for visit in self._visits.values())
            return lent, len(self._visits) - lent

    def tend(self) -> None:
        """Look after everything once: to be called about every second, by one thread."""
        with self._mutex:
            tables = [(token, visit.table) for token, visit in self._visits.items() if visit.table is not None]
        sizes = {token: table.size_bytes() for token, table in tables}
        with self._mutex:
            for token, visit in list(self._visits.items()):
                why = self._why_cleared(visit, sizes.get(token, 0))
                if why is not None:
                    self._clear(token, why)
            closing = list(self._closing)
        for table in closing:
            table.close()
        with self._mutex:
            self._closing = [table for table in self._closing if table not in closing]
            self._seat()

    def close(self) -> None:
        """Clear every table."""
        with self._mutex:
            tables = [visit.table for visit in self._visits.values() if visit.table is not None] + self._closing
            self._visits.clear()
            self._closing = []
        for table in tables:
            table.close()

    def _why_cleared(self, visit: _Visit, size_bytes: int) -> Leaving | None:
        limits, now_s = self._limits, self._clock()
        if visit.table is None:
            return Leaving.LINE if now_s - visit.seen_s > _WAITS_S else None
        waited_for = any(one.table is None for one in self._visits.values())
        reasons = {
            Leaving.BROKEN: visit.table.ended or (visit.table.door is None and now_s - visit.begun_s > _OPENS_S),
            Leaving.LARGE: size_bytes > limits.largest_bytes,
            Leaving.OVER: now_s - visit.begun_s > limits.total_s,
            Leaving.IDLE: now_s - visit.acted_s > limits.idle_s
            or (waited_for and now_s - visit.seen_s > limits.away_s),
        }
        return next((why for why, holds in reasons.items() if holds), None)

    def _clear(self, token: str, why: Leaving) -> None:
        visit = self._visits.pop(token)
        if visit.table is not None:
            self._closing.append(visit.table)
        self._left[token] = why
        while len(self._left) > _REMEMBERED:
            self._left.popitem(last=False)

    def _seat(self) -> None:
        """Give free tables to who has waited longest."""
        lent = len(self._closing) + sum(visit.table is not None for visit in self._visits.values())
        for token, visit in list(self._visits.items()):
            if lent >= self._limits.tables:
                return
            if visit.table is None:
                try:
                    visit.table = self._open(visit.game, visit.language)
                except OSError as error:  # no memory, or no more processes
                    _LOG.error("no table could be opened: %s", error)
                    self._clear(token, Leaving.BROKEN)
                    return
                visit.begun_s = visit.acted_s = visit.seen_s = self._clock()
                lent += 1

    def _wait_s(self, place: int) -> float:
        """Return how many seconds somebody at a place in line waits at most."""
        now_s, limits = self._clock(), self._limits
        lent = (visit for visit in self._visits.values() if visit.table is not None)
        ends = sorted(max(0.0, visit.begun_s + limits.total_s - now_s) for visit in lent)
        rounds, at = divmod(place - 1, limits.tables)
        return (ends[at] if at < len(ends) else 0.0) + rounds * limits.total_s

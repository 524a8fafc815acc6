"""What spectators see of a hall: every table some time late, and all of them on one wall."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping

from referee.addons.hall.desk.delay import LateTable
from referee.addons.hall.desk.seen import HeardTable
from referee.addons.hall.desk.shown import View, room_view_of
from referee.daemon.publisher import ViewPublisher
from web.tableview import TableView

_LOG = logging.getLogger(__name__)
_WALL = (
    *("title", "name", "board", "kit", "players", "palette", "seats", "banner", "acts", "acts_by", "turn"),
    *("to_move", "finished", "phase", "clock", "result", "language"),
)
"""Keys of a table's view that the wall shows."""


class Broadcast:
    """Shows the tables to spectators. Safe to use from several threads. delay_s: how late they see everything."""

    def __init__(
        self, delay_s: float = 0.0, clock_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000
    ) -> None:
        self._delay_ms, self._clock_ms = round(delay_s * 1000), clock_ms
        self._late: dict[str, LateTable] = {}
        self._boards: dict[str, ViewPublisher] = {}
        self._mutex = threading.Lock()
        self.wall = ViewPublisher()
        self.wall.publish(self._wall_view)

    def put(self, table: HeardTable) -> None:
        """Take in a table that has changed; what its players switch off is gone at once."""
        with self._mutex:
            before = self._late.get(table.id, LateTable())
            late = self._late[table.id] = before.put(table, self._clock_ms(), self._delay_ms)
            switched = late.allowed != before.allowed
            if switched:
                self._draw(table.id)
        if switched:
            self.wall.again()

    def tick(self, now_ms: int) -> None:
        """Show what it is time for."""
        changed = False
        with self._mutex:
            for name, late in self._late.items():
                due = late.due(now_ms, self._delay_ms)
                if due is not late:
                    self._late[name] = due
                    self._draw(name)
                    changed = True
        if changed:
            self.wall.again()

    def _draw(self, name: str) -> None:
        table = self._late[name].table()
        if table is not None:
            self._boards.setdefault(name, ViewPublisher()).publish(_render(table, self._delay_ms))

    def table(self, table: str) -> TableView | None:
        """Return one table as spectators see it, ``None`` for one that is not known."""
        return self._boards.get(table)

    def close(self) -> None:
        """Release everybody who waits for something to change."""
        self.wall.close()
        for board in list(self._boards.values()):
            board.close()

    def _wall_view(self, language: str) -> View:
        with self._mutex:
            boards = dict(self._boards)
            names = {name: late.shown.name for name, late in self._late.items() if late.shown is not None}
        order = sorted(boards, key=lambda one: (names.get(one, "").casefold(), one))
        told: View = {"language": language, "order": order}
        for name in order:
            view = boards[name].snapshot(language)
            told[f"t:{name}"] = {key: view[key] for key in _WALL if key in view}
        return told


def _render(table: HeardTable, delay_ms: int) -> Callable[[str], View]:
    def view(language: str) -> View:
        try:
            told = room_view_of(table, language)
        except Exception:  # a table may tell of its board what it likes, and must not take the wall with it
            _LOG.exception("table %s can't be drawn", table.id)
            told = room_view_of(HeardTable(table.id, "", b""), language)
        told |= {"name": table.name}
        clock = told.get("clock")
        if isinstance(clock, Mapping) and clock.get("since_ms"):
            told["clock"] = {**clock, "since_ms": clock["since_ms"] + delay_ms}
        return told

    return view

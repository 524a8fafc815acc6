"""A hall for a test: a real broker, a real table with a legal turn played, and the desk."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from referee.addons.hall.address import broker_address
from referee.addons.hall.desk.broadcast import Broadcast
from referee.addons.hall.desk.desk import HallKeeper
from referee.addons.hall.desk.seen import HeardTable
from referee.addons.hall.signing import id_of, public_of
from referee.addons.hall.trusting import DeskTrust
from referee.daemon import start_journal
from referee.daemon.roomscreen import RoomScreen
from referee.match.events import GameStarted
from tests.addons.hall.broker import Mosquitto, until
from tests.addons.hall.table import SECRET, published
from tests.match.fakes import start
from tests.match.looking import At
from tests.match.loops import QuickJournal
from tests.ports import free_port

TABLE = id_of(public_of(SECRET))
ROUND_S = 0.02


class HallEvening:
    """An evening in the hall.

    disputed: whether the players dispute the turn. players: names, by the word of their colour. delay_s: how late
    spectators see it; ``later_s`` puts the desk's clock on.
    """

    def __init__(
        self,
        folder: Path,
        parts: ExitStack,
        disputed: bool = True,
        players: Mapping[str, str] | None = None,
        delay_s: float = 0.0,
    ) -> None:
        self.broker = parts.enter_context(Mosquitto(folder, free_port()))
        journal = QuickJournal(folder / "1.journal")
        start_journal(journal, GameStarted(start(), "test", tuple((players or {}).items())))
        self.at = At(folder / "1.journal", journal)
        self.room = RoomScreen(self.at.board, folder / "room.json")
        self.later_s = 0.0
        self.at.shows("11r/1y1", 3)
        self.at.ends("12r/1y1")
        if disputed:
            assert self.at.tell("dispute", entry=1, words="It stood there before.")
        self.trust = DeskTrust(folder / "hall", public_of(SECRET))
        parts.enter_context(published(self.at, self.broker.address, folder, room=self.room))
        self.broadcast = Broadcast(delay_s, self._now_ms)
        address = broker_address(self.broker.address)
        self.keeper = HallKeeper(folder / "desk", address, self.broadcast, clock_ms=self._now_ms)
        parts.callback(self.broadcast.close)
        parts.enter_context(self.keeper)
        self._stop = threading.Event()
        self._table = threading.Thread(target=self._go_round, name="table")
        self._table.start()
        parts.callback(self._table.join)
        parts.callback(self._stop.set)
        until(lambda: TABLE in self.keeper.hall.tables, "the desk hears the table")
        until(lambda: self.table.state is not None and self.table.online, "the desk hears how it stands")

    @property
    def table(self) -> HeardTable:
        return self.keeper.hall.tables[TABLE]

    @property
    def seen(self) -> tuple[str, int, str]:
        state = self.table.state
        assert state is not None
        return state.game.id, state.event, state.head

    def lacks(self, keeper: HallKeeper) -> int | None:
        """Return after which event of the journal a desk lacks some, ``None`` where it has all."""
        table = keeper.hall.tables.get(TABLE)
        return table.game.wanted(self.at.journal.last) if table is not None and table.state is not None else -1

    def _now_ms(self) -> int:
        return round((time.time() + self.later_s) * 1000)

    def _go_round(self) -> None:
        while not self._stop.is_set():
            self.at.loop.round()
            time.sleep(ROUND_S)

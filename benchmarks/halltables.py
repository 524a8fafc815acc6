"""Some tables of a hall in one process: ``python -m benchmarks.halltables``, told by a line of JSON.

Each has a key, a data folder and journals of its own and publishes by the referee's own publisher. What is played is
a recorded game, event by event, at a steady pace; when it is over, the next begins in another journal. ``halt`` on
standard input ends play; with its end the process ends.
"""

from __future__ import annotations

import heapq
import json
import os
import random
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from referee.addons.hall.address import broker_address
from referee.addons.hall.hearing import Hearing
from referee.addons.hall.orders import HallAnswer
from referee.addons.hall.publisher import HallPublisher, TableSource
from referee.addons.hall.signing import public_of
from referee.addons.hall.table import TableOrders, hall_folder, table_key
from referee.addons.hall.trusting import DeskTrust
from referee.daemon.commandqueue import CommandQueue
from referee.daemon.publisher import ViewPublisher
from referee.games import game_named, package_named
from referee.match.events import AnyGame, LookTaken, TurnRuled, event_from_json
from referee.match.live import Live
from referee.match.state import TableState
from referee.match.transitions import begin, step
from referee.service.memory import enough_handles
from referee.storage.checkpoint import open_key
from referee.storage.journal import Journal, JournalEntry, read_journal
from referee.values.metrics import Metrics
from referee.view import ViewState, table_view
from referee.view.room import Room

PAUSE_S = 0.3
"""Between the events of one turn."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One table. recording: the journal of its game, of the game that is named. folder: the table's own."""

    name: str
    game: str
    recording: str
    broker: str
    folder: str


@dataclass(frozen=True, slots=True)
class Seats:
    """What a process is told. every_s: time of a turn. log: where each ruling is noted, with the time."""

    tables: tuple[Seat, ...]
    every_s: float
    log: str

    @classmethod
    def read(cls, text: str) -> Self:
        """Read what ``line`` wrote."""
        told = json.loads(text)
        return cls(tuple(Seat(**seat) for seat in told.pop("tables")), **told)

    def line(self) -> str:
        """Return it as a line."""
        return f"{json.dumps(asdict(self))}\n"


class PlayingTable:
    """A table whose recorded game is played on, event by event, by whoever calls ``play``."""

    def __init__(self, seat: Seat, log: Callable[[str], None], parts: ExitStack) -> None:
        self._folder, self._log, self._parts = Path(seat.folder), log, parts
        self._game: AnyGame = game_named(package_named(seat.game).game.name)
        self._recorded = read_journal(Path(seat.recording))
        self._left: list[JournalEntry] = []
        self._board = ViewPublisher()
        self._games = 0
        self._state: TableState | None = None
        self.play_on()
        secret = open_key(table_key(self._folder))
        source = TableSource(
            game=self._game,
            name=seat.name,
            page="",
            version="bench",
            journal=lambda: self._journal,
            view=self._board.snapshot,
            room=lambda: Room().to_json(),
            signs=Metrics().signs,
        )
        carries = TableOrders(CommandQueue(), lambda: self._journal, None)
        trust = DeskTrust(hall_folder(self._folder), public_of(secret))

        def answer(answers: Sequence[HallAnswer]) -> None:
            publisher.answer(answers)

        hearing = Hearing(
            self._game,
            public_of(secret),
            trust,
            carries,
            answer,
            lambda game, after: publisher.again(game, after),
        )
        publisher = HallPublisher(
            broker_address(seat.broker), source, hall_folder(self._folder), secret, hearing.hear
        )
        self._id = publisher.id
        self._board.on_publish(publisher.wake)
        parts.callback(hearing.close)
        parts.enter_context(publisher)

    def play_on(self) -> float:
        """Write the next event, beginning another game where one is over; return the pause until the next, s.

        Of a turn's end it is 0: the turn's time passes until then.
        """
        if not self._left:
            self._begin()
            return 0.0
        entry = self._left.pop(0)
        event = event_from_json(entry.kind, entry.data, self._game)
        ruled = isinstance(event, TurnRuled)
        before_s = time.monotonic()
        written = self._journal.append(entry.kind, entry.data)
        assert self._state is not None
        self._show(step(self._state, event))
        if ruled:
            self._log(f"{before_s:.6f} {self._id} {self._journal_id} {written.number}\n")
        ends = not self._left or self._left[0].kind == LookTaken.kind
        return 0.0 if ends else PAUSE_S

    def _begin(self) -> None:
        """Begin a game in a journal of its own."""
        self._games += 1
        path = self._folder / f"{self._games:04d}.journal"
        path.unlink(missing_ok=True)
        journal = self._parts.enter_context(Journal(path))
        first, *self._left = self._recorded
        self._journal_id = journal.append(first.kind, first.data).hash[:16]
        self._journal = journal  # as at a table, where a journal is shown to others once a game has begun in it
        self._show(begin(event_from_json(first.kind, first.data, self._game)))

    def _show(self, state: TableState) -> None:
        self._state, live = state, Live(event=self._journal.last)

        def view(language: str) -> ViewState:
            return table_view(self._game, state, live, language)

        self._board.publish(view)


def play(tables: Sequence[PlayingTable], every_s: float, halted: threading.Event) -> None:
    """Play at all tables, each at a moment of its own within a turn's time, until halted."""
    chance, now_s = random.Random(1), time.monotonic()
    due = [(now_s + chance.uniform(0, every_s), at) for at in range(len(tables))]
    turns = [when_s for when_s, _ in due]
    heapq.heapify(due)
    while not halted.wait(max(0.0, due[0][0] - time.monotonic())):
        _, at = heapq.heappop(due)
        pause_s = tables[at].play_on()
        if not pause_s:
            turns[at] += every_s
        heapq.heappush(due, (time.monotonic() + pause_s if pause_s else turns[at], at))


def _play_or_end(tables: Sequence[PlayingTable], every_s: float, halted: threading.Event) -> None:
    """Play; a failure ends the process: tables that only stood still would be measured as tables that play."""
    try:
        play(tables, every_s, halted)
    except BaseException:
        traceback.print_exc()
        os._exit(1)


def main() -> None:
    """Play at the tables that the first line of standard input names."""
    enough_handles()
    seats = Seats.read(sys.stdin.readline())
    halted = threading.Event()
    with ExitStack() as parts:
        log = os.open(seats.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        parts.callback(os.close, log)
        tables = [PlayingTable(seat, lambda line: _write(log, line), parts) for seat in seats.tables]
        player = threading.Thread(target=_play_or_end, args=(tables, seats.every_s, halted))
        player.start()
        parts.callback(player.join)
        parts.callback(halted.set)
        for line in _lines():
            if line == "halt":
                halted.set()
                player.join()
                sys.stdout.write("halted\n")
                sys.stdout.flush()


def _lines() -> Iterator[str]:
    for line in sys.stdin:
        yield line.strip()


def _write(log: int, line: str) -> None:
    os.write(log, line.encode())


if __name__ == "__main__":
    main()

"""*New game* at the virtual table: it begins with what was set up there, also with one camera."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from referee.daemon import CommandQueue, Helpers, TableSight, TurnLoop, ViewPublisher
from referee.daemon.gamesfolder import GamesFolder
from referee.daemon.preview import eyes_of
from referee.demo.seats import OpponentSeats
from referee.games import package_named
from referee.games.record import parse_record
from referee.match.commands import Name
from referee.match.events import GameStarted
from referee.match.live import Live
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.opponents import Strength
from referee.virtual.folder import make_table
from referee.virtual.sight import DrawnSight
from referee.virtual.table import Pace, VirtualTable
from tests.daemon.running import run_in_thread
from vision.reader import TableReader

PACKAGE = package_named("terra-turrium")
CHOICE = {"edition": "kosmos-1990", "seats": {"nw": "red", "ne": "yellow", "se": "green", "sw": "blue"}}
PATIENCE_S = 120.0


class Table:
    """A virtual table as ``referee demo --play`` lays it, drawn when it is looked at."""

    def __init__(self, folder: Path, parts: ExitStack) -> None:
        setup, kit = make_table(folder / "table", PACKAGE.game.name), PACKAGE.game.kit
        assert PACKAGE.playthrough is not None
        start = PACKAGE.records.start(parse_record(PACKAGE.playthrough.read_text(encoding="utf-8")))
        sight, stop = DrawnSight(setup, kit), threading.Event()
        self.changed, self.state = threading.Condition(), None
        self.table = VirtualTable(
            setup, kit, sight.show, start.observed.text, Pace(0.0, 0.0, 0.0), lambda _: stop.is_set()
        )
        self.desk = CommandQueue()
        self.desk.on_put(sight.wake)
        self.seats = OpponentSeats(PACKAGE, Strength.WEAK, seed=7, thinks_s=PATIENCE_S)
        book = GamesFolder(folder / "games", "table").begin(GameStarted(start, "virtual table"))
        eyes = eyes_of(kit, TableReader(setup, folder / "table", kit=kit))
        helpers = Helpers(on_change=self._on_change)
        self.loop = TurnLoop(
            PACKAGE.game, TableSight(sight, eyes), book, self.desk, ViewPublisher().publish, helpers=helpers
        )
        parts.callback(self.loop.close)
        run_in_thread(self.loop, sight.wake, parts)
        thread = threading.Thread(target=self.seats.run, args=(self.table, self.desk, stop.wait))
        thread.start()
        parts.callback(thread.join)
        parts.callback(stop.set)

    def _on_change(self, state: TableState, live: Live) -> None:
        self.seats.on_change(state, live)
        with self.changed:
            self.state: TableState | None = state
            self.changed.notify_all()

    def until(self, there: Callable[[TableState], bool]) -> TableState:
        """Wait until the state is so, and return it."""
        with self.changed:
            assert self.changed.wait_for(lambda: self.state is not None and there(self.state), PATIENCE_S), self.state
            assert self.state is not None
            return self.state


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with ExitStack() as parts:
        yield Table(tmp_path, parts)


@pytest.mark.long
def test_a_new_game_begins_with_the_flags_that_were_set_up(table: Table) -> None:
    table.until(lambda now: now.phase is Phase.PLAYING)
    for unplugged in ("", "right"):
        assert table.desk.command(Name.END_GAME, {"how": "draw"}, "person").accepted
        if unplugged:
            table.table.fault("unplug", unplugged)
        assert table.desk.command(Name.NEW_GAME, {"choice": CHOICE}, "person").accepted
        state = table.until(lambda now: now.phase is Phase.PLAYING and not now.history)
        assert state.position.observed.text == table.table.lying
        assert {player.word: flags for player, flags in state.position.in_hand.items()} == dict.fromkeys(
            CHOICE["seats"].values(), 0
        )

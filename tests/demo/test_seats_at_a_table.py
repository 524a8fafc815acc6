"""A person and the seats nobody took, at a virtual table: played, read, ruled on, put back, accepted.

WHOLE=1 ALL_SCREENS=1 plays the game to its end, which takes minutes.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from referee.daemon import CommandQueue, GameJournal, Helpers, TableSight, TurnLoop, ViewPublisher, open_game
from referee.daemon.preview import eyes_of
from referee.demo.seats import OpponentSeats
from referee.games import package_named
from referee.games.record import parse_record
from referee.match.commands import Name, actions
from referee.match.live import Live
from referee.match.phases import Phase
from referee.match.state import EntryStatus, TableState
from referee.opponents import Opponent, Strength
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import Journal
from referee.virtual.folder import make_table
from referee.virtual.sight import DrawnSight
from referee.virtual.table import Pace, VirtualTable
from vision.reader import TableReader

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not os.environ.get("ALL_SCREENS"), reason="make browser plays it"),
]
WHOLE = bool(os.environ.get("WHOLE"))
PACKAGE = package_named("terra-turrium")
PATIENCE_S = 1500.0 if WHOLE else 200.0
OPEN = (Phase.UNSURE, Phase.BLIND, Phase.CORRECTING)


class Table:
    """A virtual table with a referee, three seats that are played, and a person at the fourth."""

    def __init__(self, folder: Path, parts: ExitStack) -> None:
        setup = make_table(folder / "table", PACKAGE.game.name)
        assert PACKAGE.playthrough is not None
        start = PACKAGE.records.start(parse_record(PACKAGE.playthrough.read_text(encoding="utf-8")))
        sight = DrawnSight(setup, PACKAGE.game.kit)
        self.stop, self.changed = threading.Event(), threading.Condition()
        self.state: TableState | None = None
        self.table = VirtualTable(
            setup,
            PACKAGE.game.kit,
            sight.show,
            start.observed.text,
            Pace(0.0, 0.0, 0.0),
            lambda _: self.stop.is_set(),
        )
        self.desk = CommandQueue()
        self.desk.on_put(sight.wake)
        self.seats = OpponentSeats(PACKAGE, Strength.WEAK, seed=7, thinks_s=0.0, patience_s=0.1)
        journal = Journal(folder / "game.journal")
        state = open_game(journal, PACKAGE.game, start, "virtual table")
        session = GameJournal(journal, state, EvidenceStore(pictures_folder(folder / "game.journal")))
        eyes = eyes_of(PACKAGE.game.kit, TableReader(setup, folder / "table", kit=PACKAGE.game.kit))
        publish, helpers = ViewPublisher().publish, Helpers(on_change=self._on_change)
        self.loop = TurnLoop(PACKAGE.game, TableSight(sight, eyes), session, self.desk, publish, helpers=helpers)
        parts.callback(self.loop.close)
        for run in (
            lambda: self.loop.run(self.stop.is_set),
            lambda: self.seats.run(self.table, self.desk, self.stop.wait),
        ):
            thread = threading.Thread(target=run)
            thread.start()
            parts.callback(thread.join)
        parts.callback(sight.wake)
        parts.callback(self.stop.set)

    def _on_change(self, state: TableState, live: Live) -> None:
        self.seats.on_change(state, live)
        with self.changed:
            self.state = state
            self.changed.notify_all()

    def until(self, there: Callable[[TableState], bool]) -> TableState:
        """Wait until the state is so, and return it.

        What cameras can't tell of the person's turns, the person says.
        """
        by = time.monotonic() + PATIENCE_S
        while True:
            with self.changed:
                waits = self.changed.wait_for(lambda: self.state is not None and not self.state.awaiting, 1.0)
                state = self.state
            assert time.monotonic() < by, state and (state.phase, state.position.turn)
            if waits and state is not None:
                if there(state):
                    return state
                if state.phase in OPEN and not self.seats.plays(state) and Name.RULE_BOARD in actions(state):
                    self.desk.command(Name.RULE_BOARD, {"board": self.table.lying}, "person")

    def mine(self) -> TableState:
        """Wait until the person is to play, or the game is over, and return the state."""
        return self.until(
            lambda now: now.phase is Phase.FINISHED or (now.phase is Phase.PLAYING and not self.seats.plays(now))
        )

    def end_turn(self, lying: str) -> TableState:
        """Let hands lay this, press the button, and return the state once that was ruled on."""
        look = self.loop.state.look
        assert self.table.become(lying)
        assert self.desk.command(Name.TURN_ENDED, {}, "person").accepted
        return self.until(lambda now: now.look > look and now.phase not in OPEN)


def four_moved(text: str) -> str:
    """Return a board on which four free stones were piled onto a fifth: one more than a turn may take."""
    free = [i for i, sign in enumerate(text) if sign == "1" and not text[i + 1 : i + 2].isalpha()]
    signs = list(text)
    for at in free[:4]:
        signs[at] = "0"
    signs[free[4]] = "5"
    return "".join(signs)


def test_a_person_plays_against_three_seats(tmp_path: Path) -> None:
    with ExitStack() as parts:
        table, person = Table(tmp_path, parts), Opponent(PACKAGE, Strength.STRONG, seed=99)
        state = table.mine()
        own, first = state.position.to_move, state.position.turn
        table.end_turn(person.turn(state.position).observed.text)
        state = table.mine()
        assert state.position.turn == first + len(PACKAGE.game.seats(state.position)), "every seat has answered"

        before = state.position.observed.text
        state = table.end_turn(four_moved(before))  # a breach, and it is put back: seen without a press
        assert state.phase is Phase.VIOLATION
        assert table.table.become(before)
        state = table.mine()
        assert state.last is not None
        assert (state.last.fate, state.position.observed.text) == (EntryStatus.TAKEN_BACK, before)

        state = table.end_turn(four_moved(before))  # once more, and all let it stand
        assert state.phase is Phase.VIOLATION
        assert table.desk.command(Name.ACCEPT, {"board": table.table.lying}, "person").accepted
        state = table.mine()
        assert EntryStatus.ACCEPTED in [entry.fate for entry in state.history]

        while WHOLE and state.phase is not Phase.FINISHED:
            table.end_turn(person.turn(state.position).observed.text)
            state = table.mine()
        if WHOLE:
            assert state.position.winners == (own,)

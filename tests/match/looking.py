"""Build a loop at a table whose cameras are told what to see."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from referee.daemon import CommandQueue, GameJournal, TableSight, TurnLoop, ViewPublisher, carried_on, start_journal
from referee.match.events import GameStarted
from referee.match.phases import Phase
from referee.storage.journal import Journal
from tests.match.fakes import FakeEyes, FakeSight, StepGame, start, step_adapter
from tests.match.loops import QuickJournal, told

GAME = StepGame()


class Clock:
    """Time that goes as told."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


class At:
    """A loop at a table whose cameras are told what to see."""

    def __init__(
        self, path: Path, journal: Journal | None = None, patience_s: float = 3.0, still_s: float = 0.0
    ) -> None:
        self.journal = journal or QuickJournal(path)
        self.clock, self.desk, self.board = Clock(), CommandQueue(), ViewPublisher()
        self.sight = FakeSight(patience_s=patience_s)
        self.sight.board = "11r/1y1"
        state = carried_on(self.journal, GAME)
        book = (
            GameJournal(self.journal, state) if state else start_journal(self.journal, GameStarted(start(), "test"))
        )
        self.loop = TurnLoop(
            GAME,
            TableSight(self.sight, still_s=still_s, adapter=step_adapter(FakeEyes())),
            book,
            self.desk,
            self.board.publish,
            clock=self.clock,
        )

    def tell(self, name: str, **arguments: Any) -> bool:
        return told(self.loop, self.desk, name, **arguments).accepted

    def shows(self, text: str, rounds: int = 1, passing_s: float = 0.3) -> None:
        self.sight.board = text
        for _ in range(rounds):
            self.clock.now_s += passing_s
            self.loop.round()

    def ends(self, text: str) -> None:
        self.sight.board = text
        assert self.tell("turn_ended")

    @property
    def phase(self) -> Phase:
        return self.loop.state.phase

    @property
    def view(self) -> dict[str, Any]:
        return self.board.snapshot()

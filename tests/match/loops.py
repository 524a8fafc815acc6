"""Build turn loops over the simplest neighbours, and give them commands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from referee.daemon import CommandQueue, GameJournal, TableSight, TurnLoop, ViewPublisher, open_game
from referee.match.commands import Command
from referee.storage.journal import Journal
from tests.match.fakes import FakeEyes, FakeSight, StepGame, start, step_adapter
from web.tableview import Outcome

GAME = StepGame()


PICTURES = ("11r/1y1", "11r/1y3", "12r/1y1", "covered", "lost", "17r/1y1", "13r/1y1", "14r/1y1")
"""Set-up, an illegal turn, a legal one, two without a view, one that can't be told, and two that end the game."""


class QuickJournal(Journal):
    """A journal that doesn't wait for the disk: these kills are not real ones, and the disk is slow."""

    def __init__(self, path: Path, make_room: Callable[[], bool] = lambda: False) -> None:
        super().__init__(path, make_room=make_room)
        self._db.execute("PRAGMA synchronous = OFF")


def loop_on(
    journal: Journal,
    board: ViewPublisher | None = None,
    sight: FakeSight | None = None,
    desk: CommandQueue | None = None,
) -> TurnLoop:
    state = open_game(journal, GAME, start(), "test")
    sight = sight or FakeSight(PICTURES)
    publish = (board or ViewPublisher()).publish
    kept = GameJournal(journal, state)
    return TurnLoop(GAME, TableSight(sight, adapter=step_adapter(FakeEyes())), kept, desk or CommandQueue(), publish)


def told(loop: TurnLoop, desk: CommandQueue, name: str, seen: int | None = None, **arguments: object) -> Outcome:
    """Give a command and let the loop come round."""
    asked = desk.put(Command(name, arguments, "tablet", seen))
    loop.round()
    assert asked.outcome is not None
    return asked.outcome

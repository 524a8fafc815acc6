"""A reading or a ruling that does not end is given up: the table goes on, and says why nothing can be told."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from referee.daemon import CommandQueue, TableSight, TurnLoop, ViewPublisher, start_journal
from referee.daemon.bounded import BoundedWork
from referee.kinds.grid.session import GridAdapter
from referee.match.events import GameStarted, TurnRuled, Verdict
from referee.match.phases import Phase
from referee.session.adapter import Ways
from referee.session.bounds import TookTooLongError
from referee.values.metrics import Metrics
from tests.match.fakes import FakeEyes, FakeSight, StepGame, start, step_adapter
from tests.match.loops import QuickJournal, told
from tests.untyped import untyped

GAME = StepGame()
T = TypeVar("T")


class Stuck:
    """Work that goes on until it is let go."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.begun = 0

    def __call__(self) -> str:
        self.begun += 1
        self.go.wait()
        return "at last"


@pytest.fixture
def stuck() -> Iterator[Stuck]:
    work = Stuck()
    yield work
    work.go.set()


def test_what_ends_in_time_is_returned_and_what_fails_is_raised() -> None:
    bound = BoundedWork()
    assert bound(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        bound(lambda: 1 // 0)


class Hours:
    """A clock that goes on by an hour with every beat."""

    def __init__(self) -> None:
        self.gone = 0

    def beat(self) -> None:
        self.gone += 1

    def __call__(self) -> float:
        return 3600.0 * self.gone


def test_what_does_not_end_is_given_up_and_begun_no_second_time(stuck: Stuck) -> None:
    hours = Hours()
    bound = BoundedWork(0.01, hours.beat, hours)
    with pytest.raises(TookTooLongError, match="longer than 0 s"):
        bound(stuck)
    with pytest.raises(TookTooLongError):
        bound(stuck)
    assert (stuck.begun, hours.gone) == (1, 2)


def test_what_uses_too_much_of_the_processor_is_given_up_whatever_the_clock_says() -> None:
    over = threading.Event()

    def busy() -> None:
        while not over.is_set():
            pass

    try:
        with pytest.raises(TookTooLongError):
            BoundedWork(0.01, clock=lambda: 0.0)(busy)
    finally:
        over.set()


def test_what_other_work_keeps_from_the_processor_has_not_failed(stuck: Stuck) -> None:
    beats: list[int] = []

    def beat() -> None:
        beats.append(1)
        if len(beats) == 3:
            stuck.go.set()

    bound = BoundedWork(0.01, beat, lambda: 0.01 * len(beats))  # longer than it may work, all of it waiting
    assert bound(stuck) == "at last"


def test_what_is_asked_for_waits_for_what_was_given_up(stuck: Stuck) -> None:
    hours = Hours()

    def nearly_done() -> None:
        hours.beat()
        if hours.gone == 2:
            stuck.go.set()

    bound = BoundedWork(0.01, nearly_done, hours)
    with pytest.raises(TookTooLongError):
        bound(stuck)
    bound._most_s = 3600.0
    assert bound(lambda: "again") == "again"
    assert stuck.begun == 1


class Impatient:
    """A bound that gives up the work with these numbers, counted from the first."""

    def __init__(self, *given_up: int) -> None:
        self._given_up, self._number = given_up, 0

    def __call__(self, work: Callable[[], T]) -> T:
        self._number += 1
        if self._number in self._given_up:
            raise TookTooLongError(20.0)
        return work()


SETUP, LOOK, RULING, SHOWN = 1, 2, 3, 4


def test_a_look_that_never_ends_leaves_the_table_in_play(tmp_path: Path) -> None:
    table = At(tmp_path, Impatient(LOOK))
    table.ends("12r/1y1")
    assert table.loop.state.phase is Phase.BLIND
    assert untyped(table.view)["banner"]["detail"] == "Reading the pictures took longer than it may."
    assert told(table.loop, table.commands, "look_again").accepted
    table.loop.round()
    assert table.loop.state.position.turn == 2


def test_a_ruling_that_never_ends_tells_nothing_and_says_why(tmp_path: Path) -> None:
    table = At(tmp_path, Impatient(RULING))
    table.ends("12r/1y1")
    assert table.loop.state.phase is Phase.UNSURE
    last = table.loop.state.last
    assert last is not None
    assert isinstance(last.ruled, TurnRuled)
    assert (last.ruled.verdict, last.ruled.observed) == (Verdict.UNSURE, "11r/1y1")
    assert untyped(table.view)["banner"]["detail"] == "Working out the ruling took longer than 20 seconds."


def test_another_side_that_was_asked_for_and_never_read_is_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(GridAdapter, "ways", lambda adapter, state: Ways(gathers=True, believes=True))
    table = At(tmp_path, Impatient(RULING, SHOWN))
    table.ends("12r/1y1")
    table.sight.board = "12r/1y2"
    table.loop.round()
    assert table.loop.state.phase is Phase.BLIND
    assert untyped(table.view)["banner"]["detail"] == "Reading the pictures took longer than it may."


def test_while_something_is_waited_for_the_loop_is_well(stuck: Stuck, tmp_path: Path) -> None:
    now = [0.0]
    metrics = Metrics(clock=lambda: now[0])

    def beat() -> None:
        now[0] += 5.0
        metrics.beat()

    with pytest.raises(TookTooLongError):
        BoundedWork(0.01, beat, lambda: now[0])(stuck)
    assert not metrics.signs().stalled
    now[0] += 11.0
    assert metrics.signs().stalled


def test_a_command_that_is_never_decided_is_refused(tmp_path: Path) -> None:
    table = At(tmp_path, Impatient(), Impatient(1))
    outcome = told(table.loop, table.commands, "turn_ended")
    assert (outcome.accepted, outcome.code) == (False, "slow")
    table.ends("12r/1y1")
    assert table.loop.state.position.turn == 2


class At:
    """A loop at a table whose work is given up as told."""

    def __init__(self, folder: Path, bound: Impatient, deciding: Impatient | None = None) -> None:
        self.commands, self.board, self.sight = CommandQueue(), ViewPublisher(), FakeSight()
        self.sight.board = "11r/1y1"
        journal = start_journal(QuickJournal(folder / "j"), GameStarted(start(), "test"))
        adapters, publish = step_adapter(FakeEyes()), self.board.publish
        self.loop = TurnLoop(
            GAME,
            TableSight(self.sight, adapter=adapters),
            journal,
            self.commands,
            publish,
            bound=bound,
            deciding=deciding,
        )
        self.loop.round()
        assert self.loop.state.phase is Phase.PLAYING

    def ends(self, text: str) -> None:
        self.sight.board = text
        assert told(self.loop, self.commands, "turn_ended").accepted
        self.loop.round()

    @property
    def view(self) -> dict[str, Any]:
        return self.board.snapshot()

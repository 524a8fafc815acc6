"""The seats that nobody has taken, at a real turn loop: they play when it is their turn, and only then."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from referee.daemon import CommandQueue, GameJournal, Helpers, TableSight, TurnLoop, open_game
from referee.daemon.nocameras import NoCameras
from referee.demo.seats import OpponentSeats
from referee.games import package_named
from referee.games.record import parse_record
from referee.match.commands import Name
from referee.match.live import Live
from referee.match.phases import Phase
from referee.match.state import Entry, EntryStatus, TableState
from referee.opponents import Opponent, OpponentError, Strength, new_position
from referee.storage.journal import Journal

PACKAGE = package_named("terrabilis")
PATIENCE_S = 60.0


class Board:
    """A table that is only what lies there."""

    def __init__(self) -> None:
        self.lying: list[str] = []

    def become(self, text: str) -> bool:
        self.lying.append(text)
        return True


class Table:
    """A turn loop with three seats, of which the first is a person's, and the states it went through."""

    def __init__(self, folder: Path, people: int) -> None:
        self.stop = threading.Event()
        self.changed = threading.Condition()
        self.state: TableState | None = None
        journal = Journal(folder / "game.journal")
        state = open_game(journal, PACKAGE.game, new_position(PACKAGE, 3), "Test")
        self.desk, self.board, sight = CommandQueue(), Board(), NoCameras()
        self.desk.on_put(sight.wake)
        self.seats = OpponentSeats(PACKAGE, Strength.WEAK, seed=4, people=people, thinks_s=0.0)
        session = GameJournal(journal, state)
        helpers = Helpers(on_change=self._on_change)
        self.loop = TurnLoop(
            PACKAGE.game, TableSight(sight), session, self.desk, lambda view, event: None, helpers=helpers
        )
        self.threads = [threading.Thread(target=self.loop.run, args=(self.stop.is_set,))]
        self.threads[0].start()
        self.seated(self.seats)

    def seated(self, seats: OpponentSeats, state: TableState | None = None) -> None:
        """Let others take the seats, of a table as it stands."""
        self.seats = seats
        if state is not None:
            seats.on_change(state, Live())
        self.threads.append(threading.Thread(target=seats.run, args=(self.board, self.desk, self.stop.wait)))
        self.threads[-1].start()

    def _on_change(self, state: TableState, live: Live) -> None:
        self.seats.on_change(state, live)
        with self.changed:
            self.state = state
            self.changed.notify_all()

    def until(self, turn: int) -> TableState:
        """Wait until this turn is to be played, or the game is over, and return the state."""

        def there() -> bool:
            state = self.state
            return (
                state is not None
                and not state.awaiting
                and (state.phase is Phase.FINISHED or (state.phase is Phase.PLAYING and state.position.turn >= turn))
            )

        with self.changed:
            assert self.changed.wait_for(there, PATIENCE_S), self.state
            assert self.state is not None
            return self.state

    def close(self) -> None:
        self.stop.set()
        self.desk.close()  # a seat that has just said something would wait for an answer
        for thread in self.threads:
            thread.join()
        self.loop.close()


def undone(table: Table) -> list[Entry]:
    history = table.state.history if table.state is not None else ()
    return [entry for entry in history if entry.fate is EntryStatus.UNDONE]


@pytest.fixture
def table(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Table]:
    found = Table(tmp_path, getattr(request, "param", 1))
    yield found
    found.close()


def test_others_play_after_a_persons_turn_and_wait_for_the_next(table: Table) -> None:
    person = Opponent(PACKAGE, Strength.WEAK, seed=8)
    state = table.until(1)
    for round_ in range(3):
        assert state.position.turn == 3 * round_ + 1
        assert not table.seats.plays(state), "it is the person's turn, and nobody else's"
        turn = person.turn(state.position)
        assert table.desk.command(Name.TURN_ENDED, {"declared": dict(turn.declared)}, "person").accepted
        state = table.until(3 * round_ + 4)
    entries = [entry for entry in state.history if entry.counts]
    assert [entry.turn for entry in entries] == list(range(1, 10))
    assert len(table.board.lying) == 1 + 6, "the set-up, and two turns a round"


@pytest.mark.long
@pytest.mark.parametrize("table", [0], indirect=True)
def test_without_people_a_whole_game_is_played_and_refereed(table: Table) -> None:
    state = table.until(10_000)
    assert state.phase is Phase.FINISHED
    ruled = [entry for entry in state.history if entry.ruled is not None]
    assert ruled
    assert all(entry.counts for entry in ruled)


@pytest.mark.parametrize("table", [0], indirect=True)
def test_without_people_what_was_taken_back_is_put_back_and_played_on(table: Table) -> None:
    table.until(3)
    while not table.desk.command(Name.UNDO, {"entry": 1}, "arbiter").accepted:  # while a turn is ruled on it can't be
        pass
    with table.changed:
        assert table.changed.wait_for(lambda: bool(undone(table)), PATIENCE_S)
    assert [entry.turn for entry in table.until(4).history if entry.counts][:3] == [1, 2, 3]


@pytest.mark.parametrize("table", [3], indirect=True)
def test_without_people_a_turn_that_was_not_theirs_is_taken_back(table: Table) -> None:
    table.until(1)
    outcome = table.desk.command(
        Name.TURN_ENDED, {"declared": {"acts": "roll 2+4; draw social; install reserve; install reserve"}}, "late"
    )
    assert outcome.accepted
    with table.changed:
        assert table.changed.wait_for(
            lambda: table.state is not None and table.state.phase is Phase.VIOLATION, PATIENCE_S
        )
        state = table.state
    assert state is not None
    table.seated(OpponentSeats(PACKAGE, Strength.WEAK, seed=4, people=0, thinks_s=0.0, patience_s=0.0), state)
    assert [entry.turn for entry in table.until(2).history if entry.counts] == [1]


def test_nobody_plays_once_all_is_to_stop(table: Table) -> None:
    table.until(1)
    table.stop.set()
    for thread in table.threads:
        thread.join(10.0)
        assert not thread.is_alive()


def test_a_turn_is_thought_of_for_a_person_whose_turn_it_is_and_for_nobody_else(tmp_path: Path) -> None:
    package = package_named("terra-turrium")
    assert package.playthrough is not None
    start = package.records.start(parse_record(package.playthrough.read_text(encoding="utf-8")))
    with closing(Journal(tmp_path / "game.journal")) as journal:
        state = replace(open_game(journal, package.game, start, "Test"), phase=Phase.PLAYING)
    mine, others = (OpponentSeats(package, Strength.WEAK, seed=4, people=people) for people in (1, 0))
    with pytest.raises(OpponentError, match="your turn"):
        mine.idea()
    for seats in (mine, others):
        seats.on_change(state, Live())
    lying = package.game.observation(mine.idea())
    assert lying.text != start.observed.text
    assert package.game.check(start, lying).legal
    with pytest.raises(OpponentError, match="your turn"):
        others.idea()

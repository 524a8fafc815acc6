"""The game clock at the table: what starts and stops it, what is written down, and what a power cut costs."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from referee.match.clock import Clock, TimeControl
from referee.match.events import (
    ClockLaidAside,
    ClockMoved,
    Disputed,
    GameStarted,
    LookTaken,
    Paused,
    PutBack,
    Resolution,
    Resolved,
    Resumed,
    SetupAccepted,
    TimeGiven,
    event_from_json,
)
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.match.transitions import begin, replay, step
from referee.session.clock import LOW_MS, NOTED_MS, GameClock
from tests.match.fakes import StepGame, start
from tests.match.rulings import reading, ruled
from tests.untyped import untyped

GAME = StepGame()
MINUTE = TimeControl(60, increment_s=5)


class Table:
    """A table whose clock is told the time; every event that happened."""

    def __init__(self, control: TimeControl = MINUTE) -> None:
        self.events = [
            GameStarted(start(), clock=Clock.starting(control, ("red", "yellow"))),
            SetupAccepted("tablet"),
        ]
        self.state = step(begin(untyped(self.events[0])), untyped(self.events[1]))
        self.now_s, self.wall_s = 1000.0, 5_000_000.0
        self.clock = GameClock(lambda: self.wall_s)

    def happen(self, *events: object) -> None:
        for event in events:
            self.state = step(self.state, untyped(event))
            self.events.append(untyped(event))

    def tick(self, seconds: float = 0.0, held: bool = False) -> ClockMoved | None:
        self.now_s += seconds
        self.wall_s += seconds
        event, self.clock = self.clock.due(self.state, self.now_s, held)
        if event is not None:
            self.happen(event)
        return event

    def turn(self, board: str = "", took_s: float = 0.0) -> None:
        """Let the player to move press after so long; the referee takes two seconds to say that it is legal."""
        self.tick(took_s)
        self.happen(LookTaken(self.state.look + 1))
        self.tick()
        self.tick(2.0)
        height = int(self.state.position.board.text[1]) + 1
        self.happen(reading(), ruled(self.state, board or f"1{height}r/1y1"))
        self.tick()

    @property
    def times(self) -> Clock:
        assert self.state.clock is not None
        return self.state.clock


@pytest.fixture
def table() -> Table:
    return Table()


def test_nothing_runs_before_the_first_press(table: Table) -> None:
    assert table.tick(500) is None
    assert table.times.left_ms == {"red": 60_000, "yellow": 60_000}


def test_the_first_press_starts_the_clock_of_the_next_player(table: Table) -> None:
    table.turn("12r/1y1", took_s=300)
    assert (table.times.running, table.times.player) == (True, "yellow")
    table.tick(10)
    table.happen(LookTaken(2))
    event = table.tick()
    assert event is not None
    assert table.times.left_ms == {"red": 60_000, "yellow": 50_000}
    assert not table.times.running


def test_while_the_referee_rules_nobody_pays(table: Table) -> None:
    table.turn("12r/1y1")
    table.tick(10)
    table.happen(LookTaken(2))
    table.tick()
    table.tick(30)
    table.happen(reading(), ruled(table.state, "12r/1y9"))
    table.tick(40)
    assert table.state.phase is Phase.VIOLATION
    table.happen(PutBack(""))
    table.tick()
    assert table.times.left_ms["yellow"] == 50_000
    assert table.times.used_ms == 10_000  # the turn goes on where it was
    assert table.times.running


def test_the_record_has_what_each_turn_took(table: Table) -> None:
    table.turn("12r/1y1")
    table.turn("12r/1y2", took_s=7.25)
    assert [entry.time_ms for entry in table.state.history] == [0, 7_250]
    assert table.times.left_ms == {"red": 60_000, "yellow": 60_000 - 7_250 + 5_000}


@pytest.mark.parametrize("held", [True, False])
def test_a_fault_stops_it_and_its_end_starts_it_again(table: Table, held: bool) -> None:
    table.turn("12r/1y1")
    table.tick(5, held)
    table.tick(40, held)
    table.tick(0)
    assert table.times.running
    assert table.times.left_ms["yellow"] == (55_000 if held else 15_000)


def test_a_dispute_and_a_pause_stop_it(table: Table) -> None:
    table.turn("12r/1y1")
    table.tick(5)
    table.happen(Disputed("tablet", 1, 1, ""))
    table.tick()
    table.tick(100)
    table.happen(Resolved("tablet", 1, Resolution.STANDS, ""))
    table.tick()
    table.tick(5)
    table.happen(Paused("tablet"))
    table.tick()
    table.tick(100)
    table.happen(Resumed("tablet"))
    table.tick()
    assert table.times.left_ms["yellow"] == 50_000
    assert table.times.running


def test_a_flag_falls_once_and_time_given_lets_it_stand_again(table: Table) -> None:
    table.turn("12r/1y1")
    for _ in range(5):
        table.tick(15)
    assert (table.times.fallen, table.times.left_ms["yellow"], table.times.running) == ("yellow", 0, False)
    assert table.tick(50) is None
    table.happen(TimeGiven("tablet", "yellow", 30_000))
    table.tick()
    assert (table.times.fallen, table.times.running) == ("", True)
    table.happen(ClockLaidAside("tablet"))
    table.tick(100)
    assert (table.times.aside, table.times.running) == (True, False)


def test_a_press_said_in_time_counts_though_it_is_heard_late(table: Table) -> None:
    table.turn("12r/1y1")
    said_s = table.now_s + 59.9
    table.now_s += 61  # the loop was reading pictures meanwhile
    table.happen(LookTaken(2))
    event, _ = table.clock.due(table.state, said_s, False)
    assert event is not None
    assert (event.clock.fallen, event.clock.left_ms["yellow"]) == ("", 100)


def test_it_is_noted_now_and_then_and_when_little_is_left(table: Table) -> None:
    table.turn("12r/1y1")
    noted = [table.times.left_ms["yellow"] for _ in range(59 * 4) if table.tick(0.25) is not None]
    assert noted == [60_000 - NOTED_MS, 60_000 - 2 * NOTED_MS, LOW_MS]


def test_a_power_cut_costs_nobody_time_and_gives_back_little(table: Table) -> None:
    table.turn("12r/1y1")
    table.tick(NOTED_MS / 1000)
    table.tick(12)
    kept = [(event.kind, json.loads(json.dumps(event.to_json()))) for event in table.events]
    state = replay([event_from_json(kind, data, GAME) for kind, data in kept])
    assert state == table.state
    table.clock, table.now_s = GameClock(lambda: 0.0), 7.0
    assert table.tick() is None
    table.tick(5)
    table.happen(LookTaken(2))
    table.tick()
    assert table.times.left_ms["yellow"] == 60_000 - NOTED_MS - 5_000


def test_a_game_without_a_clock_hears_nothing_of_one() -> None:
    event = GameStarted(start())
    state: TableState = step(begin(event), SetupAccepted("tablet"))
    assert "clock" not in event.to_json()
    assert GameClock().due(state, 5.0, False)[0] is None
    assert replace(state).clock is None

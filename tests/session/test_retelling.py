"""What a turn left open stands in the record, and is told once a later look shows it."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

import pytest

from referee.games.answers import Act
from referee.games.terra_turrium.colours import LETTERS
from referee.kinds.grid.retelling import retold
from referee.match.events import GameStarted, Legal, SetupAccepted, TurnsRetold
from referee.match.events.ruled import LeftOpen
from referee.match.state import TableState
from referee.match.transitions import begin, step
from referee.values.board import Board, Field
from tests.kinds.grid.judging.seeing import START, seen
from tests.session.onecube import OneCubeTable, ThreePlay

ODD = "121/211r"
FROM_A1, FROM_C2 = "121/111r", "120/211r"
NEXT = {FROM_A1: "021/121r", FROM_C2: "020/221r"}
"""The board after the next turn, which takes a cube from A2 to B1."""


def _left_open() -> OneCubeTable:
    """Return a table after a turn that put a cube on B2, and nobody saw from where: A1 or C2."""
    table = OneCubeTable()
    table.looks[ODD] = seen(ODD, 13.0, {"A1": {}, "C2": {}}), None
    assert table.turn(ODD) == "legal"
    return table


def _open(state: TableState, entry: int = 0) -> set[str]:
    return {place.name for place in state.history[entry].open}


def test_a_legal_turn_names_the_fields_it_left_open() -> None:
    table = _left_open()
    assert _open(table.state) == {"A1", "C2"}
    assert len(table.ruled().left_open.track) == 2


@pytest.mark.parametrize("true", [FROM_A1, FROM_C2])
def test_a_later_look_tells_the_turn_as_it_was(true: str) -> None:
    table = _left_open()
    taken_for = table.state.position.observed.text
    assert table.turn(NEXT[true]) == "legal"
    first, second = table.state.history
    assert first.after is not None
    assert (first.after.observed.text, second.before.observed.text) == (true, true)
    assert _open(table.state) == _open(table.state, 1) == set()
    retold = [event for event in table.driver.events if isinstance(event, TurnsRetold)]
    assert len(retold) == 1
    assert {turn.entry for turn in retold[0].turns} == ({1} if taken_for == true else {1, 2})
    assert first.retold == table.state.look


def test_a_journal_replays_to_the_record_as_it_is_known_in_the_end() -> None:
    table = _left_open()
    table.turn(NEXT[FROM_A1])
    assert any(isinstance(event, TurnsRetold) for event in table.driver.events)
    begun = step(begin(GameStarted(START)), SetupAccepted(""))
    assert reduce(step, table.driver.events, begun).history == table.state.history


def test_an_unsure_look_drops_no_position_that_may_have_stood() -> None:
    """Pictures of the same board are weighed again with what somebody says: where it began stays as likely."""
    table = _left_open()
    before = table.state.turn.left_open.track
    doubts = {"A1": {}, "C2": {}, "B1": {1: 10.0, 2: 10.0}, "A2": {0: 10.0, 1: 10.0}}
    table.looks["021/221r"] = seen("021/221r", 13.0, doubts), None
    assert table.turn("021/221r") == "unsure"
    assert table.state.turn.left_open.track == before


def _ruled_from_elsewhere(table: OneCubeTable, *links: tuple[int, float]) -> TableState:
    """Return a table at which a cube went from A2 to B1, from a position with another cube on C2 instead of A1."""
    newest = table.state.history[-1]
    assert newest.ruled is not None
    assert newest.ruled.ruling is not None
    acts = tuple(Act(kind, (Field.from_name(name),)) for kind, name in (("take", "A2"), ("build", "B1")))
    after = replace(START, board=Board.parse("022/021r", 2, 3, LETTERS), turn=3)
    found = Legal(replace(newest.ruled.ruling, acts=acts, next=after))
    ruled = replace(newest.ruled, found=found, left_open=LeftOpen(links=(links,) if links else ()))
    before = replace(START, board=Board.parse(FROM_A1, 2, 3, LETTERS), turn=2)
    return table.state.with_entry(replace(newest, before=before, after=after, ruled=ruled))


def test_a_turn_from_a_dropped_position_reopens_the_turns_before() -> None:
    """What stood otherwise before it was left by an earlier turn, and nobody knows by which."""
    table = _left_open()
    table.turn(NEXT[FROM_A1])
    state = _ruled_from_elsewhere(table, (-1, 1.0))
    event = retold(ThreePlay(), state)
    assert event is not None
    assert {turn.entry: {place.name for place in turn.open} for turn in event.turns} == {
        1: {"A1", "C2"},
        2: {"A1", "C2"},
    }
    again = step(state, event)
    assert _open(again) == _open(again, 1) == {"A1", "C2"}
    assert again.history[1].after == state.history[1].after
    assert retold(ThreePlay(), _ruled_from_elsewhere(table, (0, 1.0))) is None, "from a position that was kept"


def test_acts_that_name_only_where_a_piece_came_reopen_nothing() -> None:
    """A king's act in Torres names the field it came to; at a position known for certain nothing is in doubt."""
    table = _left_open()
    table.turn(NEXT[FROM_A1])
    event = retold(ThreePlay(), _ruled_from_elsewhere(table))
    assert event is None or all(not turn.open for turn in event.turns)

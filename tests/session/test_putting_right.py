"""A turn that was read wrongly is put right, and the judge rules again on the readings that were kept since."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import TypeVar

import pytest

from referee.match.arguments import CommandError
from referee.match.events import GameStarted, SetupAccepted
from referee.match.phases import Phase
from referee.match.state import Entry, EntryStatus
from referee.match.transitions import begin, step
from referee.session.bounds import TookTooLongError
from tests.kinds.grid.judging.seeing import START, seen
from tests.session.onecube import OneCubeTable

T = TypeVar("T")

TRUE = ("021/211r", "022/111r", "012/121r")
"""The boards after three turns that move a cube each."""
WRONG = "211/111r"
"""What the first is read as: another cube went another way."""


def _played(*shown: str) -> OneCubeTable:
    table = OneCubeTable()
    for text in shown:
        if table.turn(text) != "legal":
            table.tell("accept", board=text)
    return table


def _known(entry: Entry) -> tuple[object, ...]:
    assert entry.ruled is not None
    return entry.turn, entry.before, entry.after, entry.fate, entry.ruled.verdict, entry.ruled.ruling


def test_it_is_as_if_it_had_been_read_right() -> None:
    table, right = _played(WRONG, *TRUE[1:]), _played(*TRUE)
    assert [entry.fate for entry in table.state.history][:2] == [EntryStatus.STANDS, EntryStatus.ACCEPTED]
    table.tell("put_right", entry=1, board=TRUE[0])
    assert [_known(entry) for entry in table.state.history] == [_known(entry) for entry in right.state.history]
    assert (table.state.position, table.state.phase) == (right.state.position, Phase.PLAYING)
    assert table.driver.kinds[-1] == "ruled_again"
    begun = step(begin(GameStarted(START, recorded=True)), SetupAccepted(""))
    assert reduce(step, table.driver.events, begun) == table.state


def test_a_turn_that_was_called_a_breach_is_ruled_on_again_by_itself() -> None:
    table = OneCubeTable()
    table.turn(WRONG)
    assert table.turn(TRUE[1]) == "illegal"
    table.tell("put_right", entry=1, board=TRUE[0])
    assert table.state.phase is Phase.PLAYING
    assert [entry.fate for entry in table.state.history] == [
        EntryStatus.STANDS,
        EntryStatus.WITHDRAWN,
        EntryStatus.STANDS,
    ]
    assert table.state.position.observed.text == TRUE[1]


def test_what_a_look_left_open_is_weighed_from_where_the_turn_began() -> None:
    """The second look does not show from where a cube was put on B1: A1 or C2."""
    hidden = "021/221r"
    table = OneCubeTable()
    table.turn(WRONG)
    table.looks[hidden] = seen(hidden, 10.0, {"A1": {}, "C2": {}}), None
    table.turn(hidden)
    if table.state.phase is not Phase.PLAYING:
        table.tell("accept")
    table.tell("put_right", entry=1, board=TRUE[0])
    right = OneCubeTable()
    right.looks = table.looks
    right.turn(TRUE[0])
    right.turn(hidden)
    newest, wanted = table.state.history[-1], right.state.history[-1]
    assert _known(newest) == _known(wanted)
    assert newest.ruled is not None
    assert wanted.ruled is not None
    assert newest.open
    assert (newest.ruled.left_open, newest.open) == (wanted.ruled.left_open, wanted.open)


class _Patient:
    """Waits for work, and gives up on it when it is told to."""

    slow, waited = False, 0
    work: Callable[[], object]

    def __call__(self, work: Callable[[], T]) -> T:
        self.waited, self.work = self.waited + 1, work
        done = work()
        if self.slow:
            raise TookTooLongError(20)
        return done


def test_turns_that_are_judged_again_have_together_the_time_of_one_ruling() -> None:
    bound = _Patient()
    table = OneCubeTable(bound=bound)
    for text in (WRONG, *TRUE[1:]):
        if table.turn(text) != "legal":
            table.tell("accept", board=text)
    before, bound.waited = table.state, 0
    bound.slow = True
    with pytest.raises(CommandError, match="takes too long"):
        table.tell("put_right", entry=1, board=TRUE[0])
    assert (table.state, bound.waited) == (before, 1)
    with pytest.raises(TookTooLongError):  # what nobody waits for ends before the next ruling
        bound.work()
    bound.slow = False
    table.tell("put_right", entry=1, board=TRUE[0])
    assert table.state.history[0].fate is EntryStatus.STANDS

"""What a look leaves open, and what witnesses said of it, is held against no other turn and no other player."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from referee.match.events import Event, TurnRuled
from referee.match.phases import Phase
from referee.match.standing import board_of
from referee.session.bounds import TookTooLongError
from referee.session.looking import LookPatience
from referee.values.belief import Unchanged
from referee.values.board import Field
from tests.kinds.grid.judging.seeing import seen
from tests.session.onecube import OneCubeTable

START, LEGAL, ODD = "111/211r", "121/111r", "121/211r"
HIDDEN = seen(ODD, 13.0, {"A1": {2: 13.0}, "C2": {}})
"""A cube came to B2: from A1, which is told otherwise, or from C2, which nobody sees."""
OPEN = seen(ODD, 13.0, {"A1": {}, "C2": {}})
"""The same, with neither of them seen."""


def test_what_a_witness_said_ends_with_the_turn_that_had_not_ended() -> None:
    table = OneCubeTable()
    doubts = {"B1": {0: 6.0, 1: 8.0, 3: 9.0}, "A1": {0: 4.0, 1: 10.0, 2: 8.0, 3: 10.0}}
    table.looks[ODD] = seen(ODD, 10.0, doubts | {"B2": {0: 10.0, 1: 10.0, 3: 4.0}}), None
    assert table.turn(ODD) == "unsure"  # pressed too early, and half hidden
    table.tell("tell", field="A1", stands="2")
    table.tell("not_ended")
    assert table.turn(LEGAL) == "legal"


def test_what_a_witness_said_ends_with_the_breach_that_is_played_anew() -> None:
    table, broken = OneCubeTable(), "132/221r"
    table.looks[broken] = seen(broken, 18.0, {"B1": {2: 13.0, 3: 13.0}, "A1": {1: 12.0, 2: 10.0, 3: 12.0}}), None
    table.turn(broken)
    table.tell("tell", field="A1", stands="2")
    assert table.state.phase is Phase.VIOLATION
    table.tell("look_again")
    table.show(LEGAL)
    assert table.ruled().verdict.value == "legal"


def _shown(**bound: Any) -> OneCubeTable:
    table = OneCubeTable(**bound)
    table.looks[ODD] = HIDDEN, None
    assert table.turn(ODD) == "legal"
    assert table.state.turn.left_open.suspicions
    return table


def _undone(table: OneCubeTable) -> None:
    table.tell("undo", entry=1)
    table.tell("put_back")


def _corrected(table: OneCubeTable) -> None:
    table.tell("correct", changes={"board": START})


@pytest.mark.parametrize("back", [_undone, _corrected])
def test_suspicions_end_with_the_turn_that_was_taken_back(back: Callable[[OneCubeTable], None]) -> None:
    table = _shown()
    back(table)
    assert table.state.position.observed.text == START
    before = table.state.position
    assert table.turn("122/201r") == OneCubeTable().turn("122/201r") != "legal"
    assert table.state.position == before


def test_a_press_too_early_keeps_the_suspicion_of_an_earlier_breach() -> None:
    fresh, early = _shown(), _shown()
    assert fresh.turn("122/201r") == "legal"
    assert fresh.ruled().late is not None  # the turn before broke a rule, as is seen now
    assert early.turn(ODD) == "unsure"
    early.tell("not_ended")
    assert early.turn("122/201r") == "legal"
    assert early.ruled().late == fresh.ruled().late


class _Bound:
    """Takes too long for a ruling when it is told to."""

    slow = False

    def __call__(self, work: Callable[[], Any]) -> Any:
        done = work()
        if self.slow and isinstance(done, TurnRuled):
            raise TookTooLongError(20)
        return done


def _timed_out(table: OneCubeTable, bound: _Bound) -> None:
    bound.slow = True
    table.turn("112/111r")
    bound.slow = False
    table.tell("not_ended")


def _broken_by_hand(table: OneCubeTable, bound: _Bound) -> None:
    bound.slow = True
    table.turn("112/111r")
    bound.slow = False
    table.tell("rule_board", board="333/111r")
    table.wait(1.0)
    assert table.state.phase is Phase.VIOLATION
    table.tell("put_back")


def _resigned(table: OneCubeTable, bound: _Bound) -> None:
    table.tell("resign", player="green")


def _passed_over(table: OneCubeTable, bound: _Bound) -> None:
    table.tell("resign", player="yellow")
    assert table.state.position.to_move.word == "green"


def _undone_again(table: OneCubeTable, bound: _Bound) -> None:
    table.turn("112/111r")
    table.tell("undo", entry=table.state.history[-1].id)
    table.tell("put_back")


@pytest.mark.parametrize("meanwhile", [_timed_out, _broken_by_hand, _resigned, _passed_over, _undone_again])
@pytest.mark.parametrize("shown", ["112/111r", "130/201r"])
def test_positions_that_may_stand_as_well_are_kept(
    meanwhile: Callable[[OneCubeTable, _Bound], None], shown: str
) -> None:
    bound = _Bound()
    table = OneCubeTable(bound=bound)
    table.looks[ODD] = OPEN, None
    table.turn(ODD)  # from A1 or C2: both are legal
    assert len(table.state.turn.left_open.track) > 1
    meanwhile(table, bound)
    assert table.turn(shown) == "legal"


def test_a_board_that_may_have_stood_already_ends_no_turn_and_is_asked_about() -> None:
    """A camera comes back and shows which of two boards stands: the next player has done nothing yet."""
    table = OneCubeTable(patience=LookPatience(still_s=3.0))
    table.looks[ODD] = OPEN, None
    table.turn(ODD)
    stands = board_of(table.state.turn.left_open.track[1][0]).text
    assert stands != board_of(table.state.position).text
    table.show(stands)
    table.wait(10.0)
    assert (table.state.look, table.state.phase) == (1, Phase.PLAYING)
    assert table.turn(stands) == "unsure"
    assert table.state.unchanged
    table.tell("turn_over")
    assert table.ruled().verdict.value == "legal"
    assert table.ruled().ruling is not None
    assert not table.ruled().ruling.acts


def test_a_player_who_gave_up_is_passed_over_though_the_disk_was_full_then() -> None:
    table = OneCubeTable()
    table.tell("resign", player="yellow")
    write = table.driver.write

    def full(events: tuple[Event, ...]) -> None:
        if any(event.kind == "turn_passed" for event in events):
            raise OSError("the disk is full")
        write(events)

    table.driver.write = full  # type: ignore[method-assign]
    with pytest.raises(OSError, match="full"):
        table.turn(LEGAL)
    table.driver.write = write  # type: ignore[method-assign]
    assert table.state.position.to_move.word == "yellow"
    table.wait(1.0)
    assert table.state.position.to_move.word == "green"


MISREAD, READ = "021/211r", "112/111r"


def _looks_as_then(lean: float) -> tuple[Any, Unchanged]:
    """Return a look that leans to a misreading, and looks but for two fields as it did when that was read."""
    same = np.full((2, 3), 4.5)
    surfaces = same.copy()
    for name in ("B2", "C2"):
        field = Field.from_name(name)
        surfaces[field.row, field.col] = -1
    belief = seen(READ, 14.0, {"A2": {0: 10.0, 1: 10.0 - lean}, "A1": {1: 10.0 - lean, 2: 10.0}})
    return belief, Unchanged(surfaces, same)


def _said_so(table: OneCubeTable) -> None:
    table.tell("reading_wrong")
    table.tell("rule_board", board=LEGAL)


def _set_right(table: OneCubeTable) -> None:
    table.tell("correct", changes={"board": LEGAL})


@pytest.mark.parametrize("right", [_said_so, _set_right])
@pytest.mark.parametrize(("lean", "verdict"), [(2.0, "legal"), (5.0, "unsure")])
def test_a_reading_that_players_called_wrong_is_compared_with_no_more(
    right: Callable[[OneCubeTable], None], lean: float, verdict: str
) -> None:
    table = OneCubeTable()
    table.looks[MISREAD] = seen(MISREAD, 13.0), None
    table.turn(MISREAD)
    right(table)
    table.looks[READ] = _looks_as_then(lean)
    assert table.turn(READ) == verdict

"""Each order becomes the events that players' commands lead to, after one that says whose order it was."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.addons.hall.carrying import carried
from referee.addons.hall.orders import (
    ChangePosition,
    MakeNote,
    Order,
    PauseGame,
    ResumeGame,
    SayBoard,
    SetAside,
    TimePenalty,
    Uphold,
    signed,
)
from referee.addons.hall.signing import id_of, public_of
from referee.match.clock import Clock, TimeControl
from referee.match.commands import CommandError
from referee.match.events import GameStarted, event_from_json
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.match.transitions import begin, step
from referee.view.arbiter import arbiter_view
from tests.match.fakes import StepGame, start
from tests.match.looking import At
from tests.untyped import untyped

GAME = untyped(StepGame())
DESK = Ed25519PrivateKey.from_private_bytes(b"d" * 32)
CLOCK = Clock.starting(TimeControl(total_s=60), ["red", "yellow"])


def ordered(state: TableState, does: Any, number: int = 1) -> tuple[list[str], TableState]:
    """Carry an order out; return the kinds of its events and the state after them, as a journal gives it back."""
    key = public_of(DESK)
    order = Order(
        order="0" * 32, number=number, table="0" * 16, desk=id_of(key), game="0" * 16, event=1, head="0" * 64,
        by="Ana", does=does,
    )  # fmt: skip
    events = carried(order, signed(order, DESK), key, state, GAME)
    read = [event_from_json(event.kind, untyped(event.to_json()), GAME) for event in events]
    assert read == list(events)
    return [event.kind for event in events], reduce(step, events, state)


@pytest.fixture
def at(tmp_path: Path) -> At:
    """Return a table where one legal turn was played and an illegal one waits."""
    table = At(tmp_path / "1.journal")
    table.shows("11r/1y1", 3)
    table.ends("12r/1y1")
    table.ends("12r/1y3")
    assert table.phase is Phase.VIOLATION
    return table


def test_time_is_taken_from_the_clock() -> None:
    state = begin(GameStarted(untyped(start()), clock=CLOCK))
    kinds, after = ordered(state, TimePenalty(player="red", seconds=20, words="late"))
    assert kinds == ["arbiter_ordered", "time_taken"]
    assert after.clock is not None
    assert after.clock.left_ms == {"red": 40_000, "yellow": 60_000}
    (told,) = arbiter_view(after, {"red": "Rosa"}, "en")
    assert (told["words"], told["why"]) == ("Time penalty: Rosa loses 20 seconds", "late")
    with pytest.raises(CommandError) as refused:
        ordered(after, TimePenalty(player="red", seconds=20))
    assert refused.value.code == "repeated"
    assert ordered(after, TimePenalty(player="red", seconds=20), number=2)[1].clock != after.clock


def test_a_turn_that_waits_goes_back_and_a_board_is_said(at: At) -> None:
    state = at.loop.state
    kinds, after = ordered(state, SetAside(entry=2))
    assert (kinds, after.phase) == (["arbiter_ordered", "ruling_withdrawn"], Phase.CORRECTING)
    kinds, after = ordered(after, SayBoard(board="12r/1y2", words="as pictured"), number=2)
    assert (kinds, after.turn.end.board) == (["arbiter_ordered", "reading_corrected"], "12r/1y2")
    kinds, after = ordered(state, SayBoard(board="12r/1y2"))
    assert kinds == ["arbiter_ordered", "ruling_withdrawn", "reading_corrected"]


def test_in_a_pause_nobody_is_faster_and_a_ruling_ends_it(at: At) -> None:
    kinds, paused = ordered(at.loop.state, PauseGame())
    assert (kinds, paused.phase) == (["arbiter_ordered", "paused"], Phase.PAUSED)
    kinds, after = ordered(paused, ChangePosition(changes={"board": "13r/1y1"}), number=2)
    assert (kinds[1:], after.phase) == (["resumed", "position_corrected"], Phase.PLAYING)
    assert ordered(paused, ResumeGame(), number=2)[1].phase is Phase.VIOLATION


def test_what_was_ordered_is_shown_at_the_table_until_a_turn_later(at: At) -> None:
    state = ordered(at.loop.state, MakeNote(words="Sit down, please."))[1]
    assert [told["recent"] for told in arbiter_view(state, {}, "en")] == [True]
    later = replace(state, history=(*state.history, *state.history[:2]))
    (told,) = arbiter_view(later, {}, "de")
    assert (told["recent"], told["by"], told["why"]) == (False, "Ana", "Sit down, please.")


def test_a_position_is_corrected_and_the_dispute_settled_by_it(at: At) -> None:
    assert at.tell("dispute", entry=1)
    kinds, after = ordered(at.loop.state, ChangePosition(changes={"board": "13r/1y1"}, dispute=1, words="agreed"))
    assert kinds == ["arbiter_ordered", "position_corrected", "resolved"]
    assert after.position.observed.text == "13r/1y1"
    assert (after.disputes[0].outcome, after.disputes[0].settled_words) == ("changed", "agreed")


@pytest.mark.parametrize(
    "does",
    [
        Uphold(dispute=1),
        SetAside(entry=9),
        SetAside(entry=1, dispute=7),
        SayBoard(board="rubbish"),
        ChangePosition(changes={"board": "rubbish"}),
        TimePenalty(player="red", seconds=1),
        TimePenalty(player="mauve", seconds=1),
        MakeNote(words="on nothing", entry=9),
    ],
)
def test_what_cannot_be_is_refused_as_a_whole(at: At, does: Any) -> None:
    with pytest.raises(CommandError):
        ordered(at.loop.state, does)

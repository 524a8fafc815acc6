from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from referee.games.answers import OtherSetup
from referee.match.decision import Ask
from referee.match.events import (
    Event,
    EventError,
    GameStarted,
    LookTaken,
    SetupAccepted,
    SetupChecked,
    Trigger,
    Verdict,
    event_from_json,
)
from referee.match.transitions import TRANSITIONS, Phase, TableError, begin, replay, step
from referee.values.board import Field
from referee.values.words import say
from tests.match.fakes import start
from tests.match.rulings import DIFFERENT, GAME, event_for, reading, ruled, state_in


def leads_to(phase: Phase, trigger: Trigger) -> Phase | None:
    """Return where the table says a trigger leads, in ``state_in``; ``None`` where it can't be pulled."""
    if trigger not in TRANSITIONS[phase]:
        return None
    return TRANSITIONS[phase][trigger] or Phase.BLIND


def test_every_phase_is_in_the_table_and_can_be_reached() -> None:
    assert set(TRANSITIONS) == set(Phase)
    reached = {Phase.SET_UP}
    for _ in Phase:
        reached |= {after for phase in reached for after in TRANSITIONS[phase].values() if after}
    assert reached == set(Phase)


def test_every_trigger_leads_somewhere() -> None:
    assert {trigger for leads in TRANSITIONS.values() for trigger in leads} == set(Trigger)


@pytest.mark.parametrize("trigger", Trigger)
def test_each_step_leads_where_the_table_says_or_changes_nothing(trigger: Trigger) -> None:
    for phase in Phase:
        state = state_in(phase)
        kept = replace(state)
        event = event_for(trigger, state)
        assert event.trigger is trigger
        try:
            reached, told = step(state, event).phase, ""
        except TableError as error:
            reached, told = None, str(error)
        if trigger in (Trigger.CONFIRMED, Trigger.TOLD):  # only where it was asked for, see below
            assert re.search(r"can't happen|nobody was asked|no look waits", told), phase
        else:
            assert reached is leads_to(phase, trigger), phase
            assert reached is not None or "can't happen in the phase" in told, phase
        assert state == kept, phase


def test_a_turn_is_read_ruled_and_remembered() -> None:
    state = begin(GameStarted(start(), "Recorded game"))
    for event in (LookTaken(1, setup=True), reading(), SetupChecked(())):
        state = step(state, event)
    assert (state.phase, state.turn.checked, state.awaiting, state.look) == (Phase.PLAYING, None, False, 1)
    state = step(step(state, LookTaken(2)), reading())
    assert (state.phase, state.awaiting) == (Phase.RULING, True)
    state = step(state, ruled(state, "12r/1y1"))
    assert (state.phase, state.position.turn, state.position.board.text) == (Phase.PLAYING, 2, "12r/1y1")
    assert state.last is not None
    assert (state.last.turn, state.last.player.word, state.last.before.board.text) == (1, "red", "11r/1y1")


def test_an_illegal_turn_leaves_the_position_and_is_played_again() -> None:
    state = step(
        step(step(begin(GameStarted(start())), LookTaken(1)), reading()),
        ruled(begin(GameStarted(start())), "13r/1y1"),
    )
    assert (state.phase, state.position.turn, state.position.board.text) == (Phase.VIOLATION, 1, "11r/1y1")
    state = step(step(step(state, LookTaken(2)), reading()), ruled(state, "12r/1y1"))
    assert (state.phase, state.position.turn) == (Phase.PLAYING, 2)
    assert [turn.ruled.verdict for turn in state.history] == [Verdict.ILLEGAL, Verdict.LEGAL]


def test_looks_come_in_order_and_outcomes_only_after_a_look() -> None:
    state = begin(GameStarted(start()))
    with pytest.raises(TableError, match="can't follow"):
        step(state, LookTaken(2))
    with pytest.raises(TableError, match="without a look"):
        step(state, reading())
    with pytest.raises(TableError, match="without a look"):
        step(state, SetupChecked(()))


def test_a_game_begins_once_and_first() -> None:
    with pytest.raises(TableError, match="before a game has begun"):
        begin(LookTaken(1))
    with pytest.raises(TableError, match="twice"):
        step(begin(GameStarted(start())), GameStarted(start()))
    assert begin(GameStarted(start(winners=(start().to_move,)))).phase is Phase.FINISHED
    assert replay([]) is None


def test_events_refuse_to_contradict_themselves() -> None:
    new = begin(GameStarted(start()))
    good, bad = ruled(new, "12r/1y1"), ruled(new, "13r/1y1")
    for event, verdict in ((good, "illegal"), (bad, "legal")):
        with pytest.raises(EventError, match=verdict):
            event_from_json("ruling", event.to_json() | {"ruling": verdict}, GAME)
    with pytest.raises(EventError, match="comes with the ruling"):
        event_from_json("ruling", {"ruling": "legal", "observed": "12r/1y1", "doubts": []}, GAME)


@pytest.mark.parametrize("trigger", Trigger)
def test_events_survive_the_journal(trigger: Trigger) -> None:
    event = event_for(trigger, state_in(Phase.RULING))
    data = json.loads(json.dumps(event.to_json()))
    assert event_from_json(event.kind, data, GAME) == event


@pytest.mark.parametrize(
    "event",
    [
        GameStarted(start(), "Recorded game"),
        SetupAccepted("tablet", start()),
        SetupChecked((), asks=(Ask(Field(0, 1), say("The cameras can’t tell it."), ((1, 0), (1, 2))),)),
        SetupChecked((DIFFERENT,), other=OtherSetup(start(), say("Play with these seats?"))),
    ],
)
def test_the_beginning_survives_the_journal(event: Event) -> None:
    assert event_from_json(event.kind, json.loads(json.dumps(event.to_json())), GAME) == event


def test_what_is_no_event_is_refused() -> None:
    with pytest.raises(EventError, match="no event"):
        event_from_json("tea_break", {}, GAME)
    with pytest.raises(EventError, match="can't be read"):
        event_from_json("look_taken", {}, GAME)
    with pytest.raises(EventError, match="can't be read"):
        event_from_json("look_taken", {"look": "1", "setup": False}, GAME)


@pytest.mark.parametrize(
    ("event", "path"),
    [
        (event_for(Trigger.LEGAL, state_in(Phase.RULING)), ("acts", 0, "text")),
        (replace(reading(), pictures=(("cam0", "a" * 64),)), ("pictures", "cam0")),
        (GameStarted(start(), "Recorded game", (("red", "Anna"),)), ("players", "red")),
    ],
)
def test_a_number_for_a_text_is_refused(event: Event, path: tuple[str | int, ...]) -> None:
    data = json.loads(json.dumps(event.to_json()))
    *before, last = path
    inside = data
    for key in before:
        inside = inside[key]
    inside[last] = 5
    with pytest.raises(EventError, match="5 stands where a text belongs"):
        event_from_json(event.kind, data, GAME)

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from hypothesis.strategies import sampled_from

from referee.board import Board, Field
from referee.events import (
    CameraNote,
    Event,
    EventError,
    GameStarted,
    LookTaken,
    ReadingMade,
    SetupChecked,
    SourceEnded,
    Trigger,
    TurnRuled,
    Verdict,
    event_from_json,
)
from referee.ruling import RuleId, Ruling, Violation
from referee.table import TRANSITIONS, Phase, TableError, TableState, begin, replay, step
from tests.table.fakes import StepGame, start

GAME = StepGame()
DIFFERENT = Violation(RuleId("set.up"), (Field(0, 1),), "B1 looks different.")


def reading(*, lost: bool = False, clear: bool = True) -> ReadingMade:
    return ReadingMade(
        text="11r/1y1",
        confidence=((0.99, 0.5), (1.0, 0.2)),
        stones=(("nw", 1), ("se", None)),
        clear=clear,
        blocked=() if clear else (Field(0, 1),),
        cameras=(CameraNote("cam0", 8, None if lost else 0.31, "dark" if lost else ""),),
        duration_ms=12.5,
    )


def ruled(state: TableState, observed: str, verdict: Verdict | None = None) -> TurnRuled:
    board = Board.parse(observed, 2, 2)
    if verdict is Verdict.UNSURE:
        return TurnRuled(Verdict.UNSURE, observed, None, (Field(1, 0),))
    ruling = GAME.check(GAME.position(state.position.to_json()), board)
    return TurnRuled(Verdict.LEGAL if ruling.legal else Verdict.ILLEGAL, observed, ruling)


def event_for(trigger: Trigger, state: TableState) -> Event:
    """Some event that pulls a trigger, as it would come in this state."""
    return {
        Trigger.SETUP_LOOK: LookTaken(state.look + 1, setup=True),
        Trigger.TURN_ENDED: LookTaken(state.look + 1),
        Trigger.SEEN: reading(),
        Trigger.COVERED: reading(clear=False),
        Trigger.LOST: reading(lost=True),
        Trigger.SETUP_RIGHT: SetupChecked(()),
        Trigger.SETUP_WRONG: SetupChecked((DIFFERENT,)),
        Trigger.LEGAL: ruled(state, "12r/1y1" if state.position.board.text != "12r/1y1" else "13r/1y1"),
        Trigger.WON: replace_winning(state),
        Trigger.ILLEGAL: ruled(state, "11r/9y9"),
        Trigger.UNSURE: ruled(state, "11r/1y1", Verdict.UNSURE),
        Trigger.SOURCE_ENDED: SourceEnded("over"),
    }[trigger]


def replace_winning(state: TableState) -> TurnRuled:
    after = start(board=Board.parse("14r/1y1", 2, 2), turn=state.position.turn + 1, winners=(state.position.to_move,))
    return TurnRuled(Verdict.LEGAL, "14r/1y1", Ruling(True, (), (), (), {}, after, after.winners, True))


def state_in(phase: Phase) -> TableState:
    return replace(begin(GameStarted(start())), phase=phase, look=3, awaiting=True)


def test_every_phase_is_in_the_table_and_can_be_reached() -> None:
    assert set(TRANSITIONS) == set(Phase)
    reached = {Phase.SET_UP}
    for _ in Phase:
        reached |= {after for phase in reached for after in TRANSITIONS[phase].values()}
    assert reached == set(Phase)


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("trigger", Trigger)
def test_each_step_leads_where_the_table_says_or_changes_nothing(phase: Phase, trigger: Trigger) -> None:
    state = state_in(phase)
    kept = replace(state)
    event = event_for(trigger, state)
    assert event.trigger is trigger
    if trigger in TRANSITIONS[phase]:
        assert step(state, event).phase is TRANSITIONS[phase][trigger]
    else:
        with pytest.raises(TableError, match="can't happen in the phase"):
            step(state, event)
    assert state == kept


def test_a_turn_is_read_ruled_and_remembered() -> None:
    state = begin(GameStarted(start(), "Recorded game"))
    for event in (LookTaken(1, setup=True), reading(), SetupChecked(())):
        state = step(state, event)
    assert (state.phase, state.setup, state.awaiting, state.look) == (Phase.PLAYING, (), False, 1)
    state = step(step(state, LookTaken(2)), reading())
    assert (state.phase, state.awaiting) == (Phase.RULING, True)
    state = step(state, ruled(state, "12r/1y1"))
    assert (state.phase, state.position.turn, state.position.board.text) == (Phase.PLAYING, 2, "12r/1y1")
    assert state.last is not None
    assert (state.last.number, state.last.player.word, state.last.before.text) == (1, "red", "11r/1y1")


def test_an_illegal_turn_leaves_the_position_and_is_played_again() -> None:
    state = step(
        step(step(begin(GameStarted(start())), LookTaken(1)), reading()), ruled(state_in(Phase.RULING), "13r/1y1")
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
    with pytest.raises(TableError, match="without a look"):
        step(replace(state_in(Phase.RULING), awaiting=False), ruled(state, "12r/1y1"))


def test_a_game_begins_once_and_first() -> None:
    with pytest.raises(TableError, match="before a game has begun"):
        begin(LookTaken(1))
    with pytest.raises(TableError, match="twice"):
        step(begin(GameStarted(start())), GameStarted(start()))
    assert begin(GameStarted(start(winners=(start().to_move,)))).phase is Phase.FINISHED
    assert replay([]) is None


def test_events_refuse_to_contradict_themselves() -> None:
    good = ruled(state_in(Phase.RULING), "12r/1y1").ruling
    bad = ruled(state_in(Phase.RULING), "13r/1y1").ruling
    for verdict, ruling in (
        (Verdict.LEGAL, bad),
        (Verdict.LEGAL, None),
        (Verdict.ILLEGAL, good),
        (Verdict.ILLEGAL, None),
    ):
        with pytest.raises(EventError):
            TurnRuled(verdict, "12r/1y1", ruling)


@pytest.mark.parametrize("trigger", Trigger)
def test_events_survive_the_journal(trigger: Trigger) -> None:
    event = event_for(trigger, state_in(Phase.RULING))
    data = json.loads(json.dumps(event.to_json()))
    assert event_from_json(event.kind, data, GAME) == event


def test_the_beginning_survives_the_journal() -> None:
    event = GameStarted(start(), "Recorded game")
    assert event_from_json(event.kind, json.loads(json.dumps(event.to_json())), GAME) == event


def test_what_is_no_event_is_refused() -> None:
    with pytest.raises(EventError, match="no event"):
        event_from_json("tea_break", {}, GAME)
    with pytest.raises(EventError, match="can't be read"):
        event_from_json("look_taken", {}, GAME)


class WalkingTheTable(RuleBasedStateMachine):
    """Any events in any order: the state stays sound, and replaying what was accepted gives it back."""

    @initialize()
    def begin(self) -> None:
        self.accepted: list[Event] = [GameStarted(start())]
        self.state = begin(self.accepted[0])

    @rule(trigger=sampled_from(Trigger))
    def pull(self, trigger: Trigger) -> None:
        event = event_for(trigger, self.state)
        before = self.state
        try:
            self.state = step(before, event)
        except TableError:
            assert self.state is before
        else:
            self.accepted.append(event)

    @invariant()
    def sound(self) -> None:
        state = self.state
        assert replay(self.accepted) == state
        assert (state.phase is Phase.FINISHED) == state.position.finished
        assert state.phase not in (Phase.READING, Phase.RULING) or state.awaiting
        legal = [turn for turn in state.history if turn.ruled.verdict is Verdict.LEGAL]
        assert state.position.turn == 1 + len(legal)


TestWalkingTheTable = WalkingTheTable.TestCase
TestWalkingTheTable.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)

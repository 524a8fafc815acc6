from __future__ import annotations

import json
from dataclasses import replace

import pytest

from referee.games.contract import RuleId, Ruling, Violation
from referee.games.telling import OtherSetup
from referee.games.terra_turrium.colours import LETTERS, Colour
from referee.judging.decision import Ask
from referee.match.clock import Clock, TimeControl
from referee.match.events import (
    CalledOff,
    CameraNote,
    ClockMoved,
    Disputed,
    End,
    Event,
    EventError,
    FieldTold,
    GameEnded,
    GameStarted,
    LookTaken,
    Paused,
    PositionCorrected,
    PutBack,
    QuestionDenied,
    ReadingCorrected,
    ReadingMade,
    Resigned,
    Resolution,
    Resolved,
    Resumed,
    RulingWithdrawn,
    SeatsTaken,
    SetupAccepted,
    SetupChecked,
    SourceEnded,
    TableChecked,
    TimeGiven,
    Trigger,
    TurnAccepted,
    TurnConfirmed,
    TurnDeclared,
    TurnPassed,
    TurnRuled,
    Undone,
    Verdict,
    event_from_json,
)
from referee.match.transitions import TRANSITIONS, Phase, TableError, TableState, begin, replay, step
from referee.values.board import Board, Field
from referee.values.words import say
from tests.match.fakes import StepGame, StepPosition, start

GAME = StepGame()
CLOCK = Clock.begun(TimeControl(600, increment_s=5), ("red", "yellow"))
DIFFERENT = Violation(RuleId("set.up"), (Field(0, 1),), say("{at} looks different.", at=Field(0, 1)))


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
    board = Board.parse(observed, 2, 2, LETTERS)
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
        Trigger.CHECKED: TableChecked("20260304-181500", "0" * 64, "good", "tablet"),
        Trigger.SETUP_ACCEPTED: SetupAccepted("tablet"),
        Trigger.RESEATED: SeatsTaken("tablet", state.position),
        Trigger.CONFIRMED: TurnConfirmed("tablet"),
        Trigger.TOLD: FieldTold("tablet", "A1", "2"),
        Trigger.CALLED_OFF: CalledOff("tablet"),
        Trigger.PUT_BACK: PutBack(""),
        Trigger.ACCEPTED: TurnAccepted("tablet", moved_on(state, "12r/1y3")),
        Trigger.ACCEPTED_WON: TurnAccepted("tablet", moved_on(state, "14r/1y3")),
        Trigger.WITHDRAWN: RulingWithdrawn("tablet"),
        Trigger.READING_CORRECTED: ReadingCorrected("tablet", "12r/1y1"),
        Trigger.DENIED: QuestionDenied("tablet"),
        Trigger.DECLARED: TurnDeclared("tablet", {"more": 1}),
        Trigger.ENTERED: TurnDeclared("tablet", {"more": 1}, rule=False),
        Trigger.CORRECTED: PositionCorrected(
            "tablet", replace(state.position, board=Board.parse("21r/1y1", 2, 2, LETTERS))
        ),
        Trigger.UNDONE: Undone("tablet", state.last_counting.id if state.last_counting else 1),
        Trigger.PAUSED: Paused("tablet"),
        Trigger.RESUMED: Resumed("tablet"),
        Trigger.RESIGNED: Resigned("tablet", Colour.RED, state.position),
        Trigger.RESIGNED_LAST: Resigned("tablet", Colour.RED, replace(state.position, winners=(Colour.YELLOW,))),
        Trigger.PASSED: TurnPassed(state.position.to_move, moved_on(state, "11r/1y1")),
        Trigger.PASSED_WON: TurnPassed(state.position.to_move, moved_on(state, "14r/1y1")),
        Trigger.ENDED: GameEnded("tablet", End.AGREEMENT, (Colour.RED,)),
        Trigger.DISPUTED: Disputed("tablet", len(state.disputes) + 1, len(state.history), "too far"),
        Trigger.RESOLVED: Resolved("tablet", len(state.disputes), Resolution.STANDS, "it was right"),
        Trigger.CLOCK: ClockMoved(CLOCK.turned(2, "yellow").going(True)),
        Trigger.CLOCK_SET: TimeGiven("tablet", "red", 30_000),
    }[trigger]


def moved_on(state: TableState, text: str) -> StepPosition:
    """The position after the turn under way, with a board of the players' own."""
    return GAME.accepted(GAME.position(state.position.to_json()), Board.parse(text, 2, 2, LETTERS))


def replace_winning(state: TableState) -> TurnRuled:
    after = start(
        board=Board.parse("14r/1y1", 2, 2, LETTERS), turn=state.position.turn + 1, winners=(state.position.to_move,)
    )
    return TurnRuled(Verdict.LEGAL, "14r/1y1", Ruling(True, (), (), (), {}, after, after.winners, True))


def state_in(phase: Phase) -> TableState:
    """A game in which red has played, yellow has given up and somebody disputes; an open turn where one can be."""
    state = begin(GameStarted(start(), clock=CLOCK))
    for event in (SetupAccepted("tablet"), LookTaken(1), reading(), ruled(state, "12r/1y1")):
        state = step(state, event)
    state = step(state, Disputed("tablet", 1, 1, "too far"))
    history = state.history
    if phase in (Phase.VIOLATION, Phase.UNSURE):
        verdict = Verdict.UNSURE if phase is Phase.UNSURE else None
        looked = step(step(state, LookTaken(2)), reading())
        history = step(looked, ruled(looked, "12r/4y4", verdict)).history
    return replace(
        state,
        phase=phase,
        look=3,
        awaiting=True,
        history=history,
        out=(Colour.YELLOW,),
        paused_in=Phase.BLIND if phase is Phase.PAUSED else None,
    )


def leads_to(phase: Phase, trigger: Trigger) -> Phase | None:
    """Where the table says a trigger leads, in ``state_in``; ``None`` where it can't be pulled."""
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


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("trigger", Trigger)
def test_each_step_leads_where_the_table_says_or_changes_nothing(phase: Phase, trigger: Trigger) -> None:
    state = state_in(phase)
    kept = replace(state)
    event = event_for(trigger, state)
    assert event.trigger is trigger
    if trigger in (Trigger.CONFIRMED, Trigger.TOLD):  # only where it was asked for, see below
        with pytest.raises(TableError, match=r"can't happen|nobody was asked|no look waits"):
            step(state, event)
    elif (to := leads_to(phase, trigger)) is not None:
        assert step(state, event).phase is to
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
    new = begin(GameStarted(start()))
    good = ruled(new, "12r/1y1").ruling
    bad = ruled(new, "13r/1y1").ruling
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

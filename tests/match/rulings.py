"""Build states, readings and rulings of the game of steps."""

from __future__ import annotations

from dataclasses import replace

from referee.games.contract import RuleId, Ruling, Violation
from referee.games.terra_turrium.colours import LETTERS, Colour
from referee.match.clock import Clock, TimeControl
from referee.match.events import (
    ArbiterOrdered,
    CalledOff,
    CameraNote,
    ChangedUnseen,
    ClockMoved,
    Disputed,
    End,
    Event,
    FieldTold,
    GameEnded,
    GameStarted,
    Legal,
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
    RuledAgain,
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
    TurnPutRight,
    TurnRetold,
    TurnRuled,
    TurnsRetold,
    Undone,
    Unsure,
    Verdict,
)
from referee.match.state import Entry
from referee.match.transitions import Phase, TableState, begin, step
from referee.values.board import Board, Field
from referee.values.words import say, verbatim
from tests.match.fakes import StepGame, StepPosition, start

GAME = StepGame()


CLOCK = Clock.starting(TimeControl(600, increment_s=5), ("red", "yellow"))


DIFFERENT = Violation(RuleId("set.up"), (Field(0, 1),), say("{at} looks different.", at=Field(0, 1)))


def reading(*, lost: bool = False, clear: bool = True) -> ReadingMade:
    return ReadingMade(
        text="11r/1y1",
        confidence=((0.99, 0.5), (1.0, 0.2)),
        tracks=(("nw", 1), ("se", None)),
        clear=clear,
        blocked=() if clear else (Field(0, 1),),
        cameras=(CameraNote("cam0", 8, None if lost else 0.31, verbatim("dark") if lost else None),),
        duration_ms=12.5,
    )


def ruled(state: TableState, observed: str, verdict: Verdict | None = None) -> TurnRuled:
    board = Board.parse(observed, 2, 2, LETTERS)
    if verdict is Verdict.UNSURE:
        return TurnRuled(observed, Unsure(doubts=(Field(1, 0),)))
    ruling = GAME.check(GAME.position(state.position.to_json()), board)
    return TurnRuled.by_rules(observed, ruling)


def is_legal(entry: Entry) -> bool:
    return entry.counts and entry.ruled is not None and entry.ruled.verdict is Verdict.LEGAL


def retold(entry: Entry) -> TurnRetold:
    """Return a legal turn told anew as it stands, one field left open."""
    assert entry.ruled is not None
    assert entry.ruled.ruling is not None
    return TurnRetold(entry.id, entry.before, entry.ruled.ruling, frozenset({Field(0, 1)}))


def put_right(state: TableState, won: bool = False) -> TurnPutRight:
    """Return the newest turn that counts put right as it stands, or, if there is none, one that can't be."""
    found = [entry for entry in state.history if entry.counts and entry.ruled is not None]
    position = replace(state.position, winners=(Colour.RED,)) if won else state.position
    if not found:
        return TurnPutRight("tablet", (RuledAgain(len(state.history) + 1, None, replace_winning(state)),), position)
    last = found[-1]
    ruled, after = last.ruled, last.after
    assert ruled is not None
    assert after is not None
    if won:
        ruled, after = replace(ruled, found=Unsure()), position
    return TurnPutRight("tablet", (RuledAgain(last.id, after, ruled, by_hand=True),), position)


def state_in(phase: Phase) -> TableState:
    """Return a game in which red has played, yellow has given up and somebody disputes.

    An open turn where one can be.
    """
    state = begin(GameStarted(start(), clock=CLOCK))
    gone = Resigned("tablet", Colour.YELLOW, start())
    for event in (SetupAccepted("tablet"), gone, LookTaken(1), reading(), ruled(state, "12r/1y1")):
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
        turn=replace(state.turn, checking=True),
        history=history,
        paused_in=Phase.BLIND if phase is Phase.PAUSED else None,
    )


def event_for(trigger: Trigger, state: TableState) -> Event:
    """Return some event that pulls a trigger, as it would come in this state."""
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
        Trigger.RETOLD: TurnsRetold(
            tuple(retold(entry) for entry in state.history if entry.ruled and is_legal(entry))
        ),
        Trigger.SOURCE_ENDED: SourceEnded("over"),
        Trigger.CHANGED_UNSEEN: ChangedUnseen(),
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
        Trigger.AGAIN: put_right(state),
        Trigger.AGAIN_WON: put_right(state, won=True),
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
        Trigger.ORDERED: ArbiterOrdered("Ana", "0" * 16, state.orders.newest.get("0" * 16, 0) + 1, "note", "seen"),
    }[trigger]


def moved_on(state: TableState, text: str) -> StepPosition:
    """Return the position after the turn under way, with a board of the players' own."""
    return GAME.accepted(GAME.position(state.position.to_json()), Board.parse(text, 2, 2, LETTERS))


def replace_winning(state: TableState) -> TurnRuled:
    after = start(
        board=Board.parse("14r/1y1", 2, 2, LETTERS), turn=state.position.turn + 1, winners=(state.position.to_move,)
    )
    return TurnRuled("14r/1y1", Legal(Ruling(True, (), (), (), {}, after, after.winners, True)))

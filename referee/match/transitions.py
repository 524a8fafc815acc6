"""A pure step from one state of a refereed game to the next (referee/match/phases.py is the table of transitions).

A state is made from events alone, so a journal replayed gives the state back. An event that can't happen in a
phase raises and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import replace
from functools import reduce
from typing import Any

from referee.games.contract import Position
from referee.match import clocksteps
from referee.match.events import (
    AnswersDrafted,
    ArbiterOrdered,
    CalledOff,
    ChangedUnseen,
    ClockLaidAside,
    ClockMoved,
    Disputed,
    Event,
    FieldTold,
    GameEnded,
    GameStarted,
    LeftOpen,
    LookTaken,
    Paused,
    PositionCorrected,
    PutBack,
    QuestionDenied,
    ReadingCorrected,
    ReadingMade,
    Resigned,
    Resolved,
    Resumed,
    RulingWithdrawn,
    SeatsTaken,
    SetupAccepted,
    SetupChecked,
    SourceEnded,
    TableChecked,
    TimeGiven,
    TimeTaken,
    Trigger,
    TurnAccepted,
    TurnConfirmed,
    TurnDeclared,
    TurnPassed,
    TurnPutRight,
    TurnRuled,
    TurnsRetold,
    Undone,
    Verdict,
    WhyUnsure,
)
from referee.match.phases import TRANSITIONS, Phase
from referee.match.retelling import turns_retold
from referee.match.rulingagain import turn_put_right
from referee.match.state import Dispute, Entry, EntryStatus, TableError, TableState, What, turn_after
from referee.match.turn import DraftedAnswers, EndOfTurn, TurnUnderWay, next_turn
from referee.values.board import BoardError
from referee.values.players import Player

__all__ = ["TRANSITIONS", "Dispute", "Entry", "EntryStatus", "Phase", "TableError", "TableState", "What"]
__all__ += ["begin", "replay", "step"]


def begin(event: Event) -> TableState:
    """Return the state of a table where a game begins. Raises TableError for any event but the beginning."""
    if not isinstance(event, GameStarted):
        raise TableError(f"{event.kind} can't happen before a game has begun")
    phase = Phase.FINISHED if event.position.finished else Phase.SET_UP
    return TableState(event, phase, next_turn(event.position), clock=event.clock)


def step(state: TableState, event: Event) -> TableState:
    """Return the state after an event. Raises TableError when it can't happen now."""
    if event.trigger is None:
        raise TableError(f"{event.kind} can't happen twice")
    leads = TRANSITIONS[state.phase]
    if event.trigger not in leads:
        raise TableError(f"{event.trigger} can't happen in the phase {state.phase}")
    follow = _STEPS.get(type(event))
    if follow is None:
        raise TableError(f"{event.kind} is no event a table knows")
    to = leads[event.trigger] or state.paused_in
    if to is None:
        raise TableError("a game that was not paused can't go on")
    moved: TableState = follow(state, replace(state, phase=to), event)
    return moved


def replay(events: Iterable[Event]) -> TableState | None:
    """Return the state after a journal's events, ``None`` for none. Raises TableError for impossible ones."""
    steps = iter(events)
    first = next(steps, None)
    return None if first is None else reduce(step, steps, begin(first))


def _looked(state: TableState, moved: TableState, event: LookTaken) -> TableState:
    if event.look != state.look + 1:
        raise TableError(f"look {event.look} can't follow look {state.look}")
    turn = state.turn
    if state.phase is Phase.SET_UP and not event.setup:  # begun on the players' word
        turn = next_turn(turn.position, declared=turn.declared, drafts=turn.drafts)
    # A turn that broke a rule may have been played anew: what witnesses said was said of another board.
    end = EndOfTurn() if state.phase is Phase.VIOLATION else replace(turn.end, board=None)
    return replace(moved, look=event.look, ended="", turn=replace(turn, end=end, checking=event.setup))


def _read(state: TableState, moved: TableState, event: ReadingMade) -> TableState:
    _require_look(state, event)
    checking = state.turn.checking and event.trigger is Trigger.SEEN
    return replace(moved, reading=event, turn=replace(state.turn, checking=checking))


def _setup_checked(state: TableState, moved: TableState, event: SetupChecked) -> TableState:
    _require_look(state, event)
    if event.trigger is Trigger.SETUP_RIGHT:
        return _begun(state, moved, event)
    end = state.turn.end if event.asks else EndOfTurn()
    position = event.position or state.position
    return replace(moved, turn=replace(state.turn, position=position, end=end, checking=False, checked=event))


def _begun(state: TableState, moved: TableState, event: SetupAccepted | SetupChecked) -> TableState:
    """Return the game as it begins. What was declared while the table was set up is of its first turn."""
    turn = state.turn
    return replace(moved, turn=next_turn(event.position or turn.position, declared=turn.declared, drafts=turn.drafts))


def _ruled(state: TableState, moved: TableState, event: TurnRuled) -> TableState:
    turn, before, after = state.turn, state.position, event.after
    entry = Entry(
        id=len(state.history) + 1,
        what=What.TURN,
        turn=before.turn,
        player=before.to_move,
        before=before,
        after=after,
        fate=EntryStatus.STANDS if after else EntryStatus.OPEN,
        ruled=event,
        reading=state.reading if turn.end.board is None else None,
        by_hand=turn.end.board is not None,
        declared=turn.declared,
        time_ms=state.clock.used_ms if state.clock is not None else None,
        since=turn.since,
        known=turn.end.known,
    )
    history = (*_closed(state, EntryStatus.TAKEN_BACK if state.played_anew(event) else EntryStatus.REPLACED), entry)
    if after is not None:
        return replace(moved, history=history, turn=turn_after(after, entry))
    end = replace(turn.end, confirmed=turn.end.confirmed and event.verdict is Verdict.UNSURE, board=None)
    return _ending(replace(moved, history=history), end)


def _put_back(state: TableState, moved: TableState, event: PutBack) -> TableState:
    history = _closed(state, EntryStatus.TAKEN_BACK)
    return replace(moved, history=history, turn=next_turn(state.position, state.turn.left_open, state.turn.since))


def _called_off(state: TableState, moved: TableState, event: CalledOff) -> TableState:
    history = _closed(state, EntryStatus.REPLACED)
    return _ending(replace(moved, history=history), EndOfTurn())


def went_on(state: TableState) -> TableState:
    """Return the state in which players went on although a turn was left unsure: all it may have led to may stand.

    Only an audit of pictures without players goes on so; at a table the players say what was done. Raises ValueError
    where no turn was left unsure.
    """
    turn = state.open_turn
    if state.phase is not Phase.UNSURE or turn is None or turn.ruled is None:
        raise ValueError("no turn was left unsure")
    left = state.turn.left_open
    track = turn.ruled.left_open.track or left.track or ((state.position, 0.0),)
    position = next((one for one, _ in track if not one.finished), track[0][0])
    following = next_turn(position, LeftOpen(track, left.suspicions))
    return replace(state, phase=Phase.PLAYING, turn=following, history=_closed(state, EntryStatus.REPLACED))


def _accepted(state: TableState, moved: TableState, event: TurnAccepted) -> TableState:
    turn = state.open_turn
    if turn is None:
        raise TableError("no turn waits to be accepted")
    accepted = replace(turn, fate=EntryStatus.ACCEPTED, after=event.position, by=event.by)
    return replace(moved.with_entry(accepted), turn=next_turn(event.position))


def _withdrawn(state: TableState, moved: TableState, event: RulingWithdrawn) -> TableState:
    if state.phase is Phase.BLIND:
        return moved
    turn = state.open_turn or _last_legal(state)
    if turn is None:
        raise TableError("no ruling can be withdrawn")
    return _back_at(state, moved, turn, EntryStatus.WITHDRAWN)


def _last_legal(state: TableState) -> Entry | None:
    """Return the turn the game went on from last, ``None`` when anything but passing over came after it."""
    for entry in reversed(state.history):
        if entry.counts and entry.what is not What.PASSED:
            return entry if entry.what is What.TURN and entry.fate is EntryStatus.STANDS else None
    return None


def _board_given(state: TableState, moved: TableState, event: ReadingCorrected) -> TableState:
    try:
        board = event.board_after(state.position)
    except BoardError as error:
        raise TableError(f"no board has these fields: {error}") from error
    return _ending(moved, replace(state.turn.end, board=board))


def _declared(state: TableState, moved: TableState, event: TurnDeclared) -> TableState:
    turn, ruled_on = replace(state.turn, declared=event.declared), state.open_turn
    if moved.phase is Phase.RULING and ruled_on is not None and ruled_on.ruled is not None and ruled_on.by_hand:
        turn = replace(turn, end=replace(turn.end, board=ruled_on.ruled.observed))
    return replace(moved, turn=turn)


def _drafted(state: TableState, moved: TableState, event: AnswersDrafted) -> TableState:
    others = {option: draft for option, draft in state.turn.drafts.items() if option != event.option}
    mine = {} if event.values is None else {event.option: DraftedAnswers(event.by, event.values)}
    return replace(moved, turn=replace(state.turn, drafts={**others, **mine}))


def _denied(state: TableState, moved: TableState, event: QuestionDenied) -> TableState:
    turn = state.open_turn
    if turn is None or turn.denied:
        raise TableError("nothing was asked of the players")
    return moved.with_entry(replace(turn, denied=True))


def _confirmed(state: TableState, moved: TableState, event: TurnConfirmed) -> TableState:
    if not state.unchanged:
        raise TableError("nobody was asked whether the turn is over")
    return _ending(moved, replace(state.turn.end, confirmed=True))


def _told(state: TableState, moved: TableState, event: FieldTold) -> TableState:
    turn = state.open_turn
    if state.phase is Phase.SET_UP:
        if state.awaiting or not set(event.told) <= {ask.field.name for ask in state.turn.asks}:
            raise TableError("nobody was asked what stands there")
    elif turn is None or turn.reading is None or not turn.reading.belief:
        raise TableError("no look waits for a witness")
    unsure = state.unsure
    asked = unsure.ask if unsure is not None and unsure.why is WhyUnsure.SWEPT else None
    return witnessed(moved, event.told, {asked.field.name} if asked is not None else set())


def witnessed(state: TableState, told: Mapping[str, str], fall_asked: Set[str]) -> TableState:
    """Return the state in which somebody said what stands on fields, on some when asked whether something fell."""
    end = state.turn.end
    stood = end.stood | (fall_asked & told.keys())
    return _ending(state, replace(end, known={**end.known, **told}, stood=stood))


def _corrected(state: TableState, moved: TableState, event: PositionCorrected) -> TableState:
    if event.position.finished:
        raise TableError("a corrected position is one that is played on")
    history = (*_closed(state, EntryStatus.REPLACED), _entry(state, What.CORRECTION, event.position, event.by))
    return replace(moved, turn=next_turn(event.position), history=history)


def _undone(state: TableState, moved: TableState, event: Undone) -> TableState:
    first = state.entry(event.entry)
    if first is None or not first.counts:
        raise TableError(f"entry {event.entry} of the record is none that can be undone")
    return _back_at(state, moved, first, EntryStatus.UNDONE)


def _disputed(state: TableState, moved: TableState, event: Disputed) -> TableState:
    if event.dispute != len(state.disputes) + 1 or state.entry(event.entry) is None:
        raise TableError(f"dispute {event.dispute} on entry {event.entry} can't be opened")
    opened = Dispute(event.dispute, event.entry, event.by, event.words)
    return replace(moved, disputes=(*state.disputes, opened))


def _resolved(state: TableState, moved: TableState, event: Resolved) -> TableState:
    found = next((d for d in state.disputes if d.id == event.dispute and d.outcome is None), None)
    if found is None:
        raise TableError(f"dispute {event.dispute} is not open")
    settled = replace(found, outcome=event.outcome, settled_by=event.by, settled_words=event.words)
    return replace(moved, disputes=tuple(settled if d.id == settled.id else d for d in state.disputes))


def _resigned(state: TableState, moved: TableState, event: Resigned) -> TableState:
    if event.player in state.out:
        raise TableError(f"{event.player.word} has given up already")
    resigned = _entry(state, What.RESIGNED, event.position, event.by, event.player)
    turn = _still_open(state, event.position)
    if moved.phase is Phase.PLAYING and event.player is not state.position.to_move:  # somebody else goes on playing
        turn = replace(turn, declared=state.turn.declared, drafts=state.turn.drafts)
    return replace(moved, turn=turn, history=(*_closed(state, EntryStatus.REPLACED), resigned))


def _passed(state: TableState, moved: TableState, event: TurnPassed) -> TableState:
    if event.player is not state.position.to_move or event.player not in state.out:
        raise TableError(f"{event.player.word} can't be passed over now")
    history = (*state.history, _entry(state, What.PASSED, event.position, "", event.player))
    return replace(moved, turn=_still_open(state, event.position), history=history)


def _ended(state: TableState, moved: TableState, event: GameEnded) -> TableState:
    history = (*_closed(state, EntryStatus.REPLACED), _entry(state, What.ENDED, state.position, event.by))
    return replace(moved, turn=next_turn(state.position), history=history, result=event, paused_in=None)


_STEPS: dict[type[Any], Callable[[TableState, TableState, Any], TableState]] = {
    LookTaken: _looked,
    ReadingMade: _read,
    SetupChecked: _setup_checked,
    SetupAccepted: _begun,
    SeatsTaken: lambda state, moved, event: replace(moved, turn=next_turn(event.position)),
    TurnRuled: _ruled,
    TurnsRetold: turns_retold,
    TurnPutRight: turn_put_right,
    PutBack: _put_back,
    CalledOff: _called_off,
    TurnAccepted: _accepted,
    RulingWithdrawn: _withdrawn,
    ReadingCorrected: _board_given,
    TurnDeclared: _declared,
    AnswersDrafted: _drafted,
    QuestionDenied: _denied,
    TurnConfirmed: _confirmed,
    FieldTold: _told,
    PositionCorrected: _corrected,
    Undone: _undone,
    Paused: lambda state, moved, event: replace(moved, paused_in=state.phase),
    Resumed: lambda state, moved, event: replace(moved, paused_in=None),
    Disputed: _disputed,
    Resolved: _resolved,
    Resigned: _resigned,
    TurnPassed: _passed,
    GameEnded: _ended,
    SourceEnded: lambda state, moved, event: replace(moved, ended=event.words),
    TableChecked: lambda state, moved, event: moved,  # the record keeps it; play goes on unchanged
    ChangedUnseen: lambda state, moved, event: replace(moved, turn=replace(state.turn, unseen=True)),
    ClockMoved: clocksteps.clock_moved,
    TimeGiven: clocksteps.time_given,
    ClockLaidAside: clocksteps.laid_aside,
    TimeTaken: clocksteps.time_taken,
    ArbiterOrdered: clocksteps.ordered,
}


def _ending(moved: TableState, end: EndOfTurn) -> TableState:
    """Return the table with what people say now of the board at the end of the turn."""
    return replace(moved, turn=replace(moved.turn, end=end))


def _still_open(state: TableState, position: Position) -> TurnUnderWay:
    """Return the turn at a position to which no turn led: what may stand instead of the one before may still."""
    return next_turn(position, state.turn.left_open, state.turn.since, unseen=state.turn.unseen)


def _back_at(state: TableState, moved: TableState, first: Entry, fate: EntryStatus) -> TableState:
    """Return the table before an entry, which gets that fate; what the turn before it left open is open again."""
    history = tuple(
        replace(entry, fate=fate if entry.id == first.id else EntryStatus.UNDONE)
        if entry.id >= first.id and (entry.counts or entry.fate is EntryStatus.OPEN)
        else entry
        for entry in state.history
    )
    back = replace(moved, history=history, result=None)
    led = back.last_moved
    return replace(back, turn=turn_after(first.before, led))


def _entry(state: TableState, what: What, after: Position, by: str, player: Player | None = None) -> Entry:
    before = state.position
    number = len(state.history) + 1
    return Entry(number, what, before.turn, player or before.to_move, before, after, EntryStatus.STANDS, by)


def _closed(state: TableState, fate: EntryStatus) -> tuple[Entry, ...]:
    """Return the record with the turn that waited for the players closed."""
    turn = state.open_turn
    return state.history if turn is None else state.with_entry(replace(turn, fate=fate)).history


def _require_look(state: TableState, event: Event) -> None:
    if not state.awaiting:
        raise TableError(f"{event.kind} can't happen without a look that asked for it")

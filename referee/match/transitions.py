"""A pure step from one state of a refereed game to the next (referee/match/phases.py is the table of transitions).

A state is made from events alone, so a journal replayed gives the state back. An event that can't happen in a
phase raises and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
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
    TurnRuled,
    TurnsRetold,
    Undone,
    Verdict,
)
from referee.match.phases import TRANSITIONS, Phase
from referee.match.retelling import turns_retold
from referee.match.state import Dispute, DraftedAnswers, Entry, EntryStatus, TableError, TableState, What
from referee.values.board import BoardError
from referee.values.players import Player

__all__ = ["TRANSITIONS", "Dispute", "Entry", "EntryStatus", "Phase", "TableError", "TableState", "What"]
__all__ += ["begin", "replay", "step"]


def begin(event: Event) -> TableState:
    """Return the state of a table where a game begins. Raises TableError for any event but the beginning."""
    if not isinstance(event, GameStarted):
        raise TableError(f"{event.kind} can't happen before a game has begun")
    phase = Phase.FINISHED if event.position.finished else Phase.SET_UP
    players = dict(event.players)
    return TableState(
        phase, event.position, event.source, players=players, recorded=event.recorded, clock=event.clock
    )


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
    # A turn that broke a rule may have been played anew: what witnesses said was said of another board.
    known = {} if state.phase is Phase.VIOLATION else state.known
    return replace(moved, look=event.look, awaiting=True, ended="", corrected=None, known=known)


def _read(state: TableState, moved: TableState, event: ReadingMade) -> TableState:
    _require_look(state, event)
    return replace(moved, reading=event, awaiting=event.trigger is Trigger.SEEN)


def _setup_checked(state: TableState, moved: TableState, event: SetupChecked) -> TableState:
    _require_look(state, event)
    position, known = event.position or state.position, state.known if event.asks else {}
    found = replace(moved, setup=event.differences, asks=event.asks, other=event.other)
    return replace(found, awaiting=False, position=position, known=known)


def _setup_accepted(state: TableState, moved: TableState, event: SetupAccepted) -> TableState:
    position = event.position or state.position
    return replace(moved, awaiting=False, setup=(), asks=(), other=None, position=position, known={})


def _reseated(state: TableState, moved: TableState, event: SeatsTaken) -> TableState:
    return replace(_placed(moved, event.position), setup=None)


def _ruled(state: TableState, moved: TableState, event: TurnRuled) -> TableState:
    _require_look(state, event)
    before = state.position
    after = event.ruling.next if event.verdict is Verdict.LEGAL and event.ruling is not None else None
    entry = Entry(
        id=len(state.history) + 1,
        what=What.TURN,
        turn=before.turn,
        player=before.to_move,
        before=before,
        after=after,
        fate=EntryStatus.STANDS if after else EntryStatus.OPEN,
        ruled=event,
        reading=state.reading if state.corrected is None else None,
        by_hand=state.corrected is not None,
        declared=state.declared,
        time_ms=state.clock.used_ms if state.clock is not None else None,
        since=state.tracked,
    )
    position = after or before
    track = event.track
    if event.verdict is Verdict.UNSURE:  # later looks show the same turn: positions after it are useless
        track = tuple(item for item in track if item[0].turn == position.turn)
    history = (*_closed(state, EntryStatus.TAKEN_BACK if state.played_anew(event) else EntryStatus.REPLACED), entry)
    return replace(
        moved,
        awaiting=False,
        position=position,
        history=history,
        track=track,
        tracked=entry.id if after else state.tracked,
        corrected=None,
        declared={} if after else state.declared,
        drafts={} if after else state.drafts,
        confirmed=state.confirmed and event.verdict is Verdict.UNSURE,
        known={} if after else state.known,
        unseen=state.unseen and after is None,
        suspicions=event.suspicions,
    )


def _put_back(state: TableState, moved: TableState, event: PutBack) -> TableState:
    closed = _closed(state, EntryStatus.TAKEN_BACK)
    return replace(moved, history=closed, declared={}, drafts={}, known={}, unseen=False)


def _called_off(state: TableState, moved: TableState, event: CalledOff) -> TableState:
    history = _closed(state, EntryStatus.REPLACED)
    return replace(moved, awaiting=False, corrected=None, confirmed=False, known={}, history=history)


def _accepted(state: TableState, moved: TableState, event: TurnAccepted) -> TableState:
    turn = state.open_turn
    if turn is None:
        raise TableError("no turn waits to be accepted")
    accepted = replace(turn, fate=EntryStatus.ACCEPTED, after=event.position, by=event.by)
    return replace(_placed(moved, event.position), history=_with(state, accepted))


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
    return replace(moved, awaiting=True, corrected=board)


def _declared(state: TableState, moved: TableState, event: TurnDeclared) -> TableState:
    turn = state.open_turn
    if moved.phase is not Phase.RULING or turn is None or turn.ruled is None:
        return replace(moved, declared=event.declared)
    board = turn.ruled.observed if turn.by_hand else None
    return replace(moved, declared=event.declared, awaiting=True, corrected=board)


def _drafted(state: TableState, moved: TableState, event: AnswersDrafted) -> TableState:
    others = {option: draft for option, draft in state.drafts.items() if option != event.option}
    mine = {} if event.values is None else {event.option: DraftedAnswers(event.by, event.values)}
    return replace(moved, drafts={**others, **mine})


def _denied(state: TableState, moved: TableState, event: QuestionDenied) -> TableState:
    turn = state.open_turn
    if turn is None or turn.denied:
        raise TableError("nothing was asked of the players")
    return replace(moved, history=_with(state, replace(turn, denied=True)))


def _confirmed(state: TableState, moved: TableState, event: TurnConfirmed) -> TableState:
    if not state.unchanged:
        raise TableError("nobody was asked whether the turn is over")
    return replace(moved, awaiting=True, confirmed=True)


def _told(state: TableState, moved: TableState, event: FieldTold) -> TableState:
    turn, known = state.open_turn, {**state.known, **event.told}
    if state.phase is Phase.SET_UP:
        if state.awaiting or not set(event.told) <= {ask.field.name for ask in state.asks}:
            raise TableError("nobody was asked what stands there")
        return replace(moved, known=known)
    if turn is None or turn.reading is None or not turn.reading.belief:
        raise TableError("no look waits for a witness")
    return replace(moved, awaiting=True, known=known)


def _corrected(state: TableState, moved: TableState, event: PositionCorrected) -> TableState:
    if event.position.finished:
        raise TableError("a corrected position is one that is played on")
    history = (*_closed(state, EntryStatus.REPLACED), _entry(state, What.CORRECTION, event.position, event.by))
    setup = None if moved.phase is Phase.SET_UP else state.setup
    return replace(_placed(moved, event.position), history=history, setup=setup)


def _undone(state: TableState, moved: TableState, event: Undone) -> TableState:
    first = state.entry(event.entry)
    if first is None or not first.counts:
        raise TableError(f"entry {event.entry} of the record is none that can be undone")
    return _back_at(state, moved, first, EntryStatus.UNDONE)


def _paused(state: TableState, moved: TableState, event: Paused) -> TableState:
    return replace(moved, paused_in=state.phase)


def _resumed(state: TableState, moved: TableState, event: Resumed) -> TableState:
    return replace(moved, paused_in=None)


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
    history = (
        *_closed(state, EntryStatus.REPLACED),
        _entry(state, What.RESIGNED, event.position, event.by, event.player),
    )
    placed = replace(_still_open(state, moved, event.position), history=history, out=(*state.out, event.player))
    if moved.phase is not Phase.PLAYING or event.player is state.position.to_move:
        return placed
    return replace(placed, declared=state.declared, drafts=state.drafts)  # of a turn that somebody else plays


def _passed(state: TableState, moved: TableState, event: TurnPassed) -> TableState:
    if event.player is not state.position.to_move or event.player not in state.out:
        raise TableError(f"{event.player.word} can't be passed over now")
    history = (*state.history, _entry(state, What.PASSED, event.position, "", event.player))
    return replace(_still_open(state, moved, event.position), history=history)


def _ended(state: TableState, moved: TableState, event: GameEnded) -> TableState:
    history = (*_closed(state, EntryStatus.REPLACED), _entry(state, What.ENDED, state.position, event.by))
    return replace(_placed(moved, state.position), history=history, result=event, paused_in=None)


def _source_ended(state: TableState, moved: TableState, event: SourceEnded) -> TableState:
    return replace(moved, ended=event.words)


_STEPS: dict[type[Any], Callable[[TableState, TableState, Any], TableState]] = {
    LookTaken: _looked,
    ReadingMade: _read,
    SetupChecked: _setup_checked,
    SetupAccepted: _setup_accepted,
    SeatsTaken: _reseated,
    TurnRuled: _ruled,
    TurnsRetold: turns_retold,
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
    Paused: _paused,
    Resumed: _resumed,
    Disputed: _disputed,
    Resolved: _resolved,
    Resigned: _resigned,
    TurnPassed: _passed,
    GameEnded: _ended,
    SourceEnded: _source_ended,
    TableChecked: lambda state, moved, event: moved,  # the record keeps it; play goes on unchanged
    ChangedUnseen: lambda state, moved, event: replace(moved, unseen=True),
    ClockMoved: clocksteps.clock_moved,
    TimeGiven: clocksteps.time_given,
    ClockLaidAside: clocksteps.laid_aside,
    TimeTaken: clocksteps.time_taken,
    ArbiterOrdered: clocksteps.ordered,
}


def _placed(moved: TableState, position: Position) -> TableState:
    """Return the table at a position that is known for certain, with no look awaited."""
    bare = replace(moved, awaiting=False, corrected=None, declared={}, drafts={}, confirmed=False, known={})
    return replace(bare, track=(), tracked=0, position=position, asks=(), other=None, unseen=False, suspicions=())


def _still_open(state: TableState, moved: TableState, position: Position) -> TableState:
    """Return the table at a position to which no turn led: what may stand instead of the one before may still."""
    return replace(_placed(moved, position), track=state.track, tracked=state.tracked, suspicions=state.suspicions)


def _back_at(state: TableState, moved: TableState, first: Entry, fate: EntryStatus) -> TableState:
    """Return the table before an entry, which gets that fate; what the turn before it left open is open again."""
    history = tuple(
        replace(entry, fate=fate if entry.id == first.id else EntryStatus.UNDONE)
        if entry.id >= first.id and (entry.counts or entry.fate is EntryStatus.OPEN)
        else entry
        for entry in state.history
    )
    placed = replace(_placed(moved, first.before), history=history, out=_given_up(history), result=None)
    led = placed.last_moved
    if led is None or led.ruled is None or led.fate is not EntryStatus.STANDS:
        return placed
    return replace(placed, track=led.ruled.track, tracked=led.id, suspicions=led.ruled.suspicions)


def _entry(state: TableState, what: What, after: Position, by: str, player: Player | None = None) -> Entry:
    before = state.position
    number = len(state.history) + 1
    return Entry(number, what, before.turn, player or before.to_move, before, after, EntryStatus.STANDS, by)


def _closed(state: TableState, fate: EntryStatus) -> tuple[Entry, ...]:
    """Return the record with the turn that waited for the players closed."""
    turn = state.open_turn
    return state.history if turn is None else _with(state, replace(turn, fate=fate))


def _with(state: TableState, entry: Entry) -> tuple[Entry, ...]:
    return tuple(entry if old.id == entry.id else old for old in state.history)


def _given_up(history: tuple[Entry, ...]) -> tuple[Player, ...]:
    return tuple(entry.player for entry in history if entry.what is What.RESIGNED and entry.counts)


def _require_look(state: TableState, event: Event) -> None:
    if not state.awaiting:
        raise TableError(f"{event.kind} can't happen without a look that asked for it")

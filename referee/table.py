"""The phases of a refereed game: one table of transitions, and a pure step from one state to the next.

A state is made from events alone, so a journal replayed gives the state back. An event that can't happen in a
phase raises and changes nothing.

Weak spots, known: a reading says nothing about the time between looks, so ``BLIND`` is entered only when the end of
a turn is to be ruled; and a restart between a reading and its ruling reads again, because a belief is not kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import reduce

from referee.board import Board, Colour
from referee.events import (
    Event,
    GameStarted,
    LookTaken,
    ReadingMade,
    SetupChecked,
    SourceEnded,
    Trigger,
    TurnRuled,
    Verdict,
)
from referee.ruling import Position, Violation


class Phase(StrEnum):
    """Where a refereed game stands."""

    SET_UP = "set-up"
    PLAYING = "playing"
    READING = "reading"
    RULING = "ruling"
    VIOLATION = "violation"
    UNSURE = "unsure"
    BLIND = "blind"
    FINISHED = "finished"


TRANSITIONS: dict[Phase, dict[Trigger, Phase]] = {
    Phase.SET_UP: {
        Trigger.SETUP_LOOK: Phase.SET_UP,
        Trigger.SEEN: Phase.SET_UP,
        Trigger.COVERED: Phase.SET_UP,
        Trigger.LOST: Phase.SET_UP,
        Trigger.SETUP_WRONG: Phase.SET_UP,
        Trigger.SETUP_RIGHT: Phase.PLAYING,
        # Players may begin on their own word: the position they agreed on stands.
        Trigger.TURN_ENDED: Phase.READING,
    },
    Phase.PLAYING: {Trigger.TURN_ENDED: Phase.READING},
    Phase.READING: {Trigger.SEEN: Phase.RULING, Trigger.COVERED: Phase.BLIND, Trigger.LOST: Phase.BLIND},
    Phase.RULING: {
        Trigger.LEGAL: Phase.PLAYING,
        Trigger.WON: Phase.FINISHED,
        Trigger.ILLEGAL: Phase.VIOLATION,
        Trigger.UNSURE: Phase.UNSURE,
        # Read again: after a restart the belief behind the ruling is gone.
        Trigger.SEEN: Phase.RULING,
        Trigger.COVERED: Phase.BLIND,
        Trigger.LOST: Phase.BLIND,
    },
    # The turn was taken back and played again, or the players ask for another look.
    Phase.VIOLATION: {Trigger.TURN_ENDED: Phase.READING},
    Phase.UNSURE: {Trigger.TURN_ENDED: Phase.READING},
    Phase.BLIND: {Trigger.TURN_ENDED: Phase.READING},
    Phase.FINISHED: {},
}
for _phase, _leads in TRANSITIONS.items():
    _leads[Trigger.SOURCE_ENDED] = _phase


class TableError(Exception):
    """An event that can't happen as the table stands; the table is unchanged."""


@dataclass(frozen=True, slots=True)
class JudgedTurn:
    """A turn and what the referee said of it. before: the board it started from."""

    number: int
    player: Colour
    before: Board
    ruled: TurnRuled


@dataclass(frozen=True, slots=True)
class TableState:
    """A refereed game at one moment.

    look: number of the newest look, 0 for none. awaiting: it has no outcome yet, so it must be taken again after a
    restart. reading: the newest one. setup: what differed when the set-up was last looked at, ``None`` before.
    ended: why no more pictures come, empty as long as they do.
    """

    phase: Phase
    position: Position
    source: str = ""
    look: int = 0
    awaiting: bool = False
    reading: ReadingMade | None = None
    setup: tuple[Violation, ...] | None = None
    history: tuple[JudgedTurn, ...] = ()
    ended: str = ""

    @property
    def last(self) -> JudgedTurn | None:
        """The turn ruled last."""
        return self.history[-1] if self.history else None


def begin(event: Event) -> TableState:
    """The state of a table where a game begins. Raises TableError for any event but the beginning."""
    if not isinstance(event, GameStarted):
        raise TableError(f"{event.kind} can't happen before a game has begun")
    return TableState(Phase.FINISHED if event.position.finished else Phase.SET_UP, event.position, event.source)


def step(state: TableState, event: Event) -> TableState:
    """The state after an event. Raises TableError, and leaves the state as it was, when it can't happen now."""
    if event.trigger is None:
        raise TableError(f"{event.kind} can't happen twice")
    try:
        phase = TRANSITIONS[state.phase][event.trigger]
    except KeyError:
        raise TableError(f"{event.trigger} can't happen in the phase {state.phase}") from None
    moved = replace(state, phase=phase)
    match event:
        case LookTaken():
            return _looked(state, moved, event)
        case ReadingMade():
            return _read(state, moved, event)
        case SetupChecked():
            _require_look(state, event)
            return replace(moved, awaiting=False, setup=event.differences)
        case TurnRuled():
            return _ruled(state, moved, event)
        case SourceEnded():
            return replace(moved, ended=event.words)
    raise TableError(f"{event.kind} is no event a table knows")


def replay(events: Iterable[Event]) -> TableState | None:
    """The state a journal's events lead to, ``None`` for an empty one. Raises TableError when they can't be."""
    steps = iter(events)
    first = next(steps, None)
    return None if first is None else reduce(step, steps, begin(first))


def _looked(state: TableState, moved: TableState, event: LookTaken) -> TableState:
    if event.look != state.look + 1:
        raise TableError(f"look {event.look} can't follow look {state.look}")
    return replace(moved, look=event.look, awaiting=True, ended="")


def _read(state: TableState, moved: TableState, event: ReadingMade) -> TableState:
    _require_look(state, event)
    return replace(moved, reading=event, awaiting=event.trigger is Trigger.SEEN)


def _ruled(state: TableState, moved: TableState, event: TurnRuled) -> TableState:
    _require_look(state, event)
    before = state.position
    turn = JudgedTurn(before.turn, before.to_move, before.board, event)
    after = event.ruling.next if event.verdict is Verdict.LEGAL and event.ruling is not None else None
    return replace(moved, awaiting=False, position=after or before, history=(*state.history, turn))


def _require_look(state: TableState, event: Event) -> None:
    if not state.awaiting:
        raise TableError(f"{event.kind} can't happen without a look that asked for it")

"""One game as the turn loop plays it: its record, what is remembered between looks, and how events are written.

Nothing that counts is here and not in the journal: what a ruling rests on is read back from the newest reading's
event, so that a referee killed between reading and ruling rules just as it would have.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.daemon.observer import TurnObserver
from referee.daemon.outcomes import (
    Judge,
    encoded,
    hindrance,
    kept_pictures,
    known_fields,
    known_look,
    memory_of,
    reading_made,
    ruled_by_hand,
    setup_checked,
    standing_frames,
    sure_board,
    track_of,
    turn_ruled,
)
from referee.daemon.session import GameSession
from referee.judging.context import Context, TurnSeen
from referee.match.events import AnyGame, Event, LookTaken, ReadingMade, Trigger, TurnPassed, TurnRuled, Verdict
from referee.match.phases import Phase
from referee.match.transitions import step
from referee.values.belief import unpacked_unchanged
from vision.heights.change import Look
from vision.reading import Reading

_LOG = logging.getLogger(__name__)
_OWN = frozenset(
    {Trigger.SETUP_LOOK, Trigger.SEEN, Trigger.COVERED, Trigger.LOST, Trigger.SETUP_WRONG, Trigger.CHECKED}
)
"""What the referee sees by itself: a decision made before it is still meant."""

Pictures = Mapping[str, NDArray[np.uint8]]
ReadAgain = Callable[[Pictures], Reading | None]
"""Reads pictures that were kept; ``None`` where they say nothing any more."""


class PlayedGame:
    """A game under way. ``state`` is all that counts; the rest is made anew when the game is taken up again."""

    def __init__(
        self, game: AnyGame, session: GameSession, judge: Judge, on_event: Callable[[], None], begun: bool = False
    ) -> None:
        """on_event: called after every event that was written. begun: the game begins now, and was not taken up."""
        self.game, self.session, self.state = game, session, session.state
        self.observer = TurnObserver(game, session.state)
        self.memory = memory_of(session.state)
        self.known: Look = {}
        self.own_events = 0
        self.unseen = begun
        self._judge, self._on_event = judge, on_event
        self._newest: Look | None = None

    # Events

    def happen(self, *events: Event) -> None:
        """Let events happen. All steps come first: what can't happen must not be written.

        Raises TableError, then nothing has happened, and JournalError.
        """
        after = self.state
        for event in events:
            after = step(after, event)
        for event in events:
            self._write(event)
        if self._passes():
            self.happen(TurnPassed(self.state.position.to_move, self.game.passed(self.state.position)))

    def _write(self, event: Event) -> None:
        after = step(self.state, event)
        self.session.journal.append(event.kind, event.to_json())
        self.state = after
        self.observer.moved_on(after)
        self.own_events = self.own_events + 1 if event.trigger in _OWN else 0
        _LOG.debug("happened kind=%s phase=%s turn=%d", event.kind, after.phase, after.position.turn)
        self._on_event()

    def _passes(self) -> bool:
        state = self.state
        return state.position.to_move in state.out and state.phase in (Phase.PLAYING, Phase.RESTORING)

    # Looks

    @property
    def since(self) -> tuple[Look, Any] | None:
        """The last known look, for the eyes to compare the next one with."""
        return None if self.memory is None or not self.known else (self.known, self.memory.board)

    def remember(self, read_again: ReadAgain) -> None:
        """After a restart: what the cameras saw of the last known board, from the pictures kept of it."""
        known = known_look(self.state)
        if known is not None:
            reading = read_again(kept_pictures(self.session.evidence, known[0]))
            self.known = {} if reading is None else reading.look

    def taken(self, pictures: Pictures, reading: Reading) -> None:
        """Write a look down, its pictures first."""
        kept = self.session.keep(encoded(pictures))
        self._newest = reading.look
        self.happen(reading_made(reading, kept, self.observer.frames))

    def begin_from(self, reading: Reading) -> None:
        """Compare the set-up with the game's, and begin where nothing differs."""
        board = sure_board(reading, self.state.position.observed)
        self.happen(setup_checked(self.game, self.state.position, board))

    def looked_at_setup(self, reading: Reading) -> bool:
        """Take in a look at the set-up nobody asked for; whether everything is seen and right."""
        board = sure_board(reading, self.state.position.observed)
        checked = setup_checked(self.game, self.state.position, board)
        self.observer.setup_seen(checked, reading.text)
        return not checked.differences and not set("?~") & set(reading.text)

    def looked_at_turn(self, reading: Reading) -> bool:
        """Take in a look at a still board nobody asked for; whether it is back as it was before the turn."""
        memory = None if self.memory is None else replace(self.memory, unchanged=reading.unchanged)
        return self.observer.looked(self.state, reading, memory)

    def look_again(self) -> None:
        """The referee takes a look of its own accord."""
        self.happen(LookTaken(self.state.look + 1, setup=self.state.phase is Phase.SET_UP))

    # Rulings

    @property
    def can_rule(self) -> bool:
        """Whether a ruling is due and all it rests on is in the record."""
        state = self.state
        return state.phase is Phase.RULING and bool(state.corrected or (state.reading and state.reading.belief))

    def rule(self) -> TurnRuled:
        """Rule on the board the players gave, or on the newest reading as the journal has it."""
        state = self.state
        if state.corrected:
            event = ruled_by_hand(self.game, state.position, state.corrected, state.declared)
            self.happen(event)
            return event
        assert state.reading is not None
        event = self._ruled(state.reading)
        self.happen(event)
        if self.state.history and self.state.history[-1].ruled is event and event.verdict is not Verdict.UNSURE:
            self.memory, self.known = memory_of(self.state), self._newest or {}
        return event

    def _ruled(self, reading: ReadingMade) -> TurnRuled:
        """The judge's word on a reading, from what the journal holds and nothing else."""
        state, before = self.state, self.state.position.observed
        context = Context(track_of(state), self.memory, suspicions=state.suspicions)
        seen = TurnSeen(
            reading.unpacked_belief(before.letters),
            unpacked_unchanged(reading.unchanged) if reading.unchanged else None,
            standing_frames(reading, before),
            known_fields(state.known, before.letters),
            declared=state.declared,
        )
        decision, after = self._judge(self.game, context, seen)
        if decision.kind == "unsure" and state.declared:
            why = hindrance(self.game, state.position, decision.observed, state.declared)
            return replace(turn_ruled(decision, after), why=why)
        if decision.kind == "unsure" or decision.observed != before.text or state.declared:
            return turn_ruled(decision, after)
        if not state.confirmed:
            return TurnRuled(Verdict.UNSURE, before.text, None, track=context.hypotheses.positions, unchanged=True)
        return _unseen(turn_ruled(decision, after))


def _unseen(event: TurnRuled) -> TurnRuled:
    """A ruling on a board that did not change, without the acts that would explain it: nobody saw them."""
    ruling = event.ruling
    return event if ruling is None or not ruling.legal else replace(event, ruling=replace(ruling, acts=()))

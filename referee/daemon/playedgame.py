"""One game as the turn loop plays it: its record, who looks on, and how events are written.

Nothing that counts is here and not in the journal.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.daemon.framesource import Pictures
from referee.daemon.gameclock import GameClock
from referee.daemon.onlooker import LookSeen, Onlooker
from referee.daemon.outcomes import encoded, ruled_by_hand
from referee.daemon.session import GameSession
from referee.match.events import AnyGame, Event, LookTaken, Trigger, TurnPassed, TurnRuled
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.match.transitions import step

_LOG = logging.getLogger(__name__)
_OWN = frozenset(
    {
        Trigger.SETUP_LOOK,
        Trigger.SEEN,
        Trigger.COVERED,
        Trigger.LOST,
        Trigger.SETUP_WRONG,
        Trigger.CHECKED,
        Trigger.CLOCK,
    }
)
"""What the referee sees by itself: a decision made before it is still meant."""


class PlayedGame:
    """A game under way. ``state`` is all that counts; the rest is made anew when the game is taken up again."""

    def __init__(
        self,
        game: AnyGame,
        session: GameSession,
        watching: Callable[[TableState], Onlooker],
        on_event: Callable[[], None],
        begun: bool = False,
    ) -> None:
        """watching: makes the onlooker of the game's kind. on_event: called after every event that was written.

        begun: the game begins now, and was not taken up.
        """
        self.game, self.session, self.state = game, session, session.state
        self.onlooker = watching(session.state)
        self.own_events = 0
        self.clock = GameClock()
        self.unseen = begun
        self._on_event = on_event

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
        self.onlooker.moved_on(after, event)
        self.own_events = self.own_events + 1 if event.trigger in _OWN else 0
        _LOG.debug("happened kind=%s phase=%s turn=%d", event.kind, after.phase, after.position.turn)
        self._on_event()

    def tick(self, now_s: float, held: bool) -> None:
        """Let the game clock go on or stand as the game does. held: a fault stops it. Raises JournalError."""
        event = self.clock.due(self.state, now_s, held)
        if event is not None:
            self.happen(event)

    def _passes(self) -> bool:
        state = self.state
        return state.position.to_move in state.out and state.phase in (Phase.PLAYING, Phase.RESTORING)

    # Looks

    def remember(self) -> None:
        """After a restart: what pictures that were kept still tell."""
        self.onlooker.remember(self.state, self.session.evidence)

    def read(self, pictures: Pictures) -> LookSeen:
        """Read one look. Raises CalibrationError."""
        return self.onlooker.read(self.state, pictures)

    def taken(self, pictures: Pictures, seen: Any, alone: NDArray[np.bool_] | None = None) -> None:
        """Write a look down, its pictures first. alone: (rows, columns), the fields no hand came near."""
        kept = self.session.keep(encoded(pictures))
        self.happen(self.onlooker.reading(seen, kept, alone))

    def blind(self, cameras: list[str], problem: str) -> None:
        """Write down that a look showed nothing."""
        self.happen(self.onlooker.blind(self.state, cameras, problem))

    def begin_from(self, seen: Any) -> None:
        """Compare the set-up with the game's, and begin where nothing differs."""
        self.happen(self.onlooker.setup(self.state, seen))

    def look_again(self) -> None:
        """The referee takes a look of its own accord."""
        self.happen(LookTaken(self.state.look + 1, setup=self.state.phase is Phase.SET_UP))

    # Rulings

    @property
    def can_rule(self) -> bool:
        """Whether a ruling is due and all it rests on is in the record."""
        state = self.state
        if state.phase is not Phase.RULING:
            return False
        return bool(state.corrected) or (state.reading is not None and self.onlooker.can_rule(state.reading))

    def rule(self) -> TurnRuled:
        """Rule on the board the players gave, or on the newest reading as the journal has it."""
        state = self.state
        if state.corrected:
            event = ruled_by_hand(self.game, state.position, state.corrected, state.declared)
        else:
            assert state.reading is not None
            event = self.onlooker.ruled(state, state.reading)
        self.happen(event)
        return event

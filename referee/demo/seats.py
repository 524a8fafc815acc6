"""Play the seats that nobody has taken: the game plays them, with hands on the table and a press of the button."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

from referee.daemon import CommandQueue
from referee.games.answers import HasFields
from referee.games.package import GamePackage
from referee.match.commands import Name, actions
from referee.match.live import Live
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.opponents import Opponent, OpponentError, OpponentTurn, Strength
from referee.values.declaring import typed
from referee.values.gameerror import GameError
from referee.values.words import say

PRESSES = "opponent"
THINKS_S = 1.0
"""An opponent waits so long before a turn, so that people see what was ruled on theirs."""
LOOKS = 4
"""An opponent asks for so many looks at its turn before it says what lies there."""
PATIENCE_S = 2.0
"""Before each of them it waits so long: cameras that were late may tell it by themselves."""
_ROUND_S = 0.2
_OPEN = frozenset({Phase.UNSURE, Phase.BLIND, Phase.VIOLATION, Phase.CORRECTING})

Pause = Callable[[float], bool]
"""Waits so many seconds, and answers whether to stop."""


class TableHands(Protocol):
    """What lies on a table, and hands that change it."""

    def become(self, text: str) -> bool:
        """Make the table be as an observation's text says; return whether that was done before all was to stop."""


class OpponentSeats:
    """Plays every seat but the people's. Follows the table, so people may press buttons at any time as well."""

    def __init__(
        self,
        package: GamePackage,
        strength: Strength,
        seed: int,
        people: int = 1,
        thinks_s: float = THINKS_S,
        patience_s: float = PATIENCE_S,
        tell: Callable[[str], None] = lambda text: None,
    ) -> None:
        """Take the seats after the first ``people``. Raises OpponentError for a game without opponents."""
        self._package, self._people, self._thinks_s, self._tell = package, people, thinks_s, tell
        self._patience_s = patience_s
        self._opponent = Opponent(package, strength, seed)
        self._changed = threading.Condition()
        self._state: TableState | None = None
        self._version = 0
        self._played: tuple[TableState, OpponentTurn] | None = None
        self._looks = 0

    def on_change(self, state: TableState, live: Live) -> None:
        """Follow the table. Called in the turn loop's thread."""
        with self._changed:
            self._state, self._version = state, self._version + 1
            self._changed.notify_all()

    def plays(self, state: TableState) -> bool:
        """Return whether the player to move has no person."""
        return state.position.to_move.word not in self.people(state)

    def people(self, state: TableState) -> tuple[str, ...]:
        """Return the colours of the seats that people play: where the game begins, and next to it."""
        words = tuple(seat.colour.word for seat in self._package.game.seats(state.position))
        began = (state.history[0].player if state.history else state.position.to_move).word
        at = words.index(began) if began in words else 0
        return (words[at:] + words[:at])[: self._people]

    def idea(self) -> str:
        """Return what lies there after a turn that a person whose turn it is may play. Raises OpponentError."""
        with self._changed:
            state = self._state
        if state is None or state.phase is not Phase.PLAYING or state.awaiting or self.plays(state):
            raise OpponentError(say("Wait until it is your turn: then one can be played for you."))
        lying: str = self._opponent.turn(state.position).observed.text
        return lying

    def run(self, table: TableHands, desk: CommandQueue, pause: Pause) -> None:
        """Play along until ``pause`` says that all is to stop."""
        seen = 0
        while not pause(0.0):
            state, seen = self._next(seen)
            try:
                if state is not None and not state.awaiting and not self._step(state, table, desk, pause):
                    return
            except GameError as error:
                self._tell(error.words.text())

    def _next(self, seen: int) -> tuple[TableState | None, int]:
        """Return the table once it has changed; ``None`` while it has not."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._version != seen, _ROUND_S):
                return None, seen
            return self._state, self._version

    def _step(self, state: TableState, table: TableHands, desk: CommandQueue, pause: Pause) -> bool:
        """Do what is to be done as the table stands; ``False`` where all was to stop."""
        if state.phase is Phase.SET_UP:
            return self._set_up(state, table, desk)
        if state.phase is Phase.PLAYING and self.plays(state):
            return self._turn(state, table, desk, pause)
        if state.phase is Phase.RESTORING and not self._people:
            return self._put_back(state, table, desk, pause)
        if state.phase not in _OPEN:
            return True
        own = self._own(state)
        # Where an arbiter undid turns while one was played, that one was ruled on where it does not belong.
        if not self._people and (not own or (state.phase is Phase.VIOLATION and self._looks > LOOKS + 1)):
            return self._put_back(state, table, desk, pause)
        return self._help(desk, pause) if own else True

    def _set_up(self, state: TableState, table: TableHands, desk: CommandQueue) -> bool:
        """Set the table up for everybody where it is not, and begin: what the cameras can't tell, tell them."""
        position = state.position
        lacking = self._package.game.setup_differences(position, position.observed)
        laid = self._opponent.set_up(position) if lacking else position.observed
        if not table.become(laid.text):
            return False
        if state.unanswered and isinstance(laid, HasFields):
            place = state.unanswered[0]
            desk.command(Name.TELL, {"field": place.name, "stands": laid.stands(place)}, PRESSES)
            return True
        self._looks = self._looks + 1 if state.look else 0
        looked_enough = self._looks > LOOKS
        desk.command(Name.BEGIN, {"board": laid.text} if looked_enough else {}, PRESSES)
        return True

    def _turn(self, state: TableState, table: TableHands, desk: CommandQueue, pause: Pause) -> bool:
        if pause(self._thinks_s):
            return False
        with self._changed:
            now = self._state
        if now is None or now.phase is not Phase.PLAYING or now.position != state.position:
            return True  # an arbiter has paused the game, or ruled
        try:
            turn = self._opponent.turn(state.position)
        except OpponentError as error:
            self._tell(error.words.text())
            return True
        if not table.become(turn.observed.text):
            return False
        self._played, self._looks = (state, turn), 0
        said = typed(self._package.game.form(state.position), turn.declared)
        desk.command(Name.TURN_ENDED, {"declared": said} if said else {}, PRESSES)
        return True

    def _put_back(self, state: TableState, table: TableHands, desk: CommandQueue, pause: Pause) -> bool:
        """Put the board back where turns were taken back, or one stays illegal: people do that by themselves."""
        if not table.become(state.position.observed.text) or pause(self._patience_s):
            return False
        with self._changed:
            now = self._state
        if now is not None and now.phase is state.phase:
            offered = actions(now, self._package.game)
            desk.command(Name.PUT_BACK if Name.PUT_BACK in offered else Name.NOT_ENDED, {}, PRESSES)
        return True

    def _own(self, state: TableState) -> bool:
        """Return whether it is the turn played last that waits for a decision."""
        return self._played is not None and state.position == self._played[0].position

    def _help(self, desk: CommandQueue, pause: Pause) -> bool:
        """Help with a turn of its own that the cameras do not tell: look again, then say what lies there."""
        if pause(self._patience_s):
            return False
        with self._changed:
            state = self._state
        if state is None or self._played is None or state.phase not in _OPEN or not self._own(state):
            return True  # told meanwhile
        self._looks += 1
        offered = actions(state, self._package.game)
        if self._looks <= LOOKS and state.phase is not Phase.VIOLATION and Name.LOOK_AGAIN in offered:
            desk.command(Name.LOOK_AGAIN, {}, PRESSES)
        elif Name.RULE_BOARD in offered:
            desk.command(Name.RULE_BOARD, {"board": self._played[1].observed.text}, PRESSES)
        return True

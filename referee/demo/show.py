"""Show a recording: press the buttons for the players, at a pace a person can follow."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from referee.daemon import CommandQueue
from referee.demo.recording import Look
from referee.match.commands import Name, actions
from referee.match.events import AnyGame
from referee.match.live import Live
from referee.match.phases import Phase
from referee.match.questions import asked_first
from referee.match.state import TableState
from referee.view import banner

DWELL = {Phase.VIOLATION: 1.8, Phase.UNSURE: 1.5, Phase.BLIND: 1.5}
"""Paces for which an outcome stays that takes longer to read than "legal"."""
PRESSES = "recording"


class Presser:
    """Ends the turns of a recorded game. It follows the table, so players may press buttons as well."""

    def __init__(
        self,
        desk: CommandQueue,
        looks: Sequence[Look],
        game: AnyGame,
        pace_s: float,
        tell: Callable[[str], None] = print,
    ) -> None:
        self._desk, self._looks, self._game, self._pace_s, self._tell = desk, looks, game, pace_s, tell
        self._changed = threading.Condition()
        self._state: TableState | None = None
        self._live = Live()
        self._told = 0

    @property
    def looks(self) -> int:
        """Return how many looks have been taken."""
        with self._changed:
            return self._state.look if self._state else 0

    def on_change(self, state: TableState, live: Live) -> None:
        """Follow the table."""
        with self._changed:
            self._state, self._live = state, live
            self._changed.notify_all()

    def play(self, pause: Callable[[float], bool]) -> bool:
        """Press until the recording has been shown. ``pause`` waits and answers whether to stop; so does this."""
        while True:
            state = self._settled(pause)
            if state is None:
                return False
            self._say(state)
            done = state.look >= len(self._looks) and not self._answers(state)
            if done or state.phase is Phase.FINISHED:
                return not pause(0.0)
            if state.look and pause(self._pace_s * DWELL.get(state.phase, 1.0)):
                return False
            if not self._pressed(state) and pause(0.2):  # paused, or somebody was faster
                return False

    def begun_again(self, pause: Callable[[float], bool]) -> bool:
        """Wait until the recording is played from its beginning again; ``False`` to stop."""
        with self._changed:
            while self._state is None or self._state.look or self._state.phase is not Phase.SET_UP:
                if pause(0.0):
                    return False
                self._changed.wait(0.1)
        self._told = 0
        return True

    def _answers(self, state: TableState) -> bool:
        """Return whether the players are asked something of the newest look that the recording can answer."""
        return bool(state.look and self._looks[state.look - 1].answer) and asked_first(state, self._game) is not None

    def _pressed(self, state: TableState) -> bool:
        """Do what the players did next; return whether the table took it."""
        if self._answers(state):
            answer = self._looks[state.look - 1].answer
            return self._desk.command(Name.DECLARE, {"declared": dict(answer)}, PRESSES).accepted
        button = next((name for name in (Name.TURN_ENDED, Name.LOOK_AGAIN) if name in actions(state)), None)
        if button is None:
            return False
        declared = self._looks[state.look].declared
        said = {"declared": dict(declared)} if declared and button is Name.TURN_ENDED else {}
        return self._desk.command(button, said, PRESSES).accepted

    def _settled(self, pause: Callable[[float], bool]) -> TableState | None:
        """Return the table once nothing is being looked at; ``None`` to stop."""
        while True:
            with self._changed:
                if self._state is not None and not self._state.awaiting:
                    return self._state
                self._changed.wait(0.1)
            if pause(0.0):
                return None

    def _say(self, state: TableState) -> None:
        if state.look > self._told:
            self._told = state.look
            said = banner(self._game, state, self._live, asked_first(state, self._game))
            shown = said.to_json()
            rules = f" [{', '.join(said.rules)}]" if said.rules else ""
            stop = "" if str(shown["headline"]).endswith(("?", "!", ".")) else "."
            self._tell(f"look {state.look}: {shown['headline']}{stop} {shown['detail']}{rules}")

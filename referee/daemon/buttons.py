"""Turn presses of buttons and keys into what the table waits for, and show on the lamp how it stands."""

from __future__ import annotations

import contextlib
import os
import select
import sys
import threading
from collections.abc import Callable, Iterator, Sequence

from referee.buttonbox.link import Lamp, Pressed
from referee.buttonbox.serialport import BoxState, SerialBox
from referee.daemon.commandqueue import CommandQueue
from referee.games.guarding import shown
from referee.match.clock import Clock
from referee.match.commands import Command, Name, button
from referee.match.events import AnyGame
from referee.match.live import Live, Notice
from referee.match.phases import Phase
from referee.match.questions import asked_first
from referee.match.state import TableState
from referee.session.clock import LOW_MS
from referee.values.declaring import Declared, next_said
from referee.values.metrics import Metrics
from referee.values.systemmodules import system_module
from referee.values.words import say
from web.tableview import Outcome

_TERMIOS, _TTY = system_module("termios"), system_module("tty")
OLDEST_S = 5.0
"""A press that comes in later than this no longer means the turn under way."""
BUZZ_S = 0.6
REFUSED_BUZZ_S = 0.15
LOW_BUZZ_S = 0.1
FLAG_BUZZ_S = 1.0
DECLARED_BUZZ_S = 0.05
"""A step of the button that declares; it comes back to nothing declared with a sound as long as UNSAID_BUZZ_S."""
UNSAID_BUZZ_S = 0.3

LAMPS: dict[Phase, Lamp] = {
    Phase.SET_UP: Lamp.AMBER,
    Phase.PLAYING: Lamp.GREEN,
    Phase.READING: Lamp.AMBER,
    Phase.RULING: Lamp.AMBER,
    Phase.VIOLATION: Lamp.RED,
    Phase.UNSURE: Lamp.AMBER,
    Phase.BLIND: Lamp.AMBER,
    Phase.CORRECTING: Lamp.AMBER,
    Phase.RESTORING: Lamp.AMBER,
    Phase.PAUSED: Lamp.OFF,
    Phase.FINISHED: Lamp.GREEN,
}


class Buttons:
    """Turns presses into commands and states into lamp and buzzer. Safe to use from several threads."""

    def __init__(self, game: AnyGame, commands: CommandQueue, metrics: Metrics | None = None) -> None:
        self._game, self._commands, self._metrics = shown(game), commands, metrics
        self._state: TableState | None = None
        self._box: SerialBox | None = None
        self._connected = BoxState()
        self._declares: tuple[int, ...] = ()
        self._stepped: Declared | None = None

    def attach(self, url: str, declares: Sequence[int] = ()) -> SerialBox:
        """Return a box at a serial port, to be entered as a context; its lamp follows the table from now on.

        declares: buttons, from 1, that step through what may be declared instead of ending turns, one a question.
        """
        self._declares = tuple(declares)
        self._box = SerialBox(url, self.box_pressed, self.box_changed)
        self.box_changed(BoxState())
        return self._box

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Return what everybody must know of the box."""
        if self._box is None or self._connected.connected:
            return ()
        return (Notice("buttons", "warning", say("The button box is not connected.")),)

    def on_change(self, state: TableState, live: Live) -> None:
        """Follow the table."""
        before, self._state = self._state, state
        if self._box is None:
            return
        accused = self._accused(state)
        self._box.lamp(_lamp(state, accused))
        self._sound_the_clock(before.clock if before is not None else None, state.clock)
        if accused and (before is None or not self._accused(before)):
            self._box.buzz(BUZZ_S)

    def _sound_the_clock(self, before: Clock | None, now: Clock | None) -> None:
        """Sound the buzzer briefly when little time is left, and longer when a flag falls."""
        if self._box is None or now is None or before is None:
            return
        if now.fallen and not before.fallen:
            self._box.buzz(FLAG_BUZZ_S)
        elif now.running and _low(now) and not _low(before):
            self._box.buzz(LOW_BUZZ_S)

    def _accused(self, state: TableState) -> bool:
        """Return whether a turn is called illegal, and nothing is asked before."""
        return state.phase is Phase.VIOLATION and asked_first(state, self._game) is None

    def box_changed(self, state: BoxState) -> None:
        """Note that the box came or went."""
        self._connected = state
        if self._metrics is not None:
            self._metrics.part("button box", state.connected)

    def box_pressed(self, pressed: Pressed) -> None:
        """Take a press of the box; with several buttons each is a player's, in playing order."""
        if pressed.age_s > OLDEST_S:
            return
        if pressed.button in self._declares:
            self._declare(f"button {pressed.button}", self._declares.index(pressed.button))
            return
        ends = [button for button in range(1, self._connected.buttons + 1) if button not in self._declares]
        player = ""
        state = self._state
        if state is not None and len(ends) > 1:
            seats = self._game.seats(state.position)
            number = ends.index(pressed.button) if pressed.button in ends else len(seats)
            if number >= len(seats):
                return
            player = seats[number].colour.word
        self.press(f"button {pressed.button}", player, pressed.age_s)

    def _declare(self, by: str, question: int) -> None:
        """Step to the next answer of a question about the turn, and sound the buzzer once the loop has answered."""
        state = self._state
        if state is None or state.phase is not Phase.PLAYING:
            return
        # Presses may come faster than answers.
        before = state.turn.declared if self._stepped is None else self._stepped
        step = next_said(self._game.form(state.position), before, question)
        if step is None:
            self._sound(REFUSED_BUZZ_S)
            return
        field, value = step
        said = self._stepped = {**before, field: value}

        def answered(outcome: Outcome) -> None:
            self._stepped = None if self._stepped is said else self._stepped
            step_s = UNSAID_BUZZ_S if value is None else DECLARED_BUZZ_S
            self._sound(step_s if outcome.accepted else REFUSED_BUZZ_S)

        turn = state.position.turn
        self._commands.put(Command(Name.ENTER, {"turn": turn, "field": field, "value": value}, by), answered)

    def _sound(self, duration_s: float) -> None:
        if self._box is not None:
            self._box.buzz(duration_s)

    def press(self, by: str, player: str = "", age_s: float = 0.0) -> None:
        """Do what a press means now. player: whose button it was, where that is known. age_s: how long ago."""
        state = self._state
        name = button(state) if state is not None else None
        if name is None:
            return
        arguments = {"player": player} if player and name is Name.TURN_ENDED else {}
        self._commands.put(Command(name, arguments, by), self._answered, age_s)

    def _answered(self, outcome: Outcome) -> None:
        if not outcome.accepted:
            self._sound(REFUSED_BUZZ_S)


def _lamp(state: TableState, accused: bool) -> Lamp:
    """Return the lamp of a phase: amber while a question is open or the clock stands in a turn, red for a flag."""
    if state.phase is Phase.VIOLATION and not accused:
        return Lamp.AMBER
    clock = state.clock
    if state.phase is Phase.PLAYING and clock is not None and not clock.aside:
        if clock.fallen:
            return Lamp.RED
        if clock.used_ms and not clock.running:
            return Lamp.AMBER
    return LAMPS[state.phase]


def _low(clock: Clock) -> bool:
    left = clock.falls_in_ms
    return left is not None and left <= LOW_MS


@contextlib.contextmanager
def keyboard(press: Callable[[str], None]) -> Iterator[bool]:
    """Make the space key on the terminal a button while inside; yield whether there is a terminal."""
    if _TERMIOS is None or _TTY is None or not sys.stdin.isatty():
        yield False
        return
    handle = sys.stdin.fileno()
    before = _TERMIOS.tcgetattr(handle)
    stop = threading.Event()

    def listen() -> None:
        while not stop.is_set():
            if not select.select([handle], [], [], 0.2)[0]:
                continue
            try:
                typed = os.read(handle, 64)  # past Python's buffer, where a key would lie unseen until the next one
            except OSError:
                typed = b""
            if not typed:
                return  # the terminal is gone
            if b" " in typed:
                press("space key")

    _TTY.setcbreak(handle)
    thread = threading.Thread(target=listen, name="keyboard", daemon=True)
    thread.start()
    try:
        yield True
    finally:
        stop.set()
        thread.join(1)
        _TERMIOS.tcsetattr(handle, _TERMIOS.TCSADRAIN, before)

"""Play a script at a virtual table: lay what turns say, carry out directions, press what players press."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from referee.daemon import CommandQueue
from referee.demo.virtualdesk import marks_of
from referee.games.answers import HasFields
from referee.games.contract import Position
from referee.games.package import GamePackage
from referee.match.commands import Name, actions
from referee.match.live import Live
from referee.match.phases import Phase
from referee.match.questions import asked_first
from referee.match.state import EntryStatus, TableState
from referee.match.turnkind import needs_pictures, turn_kind
from referee.values.board import Field
from referee.values.declaring import typed
from referee.virtual.script import Direction, Script, ScriptTurn

PLAYER = "script"
LOOKS = 3
"""An unsure look is taken again so often before the players say what lies there."""
_PRESSES = 20
"""A referee who is busy judging is asked again so often."""
_WORKING = frozenset({Phase.READING, Phase.RULING})
_OPEN = (Phase.UNSURE, Phase.BLIND)
_FAULTS = frozenset({"bump", "unplug", "plug", "dim", "bright", "cup", "uncup", "topple"})


class ScriptStoppedError(Exception):
    """The script was ended from outside."""


class Tabletop(Protocol):
    """What a script's hands work on: a VirtualTable, or nothing where a game needs no picture."""

    @property
    def lying(self) -> str:
        """Return what lies there."""

    def become(self, text: str) -> bool:
        """Make what lies there into something else; return whether it was not stopped."""

    def hover(self, field: str) -> bool:
        """Hold a hand over a field for a moment."""

    def fault(self, name: str, camera: str = "", field: str = "", light: float = 0.5) -> bool:
        """Have something befall the table."""

    def marked(self, stones: Mapping[str, tuple[int, str]]) -> None:
        """Lay the markers of the tracks."""


class PageAlone:
    """The tabletop of a game of which all is declared: nothing that lies there is looked at."""

    def __init__(self, lying: str) -> None:
        """Lay ``lying``, the text of an observation of which nothing is seen."""
        self.lying = lying

    def become(self, text: str) -> bool:
        """Do nothing: nothing has to be laid."""
        return True

    def hover(self, field: str) -> bool:
        """Do nothing: nobody sees the hand."""
        return True

    def fault(self, name: str, camera: str = "", field: str = "", light: float = 0.5) -> bool:
        """Do nothing: what befalls cameras befalls nobody here."""
        return True

    def marked(self, stones: Mapping[str, tuple[int, str]]) -> None:
        """Do nothing: there are no tracks."""


@dataclass(slots=True)
class Told:
    """What became of a script.

    questions: how often the referee asked about a field, or whether the turn is over. looks_again: how often an
    unsure look was taken anew. by_hand: turns on which players had to say what lies on the whole board. asked_at: the
    turn of each question and of each board told, 0 for the set-up. wrong: where the referee said something else than
    the script, empty where all agrees.
    """

    questions: int = 0
    looks_again: int = 0
    by_hand: int = 0
    asked_at: list[int] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


class Actor:
    """Plays one script. ``on_change`` is for the turn loop's helpers; ``play`` runs in a thread of its own."""

    def __init__(
        self,
        table: Tabletop,
        desk: CommandQueue,
        package: GamePackage,
        pause: Callable[[float], bool],
        patience_s: float = 180.0,
        tell: Callable[[str], None] = lambda text: None,
    ) -> None:
        """Take a table and its desk.

        pause: waits, and returns whether to stop. patience_s: for the outcome of one look.
        """
        self._table, self._desk, self._package = table, desk, package
        self._pause, self._patience_s, self._tell = pause, patience_s, tell
        self._changed = threading.Condition()
        self._state: TableState | None = None
        self._played: Position | None = None
        self.told = Told()

    def on_change(self, state: TableState, live: Live) -> None:
        """Follow the table."""
        self._table.marked(marks_of(self._package.game, state))
        with self._changed:
            self._state = state
            self._changed.notify_all()

    @property
    def state(self) -> TableState:
        """Return the table now; wait until there is one."""
        with self._changed:
            self._changed.wait_for(lambda: self._state is not None, self._patience_s)
            assert self._state is not None
            return self._state

    def play(self, script: Script) -> Told:
        """Play it to its end, or until something is ruled otherwise. Raises ScriptStoppedError."""
        for direction in script.before:
            self._carry_out(direction)
        while self.state.phase is Phase.SET_UP:
            if not self._begun(self.state) and self._again():
                return self.told
        for turn in script.turns:
            if not self._turn(turn):
                break
        return self.told

    def _begun(self, state: TableState) -> bool:
        """Begin, and tell what is asked of the set-up; return whether the game has begun."""
        before = state.look
        self._press(Name.BEGIN)
        state = self._waited(lambda now: now.phase is not Phase.SET_UP or (now.look > before and _at_rest(now)))
        while state.phase is Phase.SET_UP and state.unanswered:
            state = self._told(state, state.unanswered[0])
        return state.phase is not Phase.SET_UP

    def _told(self, state: TableState, place: Field) -> TableState:
        """Tell what lies on a field of the set-up; return the state once that was taken in."""
        self._asked(0)
        stands = _stands(state, self._table.lying, place)
        self._press(Name.TELL, {"field": place.name, "stands": stands})
        return self._waited(lambda now: _at_rest(now) and place not in now.unanswered)

    def _again(self) -> bool:
        """Return whether to give up, as the set-up was looked at often enough."""
        self.told.looks_again += 1
        if self.told.looks_again > LOOKS:
            self.told.wrong.append(f"the set-up is not taken for what it is: {self.state.turn.differences}")
            return True
        return False

    def _turn(self, turn: ScriptTurn) -> bool:
        """Play one turn; return whether the script goes on."""
        state = self.state
        number = turn.entry.number
        if state.phase is not Phase.PLAYING or state.position.turn != number:
            self.told.wrong.append(f"turn {number}: the table is at turn {state.position.turn}, {state.phase.value}")
            return False
        # What was played, whatever the referee takes it for: hands go on from what lies there.
        begins = self._played if self._played is not None and self._played.turn == number else state.position
        text = self._package.laid(begins, turn.entry) if self._package.laid is not None else ""
        self._lie(text)
        look, ended = state.look, False
        for direction in turn.directions:
            if direction.do == "end":
                self._end(turn)
                ended = True
            elif direction.do == "restore":
                self._lie(text)
            else:
                self._carry_out(direction)
        if not ended:
            self._end(turn)
        state = self._decided(look, turn, text)
        return self._agreed(turn, begins, state)

    def _end(self, turn: ScriptTurn) -> None:
        """Press the button, with what is declared of the turn."""
        form = self._package.game.form(self.state.position)
        said = typed(form, self._package.records.declared(turn.entry)) if form is not None else {}
        self._press(Name.TURN_ENDED, {"declared": said} if said else {})

    def _decided(self, look: int, turn: ScriptTurn, text: str) -> TableState:
        """Return the state once the referee is sure, or the players said what lies there."""
        state = self._settled(look)
        tries = 0
        while state.phase in _OPEN:
            tries += 1
            look = state.look
            if tries <= LOOKS and (answered := self._answered(state, text)) is not None:
                state = answered
                continue
            self.told.looks_again += 1
            if tries > LOOKS and Name.RULE_BOARD in actions(state):
                self.told.by_hand += 1
                self.told.asked_at.append(turn.entry.number)
                self._press(Name.RULE_BOARD, {"board": text})
                return self._let_stand(self._settled(look - 1), turn)
            if tries > 3 * LOOKS:
                return state
            if turn_kind(self._package.game.kit).BOARD_IS_TURNED:
                self._table.fault("turn")
                state = self._waited(_later(look), 3.0)
            if state.phase in _OPEN and Name.LOOK_AGAIN in actions(state):
                self._press(Name.LOOK_AGAIN)
            state = self._settled(min(look, state.look - 1))
        return state

    def _let_stand(self, state: TableState, turn: ScriptTurn) -> TableState:
        """Let a legal turn stand that is unsure although all was told: where it began nobody saw."""
        if state.phase is not Phase.UNSURE or turn.illegal or Name.ACCEPT not in actions(state):
            return state
        self._press(Name.ACCEPT)
        return self._waited(lambda now: _at_rest(now) and now.phase is not Phase.UNSURE)

    def _answered(self, state: TableState, text: str) -> TableState | None:
        """Answer what stands on the field asked about, or that a turn all of which is declared is over as declared.

        Return the state once that was taken in, ``None`` where nothing is asked.
        """
        if Name.TURN_OVER in actions(state) and not needs_pictures(self._package.game.kit):
            self._asked(state.position.turn)
            self._press(Name.TURN_OVER)
            return self._waited(lambda now: _at_rest(now) and (now.turn.end.confirmed or now.phase not in _OPEN))
        ask = None if state.unsure is None else state.unsure.ask
        if ask is None or Name.TELL not in actions(state):
            return None
        name, stands = ask.field.name, _stands(state, text, ask.field)
        self._asked(state.position.turn)
        self._press(Name.TELL, {"field": name, "stands": stands})
        return self._waited(lambda now: _at_rest(now) and (name in now.turn.end.known or now.phase not in _OPEN))

    def _asked(self, number: int) -> None:
        """Count a question of a turn, 0 for the set-up."""
        self.told.questions += 1
        self.told.asked_at.append(number)

    def _agreed(self, turn: ScriptTurn, begins: Position, state: TableState) -> bool:
        """Return whether the ruling is the script's; do what follows from it."""
        number = turn.entry.number
        if state.phase is Phase.VIOLATION and turn.illegal:
            while asked_first(self.state, self._package.game) is not None:
                self._press(Name.DENY)
            last = self.state.last
            ruling = last.ruled.ruling if last is not None and last.ruled is not None else None
            said = turn.ruled_otherwise(ruling.violations if ruling is not None else ())
            if said:
                self.told.wrong.append(f"turn {number}: ruled illegal: {said} instead of {turn.entry.ruling}")
            return self._settle(turn, begins)
        if state.phase in (Phase.PLAYING, Phase.FINISHED) and not turn.illegal and state.position.turn != number:
            self._played = self._package.records.play(begins, turn.entry).next
            stood = state.last is not None and state.last.fate is EntryStatus.ACCEPTED
            self._tell(f"turn {number}: {'unsure, let stand' if stood else 'legal'}")
            return True
        if state.phase is Phase.FINISHED and not turn.illegal:
            return True
        last = state.last
        words = "" if last is None or last.ruled is None else f", seen {last.ruled.observed}"
        wanted = turn.entry.ruling or "legal"
        lying = "" if self._table.lying in words else f", lying {self._table.lying}"
        self.told.wrong.append(f"turn {number}: {state.phase.value} instead of {wanted}{words}{lying}")
        return False

    def _settle(self, turn: ScriptTurn, begins: Position) -> bool:
        """Put an illegal turn back, or let it stand."""
        number = turn.entry.number
        if turn.goes == "accepted":
            self._press(Name.ACCEPT)
            self._played = None  # what follows is the board as it was ruled on
            self._tell(f"turn {number}: illegal, accepted")
        else:
            self._lie(begins.observed.text)
            if self.state.phase is Phase.VIOLATION:
                self._press(Name.PUT_BACK)
            self._tell(f"turn {number}: illegal, put back")
        after = self._waited(lambda now: now.phase in (Phase.PLAYING, Phase.FINISHED), self._patience_s)
        if after.phase not in (Phase.PLAYING, Phase.FINISHED):
            self.told.wrong.append(f"turn {number}: play does not go on: {after.phase.value}")
            return False
        return True

    def _lie(self, text: str) -> None:
        if not self._table.become(text):
            raise ScriptStoppedError

    def _carry_out(self, direction: Direction) -> None:
        words = direction.words
        if direction.do == "pause":
            if self._pause(float(words[0])):
                raise ScriptStoppedError
        elif direction.do == "hand":
            self._table.hover(words[0])
        elif direction.do == "dim":
            self._table.fault("dim", light=float(words[0]))
        elif direction.do == "topple":
            self._table.fault("topple", field=words[0] if words else "")
        elif direction.do in _FAULTS:
            self._table.fault(direction.do, camera=words[0] if words else "")

    def _press(self, name: Name, arguments: Mapping[str, object] | None = None) -> None:
        for _ in range(_PRESSES):
            outcome = self._desk.command(name, arguments or {}, PLAYER)
            if self._pause(0.0):
                raise ScriptStoppedError
            if outcome.accepted or outcome.code != "busy":
                break
        if not outcome.accepted:
            self._tell(f"{name.value} is refused: {outcome.words}")

    def _settled(self, look: int) -> TableState:
        """Return the state once a look later than that is done with."""
        return self._waited(lambda now: now.look > look and _at_rest(now))

    def _waited(self, done: Callable[[TableState], bool], patience_s: float | None = None) -> TableState:
        """Return the state once something holds of it, or patience is at its end."""
        until_s = time.monotonic() + (self._patience_s if patience_s is None else patience_s)
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._state is not None and done(self._state), 0.2)
                state = self._state
            if self._pause(0.0):
                raise ScriptStoppedError
            if state is not None and (done(state) or time.monotonic() > until_s):
                return state


def _at_rest(state: TableState) -> bool:
    """Return whether the referee is done with all that was asked of it."""
    return not state.awaiting and state.phase not in _WORKING


def _later(look: int) -> Callable[[TableState], bool]:
    """Return a test whether another look was taken, or the turn is ruled on."""
    return lambda now: now.look > look or now.phase not in _OPEN


def _stands(state: TableState, text: str, place: Field) -> str:
    """Return what stands on a field of an observation's text."""
    like = state.position.observed
    assert isinstance(like, HasFields), "a field is asked about where there are fields"
    return like.like(text).stands(place)

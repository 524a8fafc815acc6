"""Queue commands for the turn loop, while their senders wait for the answer (the page's TableCommands)."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from referee.match.commands import Command, Name
from referee.match.events import Event
from referee.match.own import OWN_ONLY
from referee.match.state import TableState
from referee.values.words import say
from web.tableview import Outcome

ANSWER_S = 15.0
"""A sender waits so long at most; a command nobody has begun by then is never carried out."""
MOST_WAITING = 64


@dataclass(eq=False, slots=True)
class Asked:
    """A command that waits. ``answer`` is called by the turn loop, once what follows is in the journal.

    note: makes events to write down instead, from the table as it stands; only the referee's own parts leave such,
    never the network. at_s: when it was said, in seconds of the turn loop's clock.
    """

    command: Command
    then: Callable[[Outcome], None] | None = None
    outcome: Outcome | None = None
    done: threading.Event = field(default_factory=threading.Event)
    note: Callable[[TableState], tuple[Event, ...]] | None = None
    at_s: float = 0.0

    def answer(self, outcome: Outcome) -> None:
        """Tell the sender what became of it."""
        self.outcome = outcome
        self.done.set()
        if self.then is not None:
            self.then(outcome)


class CommandQueue:
    """A queue in front of the turn loop. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._wake: Callable[[], None] = lambda: None
        self._choose: Callable[[Mapping[str, object]], Mapping[str, object]] = dict
        self._waiting: deque[Asked] = deque()
        self._mutex = threading.Lock()
        self._closed = False
        self._time: Callable[[], float] = time.monotonic

    def on_time(self, clock: Callable[[], float]) -> None:
        """Have commands bear the time of the turn loop's clock."""
        self._time = clock

    def on_put(self, wake: Callable[[], None]) -> None:
        """Have something called whenever a command comes in, from its sender's thread."""
        self._wake = wake

    def on_choice(self, choose: Callable[[Mapping[str, object]], Mapping[str, object]]) -> None:
        """Have what is chosen for a new game looked through first, in its sender's thread."""
        self._choose = choose

    def names(self) -> Sequence[str]:
        """Return the names of the commands."""
        return [name.value for name in Name]

    def command(
        self, name: str, arguments: Mapping[str, object], who: str, seen: int | None = None, player: str = ""
    ) -> Outcome:
        """Have a command carried out; returns once what follows from it is written down."""
        if player and name in (Name.NEW_GAME, Name.PLAY_AGAIN):
            return Outcome(False, OWN_ONLY, "own")
        given, choice = dict(arguments), arguments.get("choice")
        if name == Name.NEW_GAME and isinstance(choice, Mapping):
            given["choice"] = self._choose(choice)
        return self._answered(self.put(Command(name, given, who, seen, player)))

    def note(self, event: Event) -> Outcome:
        """Have an event of the referee's own written down; returns once it is."""
        return self._answered(self._put(Asked(Command(event.kind), note=lambda state: (event,))))

    def decided(self, decide: Callable[[TableState], tuple[Event, ...]], then: Callable[[Outcome], None]) -> None:
        """Have events written down that the turn loop has made; ``decide`` may raise CommandError. Never waits."""
        self._put(Asked(Command("decided"), then, note=decide))

    def _answered(self, asked: Asked) -> Outcome:
        if not asked.done.wait(ANSWER_S) and self._give_up(asked):
            return Outcome(False, say("The referee is busy. Please try again."), "busy")
        asked.done.wait()
        return asked.outcome or _CLOSED

    def put(self, command: Command, then: Callable[[Outcome], None] | None = None, age_s: float = 0.0) -> Asked:
        """Leave a command without waiting, as a button does.

        then: told the outcome, in the turn loop's thread. age_s: how long ago it was said.
        """
        return self._put(Asked(command, then), age_s)

    def _put(self, asked: Asked, age_s: float = 0.0) -> Asked:
        asked.at_s = self._time() - age_s
        with self._mutex:
            refused = _CLOSED if self._closed else _FULL if len(self._waiting) >= MOST_WAITING else None
            if refused is None:
                self._waiting.append(asked)
        if refused is not None:
            asked.answer(refused)
        self._wake()
        return asked

    def take(self) -> Asked | None:
        """Return the next command, ``None`` when none waits. For the turn loop only, which must answer it."""
        with self._mutex:
            return self._waiting.popleft() if self._waiting else None

    def close(self) -> None:
        """Answer everybody who waits that nothing was done."""
        with self._mutex:
            self._closed = True
            left = list(self._waiting)
            self._waiting.clear()
        for asked in left:
            asked.answer(_CLOSED)

    def _give_up(self, asked: Asked) -> bool:
        """Take a command back that has not been begun; return whether that was possible."""
        with self._mutex:
            if asked in self._waiting:
                self._waiting.remove(asked)
                return True
        return False


_CLOSED = Outcome(False, say("The referee is stopping. Nothing was changed."), "closed")
_FULL = Outcome(False, say("The referee is busy. Please try again."), "busy")

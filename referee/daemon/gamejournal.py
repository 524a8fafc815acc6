"""Open a game's journal with its pictures, carry it on, and begin the next game's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from referee.games.contract import Position, RequestError
from referee.match.clock import Clock, TimeControl
from referee.match.commands import Command, CommandError, Name, actions
from referee.match.events import AnyGame, Event, EventError, GameStarted, ReadingMade, event_from_json
from referee.match.state import TableState
from referee.match.transitions import TableError, begin, step
from referee.session.capture import Capture, Pictures
from referee.session.pictures import encoded, kept_pictures
from referee.session.said import Report
from referee.storage.evidence import EvidenceStore, Keeping
from referee.storage.journal import Journal, JournalError
from referee.values.signs import in_line
from referee.values.words import Words, say, verbatim

LONGEST_WORDS = 160
"""Characters of what is wrong with an event."""
LONGEST_NAME = 40
"""Characters of a player's name."""


@dataclass(frozen=True, slots=True)
class GameJournal:
    """One game's journal, the pictures beside it, and the state it leads to when it is opened.

    another: opens the journal of the next game; ``None`` where there is but one.
    """

    journal: Journal
    state: TableState
    evidence: EvidenceStore | None = None
    another: Callable[[], tuple[Journal, EvidenceStore | None]] | None = None

    def write(self, events: tuple[Event, ...]) -> None:
        """Write events down, all or none. Raises JournalError."""
        self.journal.append_all([(event.kind, event.to_json()) for event in events])

    def keep(self, capture: Capture) -> Mapping[str, str]:
        """Bring a look's pictures to the disk; return camera to name, without those that could not be kept."""
        if self.evidence is None or (capture.covered and not self.evidence.hands):
            return {}
        return self.evidence.keep(encoded(capture.newest))

    def kept(self, reading: ReadingMade) -> Pictures:
        """Return the pictures of a reading that are still there."""
        return kept_pictures(self.evidence.picture, reading) if self.evidence is not None else {}

    def attend(self, report: Report) -> None:
        """Do nothing: nobody looks on."""

    @property
    def keeping(self) -> Keeping:
        """Return whether pictures are kept."""
        return self.evidence.state.keeping if self.evidence is not None else Keeping.ON

    def next_game(self, game: AnyGame, command: Command, state: TableState) -> GameJournal:
        """Begin the journal of the game that a command asks for.

        Raises CommandError, RequestError, EventError, JournalError.
        """
        if self.another is None or command.name not in actions(state):
            raise CommandError(*_why_not(state, self.another is None))
        started = self._again(game) if command.name == Name.PLAY_AGAIN else _as_chosen(game, command, state)
        journal, evidence = self.another()
        return start_journal(journal, replace(started, by=command.by), evidence, self.another)

    def _again(self, game: AnyGame) -> GameStarted:
        """Return this game's beginning."""
        entry = next(self.journal.entries())
        started = event_from_json(entry.kind, entry.data, game)
        assert isinstance(started, GameStarted)
        return started

    def close(self) -> None:
        """Close the journal."""
        self.journal.close()


def _why_not(state: TableState, only_one: bool) -> tuple[str, Words]:
    if only_one or state.begun.recorded:
        return "command", say("Only one game is played here.")
    return "phase", say("A game is under way. End it by agreement first, or play it to its end.")


def _as_chosen(game: AnyGame, command: Command, state: TableState) -> GameStarted:
    choice, players = command.arguments.get("choice"), command.arguments.get("players", {})
    if not isinstance(choice, Mapping) or not isinstance(players, Mapping):
        raise CommandError("arguments", say("{key} must be an object.", key="choice"))
    position = game.new_game(choice)
    return GameStarted(
        position,
        state.begun.source,
        _names(game, players),
        clock=_clock(game, position, command.arguments.get("clock")),
    )


def _clock(game: AnyGame, position: Position, asked: object) -> Clock | None:
    """Return the clock of a new game, ``None`` where none is asked for. Raises CommandError."""
    if asked is None:
        return None
    if not isinstance(asked, Mapping):
        raise CommandError("arguments", say("{key} must be an object.", key="clock"))
    try:
        control = TimeControl.from_json(asked)
    except ValueError as error:
        raise CommandError("arguments", verbatim(str(error))) from None
    return Clock.starting(control, [seat.colour.word for seat in game.seats(position)])


def start_journal(
    journal: Journal,
    started: GameStarted,
    evidence: EvidenceStore | None = None,
    another: Callable[[], tuple[Journal, EvidenceStore | None]] | None = None,
) -> GameJournal:
    """Begin a game in an empty journal."""
    state = begin(started)
    journal.append(started.kind, started.to_json())
    return GameJournal(journal, state, evidence, another)


def open_game(journal: Journal, game: AnyGame, position: Position, source: str, recorded: bool = False) -> TableState:
    """Return the state a journal leads to; begin a game at ``position`` when it is empty.

    Raises JournalError when the journal holds something else than this game.
    """
    state = carried_on(journal, game)
    if state is None:
        return start_journal(journal, GameStarted(position, source, recorded=recorded)).state
    first = next(journal.entries())
    if first.data["position"] != position.to_json():
        raise JournalError(f"{journal.path} holds another game: choose another journal")
    return state


def carried_on(journal: Journal, game: AnyGame) -> TableState | None:
    """Return the state a journal leads to, ``None`` for an empty one. Raises JournalError when it leads to none."""
    state = None
    for entry in journal.entries():
        try:
            event = event_from_json(entry.kind, entry.data, game)
            state = begin(event) if state is None else step(state, event)
        except (EventError, TableError, RequestError) as error:
            raise JournalError(
                f"{journal.path} holds no game this referee can carry on: event {entry.number}: {_plain(str(error))}"
            ) from error
    return state


def _plain(words: str) -> str:
    """Return words fit for one line of a terminal, whatever of the journal stands in them."""
    line = in_line(words)
    return line if len(line) <= LONGEST_WORDS else f"{line[:LONGEST_WORDS]} …"


def _names(game: AnyGame, players: Mapping[object, object]) -> tuple[tuple[str, str], ...]:
    found = []
    for word, name in players.items():
        player = game.player(word)
        if not isinstance(name, str) or not 0 < len(name.strip()) <= LONGEST_NAME or not name.isprintable():
            raise RequestError("players", say("A player’s name has 1 to {n} characters.", n=LONGEST_NAME))
        found.append((player.word, name.strip()))
    return tuple(found)

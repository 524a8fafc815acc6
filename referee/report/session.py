"""A whole game as a page shows it: every entry of the record as a step, each turn's time, what was counted. Pure."""

from __future__ import annotations

from collections import Counter as Counts
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from referee.archive.export import game_of
from referee.games.contract import Position
from referee.games.guarding import shown
from referee.match.events import AnyGame, Event, Resumed, TurnRuled, event_from_json
from referee.match.state import Entry, TableState, What
from referee.match.transitions import TableError, begin, step
from referee.report.dispute import Occurrence, occurrence
from referee.report.drawing import changed_places
from referee.storage.journal import JournalEntry, JournalError, elapsed_s
from referee.values.kit import Kit
from referee.values.words import say

ASKED = (
    "field_told",
    "turn_confirmed",
    "called_off",
    "ruling_withdrawn",
    "reading_corrected",
    "position_corrected",
    "turn_accepted",
    "undone",
    "ruled_again",
    "disputed",
    "resolved",
)
"""Kinds of events in which people said something besides their turns."""


@dataclass(frozen=True, slots=True)
class GameStep:
    """One entry of the record. number: of its event; at: ISO 8601, UTC.

    took_s: from the end of the turn before to the look, without pauses, ``None`` where that is not known.
    """

    entry: Entry
    number: int
    at: str
    took_s: float | None

    @property
    def text(self) -> str:
        """Return the observation that the step led to, or that was ruled on."""
        entry = self.entry
        if entry.after is not None:
            return str(entry.after.observed.text)
        return entry.ruled.observed if entry.ruled is not None else str(entry.before.observed.text)


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A game from its beginning to where it came to. asked: what was asked and corrected, each with its step, from 1.

    start: where it began. state: where it came to. begun_at, ended_at: of the first and the newest event.
    """

    game: AnyGame
    start: Position
    state: TableState
    steps: tuple[GameStep, ...]
    asked: tuple[tuple[int, Occurrence], ...]
    begun_at: str
    ended_at: str
    head: str

    @property
    def counting(self) -> tuple[GameStep, ...]:
        """Return the turns from which the game went on."""
        return tuple(one for one in self.steps if one.entry.what is What.TURN and one.entry.counts)


def session_of(entries: Sequence[JournalEntry]) -> RecordedGame:
    """Return the game of a journal. Raises JournalError for events that can't be replayed, or without a game."""
    try:
        game = shown(game_of(entries))
        watch = _Watch(game.kit)
        state: TableState | None = None
        for entry in entries:
            event = event_from_json(entry.kind, entry.data, game)
            before, state = state, begin(event) if state is None else step(state, event)
            watch.saw(entry, event, before, state)
        if state is None:
            raise JournalError("no game has begun in it")
    except (TableError, ValueError, LookupError, TypeError) as error:
        raise JournalError(f"the game can't be replayed: {error}") from error
    ids = {entry.id: entry for entry in state.history}
    steps = tuple(replace(one, entry=ids[one.entry.id]) for one in watch.steps)
    start = steps[0].entry.before if steps else state.position
    begun, newest = entries[0], entries[-1]
    return RecordedGame(game, start, state, steps, tuple(watch.asked), begun.at, newest.at, newest.hash)


class _Watch:
    """Notes the steps, and how long each took."""

    def __init__(self, kit: Kit) -> None:
        self._kit = kit
        self.steps: list[GameStep] = []
        self.asked: list[tuple[int, Occurrence]] = []
        self._ended: JournalEntry | None = None
        self._look: JournalEntry | None = None
        self._paused: JournalEntry | None = None
        self._pause_s = 0.0

    def saw(self, entry: JournalEntry, event: Event, before: TableState | None, state: TableState) -> None:
        """Take in an event."""
        if before is None:
            self._ended = entry
        if entry.kind == "look_taken":
            self._look = entry
        elif entry.kind == "paused":
            self._paused = entry
        elif isinstance(event, Resumed) and self._paused is not None:
            self._pause_s += elapsed_s(self._paused, entry)
            self._paused = None
        known = len(before.history) if before is not None else 0
        for made in state.history[known:]:
            self.steps.append(GameStep(made, entry.number, entry.at, self._took_s(made)))
            if made.counts:
                self._ended, self._pause_s = entry, 0.0
        if entry.kind == "setup_checked":
            self._ended, self._pause_s = entry, 0.0
        if isinstance(event, TurnRuled) and event.unsure is not None:
            ask = event.unsure.ask
            words = ask.why if ask is not None else say("The referee could not tell what happened.")
            self.asked.append((len(self.steps), Occurrence(entry.number, entry.at, words)))
        elif entry.kind in ASKED:
            self.asked.append((max(1, len(self.steps)), occurrence(entry, event, before, self._kit)))

    def _took_s(self, made: Entry) -> float | None:
        if made.what is not What.TURN or self._ended is None or self._look is None:
            return None
        return max(0.0, elapsed_s(self._ended, self._look) - self._pause_s)


def captures_of(one: GameStep) -> int:
    """Return how many pieces a turn captured."""
    ruling = one.entry.ruled.ruling if one.entry.ruled is not None else None
    return sum(len(act.captures) for act in ruling.acts) if ruling is not None else 0


def heat(session: RecordedGame) -> Mapping[str, int]:
    """Return how often each field, or each column of a tower, changed in the turns that count."""
    found: Counts[str] = Counts()
    kit = session.game.kit
    for one in session.counting:
        like = one.entry.before.observed
        for name, _, _ in changed_places(like.text, one.text, like, kit):
            found[name.split(".")[0]] += 1
    return found

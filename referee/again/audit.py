"""Judge a recorded game again: its events drive a session whose looks today's reader reads anew.

Each turn begins where the journal says it began, with what people said of it then. What today's reader compares
a look with comes from its own readings of the earlier pictures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from calibration.errors import CalibrationError
from calibration.picturefile import PictureError, decode_picture
from referee.again.comparison import JudgedAgain
from referee.again.past import PastRuling
from referee.games.contract import RequestError
from referee.match.events import AnyGame, Event, ReadingMade, Trigger, TurnRuled, Unsure, Verdict, event_from_json
from referee.match.state import TableState
from referee.match.transitions import TableError, begin, step
from referee.report.gamefile import PictureOf
from referee.session.adapter import LookSeen, adapter_of
from referee.session.bounds import unbounded
from referee.session.by_hand import ruled_by_hand
from referee.session.ruling import is_due, ruled_within
from referee.storage.journal import JournalEntry, JournalError
from referee.values.gameerror import GameError

NO_READER = "the table's measures and lenses are not known here"
NOT_CLEAR = "something is in the way, or no camera sees the frame"


class AgainAudit:
    """Judge one game again. reader: today's, ``None`` where the table is not known or nothing is looked at.

    picture: by content id, as kept.
    """

    def __init__(self, game: AnyGame, reader: object | None, picture: PictureOf) -> None:
        self._game, self._reader, self._picture = game, reader, picture
        self._adapter = adapter_of(game, reader)

    def all(self, entries: Sequence[JournalEntry], turn: int | None = None) -> Iterator[JudgedAgain]:
        """Judge every ruling again; with ``turn``, that turn's, and read of earlier ones only what it needs.

        Raises JournalError for events that can't be replayed.
        """
        steps = tuple(self._steps(entries))
        first = 0 if turn is None else _first_needed(steps, turn)
        state, adapter = steps[0].after, self._adapter
        sightings = adapter.remember(state, lambda reading: {})
        made: ReadingMade | None = None
        problem = ""
        for number, one in enumerate(steps[1:], 1):
            if isinstance(one.event, ReadingMade):
                made, problem = None, ""
                if number >= first:
                    seen, problem = self._seen(state, sightings, one.event)
                    sightings = sightings if seen is None else seen.sightings
                    # What happened during the turn was not kept as pictures: what was seen of it is taken as it is.
                    frames, alone, kept = one.event.frames, one.event.alone, one.event.pictures
                    if seen is not None:
                        made = replace(seen.reading, frames=frames, alone=alone, pictures=kept)
            if isinstance(one.event, TurnRuled) and turn in (None, one.turn):
                past = PastRuling(one.number, one.at, one.before, one.event, one.after.history[-1])
                yield self._judged(state, past, made, problem)
            state = step(state, _today(one.event, made))
            sightings = adapter.moved_on(state, sightings)

    def _steps(self, entries: Sequence[JournalEntry]) -> Iterator[_Step]:
        """Replay a journal as it was. Raises JournalError."""
        state: TableState | None = None
        try:
            for entry in entries:
                event = event_from_json(entry.kind, entry.data, self._game)
                after = begin(event) if state is None else step(state, event)
                yield _Step(entry.number, entry.at, event, state or after, after)
                state = after
        except (TableError, ValueError, LookupError, TypeError) as error:
            raise JournalError(f"the game can't be replayed: {error}") from error

    def _judged(self, today: TableState, past: PastRuling, made: ReadingMade | None, problem: str) -> JudgedAgain:
        """Return a ruling judged again. today: the state before it, with today's readings."""
        state = past.state
        of_then = self._of_then(past)
        if state.turn.end.board is not None or state.reading is None or not self._kept(state.reading):
            return JudgedAgain(past, of_then, None, of_then)
        if made is None or not is_due(self._adapter, today):
            return JudgedAgain(past, None, made, of_then, problem or NOT_CLEAR)
        try:
            return JudgedAgain(past, ruled_within(unbounded, self._game, self._adapter, today), made, of_then)
        except (RequestError, GameError) as error:  # no turn can lead to what is read
            return JudgedAgain(past, None, made, of_then, str(error))

    def _of_then(self, past: PastRuling) -> TurnRuled:
        """Return today's ruling on the reading of then; the ruling of then where what it rested on was not kept."""
        state = past.state
        due = is_due(self._adapter, state)
        if not due and state.turn.end.board is None and state.reading is not None:
            return past.then
        try:
            if due:
                return ruled_within(unbounded, self._game, self._adapter, state)
            return ruled_by_hand(self._game, state.position, past.then.observed, state.turn.declared)
        except (RequestError, GameError) as error:
            return TurnRuled(past.then.observed, Unsure(words=error.words))

    def _seen(self, state: TableState, sightings: object, then: ReadingMade) -> tuple[LookSeen | None, str]:
        """Return what today's reader sees in the pictures of a reading of then, and what was wrong with it."""
        if not self._kept(then):
            return None, ""
        if self._reader is None:
            return None, NO_READER
        try:
            pictures = {camera: decode_picture(self._picture(content) or b"") for camera, content in then.pictures}
            return self._adapter.read(state, sightings, (pictures,)), ""
        except (CalibrationError, PictureError, GameError) as error:
            return None, str(error)

    def _kept(self, reading: ReadingMade) -> bool:
        return bool(reading.pictures) and all(self._picture(content) for _, content in reading.pictures)


@dataclass(frozen=True, slots=True)
class _Step:
    """An event of then with the states around it; of the first both are the one it leads to."""

    number: int
    at: str
    event: Event
    before: TableState
    after: TableState

    @property
    def turn(self) -> int:
        """Return the turn that the newest entry of the record is about."""
        return self.after.history[-1].turn


def _first_needed(steps: Sequence[_Step], turn: int) -> int:
    """Return the number of the step from which looks must be read for a turn: the last known look before it."""
    wanted = next((one for one in steps if isinstance(one.event, TurnRuled) and one.turn == turn), None)
    if wanted is None:
        return len(steps)
    known = [
        entry.reading
        for entry in wanted.before.history
        if entry.ruled is not None and entry.ruled.verdict is not Verdict.UNSURE and entry.reading is not None
    ]
    needed = known[-1] if known else None
    return next((number for number, one in enumerate(steps) if one.event is needed), 0)


def _today(event: Event, made: ReadingMade | None) -> Event:
    """Put today's reading in the place of that of then, where it leads on as that one did."""
    if isinstance(event, ReadingMade) and made is not None and made.trigger is event.trigger is Trigger.SEEN:
        return made
    return event

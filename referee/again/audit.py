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
from referee.session.adapter import adapter_of
from referee.session.by_hand import ruled_by_hand
from referee.session.engine import Session
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

    def all(self, entries: Sequence[JournalEntry], turn: int | None = None) -> Iterator[JudgedAgain]:
        """Judge every ruling again; with ``turn``, that turn's, and read of earlier ones only what it needs.

        Raises JournalError for events that can't be replayed.
        """
        steps = tuple(self._steps(entries))
        first = 0 if turn is None else _first_needed(steps, turn)
        session = Session(self._game, steps[0].after, lambda state: adapter_of(self._game, self._reader, state))
        made: ReadingMade | None = None
        problem = ""
        for number, one in enumerate(steps[1:], 1):
            if isinstance(one.event, ReadingMade):
                made, problem = self._read(session, one.event) if number >= first else (None, "")
            if isinstance(one.event, TurnRuled) and turn in (None, one.turn):
                past = PastRuling(one.number, one.at, one.before, one.event, one.after.history[-1])
                yield self._judged(session, past, made, problem)
            session.follow(_today(one.event, made))

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

    def _judged(self, session: Session, past: PastRuling, made: ReadingMade | None, problem: str) -> JudgedAgain:
        state = past.state
        of_then = self._of_then(past)
        if state.turn.end.board is not None or state.reading is None or not self._kept(state.reading):
            return JudgedAgain(past, of_then, None, of_then)
        if made is None or not session.can_rule:
            return JudgedAgain(past, None, made, of_then, problem or NOT_CLEAR)
        try:
            return JudgedAgain(past, session.ruling(), made, of_then)
        except (RequestError, GameError) as error:  # no turn can lead to what is read
            return JudgedAgain(past, None, made, of_then, str(error))

    def _of_then(self, past: PastRuling) -> TurnRuled:
        """Return today's ruling on the reading of then; the ruling of then where what it rested on was not kept."""
        state = past.state
        session = Session(self._game, state, lambda at: adapter_of(self._game, self._reader, at))
        if not session.can_rule and state.turn.end.board is None and state.reading is not None:
            return past.then
        try:
            if session.can_rule:
                return session.ruling()
            return ruled_by_hand(self._game, state.position, past.then.observed, state.turn.declared)
        except (RequestError, GameError) as error:
            return TurnRuled(past.then.observed, Unsure(words=error.words))

    def _read(self, session: Session, then: ReadingMade) -> tuple[ReadingMade | None, str]:
        """Return today's reading of the pictures of one of then, and what was wrong with it."""
        if not self._kept(then):
            return None, ""
        if self._reader is None:
            return None, NO_READER
        try:
            pictures = {camera: decode_picture(self._picture(content) or b"") for camera, content in then.pictures}
            seen = session.adapter.read(session.state, (pictures,))
        except (CalibrationError, PictureError, GameError) as error:
            return None, str(error)
        made = session.adapter.reading(seen, dict(then.pictures))
        # What happened during the turn was not kept as pictures: what was seen of it then is taken as it is.
        return replace(made, frames=then.frames, untouched=then.untouched), ""

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

"""The session engine: one refereed game, without thread, file, clock or device (in the manner of h11).

``receive`` takes what was said or captured and returns work: dues that the driver carries out in their order. An
event has happened once the driver asks for the next due; a driver that can't write it closes the work, and the game
stands as the journal has it. ``wish`` says what the session would like to see next. The live table, audits, imports
and scripts all drive this engine, so a ruling can't depend on the way by which its pictures came.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from referee.match.events import CalledOff, ChangedUnseen, Event, LookTaken, SeatsTaken, SourceEnded
from referee.match.live import Live, Waiting
from referee.match.phases import Phase
from referee.match.transitions import step, went_on, witnessed
from referee.session.capture import Capture, Pictures
from referee.session.said import (
    Captured,
    CommandGiven,
    EventNoted,
    LookGiven,
    LookRead,
    NothingCaptured,
    Said,
    StateChanged,
    TimePassed,
    ViewShown,
    WantsChange,
    WantsLook,
    WantsNothing,
    Wish,
    Work,
)
from referee.session.viewing import HAND, VIEW, Viewing
from referee.values.problems import NO_PICTURES
from referee.values.words import Words, say
from referee.view.board import is_swept
from vision.geometry.view import roams

BLIND_S = 3.0
"""Time without any camera's picture after which a look has failed."""
SIDE = Waiting("side", say("Looking at this side: please leave it as it stands"))
"""Reading what was gathered takes seconds; who turns on meanwhile shows no side for long enough."""
_WATCHED = frozenset({Phase.SET_UP, Phase.PLAYING, Phase.VIOLATION, Phase.RESTORING})


class Session(Viewing):
    """Referees one game."""

    # In and out

    def receive(self, said: Said) -> Work:
        """Take in what was said or captured. Raises CommandError for a command that is refused."""
        match said:
            case CommandGiven(command, at_s):
                return self._command(self.decided(command), at_s)
            case EventNoted(events):
                return self._happen(*events)
            case Captured(capture, at_s):
                return self._captured(capture, at_s)
            case LookGiven():
                return self._look_given(said)
            case ViewShown(capture, at_s):
                return self._view(capture, at_s)
            case NothingCaptured():
                return self._nothing_captured(said)
            case TimePassed():
                return self._time_passed(said)

    def wish(self, now_s: float) -> Wish:
        """Return what the session would like to see now."""
        state = self.state
        if self.can_rule or (self._look_asked and not self.adapter.needs_pictures):
            return WantsNothing()
        if self._look_asked:
            return WantsLook(self._times.asked_s, state.look)
        if state.phase is Phase.BLIND:
            may = self._times.may_try(now_s) and self._patience.hand_s > 0
            return WantsLook(self._times.asked_s, state.look) if may else WantsNothing()
        if state.phase in _WATCHED or self._watched_unsure:
            # The board may be set up for the game already, or put back before an undo, so that no change will come.
            fresh = self._unseen and state.phase in (Phase.SET_UP, Phase.RESTORING)
            return WantsChange(WantsLook(self._times.asked_s, state.look) if fresh else None)
        return WantsNothing()

    @property
    def live(self) -> Live:
        """Return what is known beside the record."""
        told = self.state.phase in (Phase.READING, Phase.SET_UP) or (self._gathers_sides and self.waiting is SIDE)
        waiting = self.waiting if told else None
        return replace(self.adapter.live(self.state), waiting=waiting, clock_since_ms=self.clock.since_ms)

    def remember(self, looks: list[Pictures]) -> None:
        """Take in the pictures of ``adapter.to_remember`` after a restart, as far as they were kept."""
        self.adapter.remember(self.state, looks)

    def still_meant(self, seen: int, last: int) -> bool:
        """Return whether a decision made when event ``seen`` was the newest is meant now that ``last`` is.

        The referee's own looks at the set-up or the table change nothing. What was seen of the game before has higher
        numbers than a game that has just begun.
        """
        return last - self._own_events <= seen <= last

    def follow(self, event: Event) -> None:
        """Follow an event that a journal holds already. Raises TableError."""
        self._apply(event)

    def go_on(self) -> None:
        """Go on although the last turn could not be told: the players did."""
        self.state = went_on(self.state)
        self.adapter.moved_on(self.state, CalledOff(""))

    def tell(self, known: Mapping[str, str]) -> None:
        """Take somebody's word for what stands in some places, before a look: nothing fell there."""
        self.state = witnessed(self.state, known, known.keys())

    # Events

    def _command(self, events: tuple[Event, ...], at_s: float) -> Work:
        shown = self._shown
        yield from self._happen(*events)
        reseated = any(isinstance(event, SeatsTaken) for event in events)
        if reseated and shown is not None and all(roams(name) for name in shown.newest):
            yield from self._look(shown, at_s)  # nobody walks around the board a second time for this
        yield from self._tick(at_s, held=False)

    def begin_look(self, now_s: float) -> None:
        """Ask for pictures that come after now: what happened before does not show the table as it was left."""
        self._times, self.waiting = self._times.asked(now_s), None

    def _time_passed(self, said: TimePassed) -> Work:
        yield from self._passed_over()
        if said.ended and not self.state.awaiting and self.state.ended != said.ended:
            yield from self._happen(SourceEnded(said.ended))
        yield from self._view_overdue(said.at_s, said.coming)
        yield from self._tick(said.at_s, said.clock_held)

    def _tick(self, now_s: float, held: bool) -> Work:
        """Let the game clock go on or stand as the game does."""
        event = self.clock.due(self.state, now_s, held)
        if event is not None:
            yield from self._happen(event)

    # Looks

    def _nothing_captured(self, said: NothingCaptured) -> Work:
        if self.can_rule:  # by hand, by a witness's word, or after a restart: the last look is ruled on
            yield from self._rule(followed=False)
        elif self._look_asked and not self.adapter.needs_pictures:
            yield from self._look(Capture.of({}, said.at_s), said.at_s)
        elif self._look_asked:
            self.waiting = said.waiting or (self.waiting if self._open is not None else None)
            if said.blind_for_s > BLIND_S:
                yield from self._blind(said.cameras, NO_PICTURES)
        elif self._gathers_sides:
            turned = said.waiting is not None and (said.waiting.id == "still" or self.waiting is SIDE)
            self.waiting = SIDE if turned else None
        elif self._over_by_itself(said.at_s, said.waiting is not None):
            yield from self._look_by_itself()
            self.begin_look(said.at_s)

    def _captured(self, capture: Capture, now_s: float) -> Work:
        wish = self.wish(now_s)
        if isinstance(wish, WantsChange):
            yield from self._observe(capture, now_s)
        elif self.state.phase is Phase.BLIND:
            yield from self._try_again(capture, now_s)
        elif isinstance(wish, WantsLook):
            yield from self._look(capture, now_s)

    def _look(self, capture: Capture, now_s: float) -> Work:
        """Take the look somebody asked for."""
        seen = self._read(capture)
        if isinstance(seen, Words):
            yield from self._blind(tuple(capture.newest), seen)
            return
        yield LookRead(capture, seen)
        if seen.lost or not seen.clear:
            self._times = self._times.doubted(now_s)
            if not self._times.out_of_patience(now_s, self._patience.hand_s):
                self.waiting = VIEW if seen.lost else HAND
                self._times = self._times.passed_over(capture.at_s)
                return
        yield from self._taken(capture, seen)

    def _look_given(self, said: LookGiven) -> Work:
        """Take pictures that are at hand as the look at the end of a turn, unless they show nothing clearly."""
        taken = LookTaken(self.state.look + 1, said.setup, said.by)
        asked, adapter = step(self.state, taken), self.adapter.fork()
        adapter.moved_on(asked, taken)
        seen = adapter.read(asked, said.capture.views)
        yield LookRead(said.capture, seen)
        if seen.clear and not seen.lost:
            self.adapter = adapter
            yield from self._happen(taken)
            yield from self._taken(said.capture, seen)

    def _try_again(self, capture: Capture, now_s: float) -> Work:
        """Go on by itself from a blind table as soon as it can be read."""
        self._times = self._times.tried(now_s)
        seen = self._read(capture)
        self._times = self._times.asked_again(capture.at_s)
        if isinstance(seen, Words):
            return
        yield LookRead(capture, seen)
        if seen.clear and not seen.lost:
            yield from self._happen(LookTaken(self.state.look + 1))
            yield from self._taken(capture, seen)

    def _observe(self, capture: Capture, now_s: float) -> Work:
        """Take in a table that stands still while nobody asked: what is put back, set up or done of the turn."""
        ruled_on = {} if self._newest is None else self._newest[1].frames
        if self.state.phase is Phase.UNSURE and capture.frames and capture.frames == ruled_on:
            return
        if self._gathers_sides and self.waiting is not SIDE:
            self.waiting = SIDE
            yield StateChanged()
        seen = self._read(capture)
        self.waiting = None if self.waiting is SIDE else self.waiting
        self._times, self._unseen = self._times.changed(now_s), False
        if isinstance(seen, Words):
            if self.state.phase is Phase.UNSURE:  # players showed what they were asked for, and wait for the answer
                yield from self._look_by_itself()
                yield from self._blind(tuple(capture.newest), seen)
            return
        yield LookRead(capture, seen)
        if seen.lost or not seen.clear:
            return
        phase = self.state.phase
        if phase is Phase.SET_UP:
            if self.adapter.setup_seen(self.state, seen):
                yield from self._look_now(capture, seen)
        elif phase is Phase.UNSURE and (self.adapter.gathers or not is_swept(self.state)):
            back = self._one_is_missed and capture.frames.keys() - ruled_on.keys()
            if back or self.adapter.tells_more(self.state, seen):
                yield from self._look_now(capture, seen)
        else:
            yield from self._settled(seen)
            if capture.unseen and self.adapter.differs and self.state.phase is phase and not self.state.turn.unseen:
                yield from self._happen(ChangedUnseen())

    # What the session waits for

    @property
    def _watched_unsure(self) -> bool:
        """Return whether the table is watched although the turn is unsure.

        So it is where sides are gathered, the board must be put back, or a camera that was missed may come back.
        """
        watched = self.adapter.gathers or is_swept(self.state) or self._one_is_missed
        return self.state.phase is Phase.UNSURE and watched

    @property
    def _one_is_missed(self) -> bool:
        """Return whether the newest look was taken without a fixed camera that others looked on beside."""
        return self.state.reading is not None and bool(self.state.reading.sightless)

    @property
    def _gathers_sides(self) -> bool:
        """Return whether players turn what stands there, so that cameras see its other sides."""
        return self.state.phase is Phase.UNSURE and self.adapter.gathers

    def _over_by_itself(self, now_s: float, moving: bool) -> bool:
        """Return whether the board has changed and stood still for so long that the turn counts as ended."""
        if not self._patience.still_s or self.state.phase is not Phase.PLAYING or not self.adapter.differs:
            return False
        if moving:
            self._times = self._times.changed(now_s)
            return False
        return self._times.still_for_s(now_s) >= self._patience.still_s

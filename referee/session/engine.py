"""The session engine: one refereed game, without thread, file, clock or device (in the manner of h11).

``receive`` takes what was said or captured and returns work: dues that the driver carries out in their order. An
event has happened once the driver asks for the next due; a driver that can't write it closes the work, and the game
stands as the journal has it. ``wish`` says what the session would like to see next. The live table, audits, imports
and scripts all drive this engine, so a ruling can't depend on the way by which its pictures came.
"""

from __future__ import annotations

from dataclasses import replace

from referee.match.events import ChangedUnseen, Event, LookTaken, SeatsTaken, SourceEnded
from referee.match.live import Live, Waiting
from referee.match.phases import Phase
from referee.session.capture import Capture
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
    WantsToRule,
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
LOOK_AGAIN_S = 1.0
"""Interval between tries while the board can't be read."""
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
                return self._command(self._decided_by(command), at_s)
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
        return Wish(self._wanted(now_s), self._view_after_s)

    def _wanted(self, now_s: float) -> WantsNothing | WantsToRule | WantsLook | WantsChange:
        state, looking = self.state, self._looking
        if self._can_rule:
            return WantsToRule()
        look = WantsLook(looking.asked_s, state.look)
        if self._look_asked:
            return look if self._ways.needs_pictures else WantsNothing()
        if state.phase is Phase.BLIND:
            return look if now_s >= looking.again_s and self._patience.hand_s > 0 else WantsNothing()
        if state.phase in _WATCHED or self._watched_unsure:
            # The board may be set up for the game already, or put back before an undo, so that no change will come.
            fresh = looking.unseen and state.phase in (Phase.SET_UP, Phase.RESTORING)
            return WantsChange(look if fresh else None)
        return WantsNothing()

    @property
    def live(self) -> Live:
        """Return what is known beside the record."""
        waits = self._looking.waiting
        told = self.state.phase in (Phase.READING, Phase.SET_UP) or (self._gathers_sides and waits is SIDE)
        return replace(
            self._adapter.live(self.state, self._sightings),
            waiting=waits if told else None,
            clock_since_ms=self._clock.since_ms,
            showing=self._showing,
        )

    # Events

    def _command(self, events: tuple[Event, ...], at_s: float) -> Work:
        shown = self._shown
        yield from self._happen(*events)
        self._looking = self._looking.asked(at_s)
        reseated = any(isinstance(event, SeatsTaken) for event in events)
        if reseated and shown is not None and all(roams(name) for name in shown.newest):
            yield from self._look(shown, at_s)  # nobody walks around the board a second time for this
        yield from self._tick(at_s, held=False)

    def _time_passed(self, said: TimePassed) -> Work:
        yield from self._passed_over()
        if said.ended and not self.state.awaiting and self.state.ended != said.ended:
            yield from self._happen(SourceEnded(said.ended))
        yield from self._view_overdue(said.at_s, said.coming)
        yield from self._tick(said.at_s, said.clock_held)

    def _tick(self, now_s: float, held: bool) -> Work:
        """Let the game clock go on or stand as the game does."""
        event, self._clock = self._clock.due(self.state, now_s, held)
        if event is not None:
            yield from self._happen(event)

    # Looks

    def _nothing_captured(self, said: NothingCaptured) -> Work:
        looking = self._looking
        if self._can_rule:  # by hand, by a witness's word, or after a restart: the last look is ruled on
            yield from self._rule(followed=False)
        elif self._look_asked and not self._ways.needs_pictures:
            yield from self._look(Capture.of({}, said.at_s), said.at_s)
        elif self._look_asked:
            waiting = said.waiting or (looking.waiting if looking.open is not None else None)
            self._looking = replace(looking, waiting=waiting)
            if said.blind_for_s > BLIND_S:
                yield from self._blind(said.cameras, NO_PICTURES)
        elif self._gathers_sides:
            turned = said.waiting is not None and (said.waiting.id == "still" or looking.waiting is SIDE)
            self._looking = replace(looking, waiting=SIDE if turned else None)
        elif self._may_end_by_itself and said.waiting is not None:
            self._looking = replace(looking, changed_s=said.at_s)
        elif self._may_end_by_itself and said.at_s - looking.changed_s >= self._patience.still_s:
            yield from self._look_by_itself()
            self._looking = self._looking.asked(said.at_s)

    def _captured(self, capture: Capture, now_s: float) -> Work:
        wanted = self._wanted(now_s)
        if isinstance(wanted, WantsChange):
            yield from self._observe(capture, now_s)
        elif self.state.phase is Phase.BLIND:
            yield from self._try_again(capture, now_s)
        elif isinstance(wanted, WantsLook):
            yield from self._look(capture, now_s)

    def _look(self, capture: Capture, now_s: float) -> Work:
        """Take the look somebody asked for."""
        seen = self._read(capture)
        if isinstance(seen, Words):
            yield from self._blind(tuple(capture.newest), seen)
            return
        yield LookRead(capture, seen)
        if seen.lost or not seen.clear:
            self._looking = self._looking.doubted(now_s)
            if not self._looking.out_of_patience(now_s, self._patience.hand_s):
                passed_over = self._looking.passed_over(capture.at_s)
                self._looking = replace(passed_over, waiting=VIEW if seen.lost else HAND)
                return
        yield from self._taken(capture, seen)

    def _try_again(self, capture: Capture, now_s: float) -> Work:
        """Go on by itself from a blind table as soon as it can be read."""
        seen = self._read(capture)
        self._looking = replace(self._looking.passed_over(capture.at_s), again_s=now_s + LOOK_AGAIN_S)
        if isinstance(seen, Words):
            return
        yield LookRead(capture, seen)
        if seen.clear and not seen.lost:
            yield from self._happen(LookTaken(self.state.look + 1))
            yield from self._taken(capture, seen)

    def _observe(self, capture: Capture, now_s: float) -> Work:
        """Take in a table that stands still while nobody asked: what is put back, set up or done of the turn."""
        newest = self._looking.newest
        ruled_on = {} if newest is None else newest[1].frames
        if self.state.phase is Phase.UNSURE and capture.frames and capture.frames == ruled_on:
            return
        if self._gathers_sides and self._looking.waiting is not SIDE:
            self._looking = replace(self._looking, waiting=SIDE)
            yield StateChanged()
        seen = self._read(capture)
        waiting = None if self._looking.waiting is SIDE else self._looking.waiting
        self._looking = replace(self._looking, changed_s=now_s, unseen=False, waiting=waiting)
        if isinstance(seen, Words):
            if self.state.phase is Phase.UNSURE:  # players showed what they were asked for, and wait for the answer
                yield from self._look_by_itself()
                yield from self._blind(tuple(capture.newest), seen)
            return
        yield LookRead(capture, seen)
        if seen.lost or not seen.clear:
            return
        phase, compared = self.state.phase, self._compared(seen)
        if phase is Phase.SET_UP:
            if compared.settled:
                yield from self._look_now(capture, seen)
        elif phase is Phase.UNSURE and (self._ways.gathers or not is_swept(self.state)):
            back = self._one_is_missed and capture.frames.keys() - ruled_on.keys()
            if back or compared.more:
                yield from self._look_now(capture, seen)
        else:
            yield from self._settled(compared)
            changed = self._sightings.differs and self.state.phase is phase
            if capture.unseen and changed and not self.state.turn.unseen:
                yield from self._happen(ChangedUnseen())

    # What the session waits for

    @property
    def _watched_unsure(self) -> bool:
        """Return whether the table is watched although the turn is unsure.

        So it is where sides are gathered, the board must be put back, or a camera that was missed may come back.
        """
        watched = self._ways.gathers or is_swept(self.state) or self._one_is_missed
        return self.state.phase is Phase.UNSURE and watched

    @property
    def _one_is_missed(self) -> bool:
        """Return whether the newest look was taken without a fixed camera that others looked on beside."""
        return self.state.reading is not None and bool(self.state.reading.sightless)

    @property
    def _gathers_sides(self) -> bool:
        """Return whether players turn what stands there, so that cameras see its other sides."""
        return self.state.phase is Phase.UNSURE and self._ways.gathers

    @property
    def _may_end_by_itself(self) -> bool:
        """Return whether the turn counts as ended once the board, which has changed, has stood still for long."""
        changed = self.state.phase is Phase.PLAYING and self._sightings.differs
        return changed and self._patience.still_s > 0

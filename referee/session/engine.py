"""The session engine: one refereed game, without thread, file, clock or device (in the manner of h11).

``receive`` takes what was said or captured and returns work: dues that the driver carries out in their order. An
event has happened once the driver asks for the next due; a driver that can't write it closes the work, and the game
stands as the journal has it. ``wish`` says what the session would like to see next. The live table, audits, imports
and scripts all drive this engine, so a ruling can't depend on the way by which its pictures came.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace

from calibration.errors import CalibrationError
from referee.match.commands import decide
from referee.match.events import (
    AnyGame,
    CalledOff,
    Event,
    LookTaken,
    PutBack,
    SourceEnded,
    TurnPassed,
    TurnRuled,
    Verdict,
)
from referee.match.live import Live, Waiting
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.match.transitions import step
from referee.session.adapter import LookSeen, ObservationAdapter
from referee.session.bounds import Bound, TookTooLongError, unbounded
from referee.session.capture import Capture, Pictures
from referee.session.clock import GameClock
from referee.session.leftopen import left_open
from referee.session.ruling import ruled_within
from referee.session.said import (
    OWN_TRIGGERS,
    BoardAgreed,
    Captured,
    CommandGiven,
    EventNoted,
    FollowHands,
    KeepPictures,
    LookGiven,
    LookRead,
    NothingCaptured,
    Said,
    StateChanged,
    TimePassed,
    WantsChange,
    WantsLook,
    WantsNothing,
    Wish,
    Work,
)
from referee.session.timing import LookPatience, LookTiming
from referee.values.words import say
from referee.view.board import is_swept
from referee.view.problems import NO_PICTURES, TOO_SLOW

BLIND_S = 3.0
"""A look has failed without any camera's picture for so long."""
_LOG = logging.getLogger(__name__)
_HAND = Waiting("hand", say("Something is in the way: please clear the view"))
_VIEW = Waiting("view", say("Looking for the frame around the board"))
_WATCHED = frozenset({Phase.SET_UP, Phase.PLAYING, Phase.VIOLATION, Phase.RESTORING})


class Session:
    """Referees one game. ``state`` is all that counts; the rest is computed again when the game is taken up."""

    def __init__(
        self,
        game: AnyGame,
        state: TableState,
        adapting: Callable[[TableState], ObservationAdapter],
        now_s: float = 0.0,
        patience: LookPatience | None = None,
        begun: bool = False,
        review: Callable[[TurnRuled], TurnRuled] = lambda event: event,
        asking: bool = True,
        bound: Bound = unbounded,
    ) -> None:
        """Take up a game, or begin it.

        adapting: makes the adapter of the game's kind. begun: the game begins now and was not taken up. review: has
        the last word on a ruling, for a driver that knows more of the turns. asking: players can be asked what a
        set-up does not show; otherwise it is taken as the game asks. bound: bounds readings and rulings in time.
        """
        self.game, self.state = game, state
        self.adapter = adapting(state)
        self._patience = patience or LookPatience()
        self.clock = GameClock()
        self.waiting: Waiting | None = None
        self._times = LookTiming.starting(now_s)
        self._own_events = 0
        self._unseen, self._review, self._asking, self._bound = begun, review, asking, bound
        self._ruled_on: dict[str, int] = {}
        self._followed: tuple[int, str] | None = None

    # In and out

    def receive(self, said: Said) -> Work:
        """Take in what was said or captured. Raises CommandError for a command that is refused."""
        match said:
            case CommandGiven(command, at_s):
                return self._command(decide(command, self.state, self.game), at_s)
            case EventNoted(events):
                return self._happen(*events)
            case Captured(capture, at_s):
                return self._captured(capture, at_s)
            case LookGiven():
                return self._look_given(said)
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
            # The board of another game may stand set up already, and change no more.
            fresh = self._unseen and state.phase is Phase.SET_UP
            return WantsChange(WantsLook(self._times.asked_s, state.look) if fresh else None)
        return WantsNothing()

    @property
    def live(self) -> Live:
        """Return what is known beside the record."""
        waiting = self.waiting if self.state.phase in (Phase.READING, Phase.SET_UP) else None
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

    def fork(self) -> Session:
        """Return another session that goes on from here without changing this one."""
        other = copy(self)
        other.adapter, other.clock = self.adapter.fork(), copy(self.clock)
        return other

    def go_on(self) -> None:
        """Take it that the players went on although the last turn could not be told."""
        self.state = left_open(self.state)
        self.adapter.moved_on(self.state, CalledOff(""))

    def tell(self, known: Mapping[str, str]) -> None:
        """Take somebody's word for what stands in some places, before a look."""
        self.state = replace(self.state, known={**self.state.known, **known})

    # Events

    def _happen(self, *events: Event) -> Work:
        """Let events happen. All steps come first: what can't happen is not written. Raises TableError."""
        after = self.state
        for event in events:
            after = step(after, event)
        for event in events:
            yield event
            self._apply(event)
            yield StateChanged()
        state = self.state
        if state.position.to_move in state.out and state.phase in (Phase.PLAYING, Phase.RESTORING):
            yield from self._happen(TurnPassed(state.position.to_move, self.game.passed(state.position)))

    def _apply(self, event: Event) -> None:
        self.state = step(self.state, event)
        self.adapter.moved_on(self.state, event)
        self._own_events = self._own_events + 1 if event.trigger in OWN_TRIGGERS else 0
        _LOG.debug("happened kind=%s phase=%s turn=%d", event.kind, self.state.phase, self.state.position.turn)

    def _command(self, events: tuple[Event, ...], at_s: float) -> Work:
        yield from self._happen(*events)
        yield from self._tick(at_s, held=False)

    def begin_look(self, now_s: float) -> None:
        """Ask for pictures that come after now: what happened before does not show the table as it was left."""
        self._times, self.waiting = self._times.asked(now_s), None

    def _time_passed(self, said: TimePassed) -> Work:
        if said.ended and not self.state.awaiting and self.state.ended != said.ended:
            yield from self._happen(SourceEnded(said.ended))
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
            self.waiting = said.waiting
            if said.blind_for_s > BLIND_S:
                yield from self._blind(said.cameras, NO_PICTURES)
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
        seen, problem = self._read(capture)
        if seen is None:
            yield from self._blind(tuple(capture.newest), problem)
            return
        yield LookRead(capture, seen)
        if seen.lost or not seen.clear:
            self._times = self._times.doubted(now_s)
            if not self._times.out_of_patience(now_s, self._patience.hand_s):
                self.waiting = _VIEW if seen.lost else _HAND
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
        seen, _ = self._read(capture)
        self._times = self._times.asked_again(capture.at_s)
        if seen is None:
            return
        yield LookRead(capture, seen)
        if seen.clear and not seen.lost:
            yield from self._happen(LookTaken(self.state.look + 1))
            yield from self._taken(capture, seen)

    def _observe(self, capture: Capture, now_s: float) -> Work:
        """Take in a table that stands still while nobody asked: what is put back, set up or done of the turn."""
        if self.state.phase is Phase.UNSURE and capture.frames and capture.frames == self._ruled_on:
            return
        seen, _ = self._read(capture)
        self._times, self._unseen = self._times.changed(now_s), False
        if seen is None:
            return
        yield LookRead(capture, seen)
        if seen.lost or not seen.clear:
            return
        phase = self.state.phase
        if phase is Phase.SET_UP:
            if self.adapter.setup_seen(self.state, seen):
                yield from self._look_now(capture, seen)
        elif phase is Phase.UNSURE and (self.adapter.gathers or not is_swept(self.state)):
            if self.adapter.tells_more(self.state, seen):
                yield from self._look_now(capture, seen)
        elif self.adapter.turn_seen(self.state, seen):
            # A swept board nobody could rule on is back: the turn goes on. One that broke a rule is taken back.
            yield from self._happen(CalledOff("") if phase is Phase.UNSURE else PutBack(""))

    def _look_now(self, capture: Capture, seen: LookSeen) -> Work:
        """Take what was seen while nobody asked as a look."""
        yield from self._look_by_itself()
        yield from self._taken(capture, seen)

    def _look_by_itself(self) -> Work:
        return self._happen(LookTaken(self.state.look + 1, setup=self.state.phase is Phase.SET_UP))

    def _taken(self, capture: Capture, seen: LookSeen) -> Work:
        """Write a look down, its pictures first, and rule on it."""
        self.waiting, self._times, self._ruled_on = None, self._times.taken(), dict(capture.frames)
        kept = (yield KeepPictures(capture)) or {}
        untouched = capture.untouched if self._followed == self._standing else None
        yield from self._happen(self.adapter.reading(seen, kept, untouched))
        if not self.state.awaiting:
            return
        if self.state.phase is Phase.SET_UP:
            yield from self._happen(self.adapter.setup(self.state, seen, self._asking))
            yield FollowHands(self.adapter.heights(self.state.position.observed.text))
            yield from self._agreed()
        else:
            yield from self._rule(followed=True)

    def _blind(self, cameras: tuple[str, ...], problem: str) -> Work:
        return self._happen(self.adapter.blind(self.state, cameras, problem))

    def _read(self, capture: Capture) -> tuple[LookSeen | None, str]:
        adapter = self.adapter.fork()  # a reading that is given up must not touch what comes after it
        try:
            seen = self._bound(lambda: adapter.read(self.state, capture.views))
        except CalibrationError as error:
            return None, str(error)
        except TookTooLongError:
            return None, TOO_SLOW
        self.adapter = adapter
        return seen, ""

    # Rulings

    @property
    def can_rule(self) -> bool:
        """Return whether a ruling is due and all it rests on is in the record."""
        state = self.state
        if state.phase is not Phase.RULING:
            return False
        return bool(state.corrected) or (state.reading is not None and self.adapter.can_rule(state.reading))

    def ruling(self) -> TurnRuled:
        """Rule on the board the players gave, or on the newest reading as the journal has it."""
        return self._review(ruled_within(self._bound, self.game, self.adapter, self.state))

    def _rule(self, followed: bool) -> Work:
        """Rule on the turn.

        followed: a look was just taken, so what hands do from here on may belong to the next turn.
        """
        event = self.ruling()
        yield from self._happen(event)
        if followed:
            heights = self.adapter.heights(event.observed)
            if heights is not None:
                yield FollowHands(heights)
        if event.verdict is Verdict.LEGAL:
            yield from self._agreed()

    def _agreed(self) -> Work:
        yield BoardAgreed()
        self._followed = self._standing

    @property
    def _standing(self) -> tuple[int, str]:
        return self.state.position.turn, self.state.position.observed.text

    # What the session waits for

    @property
    def _look_asked(self) -> bool:
        """Return whether somebody asked for a look that has no outcome yet."""
        return self.state.awaiting and self.state.phase in (Phase.READING, Phase.RULING, Phase.SET_UP)

    @property
    def _watched_unsure(self) -> bool:
        """Return whether the table is watched although the turn is unsure: it gathers sides, or must be put back."""
        return self.state.phase is Phase.UNSURE and (self.adapter.gathers or is_swept(self.state))

    def _over_by_itself(self, now_s: float, moving: bool) -> bool:
        """Return whether the board has changed and stood still for so long that the turn counts as ended."""
        if not self._patience.still_s or self.state.phase is not Phase.PLAYING or not self.adapter.differs:
            return False
        if moving:
            self._times = self._times.changed(now_s)
            return False
        return self._times.still_for_s(now_s) >= self._patience.still_s

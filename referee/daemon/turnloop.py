"""The turn loop: one thread that owns the table. Looks and commands become events, and every event a new view.

The loop holds nothing that counts and is not in the journal: killed at any moment, it starts again where it was. An
event is written first and then shown; a command is answered when what follows from it has been written. What belongs
to one game is in PlayedGame, what belongs to one kind of game in its Onlooker, when to look in LookTiming.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from calibration.errors import CalibrationError
from referee.daemon.commandqueue import Asked, CommandQueue
from referee.daemon.framesource import FrameSource, Seen
from referee.daemon.kinds import Eyes, onlooker_of
from referee.daemon.looktiming import LookTiming
from referee.daemon.notices import notices
from referee.daemon.onlooker import LookSeen, Onlooker
from referee.daemon.outcomes import Judge
from referee.daemon.playedgame import PlayedGame
from referee.daemon.session import GameSession
from referee.daemon.showing import Publish, Showing
from referee.daemon.turnhands import TurnHands
from referee.games.contract import RequestError
from referee.judging.judge import judge as judged
from referee.match.commands import Command, CommandError, Name, decide
from referee.match.events import (
    AnyGame,
    CalledOff,
    Event,
    LookTaken,
    PutBack,
    SourceEnded,
    TurnRuled,
    Verdict,
)
from referee.match.live import CameraState, Live, Notice, Waiting
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.service.watchdog import Watchdog
from referee.storage.journal import JournalError
from referee.values.metrics import Metrics
from referee.values.words import say
from referee.view import NOTHING, Banner, banner
from referee.view.board import is_swept
from referee.view.problems import NO_PICTURES, problem_words
from web.tableview import Outcome

ROUND_S = 0.25
"""The loop comes round at least so often, whatever happens or doesn't."""
BLIND_S = 3.0
"""Without any camera's picture for so long, a look has failed."""

_LOG = logging.getLogger(__name__)
_HAND = Waiting("hand", say("Something is in the way: please clear the view"))
_VIEW = Waiting("view", say("Looking for the frame around the board"))
_BEGINS = frozenset({Name.NEW_GAME, Name.PLAY_AGAIN})
"""The commands that leave a game's journal for another's."""
_LIVE = frozenset({Phase.SET_UP, Phase.PLAYING, Phase.VIOLATION, Phase.RESTORING})


@dataclass(frozen=True, slots=True)
class Helpers:
    """What the loop tells how it does, and what it is given to show. All may be left out.

    on_change: called with state and live view after every change, in the loop's thread; it must not wait.
    certificate: gives the table's, as its file has it. notices: what other parts have to say.
    """

    vitals: Metrics | None = None
    watchdog: Watchdog | None = None
    on_change: Callable[[TableState, Live], None] = lambda state, live: None
    certificate: Callable[[], Mapping[str, object] | None] = lambda: None
    notices: Callable[[], tuple[Notice, ...]] = tuple


class TurnLoop:
    """Referees games, one after the other, from one thread."""

    def __init__(
        self,
        game: AnyGame,
        eyes: Eyes,
        sight: FrameSource,
        session: GameSession,
        desk: CommandQueue,
        publish: Publish,
        judge: Judge = judged,
        helpers: Helpers | None = None,
        clock: Callable[[], float] = time.monotonic,
        still_s: float = 0.0,
    ) -> None:
        """eyes: what reads pictures of the game's kind (referee/daemon/kinds.py).

        still_s: a board that has changed and stood still for so long ends the turn by itself; 0: never.
        """
        self.game = game
        self._eyes, self._sight, self._desk, self._judge = eyes, sight, desk, judge
        self._showing, self._clock, self._still_s = Showing(game, publish), clock, still_s
        self._helpers = helpers or Helpers()
        self._written = True
        self._waiting: Waiting | None = None
        self._hands = TurnHands(game, sight)
        self._views: Mapping[str, str] = {}
        self._former: GameSession | None = None
        self._ruled_on: Mapping[str, int] = {}
        self._times = LookTiming.begun(clock())
        desk.on_time(clock)
        self._played = PlayedGame(game, session, self._watching, self._event_written)
        self._played.remember()
        self.show()

    @property
    def state(self) -> TableState:
        """The game as it stands."""
        return self._played.state

    @property
    def session(self) -> GameSession:
        """The game under way, with its journal."""
        return self._played.session

    @property
    def live(self) -> Live:
        """What is known beside the record."""
        helpers = self._helpers
        cameras = tuple(self._as_read(camera) for camera in self._sight.cameras())
        own = notices(self._written, cameras, self.session.keeping)
        return replace(
            self._played.onlooker.live(self.state),
            event=self.session.journal.last,
            cameras=cameras,
            waiting=self._waiting if self.state.phase in (Phase.READING, Phase.SET_UP) else None,
            notices=(*own, *helpers.notices()),
            certificate=helpers.certificate(),
            clock_since_ms=self._played.clock.since_ms,
        )

    def _as_read(self, camera: CameraState) -> CameraState:
        """A camera that sends pictures may still not see the board in them."""
        problem = self._views.get(camera.name, "")
        return replace(camera, ok=False, words=problem_words(problem)) if camera.ok and problem else camera

    def _watching(self, state: TableState) -> Onlooker:
        return onlooker_of(self.game, self._eyes, self._judge, state)

    def close(self) -> None:
        """Let the journals go."""
        self.close_former()
        self.session.close()

    @property
    def banner(self) -> Banner:
        """What the referee says now."""
        return banner(self.state, self.live)

    def show(self) -> None:
        """Publish the table as it stands, if anything has changed."""
        state, live = self.state, self.live
        if self._showing.show(state, live):
            self._helpers.on_change(state, live)

    def _event_written(self) -> None:
        self._written, self._times = True, self._times.written()
        self.show()

    def run(self, stop: Callable[[], bool]) -> None:
        """Go round until told to stop."""
        while not stop():
            self.round()
            self._sight.wait(ROUND_S)

    def round(self) -> None:
        """Carry out what waits, look where it is time to look, show what has changed."""
        if self._helpers.vitals is not None:
            self._helpers.vitals.beat()
        if self._helpers.watchdog is not None:
            self._helpers.watchdog.beat()
        while (asked := self._desk.take()) is not None:
            asked.answer(self._carried_out(asked))
        if self._times.may_write(self._clock()):
            try:
                self._look()
                self._check_end()
                self._tick(self._clock())
            except JournalError as error:
                self._not_written(error)
        self.show()

    def _check_end(self) -> None:
        """Note it when no more pictures come."""
        words = self._sight.ended(self.state.look)
        if words and not self.state.awaiting and self.state.ended != words:
            self._happen(SourceEnded(words))

    def _happen(self, *events: Event) -> None:
        self._played.happen(*events)

    def _not_written(self, error: JournalError) -> None:
        _LOG.error("%s", error)
        self._written, self._times = False, self._times.failed(self._clock())

    # Commands

    def _carried_out(self, asked: Asked) -> Outcome:
        command, before = asked.command, self.session.journal.last
        if command.seen is not None and command.seen != before and not self._still_meant(command):
            words = say("Somebody was faster: look at the table and decide anew.")
            return Outcome(False, words, "moved-on")
        try:
            if asked.note is not None:
                self._happen(asked.note)
                return Outcome(True, None, "", {"event": self.session.journal.last})
            if command.name in _BEGINS:
                self._next_game(command)
            else:
                self._happen(*decide(command, self.state, self.game))
                self._tick(asked.at_s)
        except CommandError as refused:
            return Outcome(False, refused.words, refused.code)
        except JournalError as error:
            self._not_written(error)
            return Outcome(
                False, say("This could not be written down, so it does not count. Please try again."), "disk"
            )
        self._begin_look()
        return Outcome(True, None, "", {"event": self.session.journal.last})

    def _tick(self, now_s: float) -> None:
        """Let the game clock go on; it stands while a camera sends nothing, or nothing can be written."""
        self._played.tick(now_s, not self._written or not all(camera.ok for camera in self._sight.cameras()))

    def _still_meant(self, command: Command) -> bool:
        """Whether nothing was decided since: the referee's own looks at the set-up or the table change nothing."""
        last = self.session.journal.last
        # What was seen of the game before has higher numbers than a game that has just begun.
        return command.seen is not None and last - self._played.own_events <= command.seen <= last

    def _next_game(self, command: Command) -> None:
        try:
            session = self.session.next_game(self.game, command, self.state)
        except RequestError as error:
            raise CommandError(error.code, error.words) from None
        self.close_former()
        self._former = self.session
        self._showing.begin_anew()
        self._played = PlayedGame(self.game, session, self._watching, self._event_written, begun=True)

    def close_former(self) -> None:
        """Let the journal of the game before go: it stays open for those who are still reading from it."""
        if self._former is not None:
            self._former.close()
            self._former = None

    # Looks

    def _begin_look(self) -> None:
        self._times, self._waiting = self._times.asked(self._clock()), None

    def _look(self) -> None:
        state = self.state
        if self._played.can_rule:
            # By hand, by a witness's word, or taken up after a restart: the last look is the one that is ruled on.
            if self._rule().verdict is Verdict.LEGAL:
                self._hands.agreed(self.state)
        elif state.awaiting and state.phase in (Phase.READING, Phase.RULING, Phase.SET_UP):
            self._asked_look()
        elif state.phase is Phase.BLIND:
            self._try_again()
        elif state.phase in _LIVE or self._watched_unsure(state):
            seen = self._sight.changed() or self._set_up_before()
            if seen is not None:
                self._observe(seen)
            elif self._over_by_itself():
                self._played.look_again()
                self._begin_look()

    def _set_up_before(self) -> Seen | None:
        """The board at the beginning of another game: it may stand set up already, and change no more."""
        if not self._played.unseen or self.state.phase is not Phase.SET_UP:
            return None
        return self._sight.fresh(self._times.asked_s, self.state.look)

    def _over_by_itself(self) -> bool:
        """Whether the board has changed and stood still for so long that the turn counts as ended."""
        if not self._still_s or self.state.phase is not Phase.PLAYING or not self._played.onlooker.differs:
            return False
        now_s = self._clock()
        if self._sight.waiting() is not None:
            self._times = self._times.changed(now_s)
            return False
        return self._times.still_for_s(now_s) >= self._still_s

    def _fresh(self) -> Seen | None:
        """The pictures of the look somebody asked for; none where nothing need be seen."""
        if not self._played.onlooker.needs_pictures:
            return Seen({}, self._clock())
        return self._sight.fresh(self._times.asked_s, self.state.look)

    def _asked_look(self) -> None:
        """Take the look somebody asked for, as soon as the board stands still."""
        seen = self._fresh()
        if seen is None:
            self._waiting = self._sight.waiting()
            if self._sight.blind_for_s() > BLIND_S:
                self._played.blind([camera.name for camera in self._sight.cameras()], NO_PICTURES)
            return
        reading, problem = self._read(seen)
        if reading is None:
            self._played.blind(list(seen.pictures), problem)
            return
        if reading.lost or not reading.clear:
            now_s = self._clock()
            self._times = self._times.doubted(now_s)
            if not self._times.out_of_patience(now_s, self._sight.patience_s):
                self._waiting = _VIEW if reading.lost else _HAND
                self._times = self._times.passed_over(seen.at_s)
                return
        self._taken(seen, reading)

    def _try_again(self) -> None:
        """Blind at the end of a turn: go on by itself as soon as the board can be read."""
        now_s = self._clock()
        if not self._times.may_try(now_s) or self._sight.patience_s <= 0:
            return
        self._times = self._times.tried(now_s)
        seen = self._sight.fresh(self._times.asked_s, self.state.look)
        if seen is None:
            return
        reading, _ = self._read(seen)
        if reading is not None and reading.clear and not reading.lost:
            self._happen(LookTaken(self.state.look + 1))
            self._taken(seen, reading)
        else:
            self._times = replace(self._times, asked_s=seen.at_s)

    def _taken(self, seen: Seen, reading: LookSeen) -> None:
        """Write a look down, its pictures first, and rule on it."""
        self._waiting, self._times, self._ruled_on = None, self._times.taken(), seen.frames
        self._played.taken(seen.pictures, reading, self._hands.alone(self.state))
        if not self.state.awaiting:
            return
        if self.state.phase is Phase.SET_UP:
            self._played.begin_from(reading)
            self._hands.looked_at_setup(self.state)
        else:
            event = self._rule()
            self._hands.looked_at_turn(self.state, event)

    def _rule(self) -> TurnRuled:
        by_hand = bool(self.state.corrected)
        event = self._played.rule()
        if self._helpers.vitals is not None and not by_hand:
            self._helpers.vitals.ruled(event.verdict.value)
        return event

    def _observe(self, seen: Seen) -> None:
        """A board that stands still while nobody asked: what is put back, set up or done of the turn by now."""
        if self.state.phase is Phase.UNSURE and seen.frames and seen.frames == self._ruled_on:
            return  # the look that left it unsure
        reading, _ = self._read(seen)
        self._times, self._played.unseen = self._times.changed(self._clock()), False
        if reading is None or reading.lost or not reading.clear:
            return
        onlooker = self._played.onlooker
        if self.state.phase is Phase.SET_UP:
            if onlooker.setup_seen(self.state, reading):
                self._look_now(seen, reading)
        elif self.state.phase is Phase.UNSURE and (onlooker.gathers or not is_swept(self.state, NOTHING)):
            if onlooker.tells_more(self.state, reading):
                self._look_now(seen, reading)
        elif onlooker.turn_seen(self.state, reading):
            # A swept board nobody could rule on is back: the turn goes on. One that broke a rule is taken back.
            self._happen(CalledOff("") if self.state.phase is Phase.UNSURE else PutBack(""))

    def _watched_unsure(self, state: TableState) -> bool:
        """Whether the table is watched although the turn can't be told: it gathers sides, or is to be put back."""
        return state.phase is Phase.UNSURE and (self._played.onlooker.gathers or is_swept(state, NOTHING))

    def _look_now(self, seen: Seen, reading: LookSeen) -> None:
        """Take what was seen while nobody asked as a look."""
        self._played.look_again()
        self._taken(seen, reading)

    def _read(self, seen: Seen) -> tuple[LookSeen | None, str]:
        began_s = self._clock()
        try:
            reading = self._played.read(seen.pictures)
        except CalibrationError as error:
            return None, str(error)
        if self._helpers.vitals is not None:
            self._helpers.vitals.read(self._clock() - began_s)
        self._views = {name: str(view.problem) for name, view in reading.cameras.items()}
        if reading.clear and not reading.lost:
            self._sight.trusted(seen)
        return reading, ""

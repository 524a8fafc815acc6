"""The turn loop: one thread that owns the table. Looks and commands become events, and every event a new view.

The loop holds nothing that counts and is not in the journal: killed at any moment, it starts again where it was. An
event is written first and then shown; a command is answered when what follows from it has been written.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from calibration.errors import CalibrationError
from referee.daemon.commandqueue import Asked, CommandQueue
from referee.daemon.framesource import FrameSource, Pictures, Seen
from referee.daemon.observer import TurnObserver
from referee.daemon.outcomes import (
    BoardReader,
    Judge,
    blind_reading,
    encoded,
    expectation,
    kept_pictures,
    known_look,
    memory_of,
    reading_made,
    ruled_by_hand,
    setup_checked,
    sure_board,
    track_of,
    turn_ruled,
)
from referee.daemon.session import GameSession
from referee.games.contract import RequestError
from referee.judging.hypotheses import follow
from referee.match.commands import Command, Name, Refused, decide
from referee.match.events import (
    AnyGame,
    Event,
    LookTaken,
    PutBack,
    ReadingMade,
    SourceEnded,
    Trigger,
    TurnPassed,
    Verdict,
)
from referee.match.live import CameraState, Live, Notice, Waiting
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.match.transitions import step
from referee.service.watchdog import Watchdog
from referee.storage.evidence import Keeping
from referee.storage.journal import JournalError
from referee.values.belief import Memory
from referee.values.metrics import Metrics
from referee.values.words import say
from referee.view import Banner, ViewState, banner, table_view
from referee.view.problems import NO_PICTURES, problem_words
from vision.heights.change import Look
from vision.reading import Reading
from web.tableview import Outcome

ROUND_S = 0.25
"""The loop comes round at least so often, whatever happens or doesn't."""
BLIND_S = 3.0
"""Without any camera's picture for so long, a look has failed."""
LOOK_AGAIN_S = 1.0
"""While the board can't be read it is tried so often."""
RETRY_S = 1.0
"""An event that could not be written is tried again after this."""

_LOG = logging.getLogger(__name__)
_HAND = Waiting("hand", say("Something is in the way: please clear the view"))
_VIEW = Waiting("view", say("Looking for the frame around the board"))
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
        eyes: BoardReader,
        sight: FrameSource,
        book: GameSession,
        desk: CommandQueue,
        publish: Callable[[Callable[[str], ViewState]], None],
        judge: Judge = follow,
        helpers: Helpers | None = None,
        clock: Callable[[], float] = time.monotonic,
        still_s: float = 0.0,
    ) -> None:
        """still_s: a board that has changed and stood still for so long ends the turn by itself; 0: never."""
        self.game = game
        self.state = book.state
        self.book = book
        self._eyes, self._sight, self._desk, self._judge = eyes, sight, desk, judge
        self._publish, self._clock, self._still_s = publish, clock, still_s
        self._helpers = helpers or Helpers()
        self._over = TurnObserver(game, book.state)
        self._memory = memory_of(book.state)
        self._known: Look = {}
        self._known = self._known_again()
        self._newest: Reading | None = None
        self._waiting: Waiting | None = None
        self._asked_s = clock()
        self._doubt_s: float | None = None
        self._again_s = 0.0
        self._retry_s = 0.0
        self._changed_s = clock()
        self._trouble: Notice | None = None
        self._views: Mapping[str, str] = {}
        self._shown: tuple[TableState, Live] | None = None
        self._own_events = 0
        self._unseen = False
        self._former: GameSession | None = None
        self.show()

    @property
    def live(self) -> Live:
        """What is known beside the record."""
        helpers = self._helpers
        cameras = tuple(self._as_read(camera) for camera in self._sight.cameras())
        notices = (*self._own_notices(cameras), *helpers.notices())
        return replace(
            self._over.live(self.state),
            event=self.book.journal.last,
            cameras=cameras,
            waiting=self._waiting if self.state.phase in (Phase.READING, Phase.SET_UP) else None,
            notices=notices,
            certificate=helpers.certificate(),
        )

    def _as_read(self, camera: CameraState) -> CameraState:
        """A camera that sends pictures may still not see the board in them."""
        problem = self._views.get(camera.name, "")
        return replace(camera, ok=False, words=problem_words(problem)) if camera.ok and problem else camera

    def close(self) -> None:
        """Let the journals go."""
        self.close_former()
        self.book.close()

    @property
    def banner(self) -> Banner:
        """What the referee says now."""
        return banner(self.state, self.live)

    def show(self) -> None:
        """Publish the table as it stands, if anything has changed."""
        shown = (self.state, self.live)
        if shown == self._shown:
            return
        self._shown = shown
        game, (state, live) = self.game, shown
        self._publish(lambda language: table_view(game, state, live, language))
        self._helpers.on_change(state, live)

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
        if self._clock() >= self._retry_s:
            try:
                self._look()
                self._check_end()
            except JournalError as error:
                self._not_written(error)
        self.show()

    def _check_end(self) -> None:
        """Note it when no more pictures come."""
        words = self._sight.ended(self.state.look)
        if words and not self.state.awaiting and self.state.ended != words:
            self._happen(SourceEnded(words))

    # Commands

    def _carried_out(self, asked: Asked) -> Outcome:
        command, before = asked.command, self.book.journal.last
        if command.seen is not None and command.seen != before and not self._still_meant(command):
            words = say("Somebody was faster: look at the table and decide anew.")
            return Outcome(False, words, "moved-on")
        try:
            if asked.note is not None:
                self._happen(asked.note)
                return Outcome(True, None, "", {"event": self.book.journal.last})
            if command.name == Name.NEW_GAME:
                self._new_game(command)
            else:
                self._happen(*decide(command, self.state, self.game))
        except Refused as refused:
            return Outcome(False, refused.words, refused.code)
        except JournalError as error:
            self._not_written(error)
            return Outcome(
                False, say("This could not be written down, so it does not count. Please try again."), "disk"
            )
        self._begin_look()
        return Outcome(True, None, "", {"event": self.book.journal.last})

    def _still_meant(self, command: Command) -> bool:
        """Whether nothing was decided since: the referee's own looks at the set-up or the table change nothing."""
        return command.seen is not None and command.seen >= self.book.journal.last - self._own_events

    def _new_game(self, command: Command) -> None:
        try:
            book = self.book.next_game(self.game, command, self.state)
        except RequestError as error:
            raise Refused(error.code, error.words) from None
        self.close_former()
        self._former, self.book, self.state = self.book, book, book.state
        self._over, self._memory, self._own_events, self._unseen = TurnObserver(self.game, book.state), None, 0, True
        self._known, self._newest = {}, None
        self._asked_s, self._doubt_s, self._waiting = self._clock(), None, None

    def close_former(self) -> None:
        """Let the journal of the game before go: it stays open for those who are still reading from it."""
        if self._former is not None:
            self._former.close()
            self._former = None

    # Looks

    def _begin_look(self) -> None:
        self._asked_s, self._doubt_s, self._waiting = self._clock(), None, None

    def _look(self) -> None:
        state = self.state
        if state.phase is Phase.RULING and (state.corrected or (state.reading and state.reading.belief)):
            self._rule()  # by hand, or taken up after a restart
        elif state.awaiting and state.phase in (Phase.READING, Phase.RULING, Phase.SET_UP):
            self._asked_look()
        elif state.phase is Phase.BLIND:
            self._try_again()
        elif state.phase in _LIVE:
            seen = self._sight.changed() or self._set_up_before()
            if seen is not None:
                self._overlook(seen)
            elif self._over_by_itself():
                self._happen(LookTaken(self.state.look + 1))
                self._begin_look()

    def _set_up_before(self) -> Seen | None:
        """The board at the beginning of another game: it may stand set up already, and change no more."""
        if not self._unseen or self.state.phase is not Phase.SET_UP:
            return None
        return self._sight.fresh(self._asked_s, self.state.look)

    def _over_by_itself(self) -> bool:
        """Whether the board has changed and stood still for so long that the turn counts as ended."""
        if not self._still_s or self.state.phase is not Phase.PLAYING or not self._over.differs:
            return False
        moving = self._sight.waiting() is not None
        if moving:
            self._changed_s = self._clock()
        return not moving and self._clock() - self._changed_s >= self._still_s

    def _asked_look(self) -> None:
        """Take the look somebody asked for, as soon as the board stands still."""
        seen = self._sight.fresh(self._asked_s, self.state.look)
        if seen is None:
            self._waiting = self._sight.waiting()
            if self._sight.blind_for_s() > BLIND_S:
                names = [camera.name for camera in self._sight.cameras()]
                self._happen(blind_reading(self.state.position.observed, names, NO_PICTURES))
            return
        reading, problem = self._read(seen)
        if reading is None:
            names = list(seen.pictures)
            self._happen(blind_reading(self.state.position.observed, names, problem))
            return
        if (reading.lost or not reading.clear) and not self._out_of_patience():
            self._waiting = _VIEW if reading.lost else _HAND
            self._asked_s = max(self._asked_s, seen.at_s)
            return
        self._taken(seen, reading)

    def _out_of_patience(self) -> bool:
        now_s = self._clock()
        if self._doubt_s is None:
            self._doubt_s = now_s
        return now_s - self._doubt_s >= self._sight.patience_s

    def _try_again(self) -> None:
        """Blind at the end of a turn: go on by itself as soon as the board can be read."""
        now_s = self._clock()
        if now_s < self._again_s or self._sight.patience_s <= 0:
            return
        self._again_s = now_s + LOOK_AGAIN_S
        seen = self._sight.fresh(self._asked_s, self.state.look)
        if seen is None:
            return
        reading, _ = self._read(seen)
        if reading is not None and reading.clear and not reading.lost:
            self._happen(LookTaken(self.state.look + 1))
            self._taken(seen, reading)
        else:
            self._asked_s = seen.at_s

    def _taken(self, seen: Seen, reading: Reading) -> None:
        """Write a look down, its pictures first, and rule on it."""
        kept = self.book.keep(encoded(seen.pictures))
        self._waiting, self._doubt_s, self._newest = None, None, reading
        self._happen(reading_made(reading, kept, self._over.frames))
        if not self.state.awaiting:
            return
        if self.state.phase is Phase.SET_UP:
            seen_board = sure_board(reading, self.state.position.observed)
            self._happen(setup_checked(self.game, self.state.position, seen_board))
        else:
            self._rule()

    def _rule(self) -> None:
        state = self.state
        if state.corrected:
            self._happen(ruled_by_hand(self.game, state.position, state.corrected))
            return
        assert state.reading is not None
        belief = state.reading.unpacked_belief(state.position.observed.letters)
        if self._newest is None:  # read before a restart
            self._newest = self._read_again(state.reading)
        memory = self._memory_for(self._newest)
        decision, track = self._judge(self.game, track_of(state), belief, memory, self._over.frames)
        event = turn_ruled(decision, track)
        if self._helpers.vitals is not None:
            self._helpers.vitals.ruled(event.verdict.value)
        self._happen(event)
        if self.state.history and self.state.history[-1].ruled is event and event.verdict is not Verdict.UNSURE:
            self._memory = memory_of(self.state)
            self._known = self._newest.look if self._newest is not None else {}

    def _known_again(self) -> Look:
        """What the cameras saw of the last known board, from the pictures kept of it: after a restart."""
        known = known_look(self.state)
        reading = None if known is None else self._read_again(known[0])
        return {} if reading is None else reading.look

    def _read_again(self, made: ReadingMade) -> Reading | None:
        """Read the pictures kept of an earlier look; ``None`` where they are gone or say nothing any more."""
        pictures = kept_pictures(self.book.evidence, made)
        try:
            return self._read_pictures(pictures) if pictures else None
        except CalibrationError:
            return None

    def _memory_for(self, reading: Reading | None) -> Memory | None:
        """What is known of an earlier look, and how far this one shows the same."""
        if self._memory is None or reading is None:
            return self._memory
        return replace(self._memory, unchanged=reading.unchanged)

    def _read(self, seen: Seen) -> tuple[Reading | None, str]:
        began_s = self._clock()
        try:
            reading = self._read_pictures(seen.pictures)
        except CalibrationError as error:
            return None, str(error)
        if self._helpers.vitals is not None:
            self._helpers.vitals.read(self._clock() - began_s)
        self._views = {name: str(view.problem) for name, view in reading.cameras.items()}
        if reading.clear and not reading.lost:
            self._sight.trusted(seen)
        return reading, ""

    def _read_pictures(self, pictures: Pictures) -> Reading:
        since = None if self._memory is None or not self._known else (self._known, self._memory.board)
        return self._eyes.read(pictures, expectation(self.game, self.state.position), since=since)

    def _overlook(self, seen: Seen) -> None:
        """A board that stands still while nobody asked: what is put back, set up or done of the turn by now."""
        reading, _ = self._read(seen)
        self._changed_s, self._unseen = self._clock(), False
        if reading is None or reading.lost or not reading.clear:
            return
        if self.state.phase is Phase.SET_UP:
            board = sure_board(reading, self.state.position.observed)
            checked = setup_checked(self.game, self.state.position, board)
            self._over.setup_seen(checked, reading.text)
            if not checked.differences and "?" not in reading.text:
                self._happen(LookTaken(self.state.look + 1, setup=True))
                self._taken(seen, reading)
        elif self._over.looked(self.state, reading, self._memory_for(reading)):
            self._happen(PutBack(""))

    # Events

    def _happen(self, *events: Event) -> None:
        # All steps come first: what can't happen must not be written, and what is shown must have been written.
        after = self.state
        for event in events:
            after = step(after, event)
        for event in events:
            self._write(event)
        if self._passes():
            player = self.state.position.to_move
            self._happen(TurnPassed(player, self.game.passed(self.state.position)))

    def _write(self, event: Event) -> None:
        after = step(self.state, event)
        self.book.journal.append(event.kind, event.to_json())
        self.state = after
        self._trouble, self._retry_s = None, 0.0
        self._over.moved_on(after)
        self._own_events = self._own_events + 1 if event.trigger in _OWN else 0
        _LOG.debug("happened kind=%s phase=%s turn=%d", event.kind, after.phase, after.position.turn)
        self.show()

    def _passes(self) -> bool:
        state = self.state
        return state.position.to_move in state.out and state.phase in (Phase.PLAYING, Phase.RESTORING)

    def _not_written(self, error: JournalError) -> None:
        _LOG.error("%s", error)
        words = say("The referee can’t write its journal, so nothing new counts. Is the disk full?")
        self._trouble = Notice("journal", "trouble", words)
        self._retry_s = self._clock() + RETRY_S

    def _own_notices(self, cameras: tuple[CameraState, ...]) -> tuple[Notice, ...]:
        trouble = () if self._trouble is None else (self._trouble,)
        found = trouble + tuple(Notice(f"camera-{c.name}", "warning", c.words) for c in cameras if not c.ok)
        keeping = self.book.keeping
        if keeping is Keeping.FULL:
            words = say("The disk is nearly full: play goes on, but no more pictures are kept.")
            return (*found, Notice("evidence-full", "warning", words))
        if keeping is Keeping.FAILED:
            words = say("Pictures can’t be written: play goes on, but none are kept.")
            return (*found, Notice("evidence-failed", "warning", words))
        return found


_OWN = frozenset(
    {Trigger.SETUP_LOOK, Trigger.SEEN, Trigger.COVERED, Trigger.LOST, Trigger.SETUP_WRONG, Trigger.CHECKED}
)
"""What the referee sees by itself: a decision made before it is still meant."""

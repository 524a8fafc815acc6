"""The turn loop: one thread that drives the session of a table with cameras, commands, a journal and pages.

The loop holds nothing that counts and is not in the journal: killed at any moment, it starts again where it was. An
event is written first and then shown; a command is answered when what follows from it has been written. What is done
with a look or a command the session decides (referee/session/engine.py).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from referee.daemon.bounded import BoundedWork
from referee.daemon.commandqueue import Asked, CommandQueue
from referee.daemon.gamejournal import GameJournal
from referee.daemon.notices import notices
from referee.daemon.statepublisher import Publish, StatePublisher
from referee.daemon.tablesight import TableSight
from referee.games.contract import RequestError
from referee.games.guarding import failures
from referee.match.commands import Command, CommandError, Name
from referee.match.events import AnyGame, Event, Trigger, TurnRuled
from referee.match.live import CameraState, Live, Notice
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.service.watchdog import Watchdog
from referee.session.adapter import adapter_of
from referee.session.bounds import Bound, TookTooLongError
from referee.session.capture import Capture
from referee.session.driving import carry_out
from referee.session.engine import Session
from referee.session.looking import LookPatience
from referee.session.said import (
    BoardAgreed,
    Captured,
    CommandGiven,
    EventNoted,
    FollowHands,
    LookRead,
    NothingCaptured,
    Report,
    StateChanged,
    TimePassed,
    ViewShown,
    WantsChange,
    WantsLook,
    Wish,
    Work,
)
from referee.storage.journal import JournalError
from referee.values.gameerror import GameError
from referee.values.metrics import Metrics
from referee.values.words import Words, say
from referee.view import Banner, banner
from web.tableview import Outcome

ROUND_S = 0.25
"""The loop comes round at least so often, whatever happens or doesn't."""
RETRY_S = 1.0
"""An event that could not be written is tried again after this."""

_LOG = logging.getLogger(__name__)
_BEGINS = frozenset({Name.NEW_GAME, Name.PLAY_AGAIN})
"""The commands that leave a game's journal for another's."""
_AT_WORK = frozenset({Phase.READING, Phase.RULING})
_OWN = frozenset(
    {
        Trigger.SETUP_LOOK,
        Trigger.SEEN,
        Trigger.COVERED,
        Trigger.LOST,
        Trigger.SETUP_WRONG,
        Trigger.CHECKED,
        Trigger.CHANGED_UNSEEN,
        Trigger.RETOLD,
        Trigger.CLOCK,
        Trigger.ENTERED,
    }
)
"""Triggers by the referee itself, or by somebody who fills something in: a decision made before them still counts."""


@dataclass(frozen=True, slots=True)
class Helpers:
    """What the loop tells how it does, and what it is given to show. All may be left out.

    on_change: called with state and live view after every change, in the loop's thread; it must not wait.
    certificate: gives the table's, as its file has it. notices: what other parts have to say.
    """

    metrics: Metrics | None = None
    watchdog: Watchdog | None = None
    on_change: Callable[[TableState, Live], None] = lambda state, live: None
    certificate: Callable[[], Mapping[str, object] | None] = lambda: None
    notices: Callable[[], tuple[Notice, ...]] = tuple


class TurnLoop:
    """Referee games, one after the other, from one thread."""

    def __init__(
        self,
        game: AnyGame,
        sight: TableSight,
        journal: GameJournal,
        commands: CommandQueue,
        publish: Publish,
        helpers: Helpers | None = None,
        clock: Callable[[], float] = time.monotonic,
        bound: Bound | None = None,
        deciding: Bound | None = None,
    ) -> None:
        """Take a game and the loop's parts.

        bound: bounds readings and rulings in time, where not as usual; deciding: what commands lead to.
        """
        self.game, self.journal = game, journal
        self._sight, self._commands = sight.source, commands
        self._publisher, self._clock = StatePublisher(game, publish), clock
        self._patience = LookPatience(sight.source.patience_s, sight.still_s)
        self._helpers = helpers or Helpers()
        self._adapter = sight.adapter or adapter_of(game, sight.reader)
        self._bound = bound or BoundedWork(beat=self._beat)
        self._deciding = deciding or BoundedWork(beat=self._beat)  # waits for no look that was given up
        self._written, self._retry_s, self._own_events = True, 0.0, 0
        self._views: Mapping[str, Words | None] = {}
        self._former: GameJournal | None = None
        commands.on_time(clock)
        if self._helpers.metrics is not None:
            self._helpers.metrics.of_game(lambda: failures(game))
        self.session = self._session_of(journal)
        self.show()

    def _session_of(self, journal: GameJournal, begun: bool = False) -> Session:
        now_s, kept = self._clock(), journal.kept
        return Session(
            self.game, journal.state, self._adapter, now_s, self._patience, begun, bound=self._bound, kept=kept
        )

    @property
    def state(self) -> TableState:
        """Return the game as it stands."""
        return self.session.state

    @property
    def busy(self) -> bool:
        """Return whether a look is waited for, read or ruled on. May be asked from any thread."""
        return self.state.phase in _AT_WORK or (isinstance(self._bound, BoundedWork) and self._bound.busy)

    @property
    def live(self) -> Live:
        """Return what is known beside the record."""
        helpers = self._helpers
        cameras = tuple(self._as_read(camera) for camera in self._sight.cameras())
        own = notices(self._written, cameras, self.journal.keeping)
        live = self.session.live
        wanted = live.showing if self._sight.held else None
        return replace(
            live,
            event=self.journal.journal.last,
            cameras=cameras,
            notices=(*own, *helpers.notices()),
            certificate=helpers.certificate(),
            showing=None if wanted is None else replace(wanted, framing=self._sight.framing()),
        )

    def _as_read(self, camera: CameraState) -> CameraState:
        """Return a camera's state, with the trouble where it sends pictures that do not show the board."""
        problem = self._views.get(camera.name)
        return replace(camera, ok=False, words=problem) if camera.ok and problem is not None else camera

    def close(self) -> None:
        """Close the journals."""
        self.close_former()
        self.journal.close()

    @property
    def banner(self) -> Banner:
        """Return what the referee says now."""
        return banner(self.game, self.state, self.live)

    def show(self) -> None:
        """Publish the table as it stands, if anything has changed."""
        state, live = self.state, self.live
        if self._publisher.show(state, live):
            with suppress(GameError):  # told already; who follows the table is behind until the next change
                self._helpers.on_change(state, live)

    def run(self, stop: Callable[[], bool]) -> None:
        """Go round until told to stop."""
        while not stop():
            self.round()
            self._sight.wait(ROUND_S)

    def round(self) -> None:
        """Carry out what waits, look where it is time to look, show what has changed."""
        self._beat()
        while (asked := self._commands.take()) is not None:
            asked.answer(self._carried_out(asked))
        if self._clock() >= self._retry_s:
            try:
                self._look()
                self._pass_time()
            except JournalError as error:
                self._not_written(error)
            except (GameError, RequestError) as error:  # the next look may do better
                _LOG.error("nothing came of a look: %s", error)
                self._retry_s = self._clock() + RETRY_S
        self.show()

    def _pass_time(self) -> None:
        held = not self._written or not all(camera.ok for camera in self._sight.cameras())
        ended, coming = self._sight.ended(self.state.look), self._sight.coming()
        self._carry_out(self.session.receive(TimePassed(self._clock(), held, ended, coming)))

    def _beat(self) -> None:
        """Say that this thread goes on."""
        if self._helpers.metrics is not None:
            self._helpers.metrics.beat()
        if self._helpers.watchdog is not None:
            self._helpers.watchdog.beat()

    def _look(self) -> None:
        """Give the session the pictures it wants, as far as the cameras have them."""
        wish = self.session.wish(self._clock())
        view = self._sight.view(wish.view_after_s)
        if view is not None:
            self._carry_out(self.session.receive(ViewShown(view, self._clock())))
            return
        capture, now_s = self._capture(wish), self._clock()
        if capture is not None:
            self._carry_out(self.session.receive(Captured(capture, now_s)))
            return
        cameras = tuple(camera.name for camera in self._sight.cameras())
        sight = self._sight
        self._carry_out(
            self.session.receive(NothingCaptured(now_s, sight.waiting(), sight.blind_for_s(), cameras)),
        )

    def _capture(self, wish: Wish) -> Capture | None:
        wanted = wish.cameras
        found = self._sight.changed() if isinstance(wanted, WantsChange) else None
        fresh = wanted.also if isinstance(wanted, WantsChange) else wanted
        if found is None and isinstance(fresh, WantsLook):
            found = self._sight.fresh(fresh.after_s, fresh.look)
        return None if found is None else replace(found, alone=self._sight.alone())

    # What the session's work asks for (referee/session/driving.py)

    def _carry_out(self, work: Work) -> None:
        carry_out(work, self)

    def write(self, events: tuple[Event, ...]) -> None:
        """Write events into the journal and count rulings on what cameras saw. Raises JournalError."""
        by_hand = self.state.turn.end.board is not None
        self.journal.write(events)
        self._written, self._retry_s = True, 0.0
        for event in events:
            self._own_events = self._own_events + 1 if event.trigger in _OWN else 0
            if isinstance(event, TurnRuled) and not by_hand and self._helpers.metrics is not None:
                self._helpers.metrics.ruled(event.verdict.value)

    def keep(self, capture: Capture) -> Mapping[str, str]:
        """Bring a look's pictures to the disk."""
        return self.journal.keep(capture)

    def attend(self, report: Report) -> None:
        """Show what changed, and tell cameras and metrics what was read."""
        match report:
            case StateChanged():
                self.show()
            case LookRead(capture, seen):
                if self._helpers.metrics is not None:
                    self._helpers.metrics.read(seen.reading.duration_ms / 1000)
                self._views = {name: view.problem for name, view in seen.cameras.items()}
                if seen.clear and not seen.lost:
                    self._sight.trusted(capture)
            case FollowHands(levels):
                self._sight.board_looked_at(levels)
            case BoardAgreed():
                self._sight.board_agreed()

    def _not_written(self, error: JournalError) -> None:
        _LOG.error("%s", error)
        self._written, self._retry_s = False, self._clock() + RETRY_S

    # Commands

    def _carried_out(self, asked: Asked) -> Outcome:
        command, before = asked.command, self.journal.journal.last
        # What was seen of the game before has higher numbers than a game that has just begun.
        if command.seen is not None and not before - self._own_events <= command.seen <= before:
            words = say("Somebody was faster: look at the table and decide anew.")
            return Outcome(False, words, "moved-on")
        try:
            if asked.note is not None:
                self._carry_out(self.session.receive(EventNoted(asked.note(self.state))))
                return self._accepted
            if command.name in _BEGINS:
                self._next_game(command)
            else:
                given = CommandGiven(command, asked.at_s)
                self._carry_out(self._deciding(lambda: self.session.receive(given)))
        except CommandError as refused:
            return Outcome(False, refused.words, refused.code)
        except (GameError, RequestError) as failed:
            return Outcome(False, failed.words, "game")
        except TookTooLongError as error:
            words = say("Working this out took longer than {n} seconds.", n=round(error.most_s))
            return Outcome(False, words, "slow")
        except JournalError as error:
            self._not_written(error)
            return Outcome(
                False, say("This could not be written down, so it does not count. Please try again."), "disk"
            )
        return self._accepted

    @property
    def _accepted(self) -> Outcome:
        return Outcome(True, None, "", {"event": self.journal.journal.last})

    def _next_game(self, command: Command) -> None:
        try:
            journal = self.journal.next_game(self.game, command, self.state)
        except RequestError as error:
            raise CommandError(error.code, error.words) from None
        self.close_former()
        self._former, self.journal = self.journal, journal
        self._publisher.begin_anew()
        self.session, self._own_events = self._session_of(journal, begun=True), 0

    def close_former(self) -> None:
        """Close the journal of the game before: it stays open for those who are still reading from it."""
        if self._former is not None:
            self._former.close()
            self._former = None

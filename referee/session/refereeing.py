"""One refereed game from inside: its events happen, its looks are taken and ruled on. Without thread, file, clock."""

from __future__ import annotations

import logging
from collections.abc import Callable
from copy import copy
from typing import Self

from calibration.errors import CalibrationError
from referee.games.contract import RequestError
from referee.match.arguments import Command, CommandError
from referee.match.commands import Name, decide
from referee.match.events import (
    AnyGame,
    CalledOff,
    Event,
    LookTaken,
    PutBack,
    Trigger,
    TurnPassed,
    TurnRuled,
    Verdict,
)
from referee.match.live import Waiting
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.match.transitions import step
from referee.session.adapter import LookSeen, ObservationAdapter
from referee.session.bounds import Bound, TookTooLongError, unbounded
from referee.session.capture import Capture
from referee.session.clock import GameClock
from referee.session.pictures import only_boards
from referee.session.ruling import ruled_within
from referee.session.said import OWN_TRIGGERS, BoardAgreed, FollowHands, KeepPictures, StateChanged, Work
from referee.session.timing import LookPatience, LookTiming
from referee.values.gameerror import GameError
from referee.values.problems import TOO_SLOW
from referee.values.words import Words, say, verbatim

_LOG = logging.getLogger(__name__)


class Refereeing:
    """Carries a game on. ``state`` is all that counts; the rest is computed again when the game is taken up."""

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
        self._followed: tuple[int, str] | None = None
        self._newest: tuple[int, Capture] | None = None

    def fork(self) -> Self:
        """Return another session that goes on from here without changing this one."""
        other = copy(self)
        other.adapter, other.clock = self.adapter.fork(), copy(self.clock)
        return other

    # Events

    def _happen(self, *events: Event) -> Work:
        """Let events happen, all or none. What can't happen is not written. Raises TableError."""
        after = self.state
        for event in events:
            after = step(after, event)
        if events:
            yield events
            for event in events:
                self._apply(event)
            yield StateChanged()
        yield from self._passed_over()

    def _passed_over(self) -> Work:
        """Pass over a player who gave up; after a restart or a full disk that may still have to be done."""
        state = self.state
        if state.position.to_move in state.out and state.phase in (Phase.PLAYING, Phase.RESTORING):
            try:
                position = self.game.passed(state.position)
            except GameError:  # the players put right whose turn it is
                return
            yield from self._happen(TurnPassed(state.position.to_move, position))

    def _apply(self, event: Event) -> None:
        self.state = step(self.state, event)
        self.adapter.moved_on(self.state, event)
        self._unseen |= event.trigger in (Trigger.UNDONE, Trigger.RESIGNED)
        self._own_events = self._own_events + 1 if event.trigger in OWN_TRIGGERS else 0
        _LOG.debug("happened kind=%s phase=%s turn=%d", event.kind, self.state.phase, self.state.position.turn)

    # Looks

    def _look_now(self, capture: Capture, seen: LookSeen, ruled: TurnRuled | None = None) -> Work:
        """Take what was seen while nobody asked as a look."""
        yield from self._look_by_itself()
        yield from self._taken(capture, seen, ruled)

    def _look_by_itself(self) -> Work:
        return self._happen(LookTaken(self.state.look + 1, setup=self.state.phase is Phase.SET_UP))

    def _taken(self, capture: Capture, seen: LookSeen, ruled: TurnRuled | None = None) -> Work:
        """Write a look down, its pictures first, and rule on it. ruled: the ruling, where it was made already."""
        self.waiting, self._times, self._newest = None, self._times.taken(), (self.state.look, capture)
        kept = (yield KeepPictures(only_boards(capture, seen.cameras, seen.clear))) or {}
        untouched = capture.untouched if self._followed == self._standing else None
        reading = self.adapter.reading(seen, kept, untouched)
        yield from self._happen(reading.with_troubles(capture.troubles) if reading.cameras else reading)
        if not self.state.awaiting:
            return
        if self.state.phase is Phase.SET_UP:
            try:
                checked = self.adapter.setup(self.state, seen, self._asking)
            except GameError as error:  # the players say how the board stands
                yield from self._blind(tuple(capture.newest), error.words)
                return
            yield from self._happen(checked)
            yield FollowHands(self.adapter.heights(self.state.position.observed.text))
            yield from self._agreed()
        else:
            yield from self._rule(followed=True, ruled=ruled)

    def _blind(self, cameras: tuple[str, ...], problem: Words) -> Work:
        return self._happen(self.adapter.blind(self.state, cameras, problem))

    def _read(self, capture: Capture) -> LookSeen | Words:
        """Read the pictures of a capture; return why they can't be read where they can't."""
        adapter = self.adapter.fork()  # an abandoned reading must not change later state
        try:
            seen = self._bound(lambda: adapter.read(self.state, capture.views))
        except CalibrationError as error:
            return verbatim(str(error))
        except TookTooLongError:
            return TOO_SLOW
        except (GameError, RequestError) as error:
            return error.words
        self.adapter = adapter
        return seen

    def _settled(self, seen: LookSeen) -> Work:
        """Let go on what waited until the table is back as it was before the turn, if it is."""
        if self.adapter.turn_seen(self.state, seen):
            # A swept board without a ruling is restored: the turn goes on. A turn that broke a rule is taken back.
            yield from self._happen(CalledOff("") if self.state.phase is Phase.UNSURE else PutBack(""))

    # Rulings

    @property
    def can_rule(self) -> bool:
        """Return whether a ruling is due and all it rests on is in the record."""
        state = self.state
        if state.phase is not Phase.RULING:
            return False
        return state.turn.end.board is not None or (
            state.reading is not None and self.adapter.can_rule(state.reading)
        )

    def ruling(self, state: TableState | None = None) -> TurnRuled:
        """Rule on the board the players gave, or on the newest reading as the journal has it.

        state: to rule in, that of the game where none is given.
        """
        return self._review(ruled_within(self._bound, self.game, self.adapter, state or self.state))

    def decided(self, command: Command) -> tuple[Event, ...]:
        """Return what a command stands for. Raises CommandError.

        However many turns are judged again for it, they have the time of one ruling: everybody waits for them.
        """
        if command.name != Name.PUT_RIGHT:
            return decide(command, self.state, self.game)
        given_up: list[TookTooLongError] = []

        def judge(state: TableState) -> TurnRuled:
            if given_up:  # nobody waits for the rest
                raise given_up[0]
            return self._review(ruled_within(unbounded, self.game, self.adapter, state))

        try:
            return self._bound(lambda: decide(command, self.state, self.game, judge))
        except TookTooLongError as error:
            given_up.append(error)
            words = say("Judging the turns after it again takes too long: undo from there instead.")
            raise CommandError("arguments", words) from None

    def _rule(self, followed: bool, ruled: TurnRuled | None = None) -> Work:
        """Rule on the turn.

        followed: a look was just taken, so what hands do from here on may belong to the next turn.
        ruled: the ruling, where it was made already.
        """
        event = ruled or self.ruling()
        retold = self.adapter.retold(step(self.state, event))
        yield from self._happen(event, *([retold] if retold is not None else []))
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

"""One refereed game from inside: its events happen, its looks are taken and ruled on. Without thread, file, clock."""

from __future__ import annotations

import logging
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from itertools import accumulate
from typing import Self

from calibration.errors import CalibrationError
from referee.games.contract import RequestError
from referee.match.arguments import Command, CommandError
from referee.match.commands import Name, decide
from referee.match.events import (
    AnyGame,
    CalledOff,
    CameraNote,
    Event,
    LookTaken,
    PutBack,
    ReadingMade,
    Trigger,
    TurnPassed,
    TurnRuled,
    Verdict,
)
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.match.transitions import step
from referee.session.adapter import Compared, LookSeen, ObservationAdapter, Sightings, Ways
from referee.session.bounds import Bound, TookTooLongError, unbounded
from referee.session.capture import Capture, Pictures
from referee.session.clock import GameClock
from referee.session.looking import Looking, LookPatience
from referee.session.pictures import only_boards
from referee.session.ruling import hands_around, is_due, ruled_within, told_anew
from referee.session.said import BoardAgreed, FollowHands, KeepPictures, LookGiven, LookRead, StateChanged, Work
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
        adapter: ObservationAdapter,
        now_s: float = 0.0,
        patience: LookPatience | None = None,
        begun: bool = False,
        review: Callable[[TurnRuled], TurnRuled] = lambda event: event,
        asking: bool = True,
        bound: Bound = unbounded,
        kept: Callable[[ReadingMade], Pictures] = lambda reading: {},
    ) -> None:
        """Take up a game, or begin it.

        adapter: of the game's kind. begun: the game begins now and was not taken up. review: has
        the last word on a ruling, for a driver that knows more of the turns. asking: players can be asked what a
        set-up does not show; otherwise it is taken as the game asks. bound: bounds readings and rulings in time.
        kept: gives the pictures of earlier looks that are there still.
        """
        self._game, self._adapter, self.state = game, adapter, state
        self._patience = patience or LookPatience()
        self._review, self._asking, self._bound = review, asking, bound
        self._clock = GameClock()
        self._looking = Looking(now_s, now_s, unseen=begun)
        self._sightings: Sightings = adapter.remember(state, kept)

    def at(self, state: TableState) -> Self:
        """Return another session that goes on from a state of the game, with what was seen until now."""
        other = copy(self)
        other.state, other._sightings = state, self._adapter.moved_on(state, self._sightings)
        return other

    # Events

    def _happen(self, *events: Event) -> Work:
        """Let events happen, all or none. What can't happen is not written. Raises TableError."""
        _, *after = accumulate(events, step, initial=self.state)
        if events:
            yield events
            for event, state in zip(events, after, strict=True):
                self.state, self._sightings = state, self._adapter.moved_on(state, self._sightings)
                if event.trigger in (Trigger.UNDONE, Trigger.RESIGNED):
                    self._looking = replace(self._looking, unseen=True)
                _LOG.debug("happened kind=%s phase=%s turn=%d", event.kind, state.phase, state.position.turn)
            yield StateChanged()
        yield from self._passed_over()

    def _passed_over(self) -> Work:
        """Pass over a player who gave up; after a restart or a full disk that may still have to be done."""
        state = self.state
        if state.position.to_move in state.out and state.phase in (Phase.PLAYING, Phase.RESTORING):
            try:
                position = self._game.passed(state.position)
            except GameError:  # the players put right whose turn it is
                return
            yield from self._happen(TurnPassed(state.position.to_move, position))

    # Looks

    @property
    def _ways(self) -> Ways:
        return self._adapter.ways(self.state)

    def _look_now(self, capture: Capture, seen: LookSeen, ruled: TurnRuled | None = None) -> Work:
        """Take what was seen while nobody asked as a look."""
        yield from self._look_by_itself()
        yield from self._taken(capture, seen, ruled)

    def _look_given(self, said: LookGiven) -> Work:
        """Take pictures that are at hand as the look at the end of a turn, unless they show nothing clearly."""
        taken = LookTaken(self.state.look + 1, said.setup, said.by)
        asked = step(self.state, taken)
        seen = self._adapter.read(asked, self._adapter.moved_on(asked, self._sightings), said.capture.views)
        yield LookRead(said.capture, seen)
        if seen.clear and not seen.lost:
            self._sightings = seen.sightings
            yield from self._happen(taken)
            yield from self._taken(said.capture, seen)

    def _look_by_itself(self) -> Work:
        return self._happen(LookTaken(self.state.look + 1, setup=self.state.phase is Phase.SET_UP))

    def _taken(self, capture: Capture, seen: LookSeen, ruled: TurnRuled | None = None) -> Work:
        """Write a look down, its pictures first, and rule on it. ruled: the ruling, where it was made already."""
        self._looking = replace(self._looking, waiting=None, newest=(self.state.look, capture), doubt_s=None)
        kept = (yield KeepPictures(only_boards(capture, seen.cameras, seen.clear))) or {}
        alone = capture.alone if self._looking.agreed == self._standing else ""
        reading = replace(seen.reading, pictures=tuple(kept.items()), alone=alone)
        yield from self._happen(reading.with_troubles(capture.troubles) if reading.cameras else reading)
        if not self.state.awaiting:
            return
        if self.state.phase is Phase.SET_UP:
            try:
                compared = self._adapter.compare(self.state, self._sightings, seen, self._asking)
            except GameError as error:  # the players say how the board stands
                yield from self._blind(tuple(capture.newest), error.words)
                return
            self._sightings = compared.sightings
            yield from self._happen(compared.sightings.checked)
            yield FollowHands(hands_around(self._game, self.state.position.observed.text))
            yield from self._agreed()
        else:
            yield from self._rule(followed=True, ruled=ruled)

    def _blind(self, cameras: tuple[str, ...], problem: Words) -> Work:
        nothing = self._adapter.read(self.state, self._sightings, ()).reading
        notes = tuple(CameraNote(name, 0, None, problem) for name in cameras)
        return self._happen(replace(nothing, cameras=notes))

    def _read(self, capture: Capture) -> LookSeen | Words:
        """Read the pictures of a capture; return why they can't be read where they can't."""
        adapter, state, sightings = self._adapter, self.state, self._sightings
        try:
            seen = self._bound(lambda: adapter.read(state, sightings, capture.views))
        except CalibrationError as error:
            return verbatim(str(error))
        except TookTooLongError:
            return TOO_SLOW
        except (GameError, RequestError) as error:
            return error.words
        self._sightings = seen.sightings
        return seen

    def _compared(self, seen: LookSeen) -> Compared:
        """Compare a look nobody asked for with what the table waits for."""
        compared = self._adapter.compare(self.state, self._sightings, seen)
        self._sightings = compared.sightings
        return compared

    def _settled(self, compared: Compared) -> Work:
        """Let go on what waited until the table is back as it was before the turn, if it is."""
        if compared.settled:
            # A swept board without a ruling is restored: the turn goes on. A turn that broke a rule is taken back.
            yield from self._happen(CalledOff("") if self.state.phase is Phase.UNSURE else PutBack(""))

    # Rulings

    @property
    def _can_rule(self) -> bool:
        return is_due(self._adapter, self.state)

    def _ruling(self, state: TableState) -> TurnRuled:
        """Rule on the board the players gave, or on the newest reading as the journal has it."""
        return self._review(ruled_within(self._bound, self._game, self._adapter, state))

    def _decided_by(self, command: Command) -> tuple[Event, ...]:
        """Return what a command stands for. Raises CommandError.

        However many turns are judged again for it, they have the time of one ruling: everybody waits for them.
        """
        if command.name != Name.PUT_RIGHT:
            return decide(command, self.state, self._game)
        given_up: list[TookTooLongError] = []

        def judge(state: TableState) -> TurnRuled:
            if given_up:  # nobody waits for the rest
                raise given_up[0]
            return self._review(ruled_within(unbounded, self._game, self._adapter, state))

        try:
            return self._bound(lambda: decide(command, self.state, self._game, judge))
        except TookTooLongError as error:
            given_up.append(error)
            words = say("Judging the turns after it again takes too long: undo from there instead.")
            raise CommandError("arguments", words) from None

    def _rule(self, followed: bool, ruled: TurnRuled | None = None) -> Work:
        """Rule on the turn.

        followed: a look was just taken, so what hands do from here on may belong to the next turn.
        ruled: the ruling, where it was made already.
        """
        event = ruled or self._ruling(self.state)
        yield from self._happen(event, *told_anew(self._game, step(self.state, event)))
        if followed:
            levels = hands_around(self._game, event.observed)
            if levels is not None:
                yield FollowHands(levels)
        if event.verdict is Verdict.LEGAL:
            yield from self._agreed()

    def _agreed(self) -> Work:
        yield BoardAgreed()
        self._looking = replace(self._looking, agreed=self._standing)

    @property
    def _standing(self) -> tuple[int, str]:
        return self.state.position.turn, self.state.position.observed.text

"""Plays a game on a grid of stacks: compares looks with the last known one, and has the judge weigh explanations.

A ruling uses the newest reading's event alone, so that a referee killed between reading and ruling rules just as it
would have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from referee.kinds.grid.judging.context import Context, People, SeenByHand, TurnEvidence
from referee.kinds.grid.judging.judge import judge, stones_stay
from referee.kinds.grid.judging.likeliest import likeliest_boards
from referee.kinds.grid.judging.swept import is_swept
from referee.kinds.grid.pointing import seen_by_hand, show_next
from referee.kinds.grid.readings import (
    BoardReader,
    Judge,
    blind_reading,
    context_of,
    expectation,
    known_fields,
    known_look,
    reading_made,
    reference_of,
    setup_asked,
    setup_checked,
    standing_frames,
    sure_board,
    turn_ruled,
)
from referee.kinds.grid.retelling import retold
from referee.kinds.grid.watching import TurnObserver
from referee.match.beginning import awaits_setup
from referee.match.events import (
    AnyGame,
    Event,
    LeftOpen,
    Legal,
    ReadingMade,
    SetupChecked,
    Trigger,
    TurnRuled,
    Unsure,
    Verdict,
    WhyUnsure,
)
from referee.match.live import Live
from referee.match.standing import board_of
from referee.match.state import TableState
from referee.session.adapter import PlainAdapter
from referee.session.by_hand import hindrance
from referee.session.capture import Pictures
from referee.values.belief import unpacked_unchanged
from referee.values.board import Board, Field
from referee.values.untouched import untouched_mask
from referee.values.words import Words, say
from vision.heights.change import Look
from vision.reading import Reading

SELDOM_TURNS = 20
"""In one of so many turns at most people are asked about what is hardly in doubt."""
CHANGED = say("The board was changed between the pictures of one look: show it again")


class GridAdapter(PlainAdapter):
    """Read and rule on one game on a grid of stacks."""

    def __init__(self, game: AnyGame, reader: BoardReader, state: TableState, judge: Judge = judge) -> None:
        self._game, self._reader, self._judge = game, reader, judge
        self._observer = TurnObserver(game, state)
        self._looks: dict[str, Look] = {}
        """Looks by the belief that was read in them: the last known one, and those since."""

    @property
    def differs(self) -> bool:
        """Return whether the board seen last surely differs from the position."""
        return self._observer.differs

    def read(self, state: TableState, views: Sequence[Pictures]) -> Reading:
        """Read one look, compared with the last known one; it is clear where players told all that is hidden."""
        expect = expectation(self._game, state.position)
        known = known_look(state)
        look = None if known is None else self._looks.get(known[0].belief)
        self._looks = {known[0].belief: look} if known is not None and look else {}
        since = (look, known[1]) if known is not None and look else None
        seen = self._reader.read(views[-1], expect, since=since)
        if seen.blocked and {place.name for place in seen.blocked} <= state.turn.end.known.keys():
            return replace(seen, clear=True, blocked=(), contradicted=())  # somebody said what stands there
        return seen

    def reading(
        self, seen: Reading, kept: Mapping[str, str], untouched: NDArray[np.bool_] | None = None
    ) -> ReadingMade:
        """Return the reading with the boards seen standing still before it."""
        made = reading_made(seen, kept, self._observer.frames, untouched)
        self._looks = {**self._looks, made.belief: seen.look}
        return made

    def why_unclear(self, seen: Reading) -> Words:
        """Tell of a hand, or that the pictures of one look show different boards."""
        return CHANGED if seen.contradicted else super().why_unclear(seen)

    def blind(self, state: TableState, cameras: Sequence[str], problem: Words) -> ReadingMade:
        """Return a reading in which no field is told."""
        return blind_reading(board_of(state.position), cameras, problem)

    def setup(self, state: TableState, seen: Reading, asking: bool = True) -> SetupChecked:
        """Compare the set-up with the game's; what a board still to be set up does not show is asked."""
        if asking and awaits_setup(self._game, state.position):
            checked = setup_asked(self._game, state, seen)
        else:
            checked = setup_checked(self._game, state.position, sure_board(seen, board_of(state.position)))
        self._observer.setup_seen(checked, seen.text)
        return checked

    def setup_seen(self, state: TableState, seen: Reading) -> bool:
        """Take in a look at the set-up nobody asked for; whether it is right, all being seen or told, or another."""
        checked = self.setup(state, seen)
        if checked.other is not None and checked.other != state.turn.other:
            return True
        told = awaits_setup(self._game, state.position) or not set("?~") & set(seen.text)
        return told and checked.trigger is Trigger.SETUP_RIGHT

    def turn_seen(self, state: TableState, seen: Reading) -> bool:
        """Take in a still board; whether it is back as it was before the turn."""
        reference = reference_of(state)
        compared = None if reference is None else replace(reference, unchanged=seen.unchanged)
        return self._observer.looked(state, seen, compared)

    def moved_on(self, state: TableState, event: Event) -> None:
        """Forget what was seen of another turn."""
        self._observer.moved_on(state)

    def can_rule(self, reading: ReadingMade) -> bool:
        """Return whether the record holds the belief that a ruling needs."""
        return bool(reading.belief)

    def ruled(self, state: TableState, reading: ReadingMade) -> TurnRuled:
        """Return the judge's ruling on a reading, and where a camera in a hand should go for what it leaves open.

        Where no side would show anything more, the ruling is as if no other picture could come.
        """
        by_hand = seen_by_hand(self._game, state, reading, self._reader)
        context = context_of(self._game, state, reference_of(state))
        seen = _evidence(state, reading, by_hand)
        event = self._ruled(state, context, seen)
        show = show_next(self._game, state, reading, event, self._reader)
        waits = event.why in (WhyUnsure.OPEN, WhyUnsure.REFUSED)
        if show is None and waits and by_hand is not None and by_hand.goes_on:
            event = self._ruled(state, context, seen.without_more())
        return replace(event, show=show)

    def likely(self, state: TableState, reading: ReadingMade) -> tuple[str, ...]:
        """Return the boards that a look and the rules make likeliest."""
        if not self.can_rule(reading):
            return ()
        context = context_of(self._game, state, reference_of(state))
        found = likeliest_boards(self._game, context, _evidence(state, reading, None))
        return tuple(board.text for board in found)

    def _ruled(self, state: TableState, context: Context, seen: TurnEvidence) -> TurnRuled:
        before = board_of(state.position)
        decision, after = self._judge(self._game, context, seen)
        if decision.kind == "unsure" and state.turn.declared:
            words = hindrance(self._game, state.position, decision.observed, state.turn.declared)
            return _refused(turn_ruled(decision, context, after), words)
        stood = {before.text} | {board_of(position).text for position, _ in context.hypotheses.positions}
        if decision.kind == "unsure" or decision.observed not in stood or state.turn.declared:
            return turn_ruled(decision, context, after)
        if not state.turn.end.confirmed:
            left_open = LeftOpen(context.hypotheses.positions, context.suspicions)
            return TurnRuled(decision.observed, Unsure(WhyUnsure.UNCHANGED), left_open)
        return _unseen(turn_ruled(decision, context, after))

    def retold(self, state: TableState) -> Event | None:
        """Return what the ruling just given tells of earlier turns."""
        return retold(self._game, state)

    def swept(self, state: TableState, text: str) -> bool:
        """Return whether towers fell or hands swept the board."""
        stay = stones_stay(self._game, state.position)
        return is_swept(board_of(state.position), self._game.observation(text), stay=stay)

    def heights(self, text: str) -> NDArray[np.int8] | None:
        """Return the stacks' heights (rows, columns), around which hands are followed."""
        board: Board = self._game.observation(text)
        return board.heights

    def to_remember(self, state: TableState) -> tuple[ReadingMade, ...]:
        """Return the last reading whose board is known: the next look is compared with it."""
        known = known_look(state)
        return () if known is None else (known[0],)

    def remember(self, state: TableState, looks: Sequence[Pictures]) -> None:
        """Read the last known board again, so that the next look can be compared with it."""
        known = known_look(state)
        if known is not None and looks:
            with suppress(CalibrationError):
                self._looks = {known[0].belief: self.read(state, looks[-1:]).look}

    def fork(self) -> Self:
        """Return another adapter that goes on from here without changing this one."""
        other = copy(self)
        other._observer = copy(self._observer)
        return other

    def live(self, state: TableState) -> Live:
        """Return what the looks since the last ruling show of the board."""
        return self._observer.live(state)


def _evidence(state: TableState, reading: ReadingMade, by_hand: SeenByHand | None) -> TurnEvidence:
    before = board_of(state.position)
    return TurnEvidence(
        reading.unpacked_belief(before.letters),
        unpacked_unchanged(reading.unchanged) if reading.unchanged else None,
        standing_frames(reading, before),
        known_fields(state.turn.end.known, before.letters),
        declared=state.turn.declared,
        untouched=untouched_mask(reading.untouched) if reading.untouched else None,
        by_hand=by_hand,
        stood={Field.from_name(name) for name in state.turn.end.stood},
        alone=by_hand is None and sum(note.reprojection_px is not None for note in reading.cameras) == 1,
        people=_people(state),
    )


def _people(state: TableState) -> People | None:
    """Return who can be asked about the turn; nobody where pictures are recorded.

    They have rested where nothing was told of this turn, and in fewer than one of twenty a legal one was asked about.
    """
    if state.recorded:
        return None
    asked, legal = set(), set()
    for entry, following in pairwise(state.history):
        found = None if entry.ruled is None else entry.ruled.unsure
        if found is not None and found.ask is not None:
            asked.add(found.ask.field)
            if following.ruled is not None and following.ruled.verdict is Verdict.LEGAL:
                legal.add(entry.turn)
    rested = not state.turn.end.known and len(legal) * SELDOM_TURNS < state.position.turn
    return People(frozenset(asked), rested)


def _unseen(event: TurnRuled) -> TurnRuled:
    """Return a ruling on an unchanged board without the acts that would explain it, since nobody saw them."""
    found = event.found
    if not isinstance(found, Legal):
        return event
    return replace(event, found=replace(found, ruling=replace(found.ruling, acts=())))


def _refused(event: TurnRuled, words: Words | None) -> TurnRuled:
    """Return an unsure ruling of a turn of which what was declared can't be; as it is where it can."""
    if words is None or event.unsure is None:
        return event
    why = event.unsure.why if event.unsure.why is WhyUnsure.SWEPT else WhyUnsure.REFUSED
    return replace(event, found=replace(event.unsure, why=why, words=words))


def adapter(game: AnyGame, reader: BoardReader, state: TableState) -> GridAdapter:
    """Return the adapter of a game on a grid. reader: reads pictures of its table."""
    return GridAdapter(game, reader, state)

"""Plays a game on a grid of stacks: compares looks with the last known one, and has the judge weigh explanations.

A ruling uses the newest reading's event alone, so that a referee killed between reading and ruling rules just as it
would have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from calibration.errors import CalibrationError
from referee.games.guarding import shown
from referee.kinds.grid.comparing import Comparison, all_done, compare, tasks
from referee.kinds.grid.judging.asking import stand
from referee.kinds.grid.judging.context import Context, People, SeenByHand, TurnEvidence
from referee.kinds.grid.judging.earlier import AccusedTurn, changed_earlier
from referee.kinds.grid.judging.judge import judge
from referee.kinds.grid.judging.swept import is_swept, stones_stay
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
from referee.match.beginning import awaits_setup
from referee.match.events import (
    AnyGame,
    Illegal,
    LeftOpen,
    Legal,
    ReadingMade,
    Trigger,
    TurnRuled,
    Unsure,
    Verdict,
    WhyUnsure,
)
from referee.match.live import Live, RestoreTask
from referee.match.phases import Phase
from referee.match.standing import board_of
from referee.match.state import TableState
from referee.session.adapter import UNCLEAR, Compared, LookSeen, ObservationAdapter, Sightings, Ways
from referee.session.by_hand import hindrance
from referee.session.capture import Pictures
from referee.values.belief import BoardBelief, ReferenceLook, Standing, unpacked_unchanged
from referee.values.board import Field
from referee.values.fieldmask import mask_of
from referee.values.partial import UNKNOWN, PartialBoard
from referee.values.words import Words, say
from vision.heights.change import Look
from vision.reading import Reading

SELDOM_TURNS = 20
"""In one of so many turns at most people are asked about what is hardly in doubt."""
MOST_SINCE = 2
"""Looks that are kept beside the last known one and the newest: one of them may be ruled on yet."""
MOST_FRAMES = 12
"""Boards kept of one turn; of a longer one the first are forgotten last."""
CHANGED = say("The board was changed between the pictures of one look: show it again")


@dataclass(frozen=True, slots=True)
class GridSightings(Sightings):
    """What looks showed of a board.

    looks: by the belief that was read in them, the last known one and those since. look: the board seen last,
    compared with the one before the turn. frames: boards seen standing still during the turn, oldest first.
    """

    looks: Mapping[str, Look] = field(default_factory=dict)
    look: Comparison | None = None
    frames: tuple[Standing, ...] = ()


class GridAdapter(ObservationAdapter):
    """Read and rule on one game on a grid of stacks."""

    def __init__(self, game: AnyGame, reader: BoardReader, judge: Judge = judge) -> None:
        super().__init__(game)
        self._reader, self._judge = reader, judge

    def ways(self, state: TableState) -> Ways:
        """Rest every ruling on a belief."""
        return Ways(believes=True)

    def read(self, state: TableState, sightings: GridSightings, views: Sequence[Pictures]) -> LookSeen:
        """Read one look, compared with the last known one; it is clear where players told all that is hidden."""
        if not views:
            return LookSeen(blind_reading(board_of(state.position)), sightings, lost=True)
        known = known_look(state)
        look = None if known is None else sightings.looks.get(known[0].belief)
        since = (look, known[1]) if known is not None and look else None
        seen = self._reader.read(views[-1], expectation(self._game, state.position), since=since)
        if seen.blocked and {place.name for place in seen.blocked} <= state.turn.end.known.keys():
            seen = replace(seen, clear=True, blocked=(), contradicted=())  # somebody said what stands there
        made = reading_made(seen, sightings.frames)
        looks = dict([*sightings.looks.items()][-MOST_SINCE:])
        looks |= {known[0].belief: look} if known is not None and look else {}
        looks |= {made.belief: seen.look} if made.belief else {}
        why = CHANGED if seen.contradicted else UNCLEAR
        return LookSeen(made, replace(sightings, looks=looks), seen.cameras, seen.lost, why, seen)

    def compare(self, state: TableState, sightings: GridSightings, seen: LookSeen, asking: bool = True) -> Compared:
        """Compare a board with the set-up, and ask for what it does not show, or with the one before the turn."""
        reading: Reading = seen.found
        if state.phase is not Phase.SET_UP:
            reference = reference_of(state)
            compared = None if reference is None else replace(reference, unchanged=reading.unchanged)
            return self._looked(state, sightings, reading, compared)
        awaits = awaits_setup(self._game, state.position)
        if asking and awaits:
            checked = setup_asked(self._game, state, reading)
        else:
            checked = setup_checked(self._game, state.position, sure_board(reading, board_of(state.position)))
        another = checked.other is not None and checked.other != state.turn.other
        right = checked.trigger is Trigger.SETUP_RIGHT and (awaits or not set("?~") & set(reading.text))
        return Compared(replace(sightings, checked=checked, text=reading.text), another or right)

    def _looked(
        self, state: TableState, sightings: GridSightings, reading: Reading, reference: ReferenceLook | None
    ) -> Compared:
        """Take in a look at a still board; it may show that the board is back as it was before the turn."""
        stood = board_of(state.position)
        rows, cols = stood.heights.shape
        told = PartialBoard.parse(reading.text, rows, cols, stood.letters)
        untold = told.heights == UNKNOWN
        look = compare(reading.belief, stood, reference, untold)
        others = (
            compare(reading.belief, board_of(position), reference, untold)
            for position, _ in state.turn.left_open.track
        )
        differs = all(one.wrong for one in (look, *others))
        sightings = replace(sightings, text=reading.text, look=look, differs=differs)
        if state.phase is not Phase.PLAYING:
            return Compared(sightings, all_done(_tasks(state, look), look))
        frames = _with(sightings.frames, look.standing)
        progress = shown(self._game).progress(state.position, [frame.board for frame in frames]) if frames else ()
        return Compared(replace(sightings, frames=frames, progress=tuple(progress)))

    def moved_on(self, state: TableState, sightings: GridSightings) -> GridSightings:
        """Forget what was seen of another turn, or of another phase of it."""
        moment = _moment(state)
        return sightings if moment == sightings.of else GridSightings(moment, looks=sightings.looks)

    def remember(self, state: TableState, kept: Callable[[ReadingMade], Pictures]) -> GridSightings:
        """Read the last known board again, so that the next look can be compared with it."""
        none, known = GridSightings(_moment(state)), known_look(state)
        pictures = {} if known is None else kept(known[0])
        if known is None or not pictures:
            return none
        try:
            return replace(none, looks={known[0].belief: self.read(state, none, [pictures]).found.look})
        except CalibrationError:
            return none

    def _ruled(self, state: TableState, reading: ReadingMade) -> TurnRuled:
        """Return the judge's ruling on a reading, and where a camera in a hand should go for what it leaves open.

        Where no side would show anything more, the ruling is as if no other picture could come.
        """
        by_hand = seen_by_hand(self._game, state, reading, self._reader)
        context = context_of(self._game, state, reference_of(state))
        seen = evidence_of(state, reading, by_hand)
        event = self._judged(state, context, seen)
        show = show_next(self._game, state, reading, event, self._reader)
        waits = event.why in (WhyUnsure.OPEN, WhyUnsure.REFUSED)
        if show is None and waits and by_hand is not None and by_hand.goes_on:
            event = self._judged(state, context, seen.without_more())
        return replace(event, show=show)

    def _judged(self, state: TableState, context: Context, seen: TurnEvidence) -> TurnRuled:
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

    def rule(self, state: TableState) -> TurnRuled:
        """Rule on the newest reading, or on a board that players gave; nobody is accused of what changed earlier."""
        ruled, text = super().rule(state), state.turn.end.board
        if text is None or not isinstance(ruled.found, Illegal):
            return ruled
        context, lies = context_of(self._game, state, reference_of(state)), self._game.observation(text)
        if (last := context.reference) is None:
            return ruled
        seen = TurnEvidence(
            BoardBelief(np.zeros_like(last.belief.heights), np.zeros_like(last.belief.flags), lies.letters),
            known={place: stand(lies, place) for place in lies.fields},
            declared=state.turn.declared,
        )
        turns = (AccusedTurn(position, lies) for position, _ in context.hypotheses.positions)
        if not context.lost and next(changed_earlier(self._game, turns, last, seen.declared), None) is None:
            return ruled
        told = self._judged(state, context, seen)
        return ruled if isinstance(told.found, Illegal) else told

    def _swept(self, state: TableState, text: str) -> bool:
        """Return whether towers fell or hands swept the board."""
        stay = stones_stay(self._game, state.position)
        return is_swept(board_of(state.position), self._game.observation(text), stay=stay)

    def live(self, state: TableState, sightings: GridSightings) -> Live:
        """Return what the looks since the last ruling show of the board."""
        if state.phase is Phase.SET_UP:
            checked = sightings.checked
            if checked is None:
                return Live(seen=sightings.text)
            unseen = tuple(ask.field for ask in checked.asks if ask.field.name not in state.turn.end.known)
            return Live(setup=checked.differences, unseen=unseen, seen=sightings.text)
        if state.phase in (Phase.VIOLATION, Phase.RESTORING):
            return Live(tasks=_tasks(state, sightings.look), seen=sightings.text)
        progress = sightings.progress if state.phase is Phase.PLAYING else ()
        return Live(progress=progress, seen=sightings.text)


def _moment(state: TableState) -> tuple[object, ...]:
    """Return the values whose change makes earlier sightings useless."""
    kept = Phase.PLAYING if state.phase in (Phase.READING, Phase.RULING, Phase.PAUSED) else state.phase
    return kept, state.position, len(state.history)


def _with(frames: tuple[Standing, ...], standing: Standing | None) -> tuple[Standing, ...]:
    """Return the boards of a turn with one more, where it differs from the one before it."""
    if standing is None or (frames and standing.board == frames[-1].board):
        return frames
    return (*frames[: MOST_FRAMES - 1], standing)


def _tasks(state: TableState, look: Comparison | None) -> tuple[RestoreTask, ...]:
    before = board_of(state.position)
    return tasks(before.like(state.stood), before, look)


def evidence_of(state: TableState, reading: ReadingMade, by_hand: SeenByHand | None = None) -> TurnEvidence:
    """Return what is known of a turn's end from its reading and from people, as the judge takes it."""
    before = board_of(state.position)
    return TurnEvidence(
        reading.unpacked_belief(before.letters),
        unpacked_unchanged(reading.unchanged) if reading.unchanged else None,
        standing_frames(reading, before),
        known_fields(state.turn.end.known, before.letters),
        declared=state.turn.declared,
        untouched=mask_of(reading.alone) if reading.alone else None,
        by_hand=by_hand,
        stood={Field.from_name(name) for name in state.turn.end.stood},
        one_camera=by_hand is None and sum(note.reprojection_px is not None for note in reading.cameras) == 1,
        people=_people(state),
    )


def _people(state: TableState) -> People | None:
    """Return who can be asked about the turn; nobody where pictures are recorded.

    They have rested where nothing was told of this turn, and in fewer than one of twenty a legal one was asked about.
    """
    if state.begun.recorded:
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


adapter = GridAdapter

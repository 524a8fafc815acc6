"""Judges a recorded game again, ruling by ruling: the pictures that are kept are read anew, then put to the judge.

Each turn begins where the journal says it began, with what people said of it then. What the eyes compare a look with,
and what they are known to misread, comes from today's readings of the earlier pictures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from calibration.errors import CalibrationError
from calibration.picturefile import PictureError, decode_picture
from referee.again.comparison import JudgedAgain
from referee.again.past import PastRuling
from referee.daemon.framesource import Pictures
from referee.daemon.outcomes import (
    BoardReader,
    expectation,
    known_fields,
    known_look,
    memory_of,
    reading_made,
    ruled_by_hand,
    standing_frames,
    track_of,
    turn_ruled,
)
from referee.games.contract import RequestError
from referee.judging.context import Context, TurnSeen
from referee.judging.judge import judge
from referee.match.events import AnyGame, ReadingMade, TurnRuled, Verdict
from referee.match.state import TableState
from referee.report.gamefile import PictureOf
from referee.values.belief import Memory, unpacked_unchanged
from referee.values.board import Board
from vision.heights.change import Look

NO_EYES = "the table's measures and lenses are not known here"
NOT_CLEAR = "something is in the way, or no camera sees the frame"


class AgainAudit:
    """Judges one game again. eyes: today's, ``None`` where the table is not known or has none for this kind of game.

    picture: by content id, as kept. Rulings must be put to it in their order.
    """

    def __init__(self, game: AnyGame, eyes: BoardReader | None, picture: PictureOf) -> None:
        self._game, self._eyes, self._picture = game, eyes, picture
        self._made: dict[tuple[tuple[str, str], ...], tuple[ReadingMade, Look]] = {}

    def all(self, past: Sequence[PastRuling], turn: int | None = None) -> Iterator[JudgedAgain]:
        """Every ruling judged again; with ``turn``, that turn's, and of earlier ones only what it needs."""
        wanted = {one.number for one in past if turn is None or one.turn == turn}
        known = (known_look(one.state) for one in past if one.number in wanted)
        compared_with = {look[0].pictures for look in known if look is not None}
        for one in past:
            if one.number in wanted:
                yield self._judged(one)
            elif one.state.reading is not None and one.state.reading.pictures in compared_with:
                self._read_again(one.state.reading, one.state)

    def _judged(self, past: PastRuling) -> JudgedAgain:
        state = past.state
        if state.corrected or state.reading is None:
            now = self._by_hand(past)
            return JudgedAgain(past, now, None, now)
        reading = state.reading
        ruled = self._of_then(past, reading)
        if not reading.pictures or not all(self._picture(content) for _, content in reading.pictures):
            return JudgedAgain(past, ruled, None, ruled)
        made, problem = self._read_again(reading, state)
        if made is None or not made.belief:
            return JudgedAgain(past, None, made, ruled, problem or NOT_CLEAR)
        try:
            return JudgedAgain(past, self._ruled(state, made, self._memory(state)), made, ruled)
        except RequestError as error:  # no turn can lead to what is read
            return JudgedAgain(past, None, made, ruled, str(error))

    def _of_then(self, past: PastRuling, reading: ReadingMade) -> TurnRuled:
        """Today's word on the reading of then; that of then where its belief was not kept."""
        if not reading.belief:
            return past.then
        try:
            return self._ruled(past.state, reading, memory_of(past.state))
        except RequestError:
            return TurnRuled(Verdict.UNSURE, past.then.observed, None)

    def _by_hand(self, past: PastRuling) -> TurnRuled:
        state = past.state
        try:
            text = state.corrected or past.then.observed
            return ruled_by_hand(self._game, state.position, text, state.declared)
        except RequestError:
            return TurnRuled(Verdict.UNSURE, past.then.observed, None)

    def _read_again(self, reading: ReadingMade, state: TableState) -> tuple[ReadingMade | None, str]:
        """Today's reading of the pictures of one of then, and what was wrong with it."""
        if reading.pictures in self._made:
            return self._made[reading.pictures][0], ""
        if self._eyes is None:
            return None, NO_EYES
        try:
            expected = expectation(self._game, state.position)
            seen = self._eyes.read(self._pictures(reading), expected, since=self._since(state))
        except (CalibrationError, PictureError) as error:
            return None, str(error)
        # What stood still during the turn was not kept as pictures: the boards of then are taken as they were read.
        made = replace(reading_made(seen, dict(reading.pictures)), frames=reading.frames)
        self._made[reading.pictures] = (made, seen.look)
        return made, ""

    def _pictures(self, reading: ReadingMade) -> Pictures:
        kept: Mapping[str, bytes | None] = {camera: self._picture(content) for camera, content in reading.pictures}
        return {camera: decode_picture(content) for camera, content in kept.items() if content is not None}

    def _since(self, state: TableState) -> tuple[Look, Board] | None:
        known = known_look(state)
        made = self._made.get(known[0].pictures) if known is not None else None
        return None if known is None or made is None else (made[1], known[1])

    def _memory(self, state: TableState) -> Memory | None:
        """As ``memory_of``, with today's reading of the look then."""
        known = known_look(state)
        if known is None:
            return None
        made = self._made.get(known[0].pictures)
        reading = made[0] if made is not None and made[0].belief else known[0]
        return Memory(reading.unpacked_belief(known[1].letters), known[1])

    def _ruled(self, state: TableState, reading: ReadingMade, memory: Memory | None) -> TurnRuled:
        """The judge's word on a reading, from where the journal says the turn began."""
        before = state.position.observed
        context = Context(track_of(state), memory, suspicions=state.suspicions)
        seen = TurnSeen(
            reading.unpacked_belief(before.letters),
            unpacked_unchanged(reading.unchanged) if reading.unchanged else None,
            standing_frames(reading, before),
            known_fields(state.known, before.letters),
            declared=state.declared,
        )
        decision, after = judge(self._game, context, seen)
        same = decision.kind != "unsure" and decision.observed == before.text and not state.declared
        if same and not state.confirmed:
            return TurnRuled(Verdict.UNSURE, before.text, None, unchanged=True)
        return turn_ruled(decision, after)

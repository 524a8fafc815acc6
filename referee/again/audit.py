"""Judges a recorded game again, ruling by ruling: the pictures that are kept are read anew, then put to the judge.

Each turn begins where the journal says it began, with what people said of it then. What the eyes compare a look with,
and what they are known to misread, comes from today's readings of the earlier pictures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from calibration.errors import CalibrationError
from calibration.picturefile import PictureError, decode_picture
from referee.again.comparison import JudgedAgain
from referee.again.past import PastRuling
from referee.again.towers import TowersAgain
from referee.daemon.framesource import Pictures
from referee.daemon.kinds import onlooker_of
from referee.daemon.outcomes import BoardReader, expectation, known_look, reading_made, ruled_by_hand
from referee.games.contract import RequestError
from referee.judging.judge import judge
from referee.match.events import AnyGame, ReadingMade, TurnRuled, Verdict
from referee.match.state import TableState
from referee.report.gamefile import PictureOf
from referee.values.board import Board
from vision.heights.change import Look
from vision.reader import TableReader
from vision.tower.reader import TowerReader

NO_EYES = "the table's measures and lenses are not known here"
NOT_CLEAR = "something is in the way, or no camera sees the frame"


def todays_eyes(game: AnyGame, table: Path | None) -> TableReader | TowerReader | None:
    """Today's eyes for a recorded game's table; ``None`` where nothing is known of it, or nothing need be seen.

    Raises CalibrationError for measures or lenses that can't be used.
    """
    if table is None or game.kit.kind == "ledger":
        return None
    return TowerReader.open(table) if game.kit.kind == "tower" else TableReader.open(table, kit=game.kit)


class AgainAudit:
    """Judges one game again. eyes: today's, ``None`` where the table is not known or has none for this kind of game.

    picture: by content id, as kept. Rulings must be put to it in their order.
    """

    def __init__(self, game: AnyGame, eyes: BoardReader | TowerReader | None, picture: PictureOf) -> None:
        self._game, self._picture = game, picture
        self._eyes = None if isinstance(eyes, TowerReader) else eyes
        self._towers = TowersAgain(game, eyes, self._pictures) if isinstance(eyes, TowerReader) else None
        self._made: dict[tuple[tuple[str, str], ...], tuple[ReadingMade, Look]] = {}

    def all(self, past: Sequence[PastRuling], turn: int | None = None) -> Iterator[JudgedAgain]:
        """Every ruling judged again; with ``turn``, that turn's, and of earlier ones only what it needs."""
        wanted = {one.number for one in past if turn is None or one.turn == turn}
        # Only grids are compared with an earlier look: a tower is known from the looks of its own turn.
        on_grid = self._game.kit.kind == "grid"
        known = (known_look(one.state) for one in past if on_grid and one.number in wanted)
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
        kept = reading.pictures and all(self._picture(content) for _, content in reading.pictures)
        if not kept or self._game.kit.kind == "ledger":
            return JudgedAgain(past, ruled, None, ruled)
        if self._game.kit.kind == "tower":
            return self._tower(past, reading, ruled)
        made, problem = self._read_again(reading, state)
        if made is None or not made.belief:
            return JudgedAgain(past, None, made, ruled, problem or NOT_CLEAR)
        try:
            return JudgedAgain(past, self._ruled(self._with_todays(state), made), made, ruled)
        except RequestError as error:  # no turn can lead to what is read
            return JudgedAgain(past, None, made, ruled, str(error))

    def _tower(self, past: PastRuling, reading: ReadingMade, ruled: TurnRuled) -> JudgedAgain:
        """A tower's ruling: every look adds to what those before it showed."""
        if self._towers is None:
            return JudgedAgain(past, None, None, ruled, NO_EYES)
        try:
            made, now = self._towers.judged(past, reading)
        except (CalibrationError, PictureError, RequestError) as error:
            return JudgedAgain(past, None, None, ruled, str(error))
        return JudgedAgain(past, now, made, ruled, "" if now is not None else NOT_CLEAR)

    def _ruled(self, state: TableState, reading: ReadingMade) -> TurnRuled:
        """The word on a reading, as the live table finds it."""
        return onlooker_of(self._game, self._eyes, judge, state).ruled(state, reading)

    def _of_then(self, past: PastRuling, reading: ReadingMade) -> TurnRuled:
        """Today's word on the reading of then; that of then where what it rested on was not kept."""
        state = past.state
        try:
            if not onlooker_of(self._game, self._eyes, judge, state).can_rule(reading):
                return past.then
            return self._ruled(state, reading)
        except RequestError:
            return TurnRuled(Verdict.UNSURE, past.then.observed, None)

    def _with_todays(self, state: TableState) -> TableState:
        """A state with today's readings in place of those of then, as far as they have been made."""
        history = []
        for entry in state.history:
            made = self._made.get(entry.reading.pictures) if entry.reading is not None else None
            history.append(replace(entry, reading=made[0]) if made is not None and made[0].belief else entry)
        return replace(state, history=tuple(history))

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
        # What happened during the turn was not kept as pictures: what was seen of it then is taken as it is.
        made = replace(reading_made(seen, dict(reading.pictures)), frames=reading.frames, alone=reading.alone)
        self._made[reading.pictures] = (made, seen.look)
        return made, ""

    def _pictures(self, reading: ReadingMade) -> Pictures:
        kept: Mapping[str, bytes | None] = {camera: self._picture(content) for camera, content in reading.pictures}
        return {camera: decode_picture(content) for camera, content in kept.items() if content is not None}

    def _since(self, state: TableState) -> tuple[Look, Board] | None:
        known = known_look(state)
        made = self._made.get(known[0].pictures) if known is not None else None
        return None if known is None or made is None else (made[1], known[1])

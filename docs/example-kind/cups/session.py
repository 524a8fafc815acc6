"""Turns looks into readings, and readings into rulings: all that a session asks of the kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from cups.observation import OPEN, place
from cups.reader import RowReader, RowSeen
from referee.games.contract import RequestError
from referee.match.events import AnyGame, CameraNote, ReadingMade, SetupChecked, TurnRuled, Unsure, WhyUnsure
from referee.match.live import Live
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.session.adapter import PlainAdapter
from referee.session.capture import Pictures
from referee.values.board import Field
from referee.values.words import Words


class RowAdapter(PlainAdapter):
    """Reads and rules on one game with a row of cups."""

    def __init__(self, game: AnyGame, reader: RowReader) -> None:
        self._game, self._reader = game, reader
        self._checked: SetupChecked | None = None

    def read(self, state: TableState, views: Sequence[Pictures]) -> RowSeen:
        """Read the newest view."""
        return self._reader.read(views[-1])

    def reading(
        self, seen: RowSeen, kept: Mapping[str, str], untouched: NDArray[np.bool_] | None = None
    ) -> ReadingMade:
        """Return the event that keeps a look: its text is all that a ruling rests on."""
        cameras = tuple(
            CameraNote(name, view.markers, view.reprojection_px, view.problem, outline=view.outline)
            for name, view in seen.cameras.items()
        )
        took_ms = round(seen.duration_ms, 1)
        return ReadingMade(seen.text, (), (), seen.clear, (), cameras, took_ms, pictures=tuple(kept.items()))

    def blind(self, state: TableState, cameras: Sequence[str], problem: Words) -> ReadingMade:
        """Return a reading in which nothing is told."""
        notes = tuple(CameraNote(name, 0, None, problem) for name in cameras)
        return ReadingMade(OPEN * self._game.kit.columns, (), (), False, (), notes, 0.0)

    def setup(self, state: TableState, seen: RowSeen, asking: bool = True) -> SetupChecked:
        """Compare the row with the one agreed on; what can't be told counts as right."""
        wanted = state.position.observed.text
        text = "".join(one if one != OPEN else other for one, other in zip(seen.text, wanted, strict=True))
        differences = self._game.setup_differences(state.position, self._game.observation(text))
        self._checked = SetupChecked(tuple(differences))
        return self._checked

    def setup_seen(self, state: TableState, seen: RowSeen) -> bool:
        """Take in a look nobody asked for; return whether the game may begin."""
        return not self.setup(state, seen).differences and OPEN not in seen.text

    def can_rule(self, reading: ReadingMade) -> bool:
        """Return whether a row was read at all."""
        return bool(reading.text)

    def ruled(self, state: TableState, reading: ReadingMade) -> TurnRuled:
        """Rule on a row: nobody is accused of what a camera can't tell."""
        if OPEN in reading.text:
            open_ = [number for number, sign in enumerate(reading.text) if sign == OPEN]
            doubts = tuple(Field.from_name(place(number)) for number in open_)
            return TurnRuled(reading.text, Unsure(doubts=doubts))
        if reading.text == state.position.observed.text and not state.turn.end.confirmed:
            return TurnRuled(reading.text, Unsure(WhyUnsure.UNCHANGED))
        try:
            ruling = self._game.check(state.position, self._game.observation(reading.text), (), state.turn.declared)
        except RequestError as error:
            return TurnRuled(reading.text, Unsure(words=error.words))
        return TurnRuled.by_rules(reading.text, ruling)

    def live(self, state: TableState) -> Live:
        """Return what is known of the set-up beside the record."""
        known = self._checked.differences if state.phase is Phase.SET_UP and self._checked is not None else None
        return Live(setup=known)


def adapter(game: AnyGame, reader: RowReader, state: TableState) -> RowAdapter:
    """Return the adapter of a game. reader: reads pictures of its table."""
    return RowAdapter(game, reader)

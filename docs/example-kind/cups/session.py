"""Turns looks into readings, and readings into rulings: all that a session asks of the kind."""

from __future__ import annotations

from collections.abc import Sequence

from cups.observation import OPEN, place
from cups.reader import RowReader
from referee.games.contract import RequestError
from referee.match.events import AnyGame, ReadingMade, SetupChecked, TurnRuled, Unsure, WhyUnsure
from referee.match.live import Live
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.session.adapter import Compared, LookSeen, ObservationAdapter, Sightings, camera_notes
from referee.session.capture import Pictures
from referee.values.board import Field


class RowAdapter(ObservationAdapter):
    """Reads and rules on one game with a row of cups."""

    def __init__(self, game: AnyGame, reader: RowReader) -> None:
        super().__init__(game)
        self._reader = reader

    def read(self, state: TableState, sightings: Sightings, views: Sequence[Pictures]) -> LookSeen:
        """Read the newest view: its text is all that a ruling rests on."""
        if not views:
            blank = ReadingMade(OPEN * self._game.kit.columns, clear=False)
            return LookSeen(blank, sightings, lost=True)
        seen = self._reader.read(views[-1])
        cameras, took_ms = camera_notes(seen.cameras), round(seen.duration_ms, 1)
        made = ReadingMade(seen.text, clear=seen.clear, cameras=cameras, duration_ms=took_ms)
        return LookSeen(made, sightings, seen.cameras, seen.lost)

    def compare(self, state: TableState, sightings: Sightings, seen: LookSeen, asking: bool = True) -> Compared:
        """Compare the row with the set-up agreed on; what can't be told counts as right until the game may begin."""
        wanted, read = state.position.observed.text, seen.reading.text
        text = "".join(one if one != OPEN else other for one, other in zip(read, wanted, strict=True))
        differences = self._game.setup_differences(state.position, self._game.observation(text))
        settled = state.phase is Phase.SET_UP and not differences and OPEN not in read
        return Compared(Sightings(checked=SetupChecked(tuple(differences))), settled)

    def _ruled(self, state: TableState, reading: ReadingMade) -> TurnRuled:
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

    def live(self, state: TableState, sightings: Sightings) -> Live:
        """Return what is known of the set-up beside the record."""
        checked = sightings.checked
        return Live(setup=checked.differences if state.phase is Phase.SET_UP and checked is not None else None)


adapter = RowAdapter

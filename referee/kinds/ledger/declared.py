"""Games without cameras: players declare every act on the page, and the ledger books it.

A look is taken at once and shows nothing; the ruling rests on the declarations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from referee.games.contract import DoubtsFirst, RequestError, Ruling
from referee.kinds.ledger.observation import NOTHING
from referee.match.events import Illegal, Legal, ReadingMade, TurnRuled, Unsure, WhyUnsure
from referee.match.state import TableState
from referee.session.adapter import LookSeen, ObservationAdapter, Ways
from referee.session.capture import Pictures
from referee.values.words import Words, say


class LedgerAdapter(ObservationAdapter):
    """Rules on one game whose acts are all declared."""

    def ways(self, state: TableState) -> Ways:
        """Wait for no pictures."""
        return Ways(needs_pictures=False)

    def read(self, state: TableState, sightings: Any, views: Sequence[Pictures]) -> LookSeen:
        """Return an empty look, whatever the pictures show."""
        return LookSeen(UNSEEN, sightings)

    def _ruled(self, state: TableState, reading: ReadingMade) -> TurnRuled:
        """Return the engine's ruling on what was declared, and on what was seen where cameras saw something.

        The verdict is unsure where the turn can't be judged, or where players must answer first.
        """
        observed = reading.text
        try:
            ruling = self._judged(state, observed)
        except RequestError as error:
            return TurnRuled(observed, Unsure(WhyUnsure.REFUSED, error.words))
        drafted = () if state.turn.end.confirmed else _drafted(state)
        if ruling.legal and ruling.next is not None and not drafted:
            return TurnRuled(observed, Legal(ruling))
        if ruling.questions and not state.turn.end.confirmed and not drafted:
            return TurnRuled(observed, Unsure(WhyUnsure.UNCHANGED, ruling=ruling))
        if lacking := (*drafted, *self._lacking(state)):
            return TurnRuled(observed, Unsure(WhyUnsure.UNCHANGED, ruling=replace(ruling, lacking=lacking)))
        if ruling.legal or not ruling.complete or not ruling.violations:
            return TurnRuled(observed, Unsure(words=None if ruling.complete else _TOO_MUCH))
        return TurnRuled(observed, Illegal(ruling))

    def _judged(self, state: TableState, observed: str) -> Ruling:
        seen, game = self._game.observation(observed), self._game
        if state.turn.end.confirmed and isinstance(game, DoubtsFirst):
            return game.insisted(state.position, seen, state.turn.declared)
        ruling: Ruling = game.check(state.position, seen, (), state.turn.declared)
        return ruling

    def _lacking(self, state: TableState) -> tuple[Words, ...]:
        """Return what is still missing before the turn may end; nothing once the players say that it is over."""
        game = self._game
        return (
            game.lacking(state.position, state.turn.declared)
            if isinstance(game, DoubtsFirst) and not state.turn.end.confirmed
            else ()
        )


def _drafted(state: TableState) -> tuple[Words, ...]:
    """Return a sentence for each device on which something is filled in that was not declared."""
    devices = dict.fromkeys(draft.by for draft in state.turn.drafts.values())
    return tuple(say("Something is filled in on {device} that was not declared.", device=name) for name in devices)


_TOO_MUCH = say("Too much differs to tell which rule was broken.")
UNSEEN = ReadingMade(NOTHING)
"""A look that showed nothing because none was needed."""

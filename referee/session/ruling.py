"""Rules on a turn for a session, within a time limit: by the players' board or by the newest reading. Pure."""

from __future__ import annotations

from referee.match.events import AnyGame, TurnRuled, Verdict
from referee.match.state import TableState
from referee.session.adapter import ObservationAdapter
from referee.session.bounds import Bound, TookTooLongError
from referee.session.by_hand import ruled_by_hand
from referee.values.words import say


def ruled_within(bound: Bound, game: AnyGame, adapter: ObservationAdapter, state: TableState) -> TurnRuled:
    """Rule on a turn; where that takes too long nothing can be told, for that reason."""
    try:
        return bound(lambda: _ruled(game, adapter, state))
    except TookTooLongError as error:
        why = say("Working out the ruling took longer than {n} seconds.", n=round(error.most_s))
        text, track, held = state.position.observed.text, state.track, state.suspicions
        return TurnRuled(Verdict.UNSURE, text, None, track=track, suspicions=held, reason=why)


def _ruled(game: AnyGame, adapter: ObservationAdapter, state: TableState) -> TurnRuled:
    if state.corrected is None:
        assert state.reading is not None, "a ruling is due only on a reading or a board that players gave"
        return adapter.ruled(state, state.reading)
    ruled = ruled_by_hand(game, state.position, state.corrected, state.declared)
    if ruled.verdict is Verdict.ILLEGAL and adapter.swept(state, state.corrected):
        return TurnRuled(Verdict.UNSURE, ruled.observed, None, swept=True)
    return ruled

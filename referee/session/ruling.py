"""Rules on a turn for a session, within a time limit: by the players' board or by the newest reading. Pure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.games.contract import AsksBefore, RequestError
from referee.kinds import has_platform, platform
from referee.match.events import AnyGame, Event, Illegal, TurnRuled, Unsure
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.session.adapter import ObservationAdapter
from referee.session.bounds import Bound, TookTooLongError
from referee.values.gameerror import GameError
from referee.values.words import say


def is_due(adapter: ObservationAdapter, state: TableState) -> bool:
    """Return whether a ruling is due and all it rests on is in the record."""
    if state.phase is not Phase.RULING:
        return False
    reading = state.reading
    given = reading is not None and (bool(reading.belief) or not adapter.ways(state).believes)
    return given or state.turn.end.board is not None


def ruled_within(bound: Bound, game: AnyGame, adapter: ObservationAdapter, state: TableState) -> TurnRuled:
    """Rule on a turn; where that takes too long, or the game fails, nothing can be told, for that reason."""
    try:
        return bound(lambda: _ruled(game, adapter, state))
    except TookTooLongError as error:
        why = say("Working out the ruling took longer than {n} seconds.", n=round(error.most_s))
    except (GameError, RequestError) as error:
        why = error.words
    text = state.turn.end.board or state.position.observed.text
    return TurnRuled(text, Unsure(words=why), state.turn.left_open)


def _ruled(game: AnyGame, adapter: ObservationAdapter, state: TableState) -> TurnRuled:
    ruled = adapter.rule(state)
    if isinstance(ruled.found, Illegal) and isinstance(game, AsksBefore):
        game.question(state.position, ruled.found.ruling, state.turn.declared)  # where that fails nobody is accused
    return ruled


def hands_around(game: AnyGame, text: str) -> NDArray[np.int8] | None:
    """Return how many levels stand in each place (rows, columns), or ``None`` where no hands are followed."""
    if not has_platform(game.kit.kind, "hands"):
        return None
    levels: NDArray[np.int8] = platform(game.kit.kind, "hands").levels(game, text)
    return levels


def told_anew(game: AnyGame, state: TableState) -> tuple[Event, ...]:
    """Return what a ruling tells of earlier turns. state: after the ruling."""
    if not has_platform(game.kit.kind, "retelling"):
        return ()
    event: Event | None = platform(game.kit.kind, "retelling").retold(game, state)
    return () if event is None else (event,)

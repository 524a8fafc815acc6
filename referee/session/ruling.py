"""Rules on a turn for a session, within a time limit: by the players' board or by the newest reading. Pure."""

from __future__ import annotations

from dataclasses import replace

from referee.games.contract import AsksBefore, RequestError
from referee.match.events import AnyGame, Illegal, LeftOpen, TurnRuled, Unsure, WhyUnsure
from referee.match.hypotheses import Hypotheses, Lead
from referee.match.state import TableState
from referee.session.adapter import ObservationAdapter
from referee.session.bounds import Bound, TookTooLongError
from referee.session.by_hand import ruled_by_hand
from referee.values.gameerror import GameError
from referee.values.words import say


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
    ruled = _ruled_on(game, adapter, state)
    if isinstance(ruled.found, Illegal) and isinstance(game, AsksBefore):
        game.question(state.position, ruled.found.ruling, state.turn.declared)  # where that fails nobody is accused
    return ruled


def _ruled_on(game: AnyGame, adapter: ObservationAdapter, state: TableState) -> TurnRuled:
    board = state.turn.end.board
    if board is None:
        assert state.reading is not None, "a ruling is due only on a reading or a board that players gave"
        return adapter.ruled(state, state.reading)
    ruled = _by_hand(game, state, board)
    if isinstance(ruled.found, Illegal) and adapter.swept(state, board):
        return TurnRuled(ruled.observed, Unsure(WhyUnsure.SWEPT))
    return ruled


def _by_hand(game: AnyGame, state: TableState, text: str) -> TurnRuled:
    """Rule on a board that the players gave: legal where it is from any position that may have stood before.

    Where it is from none, it is ruled on from the position on record.
    """
    track = ((state.position, 0.0), *state.turn.left_open.track[1:])
    legal: list[tuple[Lead, TurnRuled]] = []
    for number, (position, score) in enumerate(track):
        if position.turn == state.position.turn and not position.finished:
            ruled = ruled_by_hand(game, position, text, state.turn.declared)
            if ruled.after is not None:
                legal.append((Lead(ruled.after, score, number), ruled))
    if not legal:
        return ruled_by_hand(game, state.position, text, state.turn.declared)
    legal.sort(key=lambda one: -one[0].score)
    if len(track) == 1:
        return legal[0][1]
    kept = Hypotheses.kept([lead for lead, _ in legal])
    track = kept.positions if len(kept.positions) > 1 else ()
    return replace(legal[0][1], left_open=LeftOpen(track, links=kept.links))

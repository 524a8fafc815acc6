"""Names the boards that a look and the rules make likeliest, for whoever says that a ruling was wrong."""

from __future__ import annotations

from referee.kinds.grid.judging.likeliest import likeliest_boards
from referee.kinds.grid.readings import context_of, reference_of
from referee.kinds.grid.session import evidence_of
from referee.match.events import AnyGame
from referee.match.state import TableState


def likely(game: AnyGame, state: TableState) -> tuple[str, ...]:
    """Return the boards that the newest reading makes likeliest, the likeliest first. state: before the ruling."""
    if state.reading is None or not state.reading.belief:
        return ()
    context = context_of(game, state, reference_of(state))
    return tuple(board.text for board in likeliest_boards(game, context, evidence_of(state, state.reading)))

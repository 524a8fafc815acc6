"""A game whose first turn was read wrongly, and put right later."""

from __future__ import annotations

from referee.match.state import TableState
from tests.match.steps import A2, B1, B2, Journal, boards, higher

READ, STOOD = boards(B1)[0], boards(B2)[0]
"""The board after the first turn, as it was read and as it stood."""


def put_right_game() -> TableState:
    """Return the game; its second turn was called a breach until the first was put right."""
    game = Journal()
    game.goes_on(READ)
    game.read(higher(STOOD, A2))
    game.put_right(1, STOOD)
    game.happen(game.judge(game.state))
    return game.state

"""Return the board of a position, where what a game observes is a grid of stacks."""

from __future__ import annotations

from referee.games.contract import Position
from referee.values.board import Board


def board_of(position: Position) -> Board:
    """Return how the board stands before the turn. Raises TypeError for a position of another kind."""
    board = position.observed
    if not isinstance(board, Board):
        raise TypeError(f"a board of stacks is judged here, not {type(board).__name__}")
    return board

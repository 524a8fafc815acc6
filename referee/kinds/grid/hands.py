"""Says around what hands are followed: the stacks of a board."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.match.events import AnyGame
from referee.values.board import Board


def levels(game: AnyGame, text: str) -> NDArray[np.int8]:
    """Return the heights of a board's stacks (rows, columns). text: of the board."""
    board: Board = game.observation(text)
    return board.heights

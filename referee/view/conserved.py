"""How many stones a game has, so that the page can say at once when an edited board does not add up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from referee.games.contract import Position, RequestError
from referee.match.events import AnyGame
from referee.values.board import MAX_HEIGHT, Board, BoardError
from referee.view.banner import ViewState


def conserved_view(game: AnyGame, position: Position) -> ViewState:
    """``stones``: how many must be on the board as long as nothing else is counted anew, ``None`` where that is open.

    Where the kit leaves it open, the game is asked whether the position could have one stone more.
    """
    conserved = game.kit.conserved
    return {"stones": conserved if conserved is not None else _kept(game, position)}


def _kept(game: AnyGame, position: Position) -> int | None:
    board = position.observed
    if not isinstance(board, Board):
        return None
    stands = np.argwhere((board.heights > 0) & (board.heights < MAX_HEIGHT))
    if not len(stands):
        return None
    row, col = stands[0]
    heights = board.heights.copy()
    heights[row, col] += 1
    try:
        game.corrected(position, {"board": replace(board, heights=heights).text})
    except (RequestError, BoardError):
        return int(board.heights.sum())
    return None

"""Ask the rules whether boards can have been reached legally, as far as they may look."""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.games.contract import AnyGame, Position, RequestError, TellsLegal
from referee.values.board import Board
from referee.values.declaring import Declared

MOST_STATES = 120_000
"""States that the rules may look at in all: a board that is then still to be tried may be legal for all one knows."""


@dataclass(slots=True)
class Legality:
    """What is legal from one position. left: states that the rules may still look at. known: boards put to them."""

    game: AnyGame
    position: Position
    declared: Declared
    left: int = MOST_STATES
    known: dict[Board, bool] = field(default_factory=dict)

    def may_be(self, board: Board) -> bool:
        """Return whether a turn that leads to a board is legal, or nobody can know with the states there are."""
        if board not in self.known:
            self.known[board] = self.left <= 0 or self._is(board)
        return self.known[board]

    def _is(self, board: Board) -> bool:
        try:
            if isinstance(self.game, TellsLegal):
                return self.game.is_legal(self.position, board, self.declared)
            ruling = self.game.check(self.position, board, (), self.declared)
        except RequestError:
            return False
        self.left -= ruling.states
        return ruling.legal

"""Where hands have been in this turn, asked for only while the game stands where the cameras left it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.daemon.framesource import FrameSource
from referee.match.events import AnyGame, TurnRuled, Verdict
from referee.match.state import TableState
from referee.values.board import Board


class TurnHands:
    """Tells the cameras which board is known. Games that are no grid of stacks have no fields to follow."""

    def __init__(self, game: AnyGame, sight: FrameSource) -> None:
        self._game, self._sight = game, sight
        self._since: tuple[int, str] | None = None

    def looked_at_setup(self, state: TableState) -> None:
        """A look was taken at the set-up."""
        self._looked(state.position.observed)
        self.agreed(state)

    def looked_at_turn(self, state: TableState, event: TurnRuled) -> None:
        """A look was ruled on: what hands do from here on may belong to the next turn. state: after it."""
        if isinstance(state.position.observed, Board):
            self._looked(self._game.observation(event.observed))
        if event.verdict is Verdict.LEGAL:
            self.agreed(state)

    def agreed(self, state: TableState) -> None:
        """The board of the last look is where the game stands."""
        self._sight.board_agreed()
        self._since = _standing(state)

    def alone(self, state: TableState) -> NDArray[np.bool_] | None:
        """The fields no hand came near in this turn; ``None`` where the game came to stand here by another way."""
        return self._sight.alone() if self._since == _standing(state) else None

    def _looked(self, board: object) -> None:
        self._sight.board_looked_at(board.heights if isinstance(board, Board) else None)


def _standing(state: TableState) -> tuple[int, str]:
    return state.position.turn, state.position.observed.text

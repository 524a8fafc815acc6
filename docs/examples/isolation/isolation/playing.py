"""How the game plays seats that nobody has taken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random

from referee.games.answers import Strength
from referee.games.contract import Plays
from referee.games.record import RecordEntry
from referee.values.board import Board, Field

from .game import GAME
from .laying import laid_board
from .position import Position, beside, pawn, start_board


class Player(Plays[Position, Board]):
    """Chooses turns."""

    def prepared(self, choice: Mapping[str, object]) -> Mapping[str, object]:
        """Return the choice as it is."""
        return choice

    def set_up(self, position: Position, chance: Random) -> Board:
        """Return the board as a game begins."""
        return start_board(position.players)

    def turns(self, position: Position, strength: Strength, chance: Random) -> Iterator[str]:
        """Yield turns, best first."""
        start = pawn(position.board, position.to_move)
        if start is None:
            return
        ranked = [f"{start.name}-{to.name} -{at.name}" for to in position.steps for at in _free(position, start, to)]
        chance.shuffle(ranked)
        if strength is not Strength.WEAK:
            ranked.sort(key=lambda acts: _worth(position, acts, deep=strength is Strength.STRONG), reverse=True)
        yield from ranked


def _free(position: Position, start: Field, to: Field) -> Iterator[Field]:
    """Yield the fields whose stone may be taken after a step: those near the other, and the one that was left."""
    other = pawn(position.board, position.other)
    near = [at for at in (beside(other) if other is not None else ()) if at not in (start, to)]
    yield from (at for at in (*near, start) if position.board.heights[at])


def _worth(position: Position, acts: str, deep: bool) -> int:
    """Return what a turn is worth: the fewer steps the other has left, the better. deep: own steps count, too."""
    entry = RecordEntry(position.turn, position.to_move.word, acts)
    after = GAME.accepted(position, laid_board(position, entry))
    own = len(replace(after, to_move=after.other).steps)
    return (own if deep else 0) - len(after.steps)


PLAYS = Player()

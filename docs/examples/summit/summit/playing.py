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
from .kit import SUMMIT, TALLEST
from .laying import laid_board
from .position import Position, beside, level, pawn, start_board


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
        ranked = [f"{start.name}-{to.name} +{at.name}" for to in position.steps for at in _free(position, start, to)]
        chance.shuffle(ranked)
        if strength is not Strength.WEAK:
            ranked.sort(key=lambda acts: _worth(position, acts, deep=strength is Strength.STRONG), reverse=True)
        yield from ranked


def _worth(position: Position, acts: str, deep: bool) -> int:
    """Return what a turn is worth: high is good, a summit best. deep: and not where the other can step up to one."""
    entry = RecordEntry(position.turn, position.to_move.word, acts)
    after = GAME.accepted(position, laid_board(position, entry))
    if position.to_move in after.winners:
        return 100
    threats = sum(after.board.heights[at] >= SUMMIT for at in after.steps)
    ways = [int(after.board.heights[at]) for at in replace(after, to_move=after.other).steps]
    return 4 * level(after.board, position.to_move) + max(ways, default=0) - (50 * int(threats) if deep else 0)


def _free(position: Position, start: Field, to: Field) -> Iterator[Field]:
    """Yield the fields on which a stone may be laid after a step."""
    flags = position.board.flags
    yield from (at for at in beside(to) if (at == start or not flags[at]) and position.board.heights[at] < TALLEST)


PLAYS = Player()

"""Value a board for a player: what a scoring now would bring, and what can still come of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from referee.games.torres.geometry import BESIDE, bits, spread
from referee.games.torres.position.position import TorresPosition
from referee.games.torres.ruleset import KING_POINTS, KNIGHTS_EACH, PHASES
from referee.games.torres.terrain import terrain

_KNIGHT = 0.8
"""Points that a knight on the board is worth by itself."""
_LEVEL = 0.5
"""Points a level under a knight is worth besides the castle's."""
_OUTLOOK = 0.4
"""Points of the next step up from where a knight stands."""
_AGAIN = 0.35
"""Part of what a scoring would bring now that each further phase may bring again."""


@dataclass(frozen=True)
class Valuer:
    """Weighs boards for the player to move.

    watchful: whether what the others would score counts as well; outlook: whether what may still come does.
    """

    position: TorresPosition
    watchful: bool
    outlook: bool

    @cached_property
    def _foes(self) -> tuple[int, ...]:
        """Return the knights of each other player."""
        board, me = self.position.board, self.position.to_move
        return tuple(board.knights(player) for player in self.position.players if player != me)

    @property
    def _again(self) -> float:
        """Return how much more than once a scoring counts: further phases may bring the same again."""
        return _AGAIN * (PHASES - self.position.phase)

    def worth(self, heights: tuple[int, ...], own: int, points: int) -> float:
        """Return the worth of a board with the player's knights on ``own``.

        points: made on the track in this turn.
        """
        mine = self._scored(heights, own)
        found = mine + points
        if self.outlook:
            found += self._coming(heights, own) + self._again * mine
        if self.watchful and self._foes:
            theirs = [self._scored(heights, knights) for knights in self._foes]
            found -= (0.5 * max(theirs) + 0.5 * sum(theirs) / len(theirs)) * (1 + self._again)
        return found

    def _scored(self, heights: tuple[int, ...], knights: int) -> float:
        """Return what a scoring now would bring, master cards left out."""
        points, king = 0, self.position.board.king
        for castle in terrain(heights).castles:
            there = castle & knights
            if there:
                points += castle.bit_count() * max(heights[i] for i in bits(there))
                if castle & king and any(heights[i] == self.position.phase for i in bits(there)):
                    points += KING_POINTS * self.position.phase
        return float(points)

    def _coming(self, heights: tuple[int, ...], own: int) -> float:
        """Return what knights on the board, their levels and the steps before them may still bring."""
        ground = terrain(heights)
        found = _KNIGHT * min(own.bit_count(), KNIGHTS_EACH)
        best = 0.0
        for i in bits(own):
            level = heights[i]
            found += _LEVEL * level
            higher = BESIDE[i] & ground.at[level + 1] & ~own
            if higher:
                castle = ground.castle((higher & -higher).bit_length() - 1)
                room = (spread(castle) & ~castle).bit_count()
                best = max(best, _OUTLOOK * (castle.bit_count() + 0.1 * room))
        return found + best

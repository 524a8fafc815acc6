"""Acts made by hand, allowed or not.

A1-B1 moves a piece, +A1 lays a stone, -A1 takes one, @A1 sets one of the player's pawns, xA1 takes a piece.
"""

from __future__ import annotations

import re

from referee.games.record import RecordEntry, RecordError
from referee.values.board import Board, BoardError, Field

from .kit import PLAYERS
from .position import Position

_ACT = re.compile(r"(?:([@x+-])|([A-Z][0-9]+)-)([A-Z][0-9]+)")


def laid_board(position: Position, entry: RecordEntry) -> Board:
    """Return the board after a recorded turn. Raises RecordError for acts that no hand can make."""
    board = position.board
    for word in entry.acts.split():
        try:
            board = _acted(board, word, entry.player)
        except (BoardError, ValueError, IndexError):
            told = f"turn {entry.number}: {word[:40]!r} can't be done: write A1-B1, +A1, -A1, @A1 or xA1"
            raise RecordError(told, entry.line) from None
    return board


def _acted(board: Board, word: str, player: str) -> Board:
    match = _ACT.fullmatch(word)
    if match is None:
        raise ValueError(word)
    heights, pieces = board.heights.astype(int), board.flags.astype(int)
    at = Field.from_name(match[3])
    if match[2] is not None:
        start = Field.from_name(match[2])
        if not pieces[start] or at == start:
            raise ValueError(word)
        pieces[start], pieces[at] = 0, pieces[start]
    elif match[1] == "@":
        pieces[at] = PLAYERS.index(player) + 1
    elif match[1] == "x":
        pieces[at] = 0
    else:
        heights[at] += 1 if match[1] == "+" else -1
    return Board(heights, pieces, board.letters)


def laid(position: Position, entry: RecordEntry) -> str:
    """Return the board text after a recorded turn. Raises RecordError."""
    return laid_board(position, entry).text

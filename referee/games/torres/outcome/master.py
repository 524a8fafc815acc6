"""Count what the open master card brings a player at a scoring."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.games.torres.board import TorresBoard
from referee.games.torres.colours import KnightColour
from referee.games.torres.geometry import EDGE, LONG_DIAGONALS, SIDE, bits
from referee.games.torres.position.position import TorresPosition
from referee.games.torres.ruleset import PHASES
from referee.games.torres.terrain import connected, terrain

_CASTLE_POINTS = (5, 15, 30)
_KNIGHT_POINTS = (2, 5, 10)
_CASTLES_WANTED = (4, 5, 6)
_LAST: Mapping[str, int] = {"level": 50, "levels": 40, "group": 40, "line": 50, "square": 50}
"""Points of the cards that count after phase 3 only."""
_SQUARE_KNIGHTS = 4


def master_points(position: TorresPosition, board: TorresBoard, player: KnightColour) -> int:
    """Return the points the open master card brings a player at the end of the position's phase."""
    card, phase = position.master, position.phase
    knights = board.knights(player)
    if card is None or not knights:
        return 0
    if card in _LAST:
        enough = knights.bit_count() >= position.rules.master_min
        won = phase == PHASES and enough and _TESTS[card](position, board, knights)
        return _LAST[card] if won else 0
    if card == "castles":
        stood_on = sum(1 for castle in terrain(board.heights).castles if castle & knights)
        return _CASTLE_POINTS[phase - 1] if stood_on == _CASTLES_WANTED[phase - 1] else 0
    return _counted(position, board, player, LONG_DIAGONALS if card == "diagonals" else EDGE)


def _counted(position: TorresPosition, board: TorresBoard, player: KnightColour, fields: int) -> int:
    counts = {p: (board.knights(p) & fields).bit_count() for p in position.players}
    own = counts.pop(player)
    each = _KNIGHT_POINTS[position.phase - 1]
    return each * own + (each if own > max(counts.values()) else 0)


def _levels(board: TorresBoard, knights: int) -> list[int]:
    return [board.heights[i] for i in bits(knights)]


def _level(_: TorresPosition, board: TorresBoard, knights: int) -> bool:
    return len(set(_levels(board, knights))) == 1


def _different(_: TorresPosition, board: TorresBoard, knights: int) -> bool:
    levels = _levels(board, knights)
    return len(set(levels)) == len(levels)


def _group(_: TorresPosition, _board: TorresBoard, knights: int) -> bool:
    return len(connected(knights)) == 1


def _line(_: TorresPosition, _board: TorresBoard, knights: int) -> bool:
    places = [divmod(i, SIDE) for i in bits(knights)]
    ways = ([r for r, _ in places], [c for _, c in places], [r - c for r, c in places], [r + c for r, c in places])
    return any(len(set(way)) == 1 for way in ways)


def _square(position: TorresPosition, _board: TorresBoard, knights: int) -> bool:
    if knights.bit_count() < _SQUARE_KNIGHTS:
        return False
    largest = SIDE - 1 if position.rules.square == "any" else 1
    for i in bits(knights):
        row, col = divmod(i, SIDE)
        for side in range(1, min(largest, SIDE - 1 - row, SIDE - 1 - col) + 1):
            corners = 1 << i | 1 << (i + side) | 1 << (i + side * SIDE) | 1 << (i + side * SIDE + side)
            if corners & knights == corners:
                return True
    return False


_TESTS: Mapping[str, Callable[[TorresPosition, TorresBoard, int], bool]] = {
    "level": _level,
    "levels": _different,
    "group": _group,
    "line": _line,
    "square": _square,
}

"""Turns on a grid of stacks: the referee looks at the board and the pieces on it."""

from __future__ import annotations

from referee.values.board import Board

NEEDS_PICTURES = True
BOARD_IS_TURNED = False
NOTHING_SEEN = ""


def awaits_pieces(observed: Board) -> bool:
    """Return whether no piece stands on the board."""
    return not observed.flags.any()

"""What the match asks: cups must be seen, nobody turns the board, and all of them stand there from the beginning."""

from __future__ import annotations

from cups.observation import Row

NEEDS_PICTURES = True
BOARD_IS_TURNED = False
NOTHING_SEEN = ""


def awaits_pieces(observed: Row) -> bool:
    """Return false: a game begins from the row as it stands."""
    return False

"""Turns at a tower: every side of it must be seen, so players turn the board."""

from __future__ import annotations

from typing import Any

NEEDS_PICTURES = True
BOARD_IS_TURNED = True
NOTHING_SEEN = ""


def awaits_pieces(observed: Any) -> bool:
    """Return false: all bars lie beside the board when a game begins."""
    return False

"""Turns that a ledger keeps: players declare them, and cameras need not see anything."""

from __future__ import annotations

from typing import Any

from referee.kinds.ledger.observation import NOTHING

NEEDS_PICTURES = False
BOARD_IS_TURNED = False
NOTHING_SEEN = NOTHING


def awaits_pieces(observed: Any) -> bool:
    """Return false: a game begins as the players agreed, whatever lies there."""
    return False

"""Turns at a tower: every side of it must be seen, so players turn the board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.kinds.tower.observation import cells_told, tower_of

NEEDS_PICTURES = True
BOARD_IS_TURNED = True
NOTHING_SEEN = ""


def awaits_pieces(observed: Any) -> bool:
    """Return false: all bars lie beside the board when a game begins."""
    return False


def places_differing(before: Any, text: str) -> Mapping[str, str]:
    """Return the sign of each cell in which a tower's text differs from the tower before, ``.`` for an empty one."""
    stood, stands = cells_told(before.text), cells_told(text)
    signs = ((cell, stands.get(cell, ".")) for cell in dict.fromkeys((*stood, *stands)))
    return {cell: sign for cell, sign in signs if sign != stood.get(cell, ".")}


def with_places(before: Any, places: Mapping[str, str]) -> str:
    """Return the text of the tower with other signs in some cells. Raises BoardError for no cell, or no sign."""
    return tower_of({**cells_told(before.text), **places})

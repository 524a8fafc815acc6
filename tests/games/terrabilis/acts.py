"""Give acts as they are declared."""

from __future__ import annotations

from typing import Any

from tests.games.terrabilis.positions import roll

ACTS: list[dict[str, Any]] = [
    roll(3, 4),
    roll(3, 4, by="blue"),
    {"draw": "economic"},
    {"install": "mill"},
    {"discard": "farm"},
    {"hazard": "storm"},
    {"join": True, "by": "blue"},
    {"join": False},
    {"quiz": "expert", "right": True, "prize": "money"},
    {"quiz": "normal", "right": False},
    {"choose": "green", "by": "blue"},
    {"choose": "energy"},
    {"order": "yyg"},
    {"loan": True},
    {"repay": True},
    {"abandon": ["mill", "mill"]},
    {"count": {"money": 12000, "yellow": 0}},
]

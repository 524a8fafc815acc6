"""What lies on the table: a board of 10 x 10 fields full of stones; pawns may stand about and mean nothing."""

from __future__ import annotations

from referee.values.kit import Kit, PieceKind
from referee.values.paints import paint_of
from referee.values.words import Words, say

PLAYERS = ("red", "yellow", "green", "blue")
EXTRAS = 2
"""So often a player may move more stones than three, and so many more."""
LIMIT = 3
"""Stones moved in a turn."""

_NAMES: dict[str, Words] = {"red": say("Red"), "yellow": say("Yellow"), "green": say("Green"), "blue": say("Blue")}

KIT = Kit(
    kind="grid",
    columns=10,
    rows=10,
    stone=say("pebble"),
    stones=say("pebbles"),
    pieces=tuple(
        PieceKind(word[0], word, _NAMES[word], "pawn", paint_of(word), most=100, owner=word) for word in PLAYERS
    ),
)

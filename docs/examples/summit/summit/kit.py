"""What lies on the table: fields, stones, and a pawn for each player."""

from __future__ import annotations

from referee.values.kit import Kit, PieceKind
from referee.values.paints import paint_of
from referee.values.players import PlayerName
from referee.values.words import player_name, say

SIDE = 5
PLAYERS = ("red", "blue")
"""Words of the players; each is the word of a colour, too."""
START = "/".join(["0" * SIDE] * SIDE)
"""The stones as a game begins: none."""
SUMMIT, TALLEST = 3, 4
"""Stones of a stack on which a pawn has won, and of the highest that is laid."""

KIT = Kit(
    kind="grid",
    columns=SIDE,
    rows=SIDE,
    stone=say("stone"),
    stones=say("stones"),
    tallest=TALLEST + 1,  # one more than any rule allows, for a breach has to be seen
    pieces=tuple(
        PieceKind(word[0], word, player_name(PlayerName(word)), "pawn", paint_of(word), most=1, owner=word)
        for word in PLAYERS
    ),
)

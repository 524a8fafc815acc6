"""Define what the game is played with: bars of two colours."""

from __future__ import annotations

from referee.games.turris.bars import BARS_EACH, BarColour
from referee.games.turris.cells import MOST_LEVELS, WIDTH
from referee.values.kit import Kit, PieceKind
from referee.values.paints import paint_of
from referee.values.words import player_name, say

KIT = Kit(
    kind="tower",
    columns=WIDTH,
    rows=WIDTH,
    stone=say("bar"),
    stones=say("bars"),
    block="none",
    tallest=MOST_LEVELS,
    pieces=tuple(
        PieceKind(
            letter=colour.word[0],
            word=colour.word,
            name=player_name(colour),
            shape="bar",
            paint=paint_of(colour.word),
            most=BARS_EACH,
            owner=colour.word,
        )
        for colour in (BarColour.DARK, BarColour.LIGHT)  # as tower texts have them: small letters first
    ),
)

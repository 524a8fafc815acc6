"""Define what the game is played with: blocks with a door in every side, knights of eight colours, and the king."""

from __future__ import annotations

from referee.games.torres.colours import KING, KnightColour
from referee.games.torres.geometry import SIDE
from referee.games.torres.ruleset import KNIGHTS_EACH
from referee.values.kit import Kit, PieceKind
from referee.values.paints import Paint, paint_of
from referee.values.words import player_name, say

_GOLD = Paint("#d6ae3c", "#c9a445", "#2b2000", "star")

KIT = Kit(
    kind="grid",
    columns=SIDE,
    rows=SIDE,
    stone=say("block"),
    stones=say("blocks"),
    block="arched",
    pieces=(
        *(
            PieceKind(
                letter=colour.letter,
                word=colour.word,
                name=player_name(colour),
                shape="knight",
                paint=paint_of(colour.word),
                most=KNIGHTS_EACH,
                owner=colour.word,
            )
            for colour in KnightColour
        ),
        PieceKind(letter=KING, word="king", name=say("King"), shape="king", paint=_GOLD, most=1),
    ),
    ring=80,
)

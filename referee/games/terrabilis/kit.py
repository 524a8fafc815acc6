"""Define what the game is played with: counters in the Zone, and a pawn for each country."""

from __future__ import annotations

from referee.games.terrabilis.players import Country
from referee.games.terrabilis.ruleset import ZONE_PLACES
from referee.values.kit import Kit, PieceKind, TrackPlace
from referee.values.paints import paint_of
from referee.values.words import player_name, say

ZONE = "zone"

KIT = Kit(
    kind="ledger",
    columns=1,
    rows=ZONE_PLACES,
    stone=say("counter"),
    stones=say("counters"),
    block="none",
    tallest=1,
    pieces=tuple(
        PieceKind(
            letter=country.word[0],
            word=country.word,
            name=player_name(country),
            shape="pawn",
            paint=paint_of(country.word),
            most=1,
            owner=country.word,
        )
        for country in Country
    ),
    tracks=(TrackPlace(ZONE, ZONE_PLACES),),
)
"""Columns and rows are those of the Zone, a thermometer of ten places."""

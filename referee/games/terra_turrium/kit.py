"""Define what the game is played with: cubes, and flags of four colours."""

from __future__ import annotations

from referee.games.terra_turrium.colours import SIZE, Colour
from referee.games.terra_turrium.geometry import TERRITORIES
from referee.games.terra_turrium.ruleset import ATTACKS, FLAGS_EACH
from referee.values.kit import Kit, PieceKind, TrackPlace
from referee.values.paints import paint_of
from referee.values.words import player_name, say

KIT = Kit(
    kind="grid",
    columns=SIZE,
    rows=SIZE,
    stone=say("cube"),
    stones=say("cubes"),
    pieces=tuple(
        PieceKind(
            letter=colour.letter,
            word=colour.word,
            name=player_name(colour),
            shape="flag",
            paint=paint_of(colour.word),
            most=FLAGS_EACH,
            owner=colour.word,
        )
        for colour in Colour
    ),
    tracks=tuple(TrackPlace(name, ATTACKS) for name in TERRITORIES),
)

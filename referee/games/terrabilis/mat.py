"""Read the mat under cameras: what of it players show once, and what of all that is seen belongs to a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.games.terrabilis.declared.reading import parse_observed
from referee.games.terrabilis.declared.seen import LedgerSeen
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.position.ledger import TerrabilisPosition
from referee.games.terrabilis.ruleset import COUNTERS, ZONE_PLACES
from referee.values.matparts import MatPart
from referee.values.words import player_name, say

_COUNTER_NAMES = {"green": say("A green counter"), "yellow": say("A yellow counter")}

MAT_PARTS = (
    MatPart("rolled_on", "area", say("Where dice are rolled"), say("Tap two opposite corners of it.")),
    MatPart(
        "track", "places", say("The track"), say("Tap the middle of every space in order, beginning with Start.")
    ),
    MatPart("zone", "places", say("The Impact Zone"), say("Tap the middle of every place for a counter.")),
    *(
        MatPart(
            f"cards.{who.word}",
            "places",
            say("Cards of {who}", who=player_name(who)),
            say("Tap the middle of every place on which a card is laid out."),
        )
        for who in Country
    ),
    *(
        MatPart(
            f"pawns.{who.word}",
            "colour",
            say("The pawn of {who}", who=player_name(who)),
            say("Stand it on a space and tap it."),
        )
        for who in Country
    ),
    *(
        MatPart(f"counters.{name}", "colour", words, say("Lay one into the Zone and tap it."))
        for name, words in _COUNTER_NAMES.items()
    ),
)
"""In the order in which they are asked for: places on the empty mat, then what stands and lies on it."""


def of_this_game(position: TerrabilisPosition, seen: Mapping[str, object]) -> LedgerSeen:
    """Return what cameras saw, without what nobody has in this game. Raises RequestError for what can't be read.

    seen: ``dice``, ``pawns``, ``zone``, ``installed`` as formats write ``observed``, ``None`` for what can't be told.
    """
    words = [who.word for who in position.remaining]
    spaces = len(position.data.track)
    pawns = {word: at for word, at in _known(seen, "pawns", words).items() if at < spaces}
    zone = _known(seen, "zone", COUNTERS)
    found = {
        "dice": seen.get("dice"),
        "pawns": pawns,
        "zone": zone if sum(zone.values()) <= ZONE_PLACES else {},
        "installed": _known(seen, "installed", words),
    }
    return parse_observed(found, position.players, position.data)


def _known(seen: Mapping[str, object], key: str, words: Sequence[str]) -> dict[str, int]:
    """Return what was told of those that take part."""
    given = seen.get(key)
    parts = given if isinstance(given, Mapping) else {}
    return {str(word): at for word, at in parts.items() if isinstance(at, int) and word in words}

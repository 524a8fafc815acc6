"""Take in what players say lies on the table: ``zone.green=4+zone.yellow=1+red.pawn=8+red.cards=2``.

It takes the place of what cameras saw of the same things.
"""

from __future__ import annotations

from dataclasses import replace

from referee.games.contract import RequestError
from referee.games.terrabilis.declared.entered import pairs_of
from referee.games.terrabilis.declared.seen import LedgerSeen
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.ruleset import COUNTERS, ZONE_PLACES

PAWN, CARDS = "pawn", "cards"
MOST_CARDS = 999


def with_told(observed: LedgerSeen, said: object) -> LedgerSeen:
    """Return what was seen, with what the players say instead. Raises RequestError, naming the key."""
    if not isinstance(said, str):
        raise RequestError("declared", "declared, seen: give a text such as 'zone.green=4+red.pawn=8'")
    for name, value in pairs_of(said).items():
        if not value.isascii() or not value.isdecimal() or len(value) > 6:
            raise RequestError("declared", f"declared, seen: {name[:40]} is {value[:20]!r}: give a whole number")
        observed = _with(observed, name, int(value))
    if sum(observed.zone.values()) > ZONE_PLACES:
        raise RequestError("declared", f"declared, seen: the Zone has {ZONE_PLACES} places")
    return observed


def _with(observed: LedgerSeen, name: str, value: int) -> LedgerSeen:
    whose, _, what = name.partition(".")
    if whose == "zone" and what in COUNTERS:
        return replace(observed, zone={**observed.zone, what: value})
    player = next((country for country in Country if country.word == whose), None)
    if player is not None and what == PAWN:
        return replace(observed, pawns={**observed.pawns, player: value})
    if player is not None and what == CARDS and value <= MOST_CARDS:
        return replace(observed, installed={**observed.installed, player: value})
    raise RequestError("declared", f"declared, seen: {name[:40]!r} lies on no table: write zone.green, red.pawn")

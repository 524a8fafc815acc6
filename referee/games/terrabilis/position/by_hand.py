"""Change positions beside the rules: by the players' word, or because somebody has given up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from referee.games.contract import RequestError
from referee.games.terrabilis.declared.seen import LedgerSeen
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.position.ledger import LedgerLine, TerrabilisPosition
from referee.games.terrabilis.position.reading import parse_position, parse_whole_position
from referee.games.terrabilis.ruleset import COUNTERS, ZONE_PLACES
from referee.values.players import Player


def with_seen(position: TerrabilisPosition, observed: LedgerSeen) -> TerrabilisPosition:
    """Return the position with pawns and Zone as they are seen; cards are taken over where they are told by name.

    Raises RequestError for what no position can have.
    """
    spaces = len(position.data.track)
    lines: dict[Country, LedgerLine] = {}
    for player, line in position.ledger.items():
        pawn = observed.pawns.get(player, line.pawn)
        laid_out = observed.installed.get(player, ())
        if pawn >= spaces:
            raise RequestError("observed", f"observed: {player.word}'s pawn stands off the track, put it right")
        if isinstance(laid_out, tuple) and laid_out:
            if any(card not in position.data.cards for card in laid_out):
                raise RequestError("observed", f"observed: the copy has not all cards of {player.word}, enter them")
            line = replace(line, installed=laid_out)
        lines[player] = line if line.out else replace(line, pawn=pawn)
    green, yellow = (observed.zone.get(name, now) for name, now in zip(COUNTERS, position.zone, strict=True))
    if green + yellow > ZONE_PLACES:
        raise RequestError("observed", f"observed: {green + yellow} counters lie in the Zone of ten places")
    return replace(position, ledger=lines, zone=(green, yellow))


def passed(position: TerrabilisPosition) -> TerrabilisPosition:
    """Return the position after a turn in which nothing happened."""
    return replace(position, turn=position.turn + 1, to_move=_next(position))


def corrected(position: TerrabilisPosition, changes: Mapping[str, object]) -> TerrabilisPosition:
    """Return the position with some keys of its JSON form changed; of the ledger only the accounts named."""
    data = position.to_json()
    ledger = changes.get("ledger")
    if isinstance(ledger, Mapping):
        lines = {player.word: line.to_json() for player, line in position.ledger.items()}
        given = {
            word: {**lines.get(word, {}), **line} if isinstance(line, Mapping) else line
            for word, line in ledger.items()
        }
        changes = {**changes, "ledger": {**lines, **given}}
    changed = {**data, **changes}
    return parse_whole_position(changed) if position.embedded else parse_position(changed, position.data)


def resigned(position: TerrabilisPosition, out: frozenset[Player]) -> TerrabilisPosition:
    """Return the position once some players have given up: their things leave the game, the last one left wins."""
    lines = {
        player: replace(line, out=True, installed=(), money=0, energy=0, green=0, yellow=0, hand=0)
        if player in out and not line.out
        else line
        for player, line in position.ledger.items()
    }
    moved = replace(position, ledger=lines)
    left = moved.remaining
    if len(left) < 2:
        return replace(moved, finished=True, winners=left)
    return replace(moved, to_move=_next(moved)) if position.to_move in out else moved


def _next(position: TerrabilisPosition) -> Country:
    """Return who plays after the player to move."""
    after = (*position.clockwise(position.to_move)[1:], position.to_move)
    return next((player for player in after if not position.ledger[player].out), position.to_move)

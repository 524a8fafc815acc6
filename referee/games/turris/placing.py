"""Test what a bar that is laid must obey where it is laid: one test for each placing rule."""

from __future__ import annotations

from dataclasses import dataclass

from referee.games.turris.bars import Bar, BarColour, BarPlace, places_up_to
from referee.games.turris.cells import CORNERS, LAYER, OUTER, level_of, lowest_open, spans
from referee.games.turris.position import TurrisPosition
from referee.games.turris.ruleset import (
    BAR_COLOUR,
    BIT,
    BONUS_REFILL,
    LEVEL_CENTRE,
    LEVEL_OPEN,
    PLACE_STANDING,
    PLACE_STRADDLE,
    PLACE_TOUCH,
    REST_FULL,
    Broken,
    TurrisRules,
)
from referee.games.turris.tower import Tower

_REST, _TOUCH, _STANDING = BIT[REST_FULL], BIT[PLACE_TOUCH], BIT[PLACE_STANDING]
_STRADDLE, _OPEN, _CENTRE = BIT[PLACE_STRADDLE], BIT[LEVEL_OPEN], BIT[LEVEL_CENTRE]
_COLOUR, _REFILL = BIT[BAR_COLOUR], BIT[BONUS_REFILL]


@dataclass(frozen=True, slots=True)
class Mover:
    """Who lays, by what rules. barred: cells this player's bars may not fill."""

    rules: TurrisRules
    player: BarColour
    barred: int


def mover_of(position: TurrisPosition, player: BarColour) -> Mover:
    """Return what binds a player in a position; barred cells bind only the player to move."""
    return Mover(position.rules, player, position.barred_mask if player is position.to_move else 0)


def broken_by_laying(mover: Mover, tower: Tower, bar: Bar) -> Broken:
    """Return the rules a bar breaks that is laid into a tower where there is room for it, its supply aside."""
    colour, place = bar
    rules, filled = mover.rules, tower.filled
    broken = 0 if colour is mover.player else _COLOUR
    if place.below & ~filled:
        broken |= _REST
    exempt = not filled or (rules.each_first and not tower.of(mover.player))
    if not exempt and not place.around & filled:
        broken |= _TOUCH
    if place.standing:
        if filled and not place.flat & filled:
            broken |= _STANDING
    elif place.bed & (tower.light | tower.dark):
        broken |= _STRADDLE
    after = filled | place.mask
    if place.top > lowest_open(after) + 2:
        broken |= _OPEN
    if place.centres and centre_known(rules, after) and not centre_open(rules, filled, place):
        broken |= _CENTRE
    if (place.mask & mover.barred).bit_count() >= rules.refill_least:
        broken |= _REFILL
    return broken


def centre_known(rules: TurrisRules, filled: int) -> bool:
    """Return whether it is known which column is the centre."""
    return not rules.floating or spans(filled)


def centre_open(rules: TurrisRules, filled: int, place: BarPlace) -> bool:
    """Return whether each centre cell of a place finds a filled outer cell on its level."""
    edge = CORNERS if rules.centre_corner else OUTER
    tested = place.centres if rules.centre_each else place.centres[:1]
    return all(filled >> LAYER * (level_of(cell) - 1) & edge for cell in tested)


def fills_centre(rules: TurrisRules, tower: Tower, place: BarPlace) -> bool:
    """Return whether a bar just laid earns a bonus; where the centre is not known it may have done so."""
    return bool(place.centres) or not centre_known(rules, tower.filled)


def open_places(tower: Tower) -> tuple[BarPlace, ...]:
    """Return the places free in a tower, up to two levels above it: higher ones never rest."""
    return tuple(place for place in places_up_to(tower.levels + 2) if not place.mask & tower.filled)


def can_lay(position: TurrisPosition, player: BarColour) -> bool:
    """Return whether a player can lay some bar by the rules, wherever the tower is drawn."""
    if not position.left[player]:
        return False
    return any(
        broken_by_laying(mover_of(drawn, player), drawn.tower, Bar(player, place)) == 0
        for drawn in position.frames
        for place in open_places(drawn.tower)
    )


def may_pass(position: TurrisPosition, player: BarColour) -> bool:
    """Return whether a player may pass the turn."""
    if position.rules.passing == "forced":
        return not can_lay(position, player)
    return position.rules.passing == "free"

"""Test what a bonus that takes a bar off must obey: one test for each rule."""

from __future__ import annotations

from dataclasses import dataclass

from referee.games.turris.bars import Bar, BarColour
from referee.games.turris.cells import levels_hold
from referee.games.turris.position import TurrisPosition
from referee.games.turris.ruleset import BIT, BONUS_LAST, BONUS_LEVELS, BONUS_REMOVE, BONUS_SUPPORT, Broken
from referee.games.turris.tower import Tower

_OWN, _LAST, _SUPPORT, _LEVELS = BIT[BONUS_REMOVE], BIT[BONUS_LAST], BIT[BONUS_SUPPORT], BIT[BONUS_LEVELS]


@dataclass(frozen=True, slots=True)
class Taker:
    """Who takes a bar off. kept: the places of the opponent's bars that must stay."""

    player: BarColour
    kept: int


def taker_of(position: TurrisPosition, player: BarColour) -> Taker:
    """Return what binds a player who takes a bar off."""
    kept = 0
    for place in position.kept(player):
        kept |= place.bit
    return Taker(player, kept)


def broken_by_removing(taker: Taker, tower: Tower, bar: Bar) -> Broken:
    """Return the rules that taking a bar off a tower breaks, whether it is earned aside."""
    colour, place = bar
    broken = 0
    if colour is taker.player:
        broken |= _OWN
    elif place.bit & taker.kept:
        broken |= _LAST
    after = tower.filled & ~place.mask
    if place.above & after:
        broken |= _SUPPORT
    if levels_hold(tower.filled) and not levels_hold(after):
        broken |= _LEVELS
    return broken

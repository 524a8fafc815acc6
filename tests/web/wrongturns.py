"""Turns that go wrong in a given way, found by the rules: towers that one turn leads to against one rule alone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from referee.games.turris.bars import Bar
from referee.games.turris.engine import GAME
from referee.games.turris.placing import open_places
from referee.games.turris.position import TurrisPosition
from referee.games.turris.tower import Tower


def against(now: TurrisPosition, rule: str) -> Tower | None:
    """Return a tower after a turn that breaks one rule alone, ``None`` where none is found."""
    return next((tower for tower in _tries(now, rule) if _rules(now, tower) == [rule]), None)


def _tries(now: TurrisPosition, rule: str) -> Iterator[Tower]:
    bars = [Bar(now.to_move, place) for place in open_places(now.tower)]
    if rule == "bonus.earned":
        outside = [bar for bar in bars if not bar.place.centres]
        for one, other in combinations(outside, 2):
            if not one.place.mask & other.place.mask:
                yield now.tower.turned(one).turned(other)
        return
    for bar in bars:
        yield now.tower.turned(bar)


def _rules(now: TurrisPosition, tower: Tower) -> list[str]:
    ruling = GAME.check(now, tower)
    return [violation.rule for violation in ruling.violations]

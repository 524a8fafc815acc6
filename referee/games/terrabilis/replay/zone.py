"""The Zone: ten places, filled one by one; a counter too many removes all ten from the game first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.games.terrabilis.ruleset import ZONE_PLACES


@dataclass(slots=True)
class ImpactZone:
    """The counters that lie in the Zone, and those lost by overflows."""

    green: int = 0
    yellow: int = 0
    lost_green: int = 0
    lost_yellow: int = 0

    @property
    def free(self) -> int:
        """Places still free."""
        return ZONE_PLACES - self.green - self.yellow

    def pour(self, counters: str) -> bool:
        """Lay counters, letters g and y, one by one; returns whether the Zone overflowed."""
        overflowed = False
        for letter in counters:
            if self.free <= 0:
                self.lost_green += self.green
                self.lost_yellow += self.yellow
                self.green = self.yellow = 0
                overflowed = True
            if letter == "g":
                self.green += 1
            else:
                self.yellow += 1
        return overflowed

    def take(self, green: int, yellow: int) -> tuple[int, int]:
        """Remove counters, of each colour at most what lies there; returns how many were taken."""
        green, yellow = min(green, self.green), min(yellow, self.yellow)
        self.green -= green
        self.yellow -= yellow
        return green, yellow


def orders(green: int, yellow: int, free: int) -> tuple[str, ...]:
    """The orders of pouring both colours that can end differently, green first foremost.

    What counts is only how many of each colour fall in the places left, and in each ten after that.
    """
    if not green or not yellow or green + yellow <= free:
        return ("g" * green + "y" * yellow,)
    return tuple(_orders(green, yellow, free))


def _orders(green: int, yellow: int, free: int) -> Iterator[str]:
    if green + yellow <= free:
        yield "g" * green + "y" * yellow
        return
    for first in range(min(green, free), max(0, free - yellow) - 1, -1):
        head = "g" * first + "y" * (free - first)
        for rest in _orders(green - first, yellow - free + first, ZONE_PLACES):
            yield head + rest

"""Keep the Zone: ten places, filled one by one; a counter too many removes all ten from the game first."""

from __future__ import annotations

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
        """Return how many places are still free."""
        return ZONE_PLACES - self.green - self.yellow

    def pour(self, counters: str) -> bool:
        """Lay counters, letters g and y, one by one; return whether the Zone overflowed."""
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
        """Remove counters, of each colour at most what lies there; return how many were taken."""
        green, yellow = min(green, self.green), min(yellow, self.yellow)
        self.green -= green
        self.yellow -= yellow
        return green, yellow


def orders(green: int, yellow: int, free: int) -> tuple[str, ...]:
    """Return the orders of pouring both colours that can end differently, the first one green first.

    What was lost and what lies there come to the same together, so only those counters count that lie there in the
    end: those poured after the last overflow. free: places free before.
    """
    if not green or not yellow or green + yellow <= free:
        return ("g" * green + "y" * yellow,)
    last = (green + yellow - free - 1) % ZONE_PLACES + 1
    return tuple(
        "g" * (green - lying) + "y" * (yellow - last + lying) + "g" * lying + "y" * (last - lying)
        for lying in range(max(0, last - yellow), min(last, green) + 1)
    )

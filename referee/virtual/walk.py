"""Walk around a table with a phone in the hand: to the side that is wanted, or else on around."""

from __future__ import annotations

from referee.match.live import ViewsWanted

BEGIN_DEG = (0.0, 50.0)
_ON_DEG = 75.0
"""After so large a step around, five views show the board from all sides."""


def held_at(azimuth_deg: float, elevation_deg: float) -> tuple[float, float]:
    """Return a side as a scene has it, which counts azimuth from the x axis."""
    return azimuth_deg - 90.0, elevation_deg


class PhoneWalk:
    """Where somebody goes who shows the table. May be told from any thread."""

    def __init__(self) -> None:
        self._wanted: ViewsWanted | None = None
        self._at = BEGIN_DEG

    def follow(self, wanted: ViewsWanted | None) -> None:
        """Learn what is asked of whoever holds the phone."""
        self._wanted = wanted

    @property
    def at(self) -> tuple[float, float]:
        """Return azimuth and elevation of where the phone is, degrees; azimuth 0 is the side of row 1."""
        return self._at

    def go(self, azimuth_deg: float, elevation_deg: float) -> None:
        """Go to a side."""
        self._at = azimuth_deg % 360.0, min(max(elevation_deg, 25.0), 80.0)

    def on(self) -> tuple[float, float]:
        """Go to the side that is wanted, or on around from where the last view was taken, and return it."""
        wanted = self._wanted
        show = wanted.show if wanted is not None else None
        if show is not None and (show.azimuth_deg, show.elevation_deg) != self._at:
            self.go(show.azimuth_deg, show.elevation_deg)
        elif wanted is None or wanted.views:
            self.go(self._at[0] + _ON_DEG, BEGIN_DEG[1])
        return self._at

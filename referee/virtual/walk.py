"""Walk around a table with a phone in the hand: to the side that is wanted, or else on around."""

from __future__ import annotations

from calibration.table import TableSetup
from referee.match.decision import ShowFrom
from referee.match.live import ViewsWanted
from vision.nextview import place_near

BEGIN_DEG = (0.0, 50.0)
_ON_DEG = 75.0
"""After so large a step around, five views show the board from all sides."""


class PhoneWalk:
    """Where somebody goes who shows the table. May be told from any thread."""

    def __init__(self, table: TableSetup) -> None:
        self._table = table
        self._wanted: ViewsWanted | None = None
        self._at = BEGIN_DEG
        self._near: tuple[float, ...] = ()

    def follow(self, wanted: ViewsWanted | None) -> None:
        """Learn what is asked of whoever holds the phone."""
        self._wanted = wanted

    @property
    def at(self) -> tuple[float, float]:
        """Return azimuth and elevation of where the phone is, degrees; azimuth 0 is the side of row 1."""
        return self._at

    @property
    def held(self) -> tuple[float, ...]:
        """Return the place as a scene has it, which counts azimuth from the x axis."""
        return self._near or (self._at[0] - 90.0, self._at[1])

    def go(self, azimuth_deg: float, elevation_deg: float) -> None:
        """Go to a side."""
        self._at, self._near = (azimuth_deg % 360.0, min(max(elevation_deg, 25.0), 80.0)), ()

    def on(self) -> tuple[float, float]:
        """Go to the side that is wanted, or on around from where the last view was taken, and return it."""
        wanted = self._wanted
        show = wanted.show if wanted is not None else None
        if show is not None and (show.azimuth_deg, show.elevation_deg) != self._at:
            self._follow(show)
        elif wanted is None or wanted.views:
            self.go(self._at[0] + _ON_DEG, BEGIN_DEG[1])
        return self._at

    def _follow(self, show: ShowFrom) -> None:
        """Go where one is sent: to a side, or near to a field to look down into it."""
        self.go(show.azimuth_deg, show.elevation_deg)
        if show.towards is not None and show.distance_mm is not None:
            field_mm = self._table.centre_mm(show.towards.row, show.towards.col)
            place_mm = place_near(show.azimuth_deg, show.elevation_deg, show.distance_mm, field_mm)
            self._at = float(show.azimuth_deg), float(show.elevation_deg)
            self._near = (*(float(mm) for mm in place_mm), *field_mm)

"""A look that stays open while somebody shows the table with a camera in a hand: its views so far, and its limits."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from referee.match.events import TurnRuled
from referee.match.phases import Phase
from referee.session.adapter import LookSeen
from referee.session.capture import Capture, Pictures
from referee.values.declaring import Declared
from vision.geometry.view import PHOTOGRAPHS, camera_of, number_of, roaming_name, roams
from vision.nextview import side_of

MOST_VIEWS = 10
"""Views of a look at most. Of the look before, which it may go on, so many are read again."""
APART_DEG = 15
"""Turn around the board, or difference in height, from which on two views show different sides (chosen by hand)."""
LONGEST_S, LONGEST_PHOTOGRAPHED_S = 25.0, 90.0
"""Pause after which a look that is not certain is taken as it is, as after ``MOST_VIEWS`` views. Who
photographs opens the phone's camera anew for each view."""
PAUSE_S, PAUSE_PHOTOGRAPHED_S = 5.0, 45.0
"""Pause after which nobody shows anything more."""
UNASKED_PHOTOGRAPHED_S = 600.0
"""Pause after which somebody who photographed the table unasked has given it up. Between two pictures of a set-up
people touch corners, walk and talk; what they change meanwhile begins the look anew."""


def is_another_side(one_deg: tuple[float, float], other_deg: tuple[float, float]) -> bool:
    """Return whether different sides are seen from two places, each given by azimuth and elevation."""
    around_deg = abs((one_deg[0] - other_deg[0] + 180) % 360 - 180)
    return around_deg >= APART_DEG or abs(one_deg[1] - other_deg[1]) >= APART_DEG


def newest_views(pictures: Pictures) -> Pictures:
    """Return pictures without the oldest of those from the hand, of which ``MOST_VIEWS`` stay."""
    by_hand = [name for name in pictures if roams(name)]
    return {name: one for name, one in pictures.items() if name not in by_hand[:-MOST_VIEWS]}


@dataclass(frozen=True, slots=True, eq=False)
class OpenLook:
    """The views of one look so far.

    of: the game's newest look and its phase. before: the views of the look before, which this one goes on. idle_s:
    since when its newest picture is read and no other has come; ``None`` until time is seen to pass after it, for
    reading it may take as long as the pause. capture: what was read last,
    the views of the look before among it. seen: what all views show together, ``None`` before one could be read.
    ruled: the ruling as it would be now. declared: what was declared of the turn when that was
    made.
    """

    of: tuple[int, Phase]
    idle_s: float | None = None
    before: Pictures = field(default_factory=dict)
    views: Pictures = field(default_factory=dict)
    capture: Capture = field(default_factory=lambda: Capture((), 0.0))
    seen: LookSeen | None = None
    ruled: TurnRuled | None = None
    declared: Declared = field(default_factory=dict)

    @property
    def sides(self) -> tuple[tuple[int, int], ...]:
        """Return azimuth and elevation, degrees, of where the views were taken from, as far as that is known."""
        notes = () if self.seen is None else self.seen.reading.cameras
        found = [side_of(np.array(note.place_mm)) for note in notes if note.place_mm]
        return tuple((round(azimuth) % 360, round(elevation)) for azimuth, elevation in found)

    def together(self, capture: Capture) -> Capture:
        """Return the look's pictures with those of one more view, each named by its number."""
        found = {**self.before, **self.views}
        for camera, picture in capture.newest.items():
            number = 1 + max((number_of(name) for name in found if camera_of(name) == camera), default=0)
            found[roaming_name(camera, number)] = picture
        return replace(capture, views=(found,))

    def taken(self, together: Capture, seen: LookSeen) -> Self:
        """Return the look with one more view."""
        views = {name: picture for name, picture in together.newest.items() if name not in self.before}
        return replace(self, views=newest_views(views), capture=together, seen=seen, idle_s=None)

    def spoilt(self) -> Self:
        """Return the look begun anew: something came over the board, which may be another since."""
        return type(self)(self.of)

    @property
    def _photographed(self) -> bool:
        return any(camera_of(name) == PHOTOGRAPHS for name in self.views)

    def is_over(self, now_s: float) -> bool:
        """Return whether no further view is waited for: there are enough, or none has come for long."""
        longest_s = LONGEST_PHOTOGRAPHED_S if self._photographed else LONGEST_S
        return len(self.views) >= MOST_VIEWS or (self.idle_s is not None and now_s - self.idle_s >= longest_s)

    def is_given_up(self, now_s: float, asked: bool) -> bool:
        """Return whether nobody shows anything any more. asked: whether somebody asked for the look."""
        photographed_s = PAUSE_PHOTOGRAPHED_S if asked else UNASKED_PHOTOGRAPHED_S
        pause_s = photographed_s if self._photographed else PAUSE_S
        return self.idle_s is not None and now_s - self.idle_s >= pause_s

    def idle(self, now_s: float, coming: bool) -> Self:
        """Return the look as time passes over it. coming: whether a picture is on its way, however slow it is."""
        if coming:
            return replace(self, idle_s=None)
        return replace(self, idle_s=now_s) if self.idle_s is None else self

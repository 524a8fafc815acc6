"""A look that stays open while somebody shows the table with a camera in a hand: its views so far, and its limits."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Self

from referee.match.events import TurnRuled
from referee.match.phases import Phase
from referee.session.adapter import LookSeen
from referee.session.capture import Capture, Pictures
from vision.geometry.view import camera_of, number_of, roaming_name

MOST_VIEWS = 10
LONGEST_S = 25.0
"""Time after which a look that is not certain is taken as it is, as after ``MOST_VIEWS`` views."""
PAUSE_S = 5.0
"""Pause after which somebody who showed the table unasked has given it up."""


@dataclass(frozen=True, slots=True, eq=False)
class OpenLook:
    """The views of one look so far.

    of: the game's newest look and its phase. before: the views of the look before, which this
    one goes on. began_s, newest_s: when its first and its newest picture were taken in. seen: what all views show
    together, ``None`` before one could be read. ruled: the ruling as it would be now. sides: where the views were
    taken from, azimuth and elevation in degrees, as far as that is known.
    """

    of: tuple[int, Phase]
    began_s: float
    newest_s: float
    before: Pictures = field(default_factory=dict)
    views: Pictures = field(default_factory=dict)
    capture: Capture = field(default_factory=lambda: Capture((), 0.0))
    seen: LookSeen | None = None
    ruled: TurnRuled | None = None
    sides: tuple[tuple[int, int], ...] = ()

    def together(self, capture: Capture) -> Capture:
        """Return the look's pictures with those of one more view, each named by its number."""
        found = {**self.before, **self.views}
        for camera, picture in capture.newest.items():
            number = 1 + max((number_of(name) for name in found if camera_of(name) == camera), default=0)
            found[roaming_name(camera, number)] = picture
        return replace(capture, views=(found,))

    def taken(self, together: Capture, seen: LookSeen, now_s: float) -> Self:
        """Return the look with one more view."""
        views = {name: picture for name, picture in together.newest.items() if name not in self.before}
        return replace(self, views=views, capture=together, seen=seen, newest_s=now_s)

    def spoilt(self, together: Capture, seen: LookSeen, now_s: float) -> Self:
        """Return the look begun anew: something came over the board, which may be another since."""
        return replace(self, before={}, views={}, capture=together, seen=seen, ruled=None, sides=(), newest_s=now_s)

    def is_over(self, now_s: float) -> bool:
        """Return whether no further view is waited for."""
        return len(self.views) >= MOST_VIEWS or now_s - self.began_s >= LONGEST_S

    def is_given_up(self, now_s: float) -> bool:
        """Return whether nobody shows anything any more."""
        return now_s - self.newest_s >= PAUSE_S

"""A phone in the hand of whoever plays at a virtual table: while it is on it sends pictures, as a real one does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2

from calibration.table import TableSetup
from referee.match.live import ViewsWanted
from referee.values.kit import Kit
from referee.virtual.drawing.eye import DrawnCamera
from referee.virtual.lenses import PHONE
from referee.virtual.table import VirtualTable
from referee.virtual.walk import PhoneWalk

STEP_S = 0.5
"""Two pictures a second, as a phone sends."""
HELD_S = 10.0
"""So long the board is shown from where the phone was put, unless it is moved again."""
LONGEST_HERE = 4
"""So many pictures are sent from a side of which no view comes."""
ONCE_AROUND = 5
"""Where nothing is asked, a walk ends after so many sides."""
_JPEG = 90


class HeldPhone:
    """The phone. ``run`` works in a thread of its own; the rest may be called from any."""

    def __init__(
        self,
        table: VirtualTable,
        setup: TableSetup,
        kit: Kit,
        offer: Callable[[str, bytes, float], object],
        pause: Callable[[float], bool],
    ) -> None:
        """offer: takes a picture in, by the camera's name and how old it is. pause: waits; whether to stop."""
        self._table, self._offer, self._pause = table, offer, pause
        self._eye = DrawnCamera(PHONE, setup, kit)
        self._walk = PhoneWalk(setup)
        self._wanted: ViewsWanted | None = None
        self._left_s = 0.0
        self._walking = False
        self._views, self._here, self._sides, self._asked = -1, LONGEST_HERE, 0, False

    @property
    def side(self) -> tuple[float, float]:
        """Return azimuth and elevation of where it is, degrees."""
        return self._walk.at

    @property
    def on(self) -> bool:
        """Return whether it shows the board now."""
        return self._walking or self._left_s > 0

    @property
    def walking(self) -> bool:
        """Return whether somebody walks around the board with it."""
        return self._walking

    def follow(self, wanted: ViewsWanted | None) -> None:
        """Learn what is asked of whoever holds it."""
        self._wanted = wanted
        self._walk.follow(wanted)

    def hold(self, azimuth_deg: float, elevation_deg: float) -> None:
        """Show the board from a side for a while."""
        self._walk.go(azimuth_deg, elevation_deg)
        self._left_s, self._walking = HELD_S, False
        self._table.changed()

    def walk(self) -> None:
        """Walk around the board with it until nothing is asked any more."""
        self._views, self._here, self._sides, self._asked = -1, LONGEST_HERE, 0, False
        self._walking = True
        self._table.changed()

    def away(self) -> None:
        """Put it away."""
        self._walking, self._left_s = False, 0.0
        self._table.changed()

    def run(self) -> None:
        """Send pictures while it is shown around, until told to stop."""
        while not self._pause(STEP_S):
            if not self.on:
                continue
            if self._went_on() if self._walking else self._stayed():
                self._send()
            else:
                self.away()

    def _stayed(self) -> bool:
        """Return whether the board is still shown from here."""
        self._left_s -= STEP_S
        return self._left_s > 0

    def _went_on(self) -> bool:
        """Go on to the next side once the view from this one was taken in, or was no good; return whether to."""
        wanted = self._wanted
        views = wanted.views if wanted is not None else -1
        self._here += 1
        if views == self._views and self._here < LONGEST_HERE:
            return True
        if wanted is None and (self._asked or self._sides >= ONCE_AROUND):
            return False
        self._walk.on()
        self._views, self._here, self._sides, self._asked = views, 0, self._sides + 1, wanted is not None
        self._table.changed()
        return True

    def _send(self) -> None:
        scene = replace(self._table.scene, held={PHONE: self._walk.held})
        done, jpeg = cv2.imencode(".jpg", self._eye.picture(scene), [cv2.IMWRITE_JPEG_QUALITY, _JPEG])
        if done:
            self._offer(PHONE, jpeg.tobytes(), 0.0)

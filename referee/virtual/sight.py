"""A virtual table's cameras without clock and processes: each look is drawn when it is asked for."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.daemon.nocameras import NoCameras
from referee.match.live import CameraState
from referee.session.capture import Capture
from referee.values.kit import Kit
from referee.values.words import say
from referee.virtual.drawing.eye import DrawnCamera
from referee.virtual.lenses import PHONE
from referee.virtual.scene import TableScene
from referee.virtual.walk import PhoneWalk

Wear = Callable[[str, NDArray[np.uint8]], NDArray[np.uint8]]
"""What a camera of a name does to a picture, (height, width, 3) BGR."""
MOST_UNASKED = 4
"""So many views are shown of a table that nobody asked to see."""


class DrawnSight(NoCameras):
    """A FrameSource whose pictures are drawn on demand, so that a game passes as fast as it is judged."""

    def __init__(self, table: TableSetup, kit: Kit, wear: Wear | None = None) -> None:
        super().__init__()
        self._wear: Wear = wear or (lambda camera, picture: picture.copy())
        self._eyes = {name: DrawnCamera(name, table, kit) for name in table.cameras if name not in table.held}
        self._phone = DrawnCamera(PHONE, table, kit) if PHONE in table.held else None
        self.held = self._phone is not None
        self._unasked: tuple[TableScene, int] | None = None
        self.walk = PhoneWalk(table)
        """Where the phone in the hand goes."""
        self._scene: TableScene | None = None
        self._shown: TableScene | None = None

    def show(self, scene: TableScene) -> None:
        """Show a scene from now on."""
        self._scene = scene
        if scene.hand is None:
            self._woken.set()

    def fresh(self, since_s: float, look: int) -> Capture | None:
        """Return pictures of the table as it is now; ``None`` while a hand is over it or no camera is plugged in."""
        return self._drawn(self._scene)

    def changed(self) -> Capture | None:
        """Return pictures of a table that changed since it was shown last; ``None`` for no change."""
        scene = self._scene
        if scene is None or scene.hand is not None or scene == self._shown:
            return None
        self._shown = scene
        return self._drawn(scene)

    def view(self, after_s: float | None) -> Capture | None:
        """Return a view from the next side; while nobody asked for a look, a few of a table that has changed."""
        scene = self._scene
        if self._phone is None or after_s is None or scene is None or scene.hand is not None:
            return None
        if after_s == 0.0:
            before, count = self._unasked or (None, 0)
            if before == scene and count >= MOST_UNASKED:
                return None
            self._unasked = scene, (count if before == scene else 0) + 1
        self.walk.on()
        shown = self._phone.picture(replace(scene, held={PHONE: self.walk.held}))
        self._woken.set()  # the next view comes at once
        return Capture.of({PHONE: self._wear(PHONE, shown)}, time.monotonic())

    def _drawn(self, scene: TableScene | None) -> Capture | None:
        if scene is None or scene.hand is not None:
            return None
        pictures: Mapping[str, NDArray[np.uint8]] = {
            name: self._wear(name, eye.picture(scene))
            for name, eye in self._eyes.items()
            if name not in scene.unplugged
        }
        out = {name: say("{camera} sent no pictures.", camera=name) for name in self._eyes if name in scene.unplugged}
        return replace(Capture.of(pictures, time.monotonic()), troubles=out) if pictures else None

    def cameras(self) -> tuple[CameraState, ...]:
        """Return how each camera is doing: those on stands see, unless their cable was pulled."""
        out = self._scene.unplugged if self._scene is not None else ()
        return tuple(
            CameraState(
                name,
                False,
                say(
                    "{camera} sends no pictures any more. Look at its cable and its power; it is tried again.",
                    camera=name,
                ),
            )
            if name in out
            else CameraState(name, True, say("{camera} sees the table.", camera=name))
            for name in self._eyes
        )

    def blind_for_s(self) -> float:
        """Return 0, since pictures can be had whenever a camera is plugged in, and a very long time otherwise."""
        out = self._scene is not None and bool(self._eyes) and set(self._eyes) <= set(self._scene.unplugged)
        return 1e9 if out else 0.0

"""Cameras held in a hand: each picture is looked through once, and makes a view or says what is wrong with it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from calibration.errors import CalibrationError
from referee.match.live import CameraState, Framing, Waiting
from referee.session.capture import Capture
from referee.session.openlook import is_another_side
from referee.values.words import say
from vision.assessment.heldview import Fault, Framed, framed
from vision.posefinder import PoseFinder
from vision.sources.camera import Camera
from vision.sources.state import Glimpse

TOLD_S = 3.0
"""Time for which is told how a picture shows the board, unless another comes."""
SAME_S = 5.0
"""Time within which a picture from the side of a view shows what that has shown already."""
_ADVICE = {
    Fault.DARK: say("It is too dark: switch a lamp on."),
    Fault.BLURRED: say("The picture is blurred: hold the phone still for a moment."),
    Fault.FRAME: say("Get the whole printed frame around the board into the picture."),
    Fault.CUT_OFF: say("Too near: the board is cut off. Hold the phone further away."),
    Fault.FAR: say("Too far away: come nearer to the board."),
    Fault.LOW: say("Hold the phone higher, so that it looks down on the board."),
}
_DONE = Waiting("done", say("This side is done: walk on around the board."))
_SHOW = Waiting("show", say("Show the board with the phone."))


class HeldCameras:
    """Phones in hands. One thread asks."""

    def __init__(
        self,
        cameras: Sequence[Camera],
        reader: PoseFinder | None,
        clock: Callable[[], float] = time.monotonic,
        on_frame: Callable[[str], None] = lambda camera: None,
    ) -> None:
        """Begin to look through some cameras.

        reader: knows table and lenses, without which there are no views. on_frame: told each picture looked through.
        """
        self._cameras, self._reader, self._clock, self._on_frame = list(cameras), reader, clock, on_frame
        self._looked_at: dict[str, int] = {}
        self._found: tuple[float, Framed] | None = None
        self._given: tuple[tuple[float, tuple[float, float]], ...] = ()
        self._is_repeated = False
        self._after_s: float | None = None

    def join(self, camera: Camera) -> None:
        """Look through one camera more."""
        self._cameras.append(camera)

    def news(self) -> bool:
        """Return whether a picture came that was not looked at."""
        return any(
            (newest := camera.newest()) is not None and newest.number > self._looked_at.get(camera.name, 0)
            for camera in self._cameras
        )

    def view(self, after_s: float | None) -> Capture | None:
        """Return the newest picture taken after a time, if it makes a view and was not given before.

        After ``None`` there is none: nobody wants a view of what has come by now.
        """
        if after_s is None or after_s != self._after_s:
            self._given, self._after_s = (), after_s  # another look: its views may come from anywhere
        for camera in self._cameras:
            newest = camera.newest()
            if newest is None or newest.number <= self._looked_at.get(camera.name, 0):
                continue
            self._looked_at[camera.name] = newest.number
            self._on_frame(camera.name)
            if after_s is not None and newest.at_s > after_s and (view := self._view(newest)) is not None:
                return view
        return None

    def _view(self, glimpse: Glimpse) -> Capture | None:
        picture, reader = glimpse.load(), self._reader
        if picture is None or reader is None:
            return None
        try:
            found = framed(picture, reader, glimpse.camera)
        except CalibrationError:
            return None  # the page of the set-up says so
        self._found = self._clock(), found
        self._is_repeated = found.fault is None and self._is_shown(found, glimpse.at_s)
        if found.fault is not None or self._is_repeated:
            return None
        if found.side_deg is not None:
            self._given = (*self._given, (glimpse.at_s, found.side_deg))
        return Capture.of({glimpse.camera: picture}, glimpse.at_s)

    def _is_shown(self, found: Framed, at_s: float) -> bool:
        """Return whether a view from about there was given just now; views of other looks are forgotten."""
        self._given = tuple(one for one in self._given if at_s - one[0] < SAME_S)
        side = found.side_deg
        return side is not None and not all(is_another_side(side, other) for _, other in self._given)

    def framing(self) -> Framing:
        """Return how the newest picture shows the board, and what is to be done so that a view comes."""
        if self._found is not None and self._clock() - self._found[0] < TOLD_S:
            found = self._found[1]
            advice = Waiting(found.fault.value, _ADVICE[found.fault]) if found.fault is not None else None
            return Framing(_DONE if self._is_repeated else advice, found.rim)
        shown = any(camera.state.seeing for camera in self._cameras)
        return Framing(None if shown else _SHOW)

    def states(self) -> tuple[CameraState, ...]:
        """Return how each is doing: one that nobody uses now is switched off, and all is well."""
        return tuple(
            CameraState(
                camera.name,
                True,
                say("{camera} shows the board.", camera=camera.name)
                if camera.state.seeing
                else say("{camera} is off until somebody shows the board with it.", camera=camera.name),
                held=True,
            )
            for camera in self._cameras
        )

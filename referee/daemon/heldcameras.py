"""Cameras held in a hand: each picture is looked through once, and makes a view or says what is wrong with it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from calibration.errors import CalibrationError
from referee.daemon.photographinbox import PhotographInbox, Ready
from referee.match.live import CameraState, Framing, Waiting
from referee.session.capture import Capture
from referee.session.openlook import is_another_side
from referee.values.words import Words, say
from vision.assessment.heldview import Fault, Framed, framed
from vision.geometry.view import PHOTOGRAPHS
from vision.posefinder import PoseFinder
from vision.sources.camera import Camera
from vision.sources.state import Glimpse
from web.tableview import PhotographState

TOLD_S = 3.0
"""Time for which is told how a picture shows the board, unless another comes."""
SAME_S = 5.0
"""Time within which a picture from the side of a view shows what that has shown already."""
ADVICE = {
    Fault.DARK: say("It is too dark: switch a lamp on."),
    Fault.BLURRED: say("The picture is blurred: hold the phone still for a moment."),
    Fault.FRAME: say("Get the whole printed frame into the picture."),
    Fault.ABSENT: say("This table’s board is not in the picture."),
    Fault.EDGE: say("The board’s edge can’t be made out: get all of it into the picture, and lay nothing over it."),
    Fault.CUT_OFF: say("Too near: some of it is cut off. Hold the phone further away."),
    Fault.FAR: say("Too far away: come nearer."),
    Fault.LOW: say("Hold the phone higher, so that it looks down."),
}
STEEP_DEG = 87.0
"""A photograph from higher over the board shows no heights: a stone displaces a top face by hardly more than a whole
picture may be out."""
UNWANTED_S = 3.0
"""A photograph waits so long for somebody to want it: what came before it may still be ruled on."""
_STEEP = say("From straight above no heights are seen: hold the phone at an angle over the board’s edge.")
_HAND = say("Something is in the way: take it away, and photograph again.")
_BEFORE = say("This picture was taken before the turn ended: take a new one.")
_UNASKED = say("No picture is asked for now: press “Turn ended” first.")
_UNNEEDED = say("Not needed any more: the others were enough.")
_VIEW = say("Good: this side is seen.")
_VIEW_AGAIN = say("This side was seen before: another one shows more.")
_DONE = Waiting("done", say("This side is done: walk on around the table."))
_SHOW = Waiting("show", say("Show the board with the phone."))


class HeldCameras:
    """Phones in hands. One thread asks."""

    def __init__(
        self,
        cameras: Sequence[Camera],
        reader: PoseFinder | None,
        clock: Callable[[], float] = time.monotonic,
        on_frame: Callable[[str], None] = lambda camera: None,
        photographs: PhotographInbox | None = None,
        flat: bool = False,
    ) -> None:
        """Begin to look through some cameras.

        reader: knows table and lenses, without which there are no views. on_frame: told each picture looked through.
        photographs: those that phones send one by one, each of which is looked at. flat: nothing there has a height.
        """
        self._photographs = photographs
        self._shown: tuple[Ready, Framed] | None = None
        self._is_clear = False
        self._sides: tuple[tuple[float, float], ...] = ()
        self._since_s = self._until_s = float("-inf")
        self._flat = flat
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
        box = self._photographs if self._after_s is not None else None
        if box is not None and box.first() is not None:
            return True
        return any(
            (newest := camera.newest()) is not None and newest.number > self._looked_at.get(camera.name, 0)
            for camera in self._cameras
        )

    def view(self, after_s: float | None) -> Capture | None:
        """Return the newest picture taken after a time, if it makes a view and was not given before.

        After ``None`` there is none: nobody wants a view of what has come by now.
        """
        self._settle()
        if after_s is None or after_s != self._after_s:
            self._given = ()  # another look: its views may come from anywhere
        if after_s != self._after_s:
            self._look_changed(after_s)
        if (photograph := self._photograph(after_s)) is not None:
            return photograph
        for camera in self._cameras:
            newest = camera.newest()
            if newest is None or newest.number <= self._looked_at.get(camera.name, 0):
                continue
            self._looked_at[camera.name] = newest.number
            self._on_frame(camera.name)
            if after_s is not None and newest.at_s > after_s and (view := self._view(newest)) is not None:
                return view
        return None

    def trusted(self) -> None:
        """Learn that in the view given last nothing lies in the way."""
        self._is_clear = True

    def _look_changed(self, after_s: float | None) -> None:
        now_s, began = self._clock(), self._after_s is not None or self._until_s > float("-inf")
        if after_s is None:
            self._until_s = now_s
        elif after_s == 0.0:  # nobody asked, so that what was photographed before something was ruled is not meant
            self._since_s = now_s if began else self._since_s
        else:
            self._since_s = after_s
        self._after_s, self._sides = after_s, ()

    def _photograph(self, after_s: float | None) -> Capture | None:
        """Return the photograph that waits for longest as a view; those that make none are told so."""
        box, reader = self._photographs, self._reader
        while box is not None and reader is not None and (one := box.first()) is not None:
            if after_s is None:
                if self._clock() - max(one.ready_s, self._until_s) < UNWANTED_S:
                    return None
                known = one.at_s < self._until_s
                box.settle(one.number, PhotographState.UNNEEDED, _UNNEEDED if known else _UNASKED)
                continue
            self._on_frame(PHOTOGRAPHS)
            if one.at_s < self._since_s:
                box.settle(one.number, PhotographState.WRONG, _BEFORE)
                continue
            found = framed(one.picture, reader, PHOTOGRAPHS)
            wrong = self._wrong(found, asked=after_s > 0.0)
            if wrong is not None:
                box.settle(one.number, PhotographState.WRONG, wrong)
                continue
            self._shown, self._is_clear = (one, found), False
            return Capture.of({PHOTOGRAPHS: one.picture}, one.at_s)
        return None

    def _wrong(self, found: Framed, asked: bool) -> Words | None:
        """Say why a photograph makes no view. asked: for a look, which needs other sides, and no board put right."""
        side = found.side_deg
        if found.fault is not None:
            return ADVICE[found.fault]
        if side is not None and side[1] > STEEP_DEG and not self._flat:
            return _STEEP
        return _DONE.words if asked and self._is_seen(found) else None

    def _is_seen(self, found: Framed) -> bool:
        """Return whether a photograph shows a side that was shown in this look."""
        side = found.side_deg
        return side is not None and not all(is_another_side(side, other) for other in self._sides)

    def _settle(self) -> None:
        """Say what became of the photograph that was given last: it was read meanwhile."""
        if self._photographs is None or self._shown is None:
            return
        (one, found), self._shown = self._shown, None
        if not self._is_clear:
            self._photographs.settle(one.number, PhotographState.WRONG, _HAND)
            return
        words = _VIEW_AGAIN if self._is_seen(found) else _VIEW
        self._photographs.settle(one.number, PhotographState.VIEW, words)
        if found.side_deg is not None:
            self._sides = (*self._sides, found.side_deg)

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

    def coming(self) -> bool:
        """Return whether a photograph has arrived of which nothing is known yet."""
        return self._photographs is not None and self._photographs.coming()

    def framing(self) -> Framing:
        """Return how the newest picture shows the board, and what is to be done so that a view comes."""
        if self._found is not None and self._clock() - self._found[0] < TOLD_S:
            found = self._found[1]
            advice = Waiting(found.fault.value, ADVICE[found.fault]) if found.fault is not None else None
            return Framing(_DONE if self._is_repeated else advice, found.rim)
        shown = any(camera.state.seeing for camera in self._cameras)
        return Framing(None if shown else _SHOW)

    def states(self) -> tuple[CameraState, ...]:
        """Return how each is doing: one that nobody uses now is switched off, and all is well."""
        told = say("Photographs are looked at as they come.")
        photographed = (CameraState(PHOTOGRAPHS, True, told, held=True),) if self._photographs is not None else ()
        return photographed + tuple(
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

"""Give the turn loop real cameras' frames that show the board standing still, through every camera that sees it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.pose import find_pose
from referee.daemon.handswatch import HandsWatch
from referee.daemon.heldcameras import HeldCameras
from referee.daemon.photographinbox import PhotographInbox
from referee.match import live
from referee.match.live import Waiting
from referee.session.capture import Capture
from referee.values.words import Words, say
from vision.gate.gate import GateState, begin, trusted, watch
from vision.gate.gate import GateStatus as Over
from vision.gate.hands import Standpoint
from vision.gate.look import MOST_MEANT, chosen, mean_of
from vision.gate.region import frame_region
from vision.geometry.view import View
from vision.posefinder import PoseFinder
from vision.sources.address import Scheme
from vision.sources.camera import Camera
from vision.sources.state import Glimpse, SourceHealth
from vision.sources.words import camera_words, missed_words

PATIENCE_S = 4.0
"""A reading that finds a hand over the board, or no frame around it, is tried again for so long."""
REGION_AGAIN_S = 3.0
"""A camera whose view of the frame is not known is asked for it so often."""
SLOWEST_S = 2.5
"""Once one camera has shown the board still for so long, those that don't are gone without."""
RESTLESS_S = 20.0
"""Once one camera has shown the board still for so long, those in which something moves all the time are gone without
even where nobody asked for a look."""
_RESTING = frozenset({SourceHealth.WAITING, SourceHealth.ENDED})
"""The picture that came last is how the table is until another comes."""

_STILL = Waiting("still", say("Waiting until nothing moves over the board"))
_HAND = Waiting("hand", say("Something is in the way: please clear the view"))
_VIEW = Waiting("view", say("Getting used to another light or view"))


@dataclass(eq=False, slots=True)
class _Watched:
    """One camera with its gate.

    number: of the newest frame taken in. shown: of the newest known as a still board. bumped: it sees the board from
    elsewhere, and nobody has looked yet. vantage: how it stands to the table, once that is known. unseen: the still
    board that was not shown yet differs from the one before, and nobody was seen to change it. moved: it was pushed
    since the board was agreed on.
    """

    camera: Camera
    gate: GateState = field(default_factory=begin)
    number: int = 0
    kept: dict[int, Glimpse] = field(default_factory=dict)
    region_s: float = -REGION_AGAIN_S
    quiet: bool = False
    bumped: bool = False
    shown: int = 0
    vantage: Standpoint | None = None
    unseen: bool = False
    moved: bool = False

    @property
    def news(self) -> bool:
        """Return whether a board stands still that was not shown yet."""
        return self.quiet or (self.at_rest and max(self.kept) > self.shown)

    @property
    def at_rest(self) -> bool:
        """Return whether no newer picture can come by itself."""
        return self.camera.state.health in _RESTING and bool(self.kept)

    @property
    def drawn(self) -> bool:
        """Return whether the computer draws its pictures, fewer when it is busy."""
        return self.camera.source.scheme is Scheme.VIRTUAL

    def best(self, since_s: float) -> Glimpse | None:
        """Return the sharpest frame after a time that shows the board still; ``None`` while there is none."""
        return next(iter(self.still(since_s)), None)

    def still(self, since_s: float) -> list[Glimpse]:
        """Return the frames after a time that show the board still, the sharpest first."""
        if self.at_rest:
            return [self.kept[max(self.kept)]]
        return [self.kept[number] for number in chosen(self.gate, since_s) if number in self.kept]


class LiveFrameSource:
    """Looks through cameras. They must share ``changed``, which is also what wakes the loop."""

    patience_s = PATIENCE_S

    def __init__(
        self,
        cameras: Mapping[str, Camera],
        changed: threading.Condition,
        reader: PoseFinder | None = None,
        clock: Callable[[], float] = time.monotonic,
        on_frame: Callable[[str], None] = lambda camera: None,
        on_rest: Callable[[str], None] = lambda camera: None,
        turned: bool = False,
        held: Collection[str] = (),
        photographs: PhotographInbox | None = None,
        flat: bool = False,
    ) -> None:
        """Take the cameras.

        reader: knows lenses and table, so that only what happens over the board's frame counts as movement. turned:
        players turn the board, which looks to the gate as if something lay over it. held: the cameras in a hand.
        photographs: those that phones send one by one. flat: nothing there has a height that a photograph must show.
        """
        self._watched = [_Watched(camera) for name, camera in cameras.items() if name not in held]
        self._held_names = frozenset(held)
        self._held = HeldCameras(
            [camera for name, camera in cameras.items() if name in held], reader, clock, on_frame, photographs, flat
        )
        self._changed, self._reader, self._clock = changed, reader, clock
        self._on_frame, self._on_rest = on_frame, on_rest
        self._turns = turned
        self._woken = False
        self._levels: NDArray[np.int8] | None = None
        self._seeing_s = clock()
        self._hands = HandsWatch(None if reader is None else reader.table)

    @property
    def _elsewhere(self) -> frozenset[Over]:
        """Return what the gate says of a board that it does not know as it lies now."""
        return frozenset({Over.VIEW, Over.COVERED} if self._turns else {Over.VIEW})

    def join(self, camera: Camera) -> None:
        """Look through one camera more from now on; it must share ``changed``. May be called from any thread."""
        if camera.name in self._held_names:
            self._held.join(camera)
        else:
            self._watched = [*self._watched, _Watched(camera)]
        self.wake()

    def wait(self, timeout_s: float) -> None:
        """Wait for a frame, or until somebody wakes it; then take in all new frames."""
        with self._changed:
            self._changed.wait_for(self._news, timeout_s)
            self._woken = False
        for watched in self._watched:
            self._take_in(watched)

    def wake(self) -> None:
        """End a wait."""
        with self._changed:
            self._woken = True
            self._changed.notify_all()

    def fresh(self, since_s: float, look: int) -> Capture | None:
        """Return what stood still after a time, a picture of every camera that sees the table: the mean of a few."""
        seeing = self._seeing()
        found = {watched.camera.name: watched.still(since_s) for watched in seeing}
        ready = {name: glimpses for name, glimpses in found.items() if glimpses}
        if not ready or (len(ready) < len(found) and not self._long_still(since_s, seeing)):
            return None
        capture = _loaded(ready, MOST_MEANT)
        return None if capture is None else replace(capture, troubles=self._troubles(ready))

    def changed(self) -> Capture | None:
        """Return a board that stands still and differs from the one before, through all cameras."""
        seeing = self._seeing()
        if not any(watched.news for watched in seeing):
            return None
        restless = self._restless()
        found = {watched.camera.name: watched.still(0.0) for watched in seeing if watched not in restless}
        ready = {name: glimpses for name, glimpses in found.items() if glimpses}
        if len(ready) < len(found):
            return None
        capture = _loaded(ready, 1)
        if capture is None:  # newer pictures are there; this board was not shown yet
            return None
        # A camera that shows no change may have shown who made it; between single pictures nobody would be seen, nor
        # between those that a busy computer draws.
        told = [watched for watched in seeing if watched.camera.name in ready]
        unseen = all(watched.unseen and not (watched.at_rest or watched.drawn) for watched in told)
        for watched in told:
            watched.quiet, watched.unseen, watched.shown = False, False, max(watched.kept)
        return replace(capture, unseen=unseen, troubles=self._troubles(ready))

    def _troubles(self, ready: Collection[str]) -> dict[str, Words]:
        """Return why fixed cameras are no part of a look, and which were moved since the board was agreed on."""
        found: dict[str, Words] = {}
        for watched in self._watched:
            state, name = watched.camera.state, watched.camera.name
            if not state.seeing:
                found[name] = missed_words(state)
            elif name not in ready:
                found[name] = say("{camera} did not show the board standing still in time.", camera=name)
            elif watched.moved:
                found[name] = say("{camera} was moved since the turn before, and stands elsewhere now.", camera=name)
        return found

    @property
    def held(self) -> bool:
        """Return whether one of the cameras is held in a hand."""
        return bool(self._held_names)

    def view(self, after_s: float | None) -> Capture | None:
        """Return the newest view by a camera in a hand taken after a time; ``None``: what has come by now is none."""
        return self._held.view(after_s)

    def coming(self) -> bool:
        """Return whether a photograph has arrived of which nothing is known yet."""
        return self._held.coming()

    def framing(self) -> live.Framing:
        """Return how the newest picture by a camera in a hand shows the board."""
        return self._held.framing()

    def trusted(self, capture: Capture) -> None:
        """Learn that in these pictures nothing lies in the way: what a gate took for an arm is part of the board."""
        self._held.trusted()
        for watched in self._watched:
            number = capture.frames.get(watched.camera.name)
            if number is not None:
                watched.gate = trusted(watched.gate, number)
            if watched.bumped:  # the frame lies elsewhere now
                watched.bumped, watched.region_s = False, self._clock() - REGION_AGAIN_S

    def alone(self) -> str:
        """Return which fields no hand came near since the board was agreed on, as a reading's event keeps them."""
        return self._hands.alone

    def board_looked_at(self, levels: NDArray[np.int8] | None) -> None:
        """Follow hands from here on, by every camera that shows the board still."""
        still = [one for one in self._seeing() if one.gate.sight is Over.STILL and one.vantage is not None]
        self._levels = levels
        if levels is None or not still:
            self._hands.forget()
            return
        at_s = min(one.kept[max(one.kept)].at_s for one in still)
        self._hands.looked({one.camera.name: one.vantage for one in still if one.vantage}, levels, at_s)

    @property
    def levels(self) -> NDArray[np.int8] | None:
        """Return how many levels stood in each place of the board looked at last (rows, columns), where known."""
        return self._levels

    def board_agreed(self) -> None:
        """Take the trail of the last look's board as known."""
        self._hands.agreed()
        for watched in self._watched:
            watched.moved = False

    def blind_for_s(self) -> float:
        """Return for how many seconds no camera has seen anything."""
        if self._seeing() or (self._held_names and not self._watched):
            self._seeing_s = self._clock()
        return self._clock() - self._seeing_s

    def waiting(self) -> Waiting | None:
        """Return what keeps the board from standing still."""
        if not self._watched:
            return self._held.framing().advice if self._held_names else None
        restless = self._restless()
        sights = {one.gate.sight for one in self._seeing() if not one.at_rest and one not in restless}
        if Over.MOVING in sights:
            return _STILL
        if Over.COVERED in sights:
            return _HAND
        return _VIEW if sights & {Over.LIGHT, Over.VIEW} else None

    def cameras(self) -> tuple[live.CameraState, ...]:
        """Return how each camera is doing."""
        states = [watched.camera.state for watched in self._watched]
        opening = SourceHealth.OPENING
        fixed = (
            live.CameraState(one.camera, one.seeing, camera_words(one), opening=one.health is opening)
            for one in states
        )
        return (*fixed, *self._held.states())

    def ended(self, look: int) -> str:
        """Say whether all cameras were recordings that are over."""
        over = bool(self._watched) and all(
            watched.camera.state.health is SourceHealth.ENDED for watched in self._watched
        )
        return say("The recording has ended.").template if over else ""

    def _news(self) -> bool:
        return (
            self._woken
            or self._held.news()
            or any(
                (newest := watched.camera.newest()) is not None and newest.number > watched.number
                for watched in self._watched
            )
        )

    def _seeing(self) -> list[_Watched]:
        return [watched for watched in self._watched if watched.camera.state.seeing and watched.kept]

    def _take_in(self, watched: _Watched) -> None:
        if not watched.camera.state.seeing:
            watched.kept.clear()
            return
        if watched.camera.state.health is SourceHealth.WAITING:
            self._on_rest(watched.camera.name)
        for glimpse in watched.camera.since(watched.number):
            watched.gate = watch(watched.gate, glimpse.number, glimpse.at_s, glimpse.grey)
            watched.number = glimpse.number
            watched.kept[glimpse.number] = glimpse
            self._hands.followed(watched.camera.name, watched.gate, glimpse.at_s)
            if watched.gate.quiet is not None:
                watched.quiet = True
                watched.unseen |= watched.gate.quiet.unseen and not self._turns
            self._on_frame(watched.camera.name)
        for old in sorted(watched.kept)[:-_KEPT]:
            del watched.kept[old]
        if self._turns and watched.gate.sight is Over.MOVING:
            watched.bumped = False
        if not watched.bumped and watched.gate.sight in self._elsewhere and watched.gate.resting:
            watched.moved |= watched.gate.sight is Over.VIEW and not self._turns
            watched.bumped = watched.quiet = True  # to be looked at, because only the reader sees whether it is free
        if not watched.region_s > self._clock() - REGION_AGAIN_S and watched.gate.sight is not Over.MOVING:
            self._find_region(watched)

    def _find_region(self, watched: _Watched) -> None:
        """Look for the frame in a camera's picture, so that what happens beside the board is no movement."""
        glimpse = watched.best(0.0)
        if self._reader is None or glimpse is None:
            return
        watched.region_s = self._clock()
        vantage = _vantage(self._reader, glimpse)
        if vantage is not None:
            watched.gate, watched.vantage = begin(vantage.board), vantage
            watched.region_s = float("inf")

    def _long_still(self, since_s: float, seeing: list[_Watched]) -> bool:
        """Return whether some camera has shown the board still for so long that the others are gone without."""
        now_s = self._clock()
        if now_s - since_s < SLOWEST_S:
            return False
        return any(
            watched.gate.sight is Over.STILL and now_s - watched.gate.since_s > SLOWEST_S for watched in seeing
        )

    def _restless(self) -> list[_Watched]:
        """Return the cameras in which something moves all the time, while others have long shown the board still."""
        seeing, now_s = self._seeing(), self._clock()
        long_still = any(one.gate.sight is Over.STILL and now_s - one.gate.since_s > RESTLESS_S for one in seeing)
        return [one for one in seeing if one.gate.sight is Over.MOVING and not one.at_rest] if long_still else []


_KEPT = 10


def _loaded(still: Mapping[str, list[Glimpse]], most: int) -> Capture | None:
    """Return the mean of each camera's first full pictures that are still there; ``None`` when all of one are gone.

    most: how many of them are taken.
    """
    pictures: dict[str, NDArray[np.uint8]] = {}
    numbers: dict[str, int] = {}
    taken_s: list[float] = []
    for camera, glimpses in still.items():
        loaded = ((glimpse, picture) for glimpse in glimpses if (picture := glimpse.load()) is not None)
        found = list(islice(loaded, most))
        if not found:
            return None
        pictures[camera] = mean_of([picture for _, picture in found])
        numbers[camera] = found[0][0].number
        taken_s += [glimpse.at_s for glimpse, _ in found]
    return Capture.of(pictures, min(taken_s), numbers)


def _vantage(reader: PoseFinder, glimpse: Glimpse) -> Standpoint | None:
    """Return how a camera stands to the table, and where its small pictures show the board, if they do."""
    picture = glimpse.load()
    if picture is None:
        return None
    try:
        lens = reader.lens(glimpse.camera)
        pose = find_pose(picture, lens, reader.table, glimpse.camera)
        view = View(glimpse.camera, picture, lens, pose)
        shape = (glimpse.grey.shape[0], glimpse.grey.shape[1])
        return Standpoint(lens, pose, frame_region(view, reader.table, shape))
    except (CalibrationError, ValueError):
        return None

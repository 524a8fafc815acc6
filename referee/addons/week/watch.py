"""Watch how the cameras do: whether they send pictures all the time, what these show once a minute.

Nothing is measured while a look is read, the table is checked, or a rehearsal looks.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from calibration.lens import Lens
from calibration.table import TableSetup
from referee.addons.week.linefile import CameraLineFile
from referee.addons.week.lineview import EVERY_S, line_view
from referee.addons.week.measuring import Usual, befallen, picture_figures
from referee.values.camerahealth import Befell, CameraEvent, CameraSample
from referee.values.words import Words, decimal, say
from vision.sources.camera import Camera
from vision.sources.state import SourceHealth, SourceState
from vision.sources.words import camera_words

OPENING_S = 12.0
"""A camera has so long to give its first picture before its line begins without one."""
GLANCE_S = 1.0
"""It is seen so often whether each sends pictures."""
_NEITHER = frozenset({SourceHealth.OPENING, SourceHealth.CLOSED})
"""States that say neither that a camera sees nor that it was lost."""

_LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class _Known:
    """A camera with what is known of it.

    seeing: ``None`` before it is known. at_s: monotonic time of its newest picture. losses: since the last sample.
    due_s: monotonic time of the next.
    """

    camera: Camera
    seeing: bool | None = None
    at_s: float | None = None
    losses: int = 0
    due_s: float = 0.0
    usual: Usual = field(default_factory=Usual)
    sample: CameraSample | None = None


class CameraWatch:
    """Watches from a thread of its own, from ``start`` to ``close``."""

    def __init__(
        self,
        cameras: Mapping[str, Camera],
        table: TableSetup,
        lens: Callable[[str], Lens | None],
        sampled: Callable[[str, CameraSample], None],
        turned: bool = False,
        every_s: float = EVERY_S,
        opening_s: float = OPENING_S,
    ) -> None:
        """Take the cameras.

        lens: of a camera, ``None`` while it has none. sampled: told each sample. turned: the board is turned in play.
        every_s: between two measurements of a camera. opening_s: waited for a camera's first one.
        """
        self._known = {name: _Known(camera) for name, camera in cameras.items()}
        self._table, self._lens, self._sampled = table, lens, sampled
        self._every_s, self._opening_s = every_s, opening_s
        self._turned, self._held = turned, frozenset(table.held)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._file: CameraLineFile | None = None

    def start(self, file: CameraLineFile, busy: Callable[[], bool]) -> None:
        """Begin to watch. file: keeps what is found. busy: whether something else is being read."""
        self._file = file
        self._thread = threading.Thread(target=self._run, args=[file, busy], name="camera watch", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop watching."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def view(self, hours: int, language: str) -> dict[str, object]:
        """Return each camera's lines over the last hours, and what befell it, as JSON-able values."""
        if self._file is None:
            return {"cameras": []}
        now_s = time.time()
        since_s = now_s - hours * 3600.0
        return line_view(
            tuple(self._known), self._file.samples(since_s), self._file.events(since_s), since_s, now_s, language
        )

    def _run(self, file: CameraLineFile, busy: Callable[[], bool]) -> None:
        for known in self._known.values():
            known.due_s = time.monotonic() + self._opening_s
        while not self._stop.wait(GLANCE_S):
            try:
                self._pass(file, busy)
            except Exception:  # the next minute may be better: the week's line goes on
                _LOG.exception("the cameras could not be watched")

    def _pass(self, file: CameraLineFile, busy: Callable[[], bool]) -> None:
        events = self.glanced()
        if events:
            file.add(time.time(), events=events)
        samples, events = self.measured(busy)
        if samples:
            file.add(time.time(), samples, events)

    def glanced(self) -> tuple[CameraEvent, ...]:
        """Return which cameras were lost or came back since the last time."""
        found = []
        for name, known in self._known.items():
            state, newest = known.camera.state, known.camera.newest()
            if newest is not None:
                known.at_s = newest.at_s
            if state.health in _NEITHER or name in self._held or state.seeing is known.seeing:
                continue
            before, known.seeing = known.seeing, state.seeing
            if not state.seeing:
                known.losses += 1
                found.append(CameraEvent(time.time(), name, Befell.LOST, _lost(state)))
            elif before is False:
                found.append(CameraEvent(time.time(), name, Befell.BACK, say("It came back.")))
        return tuple(found)

    def measured(
        self, busy: Callable[[], bool] = lambda: False
    ) -> tuple[dict[str, CameraSample], tuple[CameraEvent, ...]]:
        """Measure each camera that is due; return the samples and what befell the cameras.

        A camera without a picture is due as soon as it gives one. While a look is read none is due.
        """
        samples: dict[str, CameraSample] = {}
        events: list[CameraEvent] = []
        for name, known in self._known.items():
            if busy() or self._stop.is_set():
                break
            blind = known.sample is None or known.sample.mean is None
            if time.monotonic() < known.due_s and not (blind and known.camera.newest() is not None):
                continue
            known.due_s = time.monotonic() + self._every_s
            sample, befell = self._measure(name, known)
            known.sample = samples[name] = sample
            self._sampled(name, sample)
            events += befell
        return samples, tuple(events)

    def _measure(self, name: str, known: _Known) -> tuple[CameraSample, list[CameraEvent]]:
        newest = known.camera.newest()
        picture = None if newest is None else newest.load()
        losses, known.losses = known.losses, 0
        if newest is not None:
            known.at_s = newest.at_s
        age_s = None if known.at_s is None else max(0.0, time.monotonic() - known.at_s)
        if picture is None:
            return CameraSample(age_s, losses), []
        lens = self._lens(name)
        if lens is not None and lens.size != (picture.shape[1], picture.shape[0]):
            lens = None
        found = picture_figures(picture, self._table, lens)
        held = name in self._held
        befell: tuple[tuple[Befell, float], ...] = ()
        if not held:  # in a hand everything moves, and the light is another from every side
            befell, known.usual = befallen(known.usual, found, fixed=not self._turned)
        sample = CameraSample(
            age_s, losses, len(found.corners_px), found.edge_px, found.reprojection_px, found.mean, found.burnt,
            found.black,
        )  # fmt: skip
        now_s = time.time()
        return sample, [CameraEvent(now_s, name, what, _words(what, amount)) for what, amount in befell]


def _lost(state: SourceState) -> Words:
    return say("It was lost: {why}", why=camera_words(state))


def _words(what: Befell, amount: float) -> Words:
    if what is Befell.MOVED:
        return say("It was moved, or the frame was: the frame lies {n} pixels from where it lay.", n=round(amount))
    if what is Befell.DARK:
        return say("It has gone dark: the table’s mean brightness is {mean} of 255.", mean=round(amount))
    if amount > 1:
        return say("The light changed: the picture is {times} times as bright.", times=decimal(amount))
    return say("The light changed: the picture is {percent} % as bright.", percent=round(100 * amount))

"""A camera as the referee uses it: its newest frames and its state, whatever happens to the process that reads it.

One thread a camera starts the child process, listens to it, ends it when it is silent, frozen, garbled or gone, and
starts it anew after a pause that grows. Nothing here blocks on the camera.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.values.closing import Closing
from vision.sources.address import Scheme, Source
from vision.sources.packet import Why, decode
from vision.sources.process import Child, FrameTold, MessageError, Told
from vision.sources.ring import SLOTS
from vision.sources.state import Glimpse, SourceHealth, SourceState


@dataclass(frozen=True, slots=True)
class Patience:
    """Time limits, seconds.

    stall_s: for the next frame of a live source. slow_frames: but at least this many of the source's own steps.
    answer_s: for any sign of life from the child. open_s: for the first frame. same_s: how long a live source may
    give the very same picture. old_s: what a phone took longer ago is not how the table is. drawn_s: for the next
    picture of a virtual table, which is drawn at low priority. pauses_s: before the first, second, ... new start; the
    last is used from then on.
    """

    stall_s: float = 2.0
    slow_frames: float = 3.0
    answer_s: float = 1.8
    open_s: float = 12.0
    same_s: float = 2.5
    old_s: float = 5.0
    drawn_s: float = 60.0
    pauses_s: tuple[float, ...] = (0.3, 1.0, 2.0, 5.0)


MOST_BAD = 5
"""Unreadable pictures in a row that mean garbage; a few mean a loose connection."""
KEPT = SLOTS - 2
"""Frames of a camera that can be asked for."""


class Camera(Closing):
    """One camera. Use as a context manager, or call ``close``; all methods may be called from any thread."""

    def __init__(
        self,
        name: str,
        source: Source,
        size: tuple[int, int] | None = None,
        patience: Patience | None = None,
        changed: threading.Condition | None = None,
    ) -> None:
        """Prepare a camera.

        size: (width, height) the lens is calibrated for; pictures of another size are refused. changed: notified of
        every frame and every change of state; several cameras may share one.
        """
        self.name = name
        self.source = source
        self.changed = changed or threading.Condition()
        self._size = size
        self._patience = patience or Patience()
        self._state = SourceState(name, source.public, since_s=time.monotonic())
        self._frames: deque[Glimpse] = deque(maxlen=KEPT)
        self._number = 0
        self._closing = threading.Event()
        self._child: Child | None = None
        self._thread = threading.Thread(target=self._watch, name=f"camera {name}", daemon=True)
        self._thread.start()

    @property
    def state(self) -> SourceState:
        """Return how the camera is doing now."""
        with self.changed:
            rate = 0.0
            if len(self._frames) > 1:
                took_s = self._frames[-1].at_s - self._frames[0].at_s
                rate = (len(self._frames) - 1) / took_s if took_s > 0 else 0.0
            return replace(self._state, rate=rate if self._state.seeing else 0.0)

    @property
    def pid(self) -> int | None:
        """Return the process id of the child, ``None`` while there is none."""
        child = self._child
        return None if child is None else child.pid

    def newest(self) -> Glimpse | None:
        """Return the newest frame, however old; ``None`` while the camera isn't seeing."""
        with self.changed:
            return self._frames[-1] if self._frames and self._state.seeing else None

    def since(self, number: int) -> list[Glimpse]:
        """Return the frames after ``number``, oldest first.

        The oldest are gone when nobody asked for them in time.
        """
        with self.changed:
            return [frame for frame in self._frames if frame.number > number]

    def wait(self, number: int, timeout_s: float) -> bool:
        """Wait until there is a frame after ``number``; whether there is."""
        with self.changed:
            return self.changed.wait_for(lambda: self._number > number and bool(self._frames), timeout_s)

    def expect(self, size: tuple[int, int]) -> bool:
        """Refuse any other size from the next start of the source on. Whether the newest picture has it."""
        with self.changed:
            self._size = size
            return bool(self._frames) and self._frames[-1].size == size

    def offer(self, jpeg: bytes, age_s: float) -> bool:
        """Hand over a picture that a phone has sent. Return whether it was taken.

        It is not taken by another kind of source, nor while the one before is on its way.
        """
        child = self._child
        return child is not None and child.feed is not None and child.feed.offer(jpeg, age_s)

    def close(self) -> None:
        """End the child and the thread."""
        self._closing.set()
        child = self._child
        if child is not None:
            child.kill()
        self._thread.join()
        self._be(SourceHealth.CLOSED)

    def _be(self, health: SourceHealth, detail: str = "", **more: Any) -> None:
        with self.changed:
            if (health, detail) != (self._state.health, self._state.detail):
                self._state = replace(self._state, health=health, detail=detail, since_s=time.monotonic())
            if more:
                self._state = replace(self._state, **more)
            if not self._state.seeing:
                self._frames.clear()
            self.changed.notify_all()

    def _watch(self) -> None:
        failures = 0
        while not self._closing.is_set():
            number = self._number
            health, detail = self._live_once()
            if self._closing.is_set():
                return
            self._be(health, detail)
            if health is SourceHealth.ENDED:
                self._closing.wait()
                return
            failures = 0 if self._number - number > 10 else failures + 1
            pauses = self._patience.pauses_s
            self._closing.wait(pauses[min(max(failures - 1, 0), len(pauses) - 1)])
            self._be(self._state.health, self._state.detail, restarts=self._state.restarts + 1)

    def _live_once(self) -> tuple[SourceHealth, str]:
        """Run one child from its start to its end. Return how it ended."""
        try:
            with Child.start(self.source) as child:
                self._child = child
                if self._closing.is_set():
                    return SourceHealth.CLOSED, ""
                return _Listening(child, self.source, self._size, self._patience, self._arrive, self._be).run()
        except OSError as error:  # no more processes, or no memory for the ring
            return SourceHealth.FAILED, error.strerror or type(error).__name__
        finally:
            self._child = None

    def _arrive(self, told: FrameTold, child: Child, grey: NDArray[np.uint8]) -> None:
        ring, number, size = child.ring, told.frame, told.size

        def load() -> NDArray[np.uint8] | None:
            content = ring.frame(number, told.bytes)
            return None if content is None else decode(content, size, told.jpeg)

        with self.changed:
            self._number += 1
            taken_s = told.at - self.source.delay_s
            self._frames.append(Glimpse(self.name, self._number, taken_s, size, grey, load))
        self._be(SourceHealth.LIVE)


class _Listening:
    """Listens to one child, and judges what it says until it has to be ended."""

    def __init__(
        self,
        child: Child,
        source: Source,
        size: tuple[int, int] | None,
        patience: Patience,
        arrive: Callable[[FrameTold, Child, NDArray[np.uint8]], None],
        be: Callable[..., None],
    ) -> None:
        self._child, self._source, self._size, self._patience = child, source, size, patience
        self._arrive, self._be = arrive, be
        now_s = time.monotonic()
        self._began_s = self._heard_s = self._frame_s = self._new_s = now_s
        self._frames = self._bad = 0
        self._stall_s = max(patience.stall_s, patience.slow_frames / source.fps if source.fps else 0.0)

    def run(self) -> tuple[SourceHealth, str]:
        """Listen until the child ends or has to; how it stands then."""
        while True:
            try:
                told = self._child.listen(0.1)
            except MessageError:
                return SourceHealth.GARBLED, ""
            except EOFError:
                return SourceHealth.CRASHED, ""
            for message in told:
                ended = self._hear(message)
                if ended:
                    return ended
            overdue = self._overdue(time.monotonic())
            if overdue:
                return overdue

    def _hear(self, told: Told) -> tuple[SourceHealth, str] | None:
        self._heard_s = time.monotonic()
        if isinstance(told, FrameTold):
            return self._frame(told)
        if told.bad:
            self._bad += 1
            return (SourceHealth.GARBLED, "") if self._bad >= MOST_BAD else None
        if told.fail:
            return SourceHealth.GARBLED if told.fail == Why.GARBAGE else SourceHealth.FAILED, told.fail
        if told.end:
            return SourceHealth.ENDED, ""
        if told.held or told.free:
            self._be(SourceHealth.LIVE, held=told.held, free=told.free)
        elif not self._source.live and self._source.watch and self._heard_s - self._frame_s > self._stall_s:
            self._be(SourceHealth.WAITING)
        return None

    def _frame(self, told: FrameTold) -> tuple[SourceHealth, str] | None:
        if self._size is None:
            self._size = told.size
        if told.size != self._size:
            return SourceHealth.RESIZED, f"{told.size[0]}x{told.size[1]}/{self._size[0]}x{self._size[1]}"
        grey = self._child.ring.grey(told.frame, told.grey)
        if grey is None:  # overwritten already: a newer one is on its way
            return None
        now_s = time.monotonic()
        if self._source.scheme is Scheme.PHONE and now_s - told.at > self._patience.old_s:
            return None  # the phone was locked, or the network slow: the picture may be out of date
        self._frames += 1
        self._bad, self._frame_s = 0, now_s
        if not told.same:
            self._new_s = now_s
        elif self._source.live and not self._source.same and now_s - self._new_s > self._patience.same_s:
            return SourceHealth.FROZEN, ""
        self._arrive(told, self._child, grey)
        return None

    def _overdue(self, now_s: float) -> tuple[SourceHealth, str] | None:
        patience = self._patience
        if self._source.scheme is Scheme.PHONE and now_s - self._heard_s <= patience.answer_s:
            if now_s - self._frame_s > self._stall_s:  # no phone sends: a restart would not help
                self._be(SourceHealth.SILENT)
            return None
        if self._source.scheme is Scheme.VIRTUAL and now_s - self._heard_s <= patience.answer_s:
            # A pulled cable ends its connection, so whoever only sends nothing is late in drawing.
            return (SourceHealth.SILENT, "") if now_s - self._frame_s > patience.drawn_s else None
        if not self._frames:
            late = now_s - self._began_s > patience.open_s
            return (SourceHealth.SILENT, "") if late and not self._source.watch else None
        if now_s - self._heard_s > max(patience.answer_s, 0.0 if self._source.live else self._stall_s):
            return SourceHealth.STUCK, ""
        if self._source.live and now_s - self._frame_s > self._stall_s:
            return SourceHealth.SILENT, ""
        return None

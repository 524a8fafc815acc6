"""A recording in the cameras' place: every look has its pictures, and nothing is seen in between."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from referee.daemon.framesource import Seen
from referee.demo.recording import Recording
from referee.match.live import CameraState, Waiting
from referee.values.words import say

ENDED = say("The recording has ended.").template
SOURCE = say("Recorded game").template
"""What the bundled recording says of itself, so that it has a text in every language."""


class RecordedSight:
    """Gives each look its pictures. hold_s: how long "reading the board" stands, so that a person sees it."""

    patience_s = 0.0

    def __init__(self, recording: Recording, hold_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._recording, self._hold_s, self._clock = recording, hold_s, clock
        self._woken = threading.Event()

    def wait(self, timeout_s: float) -> None:
        """Wait until somebody wakes it, and while pictures are held back."""
        self._woken.wait(min(timeout_s, self._hold_s) if self._hold_s else timeout_s)
        self._woken.clear()

    def wake(self) -> None:
        """End a wait."""
        self._woken.set()

    def fresh(self, since_s: float, look: int) -> Seen | None:
        """The pictures of a look, once they have been held back for long enough."""
        if not 0 < look <= len(self._recording.looks) or self._clock() < since_s + self._hold_s:
            return None
        return Seen(self._recording.looks[look - 1].load(), since_s)

    def changed(self) -> Seen | None:
        """Nothing is seen between the looks."""
        return None

    def trusted(self, seen: Seen) -> None:
        """Nothing to remember: the pictures stand still."""

    def blind_for_s(self) -> float:
        """A recording is never blind."""
        return 0.0

    def waiting(self) -> Waiting | None:
        """Nothing is waited for."""
        return None

    def cameras(self) -> tuple[CameraState, ...]:
        """Known from the readings alone."""
        return ()

    def alone(self) -> None:
        """No hands are seen between the looks."""

    def board_looked_at(self, heights: NDArray[np.int8] | None) -> None:
        """Nothing to remember."""

    def board_agreed(self) -> None:
        """Nothing to remember."""

    def ended(self, look: int) -> str:
        """Whether that was the last look."""
        return ENDED if look >= len(self._recording.looks) else ""

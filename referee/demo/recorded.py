"""Put a recording in the cameras' place: every look has its pictures, and nothing is seen in between."""

from __future__ import annotations

import time
from collections.abc import Callable

from referee.daemon.nocameras import NoCameras
from referee.demo.recording import Recording
from referee.session.capture import Capture
from referee.values.words import say

ENDED = say("The recording has ended.").template
SOURCE = say("Recorded game").template
"""The name of the bundled recording, as a template, so that it has a text in every language."""


class RecordedSight(NoCameras):
    """Gives each look its pictures. hold_s: how long "reading the board" stands, so that a person sees it."""

    def __init__(self, recording: Recording, hold_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._recording, self._hold_s, self._clock = recording, hold_s, clock

    def wait(self, timeout_s: float) -> None:
        """Wait until somebody wakes it, and while pictures are held back."""
        super().wait(min(timeout_s, self._hold_s) if self._hold_s else timeout_s)

    def fresh(self, since_s: float, look: int) -> Capture | None:
        """Return the pictures of a look, once they have been held back for long enough."""
        if not 0 < look <= len(self._recording.looks) or self._clock() < since_s + self._hold_s:
            return None
        return Capture.of(self._recording.looks[look - 1].load(), since_s)

    def ended(self, look: int) -> str:
        """Say whether that was the last look."""
        return ENDED if look >= len(self._recording.looks) else ""

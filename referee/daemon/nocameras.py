"""Stand in for cameras at a table without any: nothing comes, and nothing is missed."""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import NDArray

from referee.match.live import CameraState, Framing, Waiting
from referee.session.capture import Capture


class NoCameras:
    """Fulfils FrameSource where nothing need be seen and only commands wake the loop; what sees more builds on it."""

    patience_s: float = 0.0
    held = False

    def __init__(self) -> None:
        self._woken = threading.Event()

    def wait(self, timeout_s: float) -> None:
        """Wait until somebody wakes it."""
        self._woken.wait(timeout_s)
        self._woken.clear()

    def wake(self) -> None:
        """End a wait."""
        self._woken.set()

    def fresh(self, since_s: float, look: int) -> Capture | None:
        """Return no picture."""
        return None

    def changed(self) -> Capture | None:
        """Return no picture."""
        return None

    def view(self, after_s: float | None) -> Capture | None:
        """Return no view."""
        return None

    def coming(self) -> bool:
        """Return that none comes."""
        return False

    def framing(self) -> Framing:
        """Return nothing: nobody holds a camera."""
        return Framing()

    def trusted(self, capture: Capture) -> None:
        """Do nothing."""

    def blind_for_s(self) -> float:
        """Return 0: nothing is missed."""
        return 0.0

    def waiting(self) -> Waiting | None:
        """Return ``None``: nothing is waited for."""
        return None

    def cameras(self) -> tuple[CameraState, ...]:
        """Return no cameras."""
        return ()

    def alone(self) -> str:
        """Return nothing: hands are not followed."""
        return ""

    def board_looked_at(self, levels: NDArray[np.int8] | None) -> None:
        """Do nothing: no hands are followed."""

    def board_agreed(self) -> None:
        """Do nothing: no hands are followed."""

    def ended(self, look: int) -> str:
        """Return nothing: this source never ends."""
        return ""

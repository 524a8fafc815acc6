"""Eyes for a table without cameras: nothing comes, and nothing is missed."""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import NDArray

from referee.match.live import CameraState, Waiting
from referee.session.capture import Capture


class NoSight:
    """Fulfils FrameSource where nothing need be seen and only commands wake the loop; what sees more builds on it."""

    patience_s: float = 0.0

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
        """Never a picture."""
        return None

    def changed(self) -> Capture | None:
        """Never a picture."""
        return None

    def trusted(self, capture: Capture) -> None:
        """Nothing to remember."""

    def blind_for_s(self) -> float:
        """Nothing is missed."""
        return 0.0

    def waiting(self) -> Waiting | None:
        """Nothing is waited for."""
        return None

    def cameras(self) -> tuple[CameraState, ...]:
        """There are none."""
        return ()

    def untouched(self) -> NDArray[np.bool_] | None:
        """Nobody saw where hands have been."""
        return None

    def board_looked_at(self, heights: NDArray[np.int8] | None) -> None:
        """Nothing to follow."""

    def board_agreed(self) -> None:
        """Nothing to follow."""

    def ended(self, look: int) -> str:
        """Nothing ends."""
        return ""

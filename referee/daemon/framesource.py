"""What the turn loop asks of the cameras, real or recorded."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from referee.match.live import CameraState, Framing, Waiting
from referee.session.capture import Capture


class FrameSource(Protocol):
    """Cameras that look at the table. One thread asks."""

    @property
    def patience_s(self) -> float:
        """Return how long a hand in the way is waited for until the table counts as covered.

        0 where nothing newer comes.
        """

    @property
    def held(self) -> bool:
        """Return whether one of the cameras is held in a hand, so that views can be asked for."""

    def view(self, after_s: float | None) -> Capture | None:
        """Return a view by a camera in a hand taken after a time; ``None``: what has come by now is none."""

    def coming(self) -> bool:
        """Return whether a picture from a hand has arrived of which nothing is known yet."""

    def framing(self) -> Framing:
        """Return how the newest picture by a camera in a hand shows the board."""

    def wait(self, timeout_s: float) -> None:
        """Wait for something new, or until ``wake``."""

    def wake(self) -> None:
        """End a wait from another thread."""

    def fresh(self, since_s: float, look: int) -> Capture | None:
        """Return the sharpest still pictures taken after ``since_s`` for look number ``look``; ``None`` as yet."""

    def changed(self) -> Capture | None:
        """Return a board that stands still and was not returned before; each is returned once."""

    def trusted(self, capture: Capture) -> None:
        """Learn that in these pictures nothing lies in the way."""

    def blind_for_s(self) -> float:
        """Return for how many seconds no camera has given pictures; 0 while one does."""

    def waiting(self) -> Waiting | None:
        """Return what keeps the board from standing still, as far as the cameras tell."""

    def cameras(self) -> tuple[CameraState, ...]:
        """Return how each camera is doing."""

    def alone(self) -> str:
        """Return which fields no hand came near since the board was agreed on, as a reading's event keeps them.

        Empty where that is not known.
        """

    def board_looked_at(self, levels: NDArray[np.int8] | None) -> None:
        """Learn that a look was just taken at a board.

        levels: how many stand in each place (rows, columns); ``None`` where that is not known.
        """

    def board_agreed(self) -> None:
        """Learn that the board of the last look is the one on which the game goes on."""

    def ended(self, look: int) -> str:
        """Return why no more pictures come after the look with that number; empty while they do."""

"""What photographs of a small table go through."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.daemon.livecameras import LiveFrameSource
from referee.daemon.photographinbox import PhotographInbox
from referee.daemon.photographlenses import PhotographLenses
from tests.scene import table
from tests.vision.sources.patience import eventually
from vision.posefinder import PoseFinder
from web.tableview import PhotographState, PhotographTold, TakenNote


class Desk:
    """What photographs of a small table go through."""

    def __init__(self, folder: Path, flat: bool = False) -> None:
        self.reader = PoseFinder(table(), folder)
        self.measured: list[str] = []
        lenses = PhotographLenses(self.reader, lambda camera, lens: self.measured.append(camera))
        self.inbox = PhotographInbox(lenses, lambda: None)
        self.sight = LiveFrameSource(
            {}, threading.Condition(), self.reader, held=("phone",), photographs=self.inbox, flat=flat
        )

    def sent(self, content: bytes, taken: TakenNote | None = None) -> int:
        """Send a file, and wait until it is decoded."""
        number = self.inbox.offer(content, taken or TakenNote(), time.monotonic())
        assert number is not None
        eventually(lambda: self.told(number).state is not PhotographState.LOOKED_AT or self.inbox.first() is not None)
        return number

    def told(self, number: int) -> PhotographTold:
        """Return what became of a photograph."""
        return next(one for one in self.inbox.told() if one.number == number)

    def view(self, after_s: float, content: bytes, is_clear: bool = True) -> PhotographTold:
        """Return what became of a photograph that is looked at now; ``is_clear``: nothing lies over the board."""
        self.sight.view(after_s)
        number = self.sent(content)
        capture = self.sight.view(after_s)
        if capture is not None and is_clear:
            self.sight.trusted(capture)
        self.sight.view(after_s)
        return self.told(number)


def smeared(shown: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.GaussianBlur(shown, (0, 0), 5.0), np.uint8)

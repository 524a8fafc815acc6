"""Cameras of a grid of stacks: they read pictures, and keep the newest ones for the page."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from referee.daemon.preview import LatestPictures
from referee.values.belief import Prior
from referee.values.board import Board
from vision.heights.change import Look
from vision.reader import TableReader
from vision.reading import Reading


class CameraPreview(LatestPictures):
    """Reads boards, and remembers the pictures it was given."""

    def __init__(self, reader: TableReader) -> None:
        super().__init__(reader)
        self._reader = reader

    def read(
        self,
        pictures: Mapping[str, NDArray[np.uint8]],
        expect: Prior | None = None,
        *,
        since: tuple[Look, Board] | None = None,
    ) -> Reading:
        """Read one look at the table, as the reader does."""
        self.remember(pictures)
        return self._reader.read(pictures, expect, since=since)


def eyes(reader: TableReader) -> CameraPreview:
    """Return eyes that read as a reader does."""
    return CameraPreview(reader)

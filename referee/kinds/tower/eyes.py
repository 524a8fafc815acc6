"""Cameras of a tower: they read pictures, and keep the newest ones for the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from referee.daemon.preview import LatestPictures
from vision.tower.reader import TowerLook, TowerReader
from vision.tower.reading import TowerReading


class TowerPreview(LatestPictures):
    """Reads towers, and remembers the pictures it was given."""

    def __init__(self, reader: TowerReader) -> None:
        super().__init__(reader)
        self._reader = reader

    def read(self, views: Sequence[Mapping[str, NDArray[np.uint8]]], previous: str | None = None) -> TowerLook:
        """Read a tower from the pictures of all views, as the reader does."""
        self.remember(views[-1])
        return self._reader.read(views, previous)

    def without_each(
        self, views: Sequence[Mapping[str, NDArray[np.uint8]]], previous: str | None
    ) -> Iterator[TowerReading]:
        """Yield what is read with each view left out in turn, as the reader does."""
        return self._reader.without_each(views, previous)


def eyes(reader: TowerReader) -> TowerPreview:
    """Return eyes that read as a reader does."""
    return TowerPreview(reader)

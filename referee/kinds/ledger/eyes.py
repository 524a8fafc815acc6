"""Eyes of a mat: they read, and remember the pictures for the page."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from referee.daemon.preview import PictureShelf
from vision.ledger.reader import MatReader, MatSeen


class MatPreview(PictureShelf):
    """Eyes of a mat that remember the pictures they were given."""

    def __init__(self, reader: MatReader) -> None:
        super().__init__(reader)
        self._reader = reader

    @property
    def die_mm(self) -> float:
        """A die's side."""
        return self._reader.die_mm

    def read(self, pictures: Mapping[str, NDArray[np.uint8]]) -> MatSeen:
        """Read one look at the mat, as the reader does."""
        self.remember(pictures)
        return self._reader.read(pictures)


def eyes(reader: MatReader) -> MatPreview:
    """Return eyes that read as a reader does."""
    return MatPreview(reader)

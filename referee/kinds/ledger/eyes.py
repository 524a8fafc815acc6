"""Cameras of a mat: they read pictures, and keep the newest ones for the page."""

from __future__ import annotations

from referee.daemon.preview import PlainEyes
from vision.ledger.reader import MatReader


class MatPreview(PlainEyes):
    """Reads mats, and tells how large the dice are."""

    _reader: MatReader

    @property
    def die_mm(self) -> float:
        """Return the side of a die, mm."""
        return self._reader.die_mm


def eyes(reader: MatReader) -> MatPreview:
    """Return eyes that read as a reader does."""
    return MatPreview(reader)

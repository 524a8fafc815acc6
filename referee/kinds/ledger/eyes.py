"""Eyes of a mat: they read, and remember the pictures for the page."""

from __future__ import annotations

from referee.daemon.preview import PlainEyes
from vision.ledger.reader import MatReader


class MatPreview(PlainEyes):
    """Eyes of a mat that say how large its dice are."""

    _reader: MatReader

    @property
    def die_mm(self) -> float:
        """A die's side."""
        return self._reader.die_mm


def eyes(reader: MatReader) -> MatPreview:
    """Return eyes that read as a reader does."""
    return MatPreview(reader)

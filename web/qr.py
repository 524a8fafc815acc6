"""Makes QR codes as rows of squares: the page draws them, so no secret ever stands in the address of a picture."""

from __future__ import annotations

import segno


def qr_rows(text: str) -> list[str]:
    """Return the QR code of a text, row by row, ``1`` for a dark square; without the quiet zone around it."""
    code = segno.make(text, micro=False, error="m", boost_error=False)
    return ["".join("1" if dark else "0" for dark in row) for row in code.matrix]

"""Reads the size of a JPEG file and whether it is whole, without decoding it.

Markers as in ITU-T T.81, annex B.
"""

from __future__ import annotations

import struct

_FRAME_HEADERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_TAIL = 1024
"""Some cameras append padding or notes behind the end of the picture."""


def jpeg_size(content: bytes) -> tuple[int, int] | None:
    """Return (width, height) in pixels of a whole JPEG file, ``None`` when it is none or cut short."""
    if content[:3] != b"\xff\xd8\xff" or b"\xff\xd9" not in content[-_TAIL:]:
        return None
    at = 2
    while at + 9 < len(content):
        if content[at] != 0xFF:
            return None
        kind = content[at + 1]
        if kind in (0xFF, 0x01) or 0xD0 <= kind <= 0xD8:
            at += 1 if kind == 0xFF else 2
            continue
        if kind in _FRAME_HEADERS:
            height, width = struct.unpack_from(">HH", content, at + 5)
            return (width, height) if width and height else None
        if kind == 0xDA:
            return None
        at += 2 + struct.unpack_from(">H", content, at + 2)[0]
    return None

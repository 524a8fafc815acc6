"""Reads picture files that strangers may have made: first the size in the head, and only then the picture.

A file of a few hundred kilobytes can stand for a picture of gigabytes. So the size is read first, for every kind of
file that is taken at all. Heads as in ITU-T T.81 (JPEG), RFC 2083 (PNG), RFC 9649 (WebP), BITMAPINFOHEADER (BMP) and
TIFF 6.0; libheif reads HEIC.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.heic import decode_heic, heic_size, is_heic

MOST_PIXELS = 70_000_000
"""More than cameras on phones give by themselves; decoded it is 210 MB."""
TAKEN = "JPEG, PNG, HEIC, WebP, BMP or TIFF"
_FRAME_HEADERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_TIFF_WIDTH, _TIFF_HEIGHT = 256, 257
_TIFF_SHORT, _TIFF_LONG, _TIFF_LONG8 = 3, 4, 16


class PictureError(ValueError):
    """A file that can't be taken as a picture; the message says why, without naming the file."""


def decode_picture(content: bytes, enough_px: int | None = None) -> NDArray[np.uint8]:
    """Decode the picture in a file's content, (height, width, 3) BGR uint8, turned as its EXIF says.

    enough_px: a picture whose longer side has twice as many pixels or more comes at half its size, which takes a
    third of the time. Colours of 16 bits and CMYK are brought to 8 bits BGR. Raises PictureError for a partial
    picture, of a kind that is not taken, or larger than ``MOST_PIXELS``.
    """
    size = picture_size(content)
    if size is None:
        raise PictureError(f"it is cut short or no picture ({TAKEN})")
    width, height = size
    if width * height > MOST_PIXELS:
        raise PictureError(f"it is {width} x {height} pixels: {MOST_PIXELS // 10**6} million are the most")
    if is_heic(content):
        heic = decode_heic(content)
        if heic is None:
            raise PictureError("it is cut short or no picture")
        return heic
    try:
        halved = enough_px is not None and max(size) >= 2 * enough_px
        kind = cv2.IMREAD_REDUCED_COLOR_2 if halved else cv2.IMREAD_COLOR
        picture = cv2.imdecode(np.frombuffer(content, np.uint8), kind)
    except cv2.error:
        picture = None
    if picture is None:
        raise PictureError("it is cut short or no picture")
    return np.asarray(picture, np.uint8)


def picture_size(content: bytes) -> tuple[int, int] | None:
    """Return (width, height) in pixels by a file's head, not turned; ``None`` for a head of no known kind."""
    if is_heic(content):
        return heic_size(content)
    for magic, read in _HEADS.items():
        if content.startswith(magic):
            try:
                width, height = read(content)
            except (struct.error, IndexError, ValueError):
                return None
            return (width, height) if width > 0 and height > 0 else None
    return None


def _jpeg(content: bytes) -> tuple[int, int]:
    at = 2
    while True:
        marker, kind = content[at], content[at + 1]
        if marker != 0xFF:
            raise ValueError("no marker")
        if kind == 0xFF or kind == 0x01 or 0xD0 <= kind <= 0xD8:
            at += 1 if kind == 0xFF else 2
        elif kind in _FRAME_HEADERS:
            height, width = struct.unpack_from(">HH", content, at + 5)
            return width, height
        elif kind in (0xDA, 0xD9):
            raise ValueError("no frame before the scan")
        else:
            at += 2 + struct.unpack_from(">H", content, at + 2)[0]


def _png(content: bytes) -> tuple[int, int]:
    if content[12:16] != b"IHDR":
        raise ValueError("no head")
    width, height = struct.unpack_from(">II", content, 16)
    return width, height


def _webp(content: bytes) -> tuple[int, int]:
    if content[8:12] != b"WEBP":
        raise ValueError("another kind of RIFF")
    chunk = content[12:16]
    if chunk == b"VP8X":  # the canvas, which no frame may exceed
        return 1 + int.from_bytes(content[24:27], "little"), 1 + int.from_bytes(content[27:30], "little")
    if chunk == b"VP8L":
        (bits,) = struct.unpack_from("<I", content, 21)
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if chunk == b"VP8 ":
        width, height = struct.unpack_from("<HH", content, 26)
        return width & 0x3FFF, height & 0x3FFF
    raise ValueError("no picture")


def _bmp(content: bytes) -> tuple[int, int]:
    (head,) = struct.unpack_from("<I", content, 14)
    width, height = struct.unpack_from("<HH" if head == 12 else "<ii", content, 18)
    return width, abs(height)  # below 0: written from the top


def _tiff(content: bytes) -> tuple[int, int]:
    order = "<" if content[:2] == b"II" else ">"
    (version,) = struct.unpack_from(f"{order}H", content, 2)
    big = version == 43
    (at,) = struct.unpack_from(f"{order}{'Q' if big else 'I'}", content, 8 if big else 4)
    (count,) = struct.unpack_from(f"{order}{'Q' if big else 'H'}", content, at)
    step, first, inside = (20, at + 8, 12) if big else (12, at + 2, 8)
    found: dict[int, int] = {}
    for entry in range(first, first + step * min(count, 4096), step):
        tag, kind = struct.unpack_from(f"{order}HH", content, entry)
        if tag in (_TIFF_WIDTH, _TIFF_HEIGHT):
            form = {_TIFF_SHORT: "H", _TIFF_LONG: "I", _TIFF_LONG8: "Q"}.get(kind, "")
            (found[tag],) = struct.unpack_from(f"{order}{form}", content, entry + inside)
    if len(found) < 2:
        raise ValueError("no size")
    return found[_TIFF_WIDTH], found[_TIFF_HEIGHT]


_HEADS: Mapping[bytes, Callable[[bytes], tuple[int, int]]] = {
    b"\xff\xd8\xff": _jpeg,
    b"\x89PNG\r\n\x1a\n": _png,
    b"RIFF": _webp,
    b"BM": _bmp,
    b"II*\0": _tiff,
    b"MM\0*": _tiff,
    b"II+\0": _tiff,
    b"MM\0+": _tiff,
}

"""Give a picture file that claims to be huge."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable

import cv2
import numpy as np

HALVES = np.zeros((20, 40, 3), np.uint8)


HALVES[:, :20] = (0, 0, 255)


def encoded(ending: str, picture: object = HALVES, *options: int) -> bytes:
    return bytes(cv2.imencode(ending, np.asarray(picture), list(options))[1])


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_of(width: int, height: int) -> bytes:
    """Return a black PNG of one bit a pixel, packed as far as it goes: a thousand times larger unpacked."""
    row = bytes(1 + (width + 7) // 8)
    packer = zlib.compressobj(9)
    data = b"".join(packer.compress(row * 1000) for _ in range(height // 1000)) + packer.compress(
        row * (height % 1000)
    )
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", data + packer.flush()) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def bmp_of(width: int, height: int) -> bytes:
    return b"BM" + struct.pack("<IHHIIiiHH", 54, 0, 0, 54, 40, width, height, 1, 24) + bytes(24)


def tiff_of(width: int, height: int, order: str = "<", big: bool = False) -> bytes:
    magic = (b"II" if order == "<" else b"MM") + struct.pack(f"{order}H", 43 if big else 42)
    wide, form = ("Q", 16) if big else ("I", 4)
    lead = struct.pack(f"{order}HHQ", 8, 0, 16) if big else struct.pack(f"{order}I", 8)
    entries = [
        struct.pack(f"{order}HH{wide}{wide}", tag, form, 1, side) for tag, side in ((256, width), (257, height))
    ]
    count = struct.pack(f"{order}{'Q' if big else 'H'}", len(entries))
    return magic + lead + count + b"".join(entries) + bytes(16)


def webp_of(width: int, height: int) -> bytes:
    sides = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    body = b"WEBPVP8X" + struct.pack("<I", 10) + bytes(4) + sides + b"VP8L" + bytes(20)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def jpeg_of(width: int, height: int) -> bytes:
    whole = encoded(".jpg")
    at = whole.index(b"\xff\xc0") + 5
    return whole[:at] + struct.pack(">HH", height, width) + whole[at + 4 :]


HUGE: dict[str, Callable[[int, int], bytes]] = {
    "png": png_of,
    "bmp": bmp_of,
    "tiff": tiff_of,
    "tiff, most significant byte first": lambda w, h: tiff_of(w, h, ">"),
    "large tiff": lambda w, h: tiff_of(w, h, big=True),
    "webp": webp_of,
    "jpeg": jpeg_of,
}

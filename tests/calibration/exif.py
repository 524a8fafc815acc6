"""Photographs that say of themselves what a phone's would: EXIF put into JPEG files."""

from __future__ import annotations

import struct

ASCII, SHORT, LONG, RATIONAL = 2, 3, 4, 5
Value = str | int | tuple[int, int]


def noted(
    jpeg: bytes,
    taken: str = "",
    offset: str = "",
    focal_35: int = 0,
    focal: tuple[int, int] | None = None,
    model: str = "",
    orientation: int = 0,
    order: str = "<",
    place: str = "",
) -> bytes:
    """Return the JPEG with an EXIF block; what is empty is left out.

    taken: as ``2026:03:14 20:15:00``. place: words for the place, told beside 52.52 N in a block for GPS.
    """
    more: dict[int, tuple[int, Value]] = {}
    if taken:
        more[0x9003] = (ASCII, taken)
    if offset:
        more[0x9011] = (ASCII, offset)
    if focal is not None:
        more[0x920A] = (RATIONAL, focal)
    if focal_35:
        more[0xA405] = (SHORT, focal_35)
    main: dict[int, tuple[int, Value]] = {0x0110: (ASCII, model)} if model else {}
    if orientation:
        main[0x0112] = (SHORT, orientation)
    gps: dict[int, tuple[int, Value]] = {}
    if place:
        gps = {1: (ASCII, "N"), 2: (RATIONAL, (525200, 10000)), 0x1C: (ASCII, place)}
        main[0x8825] = (LONG, 0)
    main[0x8769] = (LONG, 0)
    at = 8 + len(_directory(main, 8, order))
    main[0x8769] = (LONG, at)
    if gps:
        main[0x8825] = (LONG, at + len(_directory(more, at, order)))
    head = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(f"{order}I", 8)
    block = b"Exif\0\0" + head + _directory(main, 8, order) + _directory(more, at, order)
    block += _directory(gps, at + len(_directory(more, at, order)), order) if gps else b""
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + jpeg[2:]


def _directory(entries: dict[int, tuple[int, Value]], at: int, order: str) -> bytes:
    rows, beyond = b"", b""
    free = at + 2 + 12 * len(entries) + 4
    for tag, (kind, value) in sorted(entries.items()):
        if kind == ASCII:
            raw = str(value).encode() + b"\0"
        elif kind == RATIONAL:
            assert isinstance(value, tuple)
            raw = struct.pack(f"{order}II", *value)
        else:
            raw = struct.pack(order + ("H" if kind == SHORT else "I"), value)
        count = len(raw) if kind == ASCII else 1
        rows += struct.pack(f"{order}HHI", tag, kind, count)
        if len(raw) <= 4:
            rows += raw.ljust(4, b"\0")
        else:
            rows += struct.pack(f"{order}I", free + len(beyond))
            beyond += raw + b"\0" * (len(raw) % 2)
    return struct.pack(f"{order}H", len(entries)) + rows + b"\0" * 4 + beyond

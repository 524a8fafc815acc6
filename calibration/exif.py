"""Reads from a photograph when it was taken, with which lens, and how the camera was held.

Only what an import needs is read of the EXIF (Exif 2.32; TIFF 6.0), from JPEG and HEIC files. Strangers made the
files: what points outside, or makes no sense, counts as not said.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

import numpy as np

from calibration.heic import heic_exif, is_heic

FULL_FRAME_MM = float(np.hypot(36.0, 24.0))
"""Diagonal of the format to which focal lengths are converted (CIPA DCG-001)."""
_ORIENTATION, _MAKE_MODEL, _EXIF = 0x0112, 0x0110, 0x8769
_TAKEN, _OFFSET, _PARTS, _FOCAL, _LENS_MODEL, _FOCAL_35, _ZOOM = (
    0x9003,
    0x9011,
    0x9291,
    0x920A,
    0xA434,
    0xA405,
    0xA404,
)
_SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8}
_WHEN = re.compile(r"(\d{4}):(\d\d):(\d\d) (\d\d):(\d\d):(\d\d)")
_AHEAD = re.compile(r"([+-])(\d\d):(\d\d)")

_FIRST_YEAR, _LAST_YEAR = 1970, 2500
"""A time before or after is nobody's, and may be one that no other offset from UTC has."""


@dataclass(frozen=True, slots=True)
class PictureNote:
    """The notes in a picture's EXIF.

    taken_at: with the offset from UTC where it is told; ``None`` where the time is not told. lens: words that are the
    same for pictures by one lens at one zoom, empty for none. focal_35_mm: the focal length as for a picture of
    36 x 24 mm. orientation: how the picture is to be turned, 1 (not at all) to 8.
    """

    taken_at: datetime | None = None
    lens: str = ""
    focal_35_mm: float | None = None
    orientation: int = 1


def focal_length_px(focal_35_mm: float, size: tuple[int, int]) -> float:
    """Return a focal length in pixels of a picture with a size: it is told for a picture of the same diagonal."""
    return focal_35_mm / FULL_FRAME_MM * float(np.hypot(*size))


def with_focal_length(jpeg: bytes, focal_35_mm: int) -> bytes:
    """Return a JPEG without EXIF as one whose EXIF tells a focal length, of 35 mm film, and nothing else."""
    head = struct.pack("<2sHI", b"II", 42, 8)
    first = struct.pack("<HHHIII", 1, _EXIF, 4, 1, 26, 0)
    second = struct.pack("<HHHIHHI", 1, _FOCAL_35, 3, 1, focal_35_mm, 0, 0)
    block = b"Exif\0\0" + head + first + second
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + jpeg[2:]


def orientation(content: bytes) -> int:
    """Return how a JPEG file is to be turned, 1 (not at all) to 8 as in Exif 2.32; 1 where it does not say."""
    try:
        block = _exif_block(content)
        order = "<" if block[:2] == b"II" else ">"
        return _turned(_entries(block, order, struct.unpack_from(f"{order}I", block, 4)[0]).get(_ORIENTATION))
    except (struct.error, IndexError, ValueError, OverflowError):
        return 1


def picture_note(content: bytes) -> PictureNote:
    """Return what a JPEG or HEIC file says of itself; an empty note for anything else."""
    try:
        block = heic_exif(content) if is_heic(content) else _exif_block(content)
        return _note(block) if block else PictureNote()
    except (struct.error, IndexError, ValueError, OverflowError):
        return PictureNote()


def _exif_block(content: bytes) -> bytes:
    if not content.startswith(b"\xff\xd8"):
        return b""
    at = 2
    while content[at] == 0xFF and content[at + 1] not in (0xDA, 0xD9):
        if content[at + 1] == 0xFF:  # a fill byte
            at += 1
            continue
        length = struct.unpack_from(">H", content, at + 2)[0]
        if content[at + 1] == 0xE1 and content[at + 4 : at + 10] == b"Exif\0\0":
            return content[at + 10 : at + 2 + length]
        at += 2 + length
    return b""


def _note(block: bytes) -> PictureNote:
    order = "<" if block[:2] == b"II" else ">"
    main = _entries(block, order, struct.unpack_from(f"{order}I", block, 4)[0])
    pointer = main.get(_EXIF)
    more = _entries(block, order, int(pointer)) if isinstance(pointer, (int, float)) else {}
    focal, full_mm = more.get(_FOCAL), more.get(_FOCAL_35)
    named = [str(part) for part in (main.get(_MAKE_MODEL), more.get(_LENS_MODEL)) if part]
    zoom = [f"{float(part):.2f}" for part in (focal, more.get(_ZOOM)) if isinstance(part, (int, float))]
    known = isinstance(full_mm, (int, float)) and 5 <= full_mm <= 500
    return PictureNote(
        _time(str(more.get(_TAKEN, "")), str(more.get(_OFFSET, "")), str(more.get(_PARTS, ""))),
        " ".join([*named, *zoom]),
        float(full_mm) if known and isinstance(full_mm, (int, float)) else None,
        _turned(main.get(_ORIENTATION)),
    )


def _turned(told: str | float | None) -> int:
    return int(told) if isinstance(told, float) and told in range(1, 9) else 1


def _entries(block: bytes, order: str, at: int) -> dict[int, str | float]:
    """Return the entries of one directory by tag, first values only."""
    (count,) = struct.unpack_from(f"{order}H", block, at)
    found: dict[int, str | float] = {}
    for entry in range(at + 2, at + 2 + 12 * min(count, 512), 12):
        tag, kind, values = struct.unpack_from(f"{order}HHI", block, entry)
        size = _SIZES.get(kind, 0) * values
        if not 0 < size <= 4096:
            continue
        start = entry + 8 if size <= 4 else struct.unpack_from(f"{order}I", block, entry + 8)[0]
        raw = block[start : start + size]
        if len(raw) < size:
            continue
        if kind == 2:
            found[tag] = raw.split(b"\0")[0].decode("utf-8", "replace").strip()
        elif kind in (3, 4, 9):
            found[tag] = float(struct.unpack_from(order + {3: "H", 4: "I", 9: "i"}[kind], raw)[0])
        elif kind in (5, 10):
            above, below = struct.unpack_from(order + ("II" if kind == 5 else "ii"), raw)
            if below:
                found[tag] = above / below
    return found


def _time(text: str, offset: str, parts: str) -> datetime | None:
    found = _WHEN.fullmatch(text.strip())
    if found is None:
        return None
    taken = datetime.strptime(found[0], "%Y:%m:%d %H:%M:%S")
    if not _FIRST_YEAR <= taken.year <= _LAST_YEAR:
        return None
    if parts.isdigit():
        taken += timedelta(seconds=float(f"0.{parts[:6]}"))
    ahead = _AHEAD.fullmatch(offset.strip())
    if ahead is None:
        return taken
    minutes = int(ahead[2]) * 60 + int(ahead[3])
    return taken.replace(tzinfo=timezone(timedelta(minutes=minutes if ahead[1] == "+" else -minutes)))

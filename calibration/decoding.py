"""Decode photographs that strangers may have made, in a process of its own, which may fail alone.

``python -m calibration.decoding`` reads files on its standard input, each behind its length, and answers each with
a line of JSON and, where there is a picture, its pixels. It ends when its standard input is closed.
"""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC
from enum import StrEnum
from typing import IO

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.exif import PictureNote, focal_length_px, picture_note
from calibration.picturefile import MOST_PIXELS, PictureError, decode_picture, picture_size

LONGEST_PX = 2000
"""The longer side of what is read: larger pictures say nothing more of a board, and take long."""
FEWEST_PIXELS = 700_000
"""A picture with fewer does not show a board's fields well enough."""
LENGTH = struct.Struct("<I")
_QUARTERS = {3: 2, 4: 2, 5: 1, 6: 1, 7: 3, 8: 3}
"""Quarters, counter-clockwise, by which an upright picture is turned back to lie as the sensor saw it (Exif 2.32)."""


class Spoilt(StrEnum):
    """Reasons for which a file gives no picture."""

    UNREADABLE = "unreadable"
    LARGE = "large"
    SMALL = "small"


@dataclass(frozen=True, slots=True, eq=False)
class Decoded:
    """A photograph as it is read. picture: (height, width, 3) BGR, lying as the sensor saw it, made smaller.

    lens: words that are the same for pictures by one lens at one zoom and size. focal_px: as the file tells it.
    taken_s: seconds since 1970, ``None`` where it does not tell; local: whether its offset from UTC is not told.
    quarters: by how many, counter-clockwise, it was turned from how it is shown.
    """

    picture: NDArray[np.uint8]
    lens: str
    focal_px: float | None
    taken_s: float | None
    local: bool
    quarters: int = 0


def smaller(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a picture not larger than ``LONGEST_PX``."""
    share = LONGEST_PX / max(picture.shape[:2])
    if share >= 1:
        return picture
    size = (round(picture.shape[1] * share), round(picture.shape[0] * share))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def decode(content: bytes) -> Decoded | Spoilt:
    """Decode a file; what else it says, such as where it was taken, is dropped."""
    size = picture_size(content)
    if size is None:
        return Spoilt.UNREADABLE
    if size[0] * size[1] > MOST_PIXELS:
        return Spoilt.LARGE
    if size[0] * size[1] < FEWEST_PIXELS:
        return Spoilt.SMALL
    try:
        upright = smaller(decode_picture(content, LONGEST_PX))
    except PictureError:
        return Spoilt.UNREADABLE
    note = picture_note(content)
    quarters = _quarters(upright, note)
    picture = np.ascontiguousarray(np.rot90(upright, quarters))
    height, width = picture.shape[:2]
    focal = None if note.focal_35_mm is None else focal_length_px(note.focal_35_mm, (width, height))
    taken = note.taken_at
    local = taken is not None and taken.tzinfo is None
    taken_s = None if taken is None else (taken.replace(tzinfo=UTC) if local else taken).timestamp()
    return Decoded(picture, f"{note.lens} {width}x{height}".strip(), focal, taken_s, local, quarters)


def _quarters(upright: NDArray[np.uint8], note: PictureNote) -> int:
    """Return by how many quarters a picture is turned to lie: sensors are wider than high, whatever a file says."""
    quarters = _QUARTERS.get(note.orientation, 0)
    stands = upright.shape[0] > upright.shape[1]
    return quarters if stands == (quarters % 2 == 1) else int(stands)


def answer(found: Decoded | Spoilt) -> bytes:
    """Return what the process says of a file."""
    if isinstance(found, Spoilt):
        return json.dumps({"spoilt": found.value}).encode() + b"\n"
    told = {
        "shape": found.picture.shape,
        "lens": found.lens,
        "focal_px": found.focal_px,
        "taken_s": found.taken_s,
        "local": found.local,
        "quarters": found.quarters,
    }
    return json.dumps(told).encode() + b"\n" + found.picture.tobytes()


def answered(stream: IO[bytes]) -> Decoded | Spoilt:
    """Read an answer. Raises EOFError, ValueError or KeyError where it is none."""
    told: Mapping[str, object] = json.loads(_line(stream))
    if "spoilt" in told:
        return Spoilt(str(told["spoilt"]))
    shape = told["shape"]
    if not isinstance(shape, list) or len(shape) != 3 or shape[2] != 3 or not 0 < max(shape) <= LONGEST_PX:
        raise ValueError("no picture has such a shape")
    pixels = np.frombuffer(exactly(stream, shape[0] * shape[1] * 3), np.uint8).reshape(shape)
    focal_px, taken_s = (None if told[name] is None else float(str(told[name])) for name in ("focal_px", "taken_s"))
    quarters = int(str(told["quarters"])) % 4
    return Decoded(pixels, str(told["lens"])[:200], focal_px, taken_s, bool(told["local"]), quarters)


def exactly(stream: IO[bytes], size: int) -> bytes:
    """Read so many bytes. Raises EOFError."""
    content = stream.read(size)
    if len(content) < size:
        raise EOFError
    return content


def _line(stream: IO[bytes]) -> bytes:
    line = stream.readline(4096)
    if not line.endswith(b"\n"):
        raise EOFError
    return line


def main() -> None:
    """Decode what comes on standard input until it ends."""
    cv2.setNumThreads(1)
    while head := sys.stdin.buffer.read(LENGTH.size):
        (size,) = LENGTH.unpack(head)
        sys.stdout.buffer.write(answer(decode(exactly(sys.stdin.buffer, size))))
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()

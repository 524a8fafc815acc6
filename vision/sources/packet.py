"""One picture as a source gives it, and why a source gives none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sources.address import MAX_SIDE_PX
from vision.sources.jpeg import jpeg_size
from vision.sources.ring import FRAME_MOST, GREY_MOST, GREY_WIDTH

_REDUCED = (
    (8, cv2.IMREAD_REDUCED_GRAYSCALE_8),
    (4, cv2.IMREAD_REDUCED_GRAYSCALE_4),
    (2, cv2.IMREAD_REDUCED_GRAYSCALE_2),
)


class CaptureError(Exception):
    """A source that can't give pictures. why: one of the words of ``Why``; it holds no address and no password."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Why:
    """Reasons for a failure, as the child names them."""

    ABSENT = "absent"  # no such device, file or folder
    REFUSED = "refused"  # the camera wants another user or password
    UNREACHABLE = "unreachable"  # nobody answers, or the connection broke
    NO_PICTURES = "no-pictures"  # something answers, but not with pictures
    GARBAGE = "garbage"  # what came can't be read as pictures


@dataclass(frozen=True, slots=True, eq=False)
class Packet:
    """A picture with its arrival time on the monotonic clock: a JPEG file's bytes, or (h, w, 3) BGR."""

    at_s: float
    jpeg: bytes | None = None
    bgr: NDArray[np.uint8] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Shrunk:
    """A packet after a first look: full size (width, height) and the small (h, w) grey picture."""

    size: tuple[int, int]
    grey: NDArray[np.uint8]


class PacketReader(Protocol):
    """An open source."""

    def read(self) -> Packet | None:
        """Read the next picture; ``None`` when none came for a while.

        Raises CaptureError, and EOFError at the end.
        """

    def close(self) -> None:
        """Let go of it."""


def shrink(packet: Packet) -> Shrunk | None:
    """Look at a packet: ``None`` when it holds no whole picture. A JPEG is decoded at an eighth of its size only."""
    if packet.jpeg is not None:
        return _shrink_jpeg(packet.jpeg)
    bgr = packet.bgr
    if bgr is None or bgr.ndim != 3 or bgr.shape[2] != 3 or not _fits(bgr.shape[1], bgr.shape[0]):
        return None
    # Every nth row and column, then the mean: as good as the mean of all for stillness, at a third of the cost.
    step = max(1, bgr.shape[1] // (2 * GREY_WIDTH))
    small = cv2.resize(bgr[::step, ::step], _small(bgr.shape[1], bgr.shape[0]), interpolation=cv2.INTER_AREA)
    return Shrunk((bgr.shape[1], bgr.shape[0]), np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8))


def _shrink_jpeg(content: bytes) -> Shrunk | None:
    size = jpeg_size(content)
    if size is None or not _fits(*size) or len(content) > FRAME_MOST:
        return None
    flag = next((flag for scale, flag in _REDUCED if size[0] >= scale * GREY_WIDTH), cv2.IMREAD_GRAYSCALE)
    try:
        grey = cv2.imdecode(np.frombuffer(content, np.uint8), flag)
    except cv2.error:
        return None
    if grey is None:
        return None
    if (grey.shape[1] > grey.shape[0]) != (size[0] > size[1]) and size[0] != size[1]:
        size = size[1], size[0]  # the file says that it lies on its side
    small = _small(*size)
    if (grey.shape[1], grey.shape[0]) != small:
        grey = cv2.resize(grey, small, interpolation=cv2.INTER_AREA)
    return Shrunk(size, np.asarray(grey, np.uint8))


def _fits(width: int, height: int) -> bool:
    small = _small(width, height)
    return min(width, height) >= 16 and max(width, height) <= MAX_SIDE_PX and small[0] * small[1] <= GREY_MOST


def _small(width: int, height: int) -> tuple[int, int]:
    """Return the size (width, height) of the small grey picture of a full one."""
    return GREY_WIDTH, max(1, round(height * GREY_WIDTH / width))


def decode(content: NDArray[np.uint8], size: tuple[int, int], jpeg: bool) -> NDArray[np.uint8] | None:
    """Decode the full picture, (height, width, 3) BGR, from a frame's bytes; ``None`` when that fails."""
    if not jpeg:
        return content.reshape(size[1], size[0], 3)
    try:
        picture = cv2.imdecode(content, cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    if picture is None or (picture.shape[1], picture.shape[0]) != size:
        return None
    return np.asarray(picture, np.uint8)

"""The newest frames of one camera in memory shared between its child process and the referee.

The child writes, the referee reads; nobody waits for the other. A frame that is overwritten while it is copied is
told by its number, which the child takes away before it writes and puts back after. The memory has no name, so
nothing is left behind however either side ends; pages are only taken when they are first written.
"""

from __future__ import annotations

import mmap
import os
import struct
import tempfile

import numpy as np
from numpy.typing import NDArray

SLOTS = 12
GREY_WIDTH = 160
"""Width of the small grey frames, pixels; a field of a board that fills the picture measures about ten of them."""
GREY_MOST = 160 * 480
FRAME_MOST = 4096 * 3072 * 3
_HEADER = struct.Struct("<Q")
_SLOT = -(-(_HEADER.size + GREY_MOST + FRAME_MOST) // mmap.PAGESIZE) * mmap.PAGESIZE


def create_ring() -> int:
    """Return a file descriptor of fresh shared memory for a ring."""
    if hasattr(os, "memfd_create"):
        fd = os.memfd_create("referee-frames")
    else:  # not Linux: a nameless file does the same
        with tempfile.TemporaryFile() as file:
            fd = os.dup(file.fileno())
    os.ftruncate(fd, SLOTS * _SLOT)
    return fd


class Ring:
    """One side of the ring."""

    def __init__(self, fd: int) -> None:
        self._memory = mmap.mmap(fd, SLOTS * _SLOT)

    def write(self, number: int, grey: NDArray[np.uint8], frame: bytes | NDArray[np.uint8]) -> int:
        """Put frame ``number`` (from 1) into its slot: its (h, w) small grey picture and its bytes; how many.

        Raises ValueError for a frame larger than a slot.
        """
        data = np.frombuffer(frame, np.uint8) if isinstance(frame, bytes) else frame.reshape(-1)
        if data.size > FRAME_MOST or grey.size > GREY_MOST:
            raise ValueError(f"a frame of {data.size} bytes is too large")
        at = number % SLOTS * _SLOT
        _HEADER.pack_into(self._memory, at, 0)
        self._place(at + _HEADER.size, grey.size)[:] = grey.reshape(-1)
        self._place(at + _HEADER.size + GREY_MOST, data.size)[:] = data
        _HEADER.pack_into(self._memory, at, number)
        return int(data.size)

    def grey(self, number: int, shape: tuple[int, int]) -> NDArray[np.uint8] | None:
        """Return a copy of the small grey picture of frame ``number``, ``None`` when it is overwritten."""
        copied = self._copy(number, 0, shape[0] * shape[1])
        return None if copied is None else copied.reshape(shape)

    def frame(self, number: int, size: int) -> NDArray[np.uint8] | None:
        """Return a copy of the bytes of frame ``number``, (size,), ``None`` when it is overwritten."""
        return self._copy(number, GREY_MOST, size)

    def _copy(self, number: int, offset: int, size: int) -> NDArray[np.uint8] | None:
        at = number % SLOTS * _SLOT
        if _HEADER.unpack_from(self._memory, at)[0] != number:
            return None
        copied = self._place(at + _HEADER.size + offset, size).copy()
        return copied if _HEADER.unpack_from(self._memory, at)[0] == number else None

    def _place(self, at: int, size: int) -> NDArray[np.uint8]:
        return np.frombuffer(self._memory, np.uint8, size, at)

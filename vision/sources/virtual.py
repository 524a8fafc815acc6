"""Pictures of a table that exists in the computer: the process that draws them listens at a Unix socket.

Each picture comes as a head (width, height, when it was taken on the monotonic clock) and its pixels, BGR.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import time
from pathlib import Path

import numpy as np

from vision.sources.address import MAX_SIDE_PX, Source
from vision.sources.packet import CaptureError, Packet, Why

HEAD = struct.Struct("<IId")
_PATIENCE_S = 2.0
_OPEN_S, _POLL_S = 6.0, 0.1
"""Time that the drawing process may take to begin, as it is started together with the cameras, and the interval of
tries."""


class VirtualReader:
    """The camera's end."""

    def __init__(self, source: Source) -> None:
        """Connect to the drawing process. Raises CaptureError where none listens."""
        until_s = time.monotonic() + _OPEN_S
        while (found := _connected(source.location)) is None:
            if time.monotonic() > until_s:
                raise CaptureError(Why.ABSENT)
            time.sleep(_POLL_S)
        self._socket = found

    def read(self) -> Packet | None:
        """Read the next picture; ``None`` when none came for a while. Raises CaptureError when the camera is gone."""
        try:
            first = self._socket.recv(1)
        except TimeoutError:
            return None
        except OSError:
            raise CaptureError(Why.UNREACHABLE) from None
        width, height, at_s = HEAD.unpack(first + self._exactly(HEAD.size - len(first)))
        if not 0 < width <= MAX_SIDE_PX or not 0 < height <= MAX_SIDE_PX:
            raise CaptureError(Why.GARBAGE)
        pixels = np.frombuffer(self._exactly(width * height * 3), np.uint8)
        return Packet(at_s, bgr=pixels.reshape(height, width, 3))

    def _exactly(self, size: int) -> bytearray:
        content = bytearray(size)
        view, got = memoryview(content), 0
        while got < size:
            try:
                count = self._socket.recv_into(view[got:])
            except OSError:
                count = 0
            if not count:
                raise CaptureError(Why.UNREACHABLE)
            got += count
        return content

    def close(self) -> None:
        """Unplug it."""
        self._socket.close()


def _connected(where: str) -> socket.socket | None:
    """Return a connection to a socket, ``None`` while nobody listens there."""
    found = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    found.settimeout(_PATIENCE_S)
    path = Path(where)
    try:
        # A socket's address may be some 100 bytes long, a path longer. Nothing else in this process needs the folder.
        with contextlib.chdir(path.parent):
            found.connect(path.name)
    except OSError:
        found.close()
        return None
    return found

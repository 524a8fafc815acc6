"""Pictures that a phone sends to the referee's page: handed down to the camera's child process, as from any camera.

Down a pair of sockets go a length and so many bytes of JPEG. Nothing is looked at before it is in the child.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
import time

from vision.sources.packet import CaptureError, Packet, Why

LARGEST_JPEG = 1_500_000
"""A phone sends pictures of 1280 x 960 at a quality that takes some 300 kB."""
_HEAD = struct.Struct("<Id")
_PATIENCE_S = 1.0


class PhoneReader:
    """The child's end."""

    def __init__(self, feed_fd: int) -> None:
        """Open the socket from the referee. Raises CaptureError where there is none."""
        if feed_fd < 0:
            raise CaptureError(Why.ABSENT)
        self._feed = socket.socket(fileno=feed_fd)

    def read(self) -> Packet | None:
        """Read the next picture a phone has sent. Raises CaptureError when the referee is gone."""
        size, at_s = _HEAD.unpack(self._exactly(_HEAD.size))
        if size > LARGEST_JPEG:
            raise CaptureError(Why.GARBAGE)
        return Packet(at_s, jpeg=self._exactly(size))

    def _exactly(self, size: int) -> bytes:
        content = bytearray()
        while len(content) < size:
            chunk = self._feed.recv(size - len(content))
            if not chunk:
                raise CaptureError(Why.UNREACHABLE)
            content += chunk
        return bytes(content)

    def close(self) -> None:
        """Let go of the sockets."""
        self._feed.close()


class PhoneFeed:
    """The referee's end. ``offer`` may be called from any thread."""

    def __init__(self) -> None:
        self._ours, self._theirs = socket.socketpair()
        self._ours.settimeout(_PATIENCE_S)
        self._busy = threading.Lock()

    @property
    def child_fd(self) -> int:
        """Return the end that the child reads; ``handed_on`` closes it here."""
        return self._theirs.fileno()

    def handed_on(self) -> None:
        """Close the child's end here, since the child has it now."""
        self._theirs.close()

    def offer(self, jpeg: bytes, age_s: float) -> bool:
        """Hand down a picture taken ``age_s`` ago. Return whether it was taken.

        It is not taken while the one before is on its way.
        """
        if len(jpeg) > LARGEST_JPEG or not self._busy.acquire(blocking=False):
            return False
        try:
            self._ours.sendall(_HEAD.pack(len(jpeg), time.monotonic() - age_s) + jpeg)
        except OSError:  # half a picture may have been sent: the next one would be misread
            self.close()
            return False
        finally:
            self._busy.release()
        return True

    def close(self) -> None:
        """End it; the child hears that, and ends."""
        with contextlib.suppress(OSError):
            self._ours.shutdown(socket.SHUT_RDWR)
        self._ours.close()
        self._theirs.close()

"""The process that reads one camera: ``python -m vision.sources.child RING_FD MESSAGES_FD [FEED_FD]``.

Its source comes on standard input. A read from a camera may block for half a minute, crash in a driver, or hang for
good; in a process of its own it can be ended. Frames go into the shared ring, a line of JSON about each goes down the
pipe. It ends itself when its standard input is closed, which happens however the referee ends.
"""

from __future__ import annotations

import json
import math
import os
import signal
import sys
import threading
import time
from typing import Any

import cv2
import numpy as np

from vision.sources.address import LIVE_FPS, Scheme, Source
from vision.sources.packet import CaptureError, Packet, PacketReader, Shrunk, Why, shrink
from vision.sources.phone import PhoneReader
from vision.sources.readers import UsbReader, open_reader
from vision.sources.ring import Ring

BEAT_S = 0.5
EARLY = 0.75
"""A live frame is left out when it comes before this share of the time between two frames has passed."""


def source_json(source: Source) -> str:
    """Return what the child is told; it holds the password, so it goes down a pipe and never into arguments."""
    fields = {name: getattr(source, name) for name in Source.__slots__ if name != "public"}
    fields["fps"] = None if source.fps is None else min(source.fps, 1e9)
    return json.dumps(fields)


def _source(text: str) -> Source:
    fields = json.loads(text)
    fields["scheme"] = Scheme(fields["scheme"])
    fields["size"] = tuple(fields["size"]) if fields["size"] else None
    if fields["fps"] == 1e9:
        fields["fps"] = math.inf
    return Source(public="", **fields)


class _Newest:
    """Reads a live source as fast as it gives, and keeps the newest picture only."""

    def __init__(self, reader: PacketReader) -> None:
        self._reader = reader
        self._changed = threading.Condition()
        self._packet: Packet | None = None
        self._failure: Exception | None = None
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            while True:
                packet = self._reader.read()
                with self._changed:
                    self._packet = packet or self._packet
                    self._changed.notify()
        except Exception as failure:
            with self._changed:
                self._failure = failure
                self._changed.notify()

    def read(self) -> Packet | None:
        with self._changed:
            self._changed.wait_for(lambda: self._packet is not None or self._failure is not None, BEAT_S)
            packet, self._packet = self._packet, None
            if packet is None and self._failure is not None:
                raise self._failure
            return packet

    def close(self) -> None:
        self._reader.close()


class _Teller:
    """Sends lines of JSON down the pipe, and a beat at least twice a second while nothing else is said."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._last_s = 0.0

    def tell(self, **what: Any) -> None:
        os.write(self._fd, json.dumps(what).encode() + b"\n")
        self._last_s = time.monotonic()

    def beat(self) -> None:
        if time.monotonic() - self._last_s >= BEAT_S:
            self.tell(beat=1)


def _same(one: tuple[Packet, Shrunk], other: tuple[Packet, Shrunk]) -> bool:
    """Return whether two pictures are the very same; full ones are compared only where the small ones are alike."""
    if not np.array_equal(one[1].grey, other[1].grey) or one[0].jpeg != other[0].jpeg:
        return False
    return one[0].bgr is None or other[0].bgr is None or np.array_equal(one[0].bgr, other[0].bgr)


def _work(source: Source, ring: Ring, teller: _Teller, feed_fd: int) -> None:
    opened: PacketReader = PhoneReader(feed_fd) if source.scheme is Scheme.PHONE else open_reader(source)
    reader: PacketReader = _Newest(opened) if source.live else opened
    least_s = EARLY / (source.fps or LIVE_FPS) if source.live else 0.0
    number, last_s, told_locks = 0, -math.inf, False
    before: tuple[Packet, Shrunk] | None = None
    while True:
        packet = reader.read()
        if isinstance(opened, UsbReader) and opened.locks is not None and not told_locks:
            told_locks = True
            teller.tell(held=opened.locks.held, free=opened.locks.free)
        if packet is None or packet.at_s - last_s < least_s:
            teller.beat()
            continue
        seen = shrink(packet)
        content = packet.jpeg if packet.jpeg is not None else packet.bgr
        if seen is None or content is None:
            teller.tell(bad=1)
            continue
        number, last_s = number + 1, packet.at_s
        count = ring.write(number, seen.grey, content)
        teller.tell(
            frame=number,
            at=packet.at_s,
            size=seen.size,
            grey=seen.grey.shape,
            bytes=count,
            jpeg=packet.jpeg is not None,
            same=before is not None and _same(before, (packet, seen)),
        )
        before = packet, seen


def _line(fd: int) -> str:
    # Read byte by byte, so that no buffer swallows what follows.
    line = b""
    while not line.endswith(b"\n") and (one := os.read(fd, 1)):
        line += one
    return line.decode()


def _end_with_parent() -> None:
    while os.read(0, 4096):
        pass
    os._exit(0)


def main(ring_fd: int, messages_fd: int, feed_fd: int = -1) -> None:
    """Read the source told on standard input until it ends or fails, or the referee goes away."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the referee, which then closes our input
    cv2.setNumThreads(1)
    source = _source(_line(0))
    threading.Thread(target=_end_with_parent, daemon=True).start()
    teller = _Teller(messages_fd)
    try:
        _work(source, Ring(ring_fd), teller, feed_fd)
    except EOFError:
        teller.tell(end=1)
    except CaptureError as failure:
        teller.tell(fail=failure.why)
    except BrokenPipeError:
        pass
    except Exception as failure:  # a driver's or library's own; its text may hold the address
        teller.tell(fail=Why.NO_PICTURES, kind=type(failure).__name__)
    os._exit(0)  # a thread may still hang in a driver


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

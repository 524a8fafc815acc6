"""Open sources that OpenCV reads, and folders. They block, so they are opened in a child process only."""

from __future__ import annotations

import contextlib
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from calibration.picturefile import MOST_PIXELS, PictureError, decode_picture
from vision.sources.address import Scheme, Source
from vision.sources.controls import CameraControls, lock_when_settled
from vision.sources.http import HttpReader
from vision.sources.packet import CaptureError, Packet, PacketReader, Why
from vision.sources.virtual import VirtualReader

OPEN_TIMEOUT_MS = 8000
READ_TIMEOUT_MS = 4000
LARGEST_FILE_BYTES = 64 << 20
"""A picture in a folder is no larger file than this."""
PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png")
_OPTIONS = "OPENCV_FFMPEG_CAPTURE_OPTIONS"
# What FFmpeg may open in turn: a playlist or a redirect must not lead it to other files or commands.
_FILE_OPTIONS = "protocol_whitelist;file|format_whitelist;avi,mov,matroska,webm,mpeg,mpegts,mjpeg,mpegvideo|threads;1"
_RTSP_OPTIONS = "rtsp_transport;tcp|protocol_whitelist;rtsp,rtsps,rtp,tcp,tls,crypto|threads;1"
_POLL_S = 0.1
_LONGEST_SLEEP_S = 0.4
_HALF_WRITTEN_S = 1.0
"""A picture in a watched folder that can't be read is given so long to be written to its end."""


def open_reader(source: Source) -> PacketReader:
    """Open a source. Raises CaptureError."""
    match source.scheme:
        case Scheme.USB:
            return UsbReader(source)
        case Scheme.RTSP | Scheme.RTSPS:
            return RtspReader(source)
        case Scheme.HTTP | Scheme.HTTPS:
            return HttpReader(source)
        case Scheme.FILE:
            return VideoReader(source)
        case Scheme.FOLDER:
            return FolderReader(source)
        case Scheme.PHONE:  # only the child of a running referee is handed its pictures
            raise CaptureError(Why.ABSENT)
        case Scheme.VIRTUAL:
            return VirtualReader(source)


def _due(due_s: float) -> bool:
    """Wait for a time, but not long: whether it has come."""
    left_s = due_s - time.monotonic()
    time.sleep(min(max(left_s, 0.0), _LONGEST_SLEEP_S))
    return left_s <= _LONGEST_SLEEP_S


def _capture(where: str, backend: int, options: str, settings: list[int]) -> cv2.VideoCapture:
    os.environ[_OPTIONS] = options
    return cv2.VideoCapture(where, backend, settings)


def pixels(video: cv2.VideoCapture) -> int:
    """Return how many pixels a film says its pictures have, before any is decoded."""
    return int(video.get(cv2.CAP_PROP_FRAME_WIDTH) * video.get(cv2.CAP_PROP_FRAME_HEIGHT))


class VideoReader:
    """A video file, in real time unless told otherwise. Motion-JPEG is handed on undecoded."""

    def __init__(self, source: Source) -> None:
        if not Path(source.location).is_file():
            raise CaptureError(Why.ABSENT)
        self._source = source
        self._raw = True
        self._open()
        ok, first = self._video.read()
        if not ok or bytes(first.reshape(-1)[:2]) != b"\xff\xd8":
            self._raw = False
        self._open()
        rate = float(self._video.get(cv2.CAP_PROP_FPS))
        fps = source.fps or (rate if 0.1 <= rate <= 240 else 25.0)
        self._step_s = 1 / fps
        self._due_s = time.monotonic()

    def _open(self) -> None:
        settings = [cv2.CAP_PROP_FORMAT, -1] if self._raw else []
        self._video = _capture("file:" + self._source.location, cv2.CAP_FFMPEG, _FILE_OPTIONS, settings)
        if not self._video.isOpened() or pixels(self._video) > MOST_PIXELS:
            raise CaptureError(Why.NO_PICTURES)

    def read(self) -> Packet | None:
        """Read the next frame, when it is due. Raises EOFError at the end."""
        if not _due(self._due_s):
            return None
        # A second behind at most: frames missed while the computer slept are skipped.
        self._due_s = max(self._due_s + self._step_s, time.monotonic() - 1.0)
        ok, frame = self._video.read()
        if not ok and self._source.loop:
            self._video.release()
            self._open()
            ok, frame = self._video.read()
        if not ok:
            raise EOFError
        if self._raw:
            return Packet(time.monotonic(), jpeg=frame.tobytes())
        return Packet(time.monotonic(), bgr=np.asarray(frame, np.uint8))

    def close(self) -> None:
        """Close the file."""
        self._video.release()


class FolderReader:
    """Pictures of a folder by name, one a frame; watched, it goes on with those that come later."""

    def __init__(self, source: Source) -> None:
        self._folder = Path(source.location)
        if not self._folder.is_dir():
            raise CaptureError(Why.ABSENT)
        self._source = source
        self._step_s = 1 / (source.fps or 1.0)
        self._due_s = time.monotonic()
        self._done: set[str] = set()
        self._names: Iterator[str] = iter(())

    def read(self) -> Packet | None:
        """Read the next picture, when it is due. Raises EOFError after the last, unless the folder is watched."""
        if not _due(self._due_s):
            return None
        until = time.monotonic() + _LONGEST_SLEEP_S
        while (name := self._next()) is None:
            if not self._source.watch:
                raise EOFError
            if time.monotonic() >= until:
                return None
            time.sleep(_POLL_S)
        self._done.add(name)
        self._due_s = max(self._due_s + self._step_s, time.monotonic())
        return self._load(self._folder / name)

    def _next(self) -> str | None:
        name = next(self._names, None)
        if name is None:
            try:
                found = {path.name for path in self._folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES}
            except OSError:
                raise CaptureError(Why.ABSENT) from None
            self._done &= found  # names of deleted files need not be remembered
            if self._source.loop and found and found == self._done:
                self._done.clear()
            self._names = iter(sorted(found - self._done))
            name = next(self._names, None)
        return name

    def _load(self, path: Path) -> Packet:
        until = time.monotonic() + (_HALF_WRITTEN_S if self._source.watch else 0.0)
        while True:
            content = _content(path)
            if content[:2] == b"\xff\xd8" and b"\xff\xd9" in content[-1024:]:
                return Packet(time.monotonic(), jpeg=content)
            if content[:4] == b"\x89PNG" and b"IEND" in content[-12:]:
                with contextlib.suppress(PictureError):
                    return Packet(time.monotonic(), bgr=decode_picture(content))
            if time.monotonic() >= until:
                return Packet(time.monotonic())
            time.sleep(_POLL_S)

    def close(self) -> None:
        """Do nothing: a folder needs no closing."""


def _content(path: Path) -> bytes:
    """Read a file; empty for one that can't be read, is no plain file, or is too large for a picture.

    It is opened without waiting: a pipe with a picture's name would keep the camera waiting forever.
    """
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return b""
    found = os.fstat(handle)
    if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST_FILE_BYTES:
        os.close(handle)
        return b""
    with os.fdopen(handle, "rb") as file, contextlib.suppress(OSError):
        return file.read(LARGEST_FILE_BYTES)
    return b""


class RtspReader:
    """A network camera's stream, over TCP, so that no half pictures come."""

    def __init__(self, source: Source) -> None:
        times = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPEN_TIMEOUT_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, READ_TIMEOUT_MS]
        self._video = _capture(source.location, cv2.CAP_FFMPEG, _RTSP_OPTIONS, times)
        if not self._video.isOpened():
            raise CaptureError(Why.UNREACHABLE)

    def read(self) -> Packet | None:
        """Read the next frame. Raises CaptureError when the stream breaks."""
        ok, frame = self._video.read()
        if not ok:
            raise CaptureError(Why.UNREACHABLE)
        return Packet(time.monotonic(), bgr=np.asarray(frame, np.uint8))

    def close(self) -> None:
        """Close the stream."""
        self._video.release()


class UsbReader:
    """A camera at this computer, by V4L2, asked for Motion-JPEG, which is handed on undecoded."""

    def __init__(self, source: Source) -> None:
        if not Path(source.location).exists():
            raise CaptureError(Why.ABSENT)
        device = os.path.realpath(source.location)
        settings = [cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")]
        if source.size is not None:
            settings += [cv2.CAP_PROP_FRAME_WIDTH, source.size[0], cv2.CAP_PROP_FRAME_HEIGHT, source.size[1]]
        self._video = _capture(device, cv2.CAP_V4L2, "", settings)
        if not self._video.isOpened():
            raise CaptureError(Why.UNREACHABLE)
        self._video.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._raw = self._video.get(cv2.CAP_PROP_FOURCC) == cv2.VideoWriter.fourcc(*"MJPG")
        if self._raw:
            self._raw = bool(self._video.set(cv2.CAP_PROP_CONVERT_RGB, 0))
        self._locking = lock_when_settled(self._video) if source.lock else None
        self.locks: CameraControls | None = None

    def read(self) -> Packet | None:
        """Read the next frame. Raises CaptureError when the camera is gone."""
        ok, frame = self._video.read()
        if not ok:
            raise CaptureError(Why.UNREACHABLE)
        if self._locking is not None and self.locks is None:
            self.locks = self._locking(time.monotonic())
        if self._raw and frame.ndim != 3:
            return Packet(time.monotonic(), jpeg=frame.tobytes())
        return Packet(time.monotonic(), bgr=np.asarray(frame, np.uint8))

    def close(self) -> None:
        """Let go of the device."""
        self._video.release()

"""The referee's end of a child process: start it, listen to it, end it."""

from __future__ import annotations

import contextlib
import errno
import os
import select
import subprocess
import sys
from pathlib import Path
from typing import Annotated, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from vision.sources.address import MAX_SIDE_PX, Scheme, Source
from vision.sources.child import source_json
from vision.sources.phone import PhoneFeed
from vision.sources.ring import FRAME_MOST, GREY_MOST, Ring, create_ring

_LONGEST_LINE = 4096
_ROOT = Path(__file__).parents[2]
_GreySide = Annotated[int, Field(ge=1, le=480)]
_Side = Annotated[int, Field(ge=1, le=MAX_SIDE_PX)]


class MessageError(Exception):
    """The child said something it never says: it can't be trusted any more."""


class _Message(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class FrameTold(_Message):
    """A frame is in the ring."""

    frame: Annotated[int, Field(ge=1)]
    at: float
    size: Annotated[tuple[_Side, _Side], Field(strict=False)]
    grey: Annotated[tuple[_GreySide, _GreySide], Field(strict=False)]
    bytes: Annotated[int, Field(ge=1, le=FRAME_MOST)]
    jpeg: bool
    same: bool


class NoteTold(_Message):
    """Anything else: a beat, a picture that could not be read, the end, a failure, what could be held fixed."""

    beat: int = 0
    bad: int = 0
    end: int = 0
    fail: Annotated[str, Field(max_length=40)] = ""
    kind: Annotated[str, Field(max_length=80)] = ""
    held: Annotated[tuple[str, ...], Field(strict=False)] = ()
    free: Annotated[tuple[str, ...], Field(strict=False)] = ()


Told: TypeAlias = FrameTold | NoteTold
_TOLD: TypeAdapter[Told] = TypeAdapter(FrameTold | NoteTold)


class Child:
    """A running child. Leaving the context ends it for good, even one that is stopped or hangs in a driver."""

    def __init__(
        self, process: subprocess.Popen[bytes], ring: Ring, messages_fd: int, feed: PhoneFeed | None = None
    ) -> None:
        self.ring = ring
        self.feed = feed
        self._process = process
        self._messages_fd = messages_fd
        self._waiting = b""

    @classmethod
    def start(cls, source: Source) -> Child:
        """Start a child that reads ``source``. Raises OSError, also on Windows, which hands no open files down."""
        if os.name == "nt":
            raise OSError(errno.ENOTSUP, "live cameras need Linux or macOS; photographs need neither")
        ring_fd = create_ring()
        read_fd, write_fd = os.pipe()
        feed = PhoneFeed() if source.scheme is Scheme.PHONE else None
        down = () if feed is None else (feed.child_fd,)
        try:
            ring = Ring(ring_fd)
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "vision.sources.child", *map(str, (ring_fd, write_fd, *down))],
                stdin=subprocess.PIPE,
                # Libraries print addresses with their passwords when a connection fails.
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(ring_fd, write_fd, *down),
                env=child_environment(),
                start_new_session=True,
            )
        except BaseException:
            os.close(read_fd)
            if feed is not None:
                feed.close()
            raise
        finally:
            os.close(ring_fd)
            os.close(write_fd)
            if feed is not None:
                feed.handed_on()
        os.set_blocking(read_fd, False)
        child = cls(process, ring, read_fd, feed)
        assert process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(source_json(source).encode() + b"\n")
            process.stdin.flush()
        return child

    @property
    def pid(self) -> int:
        """Return the process id."""
        return self._process.pid

    def listen(self, timeout_s: float) -> list[Told]:
        """Listen to the child for a while. Return what it said.

        Raises EOFError when it has ended, MessageError for what it never says.
        """
        if not select.select([self._messages_fd], [], [], timeout_s)[0]:
            return []
        said = os.read(self._messages_fd, 1 << 16)
        if not said:
            raise EOFError
        *lines, self._waiting = (self._waiting + said).split(b"\n")
        if len(self._waiting) > _LONGEST_LINE:
            raise MessageError
        try:
            told = [_TOLD.validate_json(line) for line in lines]
        except ValidationError:
            raise MessageError from None
        if any(isinstance(one, FrameTold) and one.grey[0] * one.grey[1] > GREY_MOST for one in told):
            raise MessageError
        return told

    def kill(self) -> None:
        """End it at once; it has nothing to save."""
        with contextlib.suppress(OSError):
            self._process.kill()

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._process.wait()
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        if self.feed is not None:
            self.feed.close()
        os.close(self._messages_fd)


def child_environment() -> dict[str, str]:
    """Return the environment of a child: ours, which finds modules as here, without OpenCV's settings."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("OPENCV_")}
    paths = [str(_ROOT), *filter(None, ours.get("PYTHONPATH", "").split(os.pathsep))]
    return ours | {"PYTHONPATH": os.pathsep.join(paths), "OPENCV_LOG_LEVEL": "OFF", "OMP_NUM_THREADS": "1"}

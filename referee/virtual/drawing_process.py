"""The referee's end of the drawing process: it starts it, sends it scenes, ends it."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from referee.values.closing import Closing
from referee.virtual.scene import TableScene
from vision.sources.process import child_environment

_STARTS_S = 30.0
_LOOK_S = 0.05


class DrawingProcess(Closing):
    """Cameras that draw the newest scene; a context manager. Any thread may call ``show``."""

    def __init__(self, folder: Path, fps: float = 15.0) -> None:
        """Start the process. folder: the table's; the cameras' sockets appear beside its ``table.json``."""
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "referee.virtual.studio", str(folder), str(fps)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env=child_environment(),
            start_new_session=True,
        )
        self._folder = folder
        self._mutex = threading.Lock()

    @property
    def pid(self) -> int:
        """Return the process id."""
        return self._process.pid

    def await_cameras(self, names: Sequence[str], pause: Callable[[float], bool]) -> None:
        """Wait until cameras are plugged in, which they are from the first scene shown.

        A reader that looks for one too early takes it for missing. pause: waits so many seconds, and returns whether
        to stop.
        """
        until_s = time.monotonic() + _STARTS_S
        while not all((self._folder / f"{name}.socket").exists() for name in names):
            if time.monotonic() > until_s or self._process.poll() is not None or pause(_LOOK_S):
                return

    def show(self, scene: TableScene) -> None:
        """Draw this from now on."""
        assert self._process.stdin is not None
        with self._mutex, contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(scene.text.encode() + b"\n")
            self._process.stdin.flush()

    def close(self) -> None:
        """End it; it has nothing to save."""
        self._process.kill()
        self._process.wait()
        with self._mutex, contextlib.suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.close()

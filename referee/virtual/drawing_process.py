"""The referee's end of the drawing process: starts it, tells it scenes, ends it."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType

from referee.virtual.scene import TableScene
from vision.sources.process import child_environment


class DrawingProcess:
    """Cameras that draw the newest scene; a context manager. Any thread may show."""

    def __init__(self, folder: Path, fps: float = 15.0) -> None:
        """folder: the table's; the cameras' sockets come to lie beside its ``table.json``."""
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "referee.virtual.studio", str(folder), str(fps)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env=child_environment(),
            start_new_session=True,
        )
        self._mutex = threading.Lock()

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

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

    def __enter__(self) -> DrawingProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.close()

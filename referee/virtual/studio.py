"""The process that draws: ``python -m referee.virtual.studio FOLDER [FPS]``, scenes as JSON lines on standard input.

FOLDER holds the table folder's ``table.json``; each camera is a socket beside it, ``left.socket`` and so on, as
``virtual:left`` names them. Frames go to whoever listens; who is slow misses some. An unplugged camera's socket is
gone. It works at low priority, so that a slow machine draws fewer frames and the referee does not notice, and it ends
itself when its input does.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import threading
import time
from pathlib import Path

import cv2

from calibration.table import TableSetup, load_table
from referee.games import game_named
from referee.service.memory import bound_memory
from referee.values.kit import Kit
from referee.virtual.drawing.eye import DrawnCamera
from referee.virtual.lenses import SIZE
from referee.virtual.scene import TableScene
from vision.sources.virtual import HEAD

FPS = 15.0
_NICE = 2
_SEND_S = 5.0
"""Who takes longer to take a picture in is given up; on a busy machine a second can pass with nothing read."""


class _Shutter:
    """One camera: its socket while it is plugged in, and its listeners."""

    def __init__(self, path: Path, eye: DrawnCamera) -> None:
        self._path, self._eye = path, eye
        self._listening: socket.socket | None = None
        self._clients: list[socket.socket] = []

    def plugged(self, there: bool) -> None:
        """Plug the camera in, or pull its cable."""
        if there and self._listening is None:
            self._path.unlink(missing_ok=True)
            listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            # A socket's address may be some 100 bytes long, a path longer. Nothing else here needs the folder.
            with contextlib.chdir(self._path.parent):
                listening.bind(self._path.name)
            listening.listen(4)
            listening.setblocking(False)
            self._listening = listening
        elif not there and self._listening is not None:
            self._listening.close()
            self._listening = None
            self._path.unlink(missing_ok=True)
            while self._clients:
                self._clients.pop().close()

    def frame(self, scene: TableScene) -> None:
        """Send the next frame to whoever listens."""
        self._welcome()
        if not self._clients:
            return
        picture = self._eye.picture(scene)
        head = HEAD.pack(SIZE[0], SIZE[1], time.monotonic())
        for client in tuple(self._clients):
            try:
                client.sendall(head)
                client.sendall(picture.data.cast("B"))
            except OSError:
                self._clients.remove(client)
                client.close()

    def _welcome(self) -> None:
        while self._listening is not None:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            client.settimeout(_SEND_S)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 22)
            self._clients.append(client)


class Studio:
    """Draws the newest scene it was told, ``fps`` times a second."""

    def __init__(self, folder: Path, table: TableSetup, kit: Kit) -> None:
        self._shutters = {
            name: _Shutter(folder / f"{name}.socket", DrawnCamera(name, table, kit))
            for name in table.cameras
            if name not in table.held
        }
        self._told = threading.Event()
        self._scene: TableScene | None = None

    def tell(self, scene: TableScene) -> None:
        """Draw a scene from now on."""
        self._scene = scene
        self._told.set()

    def run(self, fps: float) -> None:
        """Draw for good."""
        self._told.wait()
        due_s = time.monotonic()
        while (scene := self._scene) is not None:
            for name, shutter in self._shutters.items():
                shutter.plugged(name not in scene.unplugged)
                shutter.frame(scene)
            due_s = max(due_s + 1 / fps, time.monotonic() - 0.5 / fps)
            time.sleep(max(0.0, due_s - time.monotonic()))


def main(folder: Path, fps: float) -> None:
    """Draw until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the referee, which then closes our input
    with contextlib.suppress(OSError):
        os.nice(_NICE)
    cv2.setNumThreads(1)
    bound_memory()
    table = load_table(folder)
    studio = Studio(folder, table, game_named(table.game).kit)
    threading.Thread(target=studio.run, args=(fps,), daemon=True).start()
    for line in sys.stdin:
        studio.tell(TableScene.parse(line))
    os._exit(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else FPS)

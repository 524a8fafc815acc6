"""``referee run`` on two network cameras over one table, which do what a test asks of them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from referee.demo.recording import BUNDLED, Recording
from tests.demo.awaiting import until
from tests.demo.command import Demo
from tests.vision.sources.webcam import Webcam, webcam

RECORDING = Recording.open(BUNDLED)
FPS = 5


class Cameras:
    """Two network cameras over one table."""

    def __init__(self, parts: ExitStack) -> None:
        self._noise = [np.random.default_rng(n).normal(0, 2, (960, 1280, 1)).astype(np.float32) for n in range(3)]
        self.look = 0
        self.of = {name: parts.enter_context(webcam()) for name in RECORDING.looks[0].pictures}
        self.show(0)

    def show(self, look: int, covered: bool = False) -> None:
        """Put the board of a look before all cameras, before all at once; something may lie on cam0's lens."""
        self.look = look
        pictures = {name: self._pictures(name) for name in self.of}
        for name, server in self.of.items():
            server.fps, server.own = FPS, pictures[name]
        if covered:
            self.cover("cam0")

    def _pictures(self, name: str) -> list[bytes]:
        picture = RECORDING.looks[self.look].load()[name]
        noisy = [np.clip(picture + noise, 0, 255).astype(np.uint8) for noise in self._noise]
        return [bytes(cv2.imencode(".jpg", one)[1]) for one in noisy]

    def cover(self, name: str) -> None:
        """Let something lie on a camera's lens: its pictures are black but for their noise."""
        dark = (np.clip(np.tile(noise, 3), 0, 255).astype(np.uint8) for noise in self._noise)
        self.of[name].own = [bytes(cv2.imencode(".jpg", one)[1]) for one in dark]

    def back(self, name: str, server: Webcam) -> None:
        """Bring a camera back on its old address."""
        self.of[name] = server
        server.fps, server.own = FPS, self._pictures(name)


class Run:
    """A referee with its address."""

    def __init__(self, demo: Demo) -> None:
        self.demo, self.url = demo, demo.url

    def state(self) -> dict[str, Any]:
        return self.until(lambda state: True)

    def until(self, true: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        return until(self.demo, self.url, true)

    def told(self, camera: str, words: str) -> None:
        """Wait until the page says so of a camera, in the list of cameras and as a notice."""

        def says(state: dict[str, Any]) -> bool:
            found = {one["name"]: one for one in state["cameras"]}[camera]
            notices = " ".join(notice["words"] for notice in state["notices"])
            return not found["ok"] and words in found["words"] and words in notices

        self.until(says)

    def blind(self, state: dict[str, Any], words: str) -> None:
        """Hold that the newest ruling says so of a camera, in the record and in its own sentence."""
        assert words in " ".join(state["history"][-1]["sightless"])
        assert words in state["banner"]["detail"]

    def well(self, camera: str) -> None:
        self.until(lambda state: {one["name"]: one["ok"] for one in state["cameras"]}[camera])

    def gone(self, child: int) -> None:
        self.until(lambda state: child not in self.children())

    def children(self) -> list[int]:
        """Return the processes that read the cameras."""
        tasks = Path(f"/proc/{self.demo.process.pid}/task").glob("*/children")
        return sorted(int(pid) for task in tasks for pid in task.read_text().split())


@contextmanager
def refereed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Run, Cameras]]:
    """Referee the recording's table, seen by two network cameras, until its game has begun."""
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(folder / "data"))
    # Nobody presses here: a still board ends the turn, once the last of the cameras has surely sent it.
    monkeypatch.setenv("REFEREE_TURN_END_STILL_S", "3.0")
    shutil.copytree(BUNDLED, folder / "table")
    game = folder / "game.json"
    game.write_text(json.dumps(RECORDING.position), encoding="utf-8")
    with ExitStack() as parts:
        cameras = Cameras(parts)
        urls = [part for name, server in cameras.of.items() for part in ("--camera", f"{name}={server.url()}")]
        run = Run(parts.enter_context(Demo.run(str(folder / "table"), "--game", str(game), *urls)))
        run.until(lambda state: state["phase"]["id"] == "playing")
        yield run, cameras

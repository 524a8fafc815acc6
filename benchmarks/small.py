"""Measures a small computer: the whole referee on a quarter of a core and in 1 GB, from the button to the ruling.

``referee run`` with all its processes is held by the system's control groups, which takes root. Cameras, phone and
page are outside. A phone's photographs come over HTTP as fast as they are taken in, so no hand's time counts; cameras
stream 15 pictures a second.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import tempfile
import threading
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

import cv2
import numpy as np

from benchmarks.latency import Listener
from benchmarks.measure import Section, table
from referee.games import package_named
from referee.service.pairing import open_auth
from referee.virtual.drawing.eye import DrawnCamera
from referee.virtual.folder import make_table
from referee.virtual.lenses import CAMERAS
from referee.virtual.scene import TableScene
from tests.calibration.exif import noted
from tests.demo.command import Demo
from tests.vision.sources.webcam import webcam
from tests.web.filmed import noisy, with_arm
from tests.web.inhand import GAME, HeldTable, boards
from web.auth.guard import CSRF_HEADER
from web.contract import KEY_HEADER

SHARE, PERIOD_US, MOST_BYTES = 0.25, 100_000, 1 << 30
TURNS, FPS, ARM_S, WITHIN_S = 8, 15, 0.8, 0.4
WIDE = (4032, 3024)
"""A phone's photograph."""
MOST_S = 300.0
GROUPS = Path("/sys/fs/cgroup")
_NAME = "referee-bench"


@dataclass(slots=True)
class _Group:
    """The control group of a small computer. folders: of the processor's and the memory's limits, perhaps one."""

    folders: tuple[Path, ...]
    peak_bytes: int = 0
    watching: threading.Event = field(default_factory=threading.Event)

    def watch(self) -> None:
        """Note the most memory that its processes hold at once, also what they share; not files that are cached."""
        while not self.watching.wait(0.2):
            rows = dict(line.split() for line in (self.folders[-1] / "memory.stat").read_text().splitlines())
            held = sum(int(rows.get(key, 0)) for key in ("total_rss", "total_shmem", "anon", "shmem"))
            self.peak_bytes = max(self.peak_bytes, held)

    def killed(self) -> int:
        """Return how many processes wanted more memory than there is."""
        for name in ("memory.oom_control", "memory.events"):
            if (file := self.folders[-1] / name).exists():
                return int(dict(line.split() for line in file.read_text().splitlines()).get("oom_kill", 0))
        return 0


@contextmanager
def _small() -> Iterator[_Group]:
    """Make a control group, version 1 or 2. Raises OSError where this may not be done."""
    quota = round(SHARE * PERIOD_US)
    if (GROUPS / "cpu").is_dir():
        cpu, memory = GROUPS / "cpu" / _NAME, GROUPS / "memory" / _NAME
        limits: dict[Path, int | str] = {
            cpu / "cpu.cfs_period_us": PERIOD_US, cpu / "cpu.cfs_quota_us": quota, cpu / "cpu.shares": 200_000,
            memory / "memory.limit_in_bytes": MOST_BYTES,
        }  # fmt: skip
    else:
        cpu = memory = GROUPS / _NAME
        limits = {cpu / "cpu.max": f"{quota} {PERIOD_US}", cpu / "cpu.weight": 10_000, cpu / "memory.max": MOST_BYTES}
        limits |= {cpu / "memory.swap.max": 0}
    group = _Group(tuple(dict.fromkeys((cpu, memory))))
    watcher = threading.Thread(target=group.watch)
    try:
        for folder in group.folders:
            folder.mkdir()
        for file, limit in limits.items():
            file.write_text(str(limit))
        watcher.start()
        yield group
    finally:
        group.watching.set()
        if watcher.ident is not None:
            watcher.join()
        for folder in group.folders:
            if folder.is_dir():
                folder.rmdir()


class _Run:
    """``referee run`` in a control group, a device that is paired with it, and what its page hears."""

    def __init__(self, group: _Group, folder: Path, options: Sequence[str], parts: ExitStack) -> None:
        enters = " && ".join(f"echo $$ > {one}/cgroup.procs" for one in group.folders)
        parts.enter_context(patch.dict(os.environ, {"REFEREE_DATA_FOLDER": str(folder / "data")}))
        parts.enter_context(
            patch.object(Demo, "command", ("sh", "-c", f'{enters} && exec "$@"', "sh", *Demo.command))
        )
        self.url = parts.enter_context(Demo.run(*options)).url
        secret = open_auth(folder / "data", parts).desk.new_code().secret
        jar = urllib.request.HTTPCookieProcessor()
        self._opener = urllib.request.build_opener(jar)
        self.ask("api/pair/link", json.dumps({"secret": secret, "name": "Bench"}).encode())
        self._token = self.ask("api/session")["csrf"]
        self.heard = Listener(f"{self.url}api/stream")
        threading.Thread(target=self.heard.run, daemon=True).start()

    def ask(self, path: str, body: bytes | None = None, kind: str = "application/json", token: str = "") -> Any:
        """Return what an address answers."""
        heads = {"Content-Type": kind, KEY_HEADER: uuid.uuid4().hex} | ({CSRF_HEADER: token} if token else {})
        with self._opener.open(urllib.request.Request(self.url + path, body, heads), timeout=60) as answer:
            return json.loads(answer.read())

    def say(self, command: str) -> float:
        """Give a command; return when it was given, s."""
        began_s = time.monotonic()
        self.ask(f"api/commands/{command}", b'{"arguments": {}, "seen": null}', token=self._token)
        return began_s

    def send(self, photograph: bytes) -> None:
        """Send a photograph, as often as it takes until it is taken in."""
        for _ in range(300):
            try:
                self.ask("api/photographs?age_ms=1", photograph, "application/octet-stream", self._token)
            except urllib.error.HTTPError as error:
                if error.code != 503:
                    raise
                time.sleep(0.2)
            else:
                return

    def until(self, phase: str, turn: int) -> None:
        """Wait until the game stands so. Raises TimeoutError."""
        by_s = time.monotonic() + MOST_S
        while True:
            state = self.ask("api/state")
            if (state["phase"]["id"], state["turn"]) == (phase, turn):
                return
            if time.monotonic() > by_s:
                raise TimeoutError(f"{state['phase']}, turn {state['turn']}: {state['banner']['headline']}")
            time.sleep(0.5)

    def ruled(self, pressed_s: float) -> float:
        """Return how long the next ruling took, s. Raises TimeoutError."""
        came_s = self.heard.ruled()
        if came_s is None:
            raise TimeoutError(f"no ruling: {self.ask('api/state')['banner']}")
        return came_s - pressed_s


def measure(cases: Path | None) -> Section:
    """Play by two cameras, and by a phone's photographs, on a small computer each."""
    del cases
    title, rows, broken = "A small computer", [], []
    if not os.access(GROUPS / "cpu" if (GROUPS / "cpu").is_dir() else GROUPS, os.W_OK):
        return Section(title, ("Not measured: this takes root, and a Linux with control groups.",))
    for what, play, most_s in (
        ("two cameras of 1280 x 960", _cameras, 5.0),
        (f"three photographs of {WIDE[0]} x {WIDE[1]}", _photographs, 12.0),
    ):
        with _small() as group, ExitStack() as parts:
            waits = play(group, Path(parts.enter_context(tempfile.TemporaryDirectory())), parts)
            killed = group.killed()
        if (median_s := statistics.median(waits)) > most_s:
            broken.append(f"{what}: a ruling after {median_s:.1f} s, limit {most_s:g} s")
        peak = f"{group.peak_bytes / 2**20:.0f}"
        rows.append((what, len(waits), f"{median_s:.1f}", f"{max(waits):.1f}", peak))
        broken += [f"{what}: {killed} processes ended for want of memory"] if killed else []
    lines = (
        f"All of `referee run` on a quarter of one core of this machine and in {MOST_BYTES >> 20} MB, from *Turn "
        "ended* to the ruling at a page that listens; a drawn board of *Terra Turrium*. Load of the machine: "
        f"{os.getloadavg()[0]:.1f}.",
        "",
        *table(("seen by", "turns", "s, median", "s, worst", "MB at most"), rows),
    )
    return Section(title, lines, tuple(broken))


def _cameras(group: _Group, folder: Path, parts: ExitStack) -> list[float]:
    setup, kit, played = make_table(folder / "table", GAME), package_named(GAME).game.kit, boards(TURNS)
    (folder / "game.json").write_text(json.dumps(played.position.to_json()), encoding="utf-8")
    webcams = {name: parts.enter_context(webcam()) for name in CAMERAS}

    def show(lying: str, arm: bool) -> None:
        for name, camera in webcams.items():
            drawn = np.asarray(DrawnCamera(name, setup, kit).picture(TableScene(lying)), np.uint8)
            camera.own = [noisy(with_arm(drawn) if arm else drawn, number) for number in range(5)]
            camera.fps = FPS

    show(played.start, False)
    sources = [part for name, one in webcams.items() for part in ("--camera", f"{name}={one.url()}")]
    run = _Run(group, folder, [str(folder / "table"), "--game", str(folder / "game.json"), *sources], parts)
    run.until("playing", 1)
    chance, waits, lying = random.Random(1), [], played.start
    for turn, board in enumerate(played.turns, 1):
        show(lying, True)
        time.sleep(ARM_S)
        show(board, False)
        time.sleep(chance.uniform(0.0, WITHIN_S))
        waits.append(run.ruled(run.say("turn_ended")))
        run.until("playing", turn + 1)
        lying = board
    return waits


def _photographs(group: _Group, folder: Path, parts: ExitStack) -> list[float]:
    held, played = HeldTable(folder), boards(TURNS)
    (folder / "table" / "calibration" / "phone.json").unlink()
    run = _Run(group, folder, held.options, parts)
    for side in held.walk.views(played.start):
        run.send(_photograph(side))
    run.until("playing", 1)
    waits = []
    for turn, board in enumerate(played.turns, 1):
        taken = [_photograph(side, turn) for side in held.walk.views(board)]
        pressed_s = run.say("turn_ended")
        for photograph in taken:
            run.send(photograph)
        waits.append(run.ruled(pressed_s))
        run.until("playing", turn + 1)
    return waits


def _photograph(picture: np.ndarray[Any, np.dtype[np.uint8]], number: int = 0) -> bytes:
    """Return the file that a phone writes: large, stored lying, with its EXIF."""
    large = np.asarray(cv2.resize(picture, WIDE, interpolation=cv2.INTER_CUBIC), np.uint8)
    return noted(noisy(large, number), "", "", 29, (425, 100), "Phone 9", 6)

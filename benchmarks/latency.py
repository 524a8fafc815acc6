"""Measures from the button to the ruling on the page: two cameras of 1280 x 960 from files at 15 frames a second.

All real: videos read by capture processes, the gate, the reading, the rules, a journal on the disk, the page's server
and a client that listens to its event stream. The button is pressed at a random moment after the arm has left.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from benchmarks.film import FPS, Film, shoot
from benchmarks.measure import Section, table
from referee.daemon import Helpers, TableSight, TurnLoop
from referee.daemon.gamesfolder import GamesFolder
from referee.daemon.hosting import Hosting
from referee.daemon.livecameras import LiveFrameSource
from referee.demo.recording import BUNDLED, Recording
from referee.games import game_named
from referee.match.commands import Command, Name, button
from referee.match.events import GameStarted
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.service.settings import Page
from vision.gate.look import SETTLE_S
from vision.reader import TableReader
from vision.sources.address import parse_source
from vision.sources.camera import Camera

GAMES = 4
HOLD_S = 4.0
PRESSED_WITHIN_S = 0.4
MEDIAN_S, P95_S = 0.7, 1.2


def measure(cases: Path | None) -> Section:
    """Play the bundled game several times over and measure every ruling."""
    del cases
    recording = Recording.open(BUNDLED)
    with tempfile.TemporaryDirectory(prefix="referee-latency-") as name:
        folder = Path(name)
        film = shoot([look.load() for look in recording.looks], folder / "film", HOLD_S)
        began_s, cpu_s = time.monotonic(), time.process_time()
        waits = [wait for run in range(GAMES) for wait in _play(recording, film, folder / str(run), run)]
        busy = (time.process_time() - cpu_s) / (time.monotonic() - began_s)
    if not waits:
        return Section("From the button to the ruling on the page", (), ("no ruling came while a film ran",))
    waits.sort()
    median, p95 = statistics.median(waits), waits[max(0, round(0.95 * len(waits)) - 1)]
    load = os.getloadavg()[0]
    rows = [("median", f"{1000 * median:.0f}"), ("95 %", f"{1000 * p95:.0f}"), ("worst", f"{1000 * waits[-1]:.0f}")]
    broken = [
        f"{what} from the button to the page {took:.2f} s, promised {most} s (load of the machine: {load:.1f})"
        for what, took, most in (("median", median, MEDIAN_S), ("95 %", p95, P95_S))
        if took > most
    ]
    return Section(
        "From the button to the ruling on the page",
        (
            f"{len(waits)} turns of {GAMES} games; {os.cpu_count()} cores, load {load:.1f} at the end. Settling: "
            f"{1000 * SETTLE_S:.0f} ms in which nothing moves; two of its frames ({1000 / FPS:.0f} ms each) come "
            "after the press.",
            "",
            *table(("what", "ms"), rows),
            "",
            f"The referee's own process used {100 * busy:.0f} % of one core while the films ran.",
        ),
        tuple(broken),
    )


def _play(recording: Recording, film: Film, folder: Path, seed: int) -> list[float]:
    """Referee the film once. Return the seconds from each press to its ruling at the listening client."""
    game = game_named(recording.game)
    reader = TableReader.open(recording.folder)
    stop = threading.Event()
    with ExitStack() as parts:
        hosting = Hosting(Page(port=0), folder, lambda: loop.journal, lambda: loop.state, parts)
        book = GamesFolder(folder / "games", "film").begin(GameStarted(game.position(recording.position), "film"))
        changed = threading.Condition()
        cameras = {
            name: parts.enter_context(Camera(name, parse_source(f"file:{path}"), changed=changed))
            for name, path in film.videos.items()
        }
        sight = LiveFrameSource(cameras, changed, reader)
        hosting.commands.on_put(sight.wake)
        states: list[TableState] = []
        helpers = Helpers(on_change=lambda state, live: states.append(state))
        loop = TurnLoop(
            game, TableSight(sight, reader), book, hosting.commands, hosting.publisher.publish, helpers=helpers
        )
        parts.callback(loop.close)
        hosting.serve(hosting.metrics())
        heard = Listener(f"{hosting.url}api/stream")
        threading.Thread(target=heard.run, daemon=True).start()
        camera = cameras[min(cameras)]
        waits: list[float] = []
        presser = threading.Thread(
            target=_press, args=(film, camera, hosting, states, heard, random.Random(seed), waits, stop)
        )
        presser.start()
        loop.run(stop.is_set)
        presser.join()
    return waits


def _has_come(camera: Camera, number: int) -> bool:
    """Return whether a camera has shown this frame of its film."""
    return _frame(camera) >= number


def _press(
    film: Film,
    camera: Camera,
    hosting: Hosting,
    states: list[TableState],
    heard: Listener,
    chance: random.Random,
    waits: list[float],
    stop: threading.Event,
) -> None:
    hosting.commands.put(
        Command(Name.BEGIN, by="bench")
    )  # the position is known: nothing depends on the set-up's look
    try:
        for free in film.free:
            _until(partial(_has_come, camera, free))
            time.sleep(chance.uniform(0.0, PRESSED_WITHIN_S))
            name = button(states[-1])
            if name is None:
                continue
            pressed_s = time.monotonic()
            hosting.commands.put(Command(name, by="bench"))
            ruled_s = heard.ruled()
            if ruled_s is not None:
                waits.append(ruled_s - pressed_s)
    finally:
        stop.set()


def _frame(camera: Camera) -> int:
    newest = camera.newest()
    return newest.number if newest is not None else 0


def _until(true: Callable[[], bool], most_s: float = 60.0) -> None:
    until = time.monotonic() + most_s
    while not true() and time.monotonic() < until:
        time.sleep(0.005)


class Listener:
    """A page's event stream, and when each ruling arrived."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._changed = threading.Condition()
        self._at_s: dict[int, float] = {}
        self._rulings = 0

    def run(self) -> None:
        """Listen until the stream ends."""
        with urllib.request.urlopen(self._url, timeout=300) as stream:
            data = ""
            for line in stream:
                text = line.decode().rstrip("\n")
                if text.startswith("data: "):
                    data = text[6:]
                elif not text and data:
                    self._hear(data)
                    data = ""

    def _hear(self, data: str) -> None:
        now_s = time.monotonic()
        try:
            state = json.loads(data)
        except ValueError:
            return
        if not isinstance(state, dict) or "history" not in state:
            return
        with self._changed:
            if state["phase"]["id"] not in (Phase.READING.value, Phase.RULING.value):
                self._at_s.setdefault(max((entry["entry"] for entry in state["history"]), default=0), now_s)
            self._changed.notify_all()

    def ruled(self) -> float | None:
        """Return when the next ruling arrived; ``None`` when none did."""
        with self._changed:
            wanted = self._rulings + 1
            if not self._changed.wait_for(lambda: wanted in self._at_s, 120):
                return None
            self._rulings = wanted
            return self._at_s[wanted]

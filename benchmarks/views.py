"""Measures a look by a phone in the hand: from each picture to what would be ruled, four sides of a drawn board.

A picture is looked through, read together with those before it, and ruled on, as a session does. Its decoding and the
hand's own time do not count. One thread, whose processor time is told; on a quarter of a core, which is this machine
stopped three quarters of the time, it is the time that passes. Of a look of six pictures it is told besides what each
part of the work costs, and how often it is done.
"""

from __future__ import annotations

import multiprocessing
import os
import platform
import signal
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import REPEATS, Section, table
from referee.games import package_named
from referee.games.record import parse_record
from referee.kinds.grid import session as grid
from referee.kinds.grid.session import GridAdapter, GridSightings
from referee.match.events import GameStarted, LookTaken, SetupAccepted
from referee.match.state import TableState
from referee.match.transitions import begin, step
from referee.virtual.drawing.eye import DrawnCamera
from referee.virtual.folder import make_table
from referee.virtual.lenses import PHONE
from referee.virtual.scene import TableScene
from vision import posefinder, reader
from vision.assessment.heldview import framed
from vision.geometry.view import roaming_name
from vision.heights import portrait, scorer
from vision.reader import TableReader

GAME = "terra-turrium"
TURNS = 12
SIDES_DEG = ((-100.0, 45.0), (-10.0, 50.0), (80.0, 45.0), (170.0, 50.0))
MORE_SIDES_DEG = ((35.0, 40.0), (-55.0, 55.0))
PARTS: tuple[tuple[str, ModuleType | type, str], ...] = (
    ("poses", posefinder, "find_pose"),
    ("level by level", reader, "rectified"),
    ("networks of heights", scorer, "_infer"),
    ("drawings of stacks in doubt", reader, "with_drawn"),
    ("all pictures of a field together", reader, "with_pooled"),
    ("portraits that are new", portrait, "_portrayed"),
    ("foreign things", reader, "find_foreign"),
    ("markers on the tracks", reader, "read_stones"),
    ("what hides what", scorer, "as_far_as_seen"),
    ("contradictions", reader, "contradicting"),
    ("decoding the belief", reader, "decode"),
    ("the judge", GridAdapter, "_ruled"),
    ("the next side", grid, "show_next"),
)
"""Parts of the work: what each is called, and the function that does it. None lies in another."""
LIMITED_REPEATS = 2
SHARE, PERIOD_S = 0.25, 0.1
MOST_A_VIEW, MOST_FOUR = 20, 70
"""Cost of a view and of four, at most, in times the reference."""


def measure(cases: Path | None) -> Section:
    """Measure looks of four views, in full and on a quarter of a core."""
    del cases
    full, limited = _measured(REPEATS), _measured(LIMITED_REPEATS, SHARE)
    reference_ms = full["reference"]
    rows = [
        ("decode and undistort a picture (the reference)", "reference"),
        ("one view more, the median of all", "view"),
        ("from the first of four views to the ruling", "four"),
    ]
    broken = [
        f"{what} costs {full[name] / reference_ms:.1f} times the reference, at most {most} are allowed"
        for what, name, most in (("a view", "view", MOST_A_VIEW), ("a look of four views", "four", MOST_FOUR))
        if full[name] > most * reference_ms
    ]
    return Section(
        "A look by a phone in the hand",
        (
            f"On {platform.machine()}, one thread; a drawn board after {TURNS} turns of *Terra Turrium*, pictures of "
            f"{full['width']:.0f} x {full['height']:.0f}. Medians of {REPEATS} looks, of {LIMITED_REPEATS} on a "
            "quarter of a core.",
            "",
            *table(
                ("what", "ms", "times the reference", "ms on a quarter of a core"),
                (
                    (what, f"{full[name]:.0f}", f"{full[name] / reference_ms:.1f}", f"{limited[name]:.0f}")
                    for what, name in rows
                ),
            ),
            "",
            f"A look of {len(SIDES_DEG) + len(MORE_SIDES_DEG)} such pictures, read and ruled on with each: "
            f"{full['six']:.0f} ms.",
            "",
            *table(
                ("part", "ms", "share", "times"),
                (
                    (what, f"{full[what]:.0f}", f"{full[what] / full['six']:.0%}", f"{full[f'{what}, times']:.0f}")
                    for what, _, _ in PARTS
                ),
            ),
        ),
        tuple(broken),
    )


def _measured(repeats: int, share: float = 1.0) -> dict[str, float]:
    """Return the medians of some looks, ms, taken in a process that gets a share of a core."""
    ours, theirs = multiprocessing.Pipe()
    child = multiprocessing.get_context("spawn").Process(target=_looks, args=(theirs, repeats, share < 1.0))
    child.start()
    theirs.close()
    try:
        ours.recv()  # all is loaded
        ours.send(None)
        while share < 1.0 and not ours.poll(share * PERIOD_S):
            os.kill(child.pid or 0, signal.SIGSTOP)
            time.sleep((1.0 - share) * PERIOD_S)
            os.kill(child.pid or 0, signal.SIGCONT)
        found: dict[str, float] = ours.recv()
    finally:
        child.kill()
        child.join()
    return found


def _looks(pipe: Connection, repeats: int, limited: bool) -> None:
    """Take looks and send their medians, ms. The first look loads what is loaded once, and is not counted."""
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory(prefix="referee-views-") as name:
        clock = time.perf_counter if limited else time.process_time
        look = _Look(Path(name), clock)
    look.take()
    pipe.send(None)
    pipe.recv()
    looks = [look.take() for _ in range(repeats)]
    height, width = look.pictures[0].shape[:2]
    found = {
        "reference": statistics.median(look.reference() for _ in range(repeats)),
        "view": statistics.median(view for views in looks for view in views),
        "four": statistics.median(sum(views) for views in looks),
    }
    parts = {} if limited else _parts(look, clock, repeats)
    pipe.send(found | parts | {"width": width, "height": height})


def _parts(look: _Look, clock: Callable[[], float], repeats: int) -> dict[str, float]:
    """Return what a look costs and each part of it, ms, and how often each is done: means of some looks."""
    found: dict[str, float] = defaultdict(float)

    @contextmanager
    def timed(what: str) -> Iterator[None]:
        began_s = clock()
        yield
        found[what] += 1000 * (clock() - began_s) / repeats
        found[f"{what}, times"] += 1 / repeats

    with ExitStack() as parts:
        for what, owner, name in PARTS:
            parts.enter_context(patch.object(owner, name, timed(what)(getattr(owner, name))))
        found["six"] = sum(sum(look.take(len(SIDES_DEG) + len(MORE_SIDES_DEG))) for _ in range(repeats)) / repeats
    return dict(found)


class _Look:
    """Pictures of a board after a turn."""

    def __init__(self, folder: Path, clock: Callable[[], float]) -> None:
        self._clock = clock
        package = package_named(GAME)
        assert package.playthrough is not None
        record = parse_record(package.playthrough.read_text(encoding="utf-8"))
        position: Any = package.records.start(record)
        for entry in record.turns[:TURNS]:
            before, position = position, package.records.play(position, entry).next
        self._game, self._state = package.game, _asked(before)
        setup = make_table(folder, GAME, held=True)
        self._reader = TableReader.open(folder, [PHONE], package.game.kit)
        board = position.observed.text
        shown = [
            DrawnCamera(PHONE, setup, package.game.kit).picture(TableScene(board, held={PHONE: side}))
            for side in SIDES_DEG + MORE_SIDES_DEG
        ]
        self._files = [np.asarray(cv2.imencode(".jpg", one)[1], np.uint8) for one in shown]
        self.pictures: list[NDArray[np.uint8]] = []

    def take(self, count: int = len(SIDES_DEG)) -> list[float]:
        """Return how long each of so many views took, ms, from its decoded picture to what would be ruled."""
        adapter = GridAdapter(self._game, self._reader)
        self.pictures = [self._decoded(file) for file in self._files[:count]]
        took = []
        for number, picture in enumerate(self.pictures, 1):
            began_s = self._clock()
            if (fault := framed(picture, self._reader, PHONE).fault) is not None:
                raise ValueError(f"picture {number} makes no view: {fault}")
            views = {roaming_name(PHONE, k): one for k, one in enumerate(self.pictures[:number], 1)}
            seen = adapter.read(self._state, GridSightings(), [views])
            adapter.rule(replace(self._state, reading=seen.reading))
            took.append(1000 * (self._clock() - began_s))
        return took

    def reference(self) -> float:
        """Return how long it takes to decode and undistort a picture, ms."""
        lens, began_s = self._reader.lens(PHONE), self._clock()
        cv2.undistort(self._decoded(self._files[0]), lens.matrix, lens.distortion)
        return 1000 * (self._clock() - began_s)

    @staticmethod
    def _decoded(file: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return np.asarray(cv2.imdecode(file, cv2.IMREAD_COLOR), np.uint8)


def _asked(position: Any) -> TableState:
    """Return the state of a game in which somebody has ended a turn."""
    state = step(begin(GameStarted(position)), SetupAccepted(""))
    return step(state, LookTaken(state.look + 1))

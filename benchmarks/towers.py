"""Measures the processor time to read a tower, wherever its search begins: drawn towers and photographed ones.

``python -m benchmarks --tables FOLDER towers``. Drawn towers come out of games of random legal turns; FOLDER holds
tables of towers with their truth. Every tower is read from the visual hull and from starts that know nothing of it.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import Section, Times, table
from benchmarks.truth import tables_in
from calibration.errors import CalibrationError
from calibration.table import TableSetup
from tests.games.turris.play import game
from tests.vision.tower import scene
from tests.vision.tower.starts import starts
from vision.geometry.view import View
from vision.tower.history import cells_of
from vision.tower.reader import TowerReader
from vision.tower.reading import read_tower

DRAWN = 200
MOST_S = 3.0
"""Promised time of any tower."""
STARTS_OF_ONE = 2
"""From so many starts besides the hull a drawn tower is read, another two of them for each."""


@dataclass
class _Read:
    """Counts of towers read: times, and cells told wrongly."""

    times: Times = field(default_factory=Times)
    towers: int = 0
    wrong: int = 0

    def read(self, views: list[View], setup: TableSetup, tower: str, start: NDArray[np.bool_] | None) -> None:
        """Read a tower once."""
        began = time.process_time()
        reading = read_tower(views, setup, start=start)
        self.times.ms.append(1000 * (time.process_time() - began))
        if reading is not None and start is None:
            self.towers += 1
            self.wrong += _wrong(reading.tower, tower)

    def row(self, name: str) -> tuple[object, ...]:
        """Return a row of the page's table."""
        shares = (f"{self.times.share(part):.0f}" for part in (0.5, 0.99, 1.0))
        return (name, self.towers, len(self.times.ms), *shares, self.wrong)


def measure(tables: Path | None) -> Section:
    """Read drawn towers and those of the tables' folders."""
    cv2.setNumThreads(1)  # so that processor time is what one thread takes
    rows = []
    broken = []
    photographed = [(folder.name, _of(folder, reader)) for folder, reader in _readers(tables)]
    for name, towers in [("drawn", _drawn()), *photographed]:
        read = _Read()
        for number, (tower, views, setup) in enumerate(towers):
            found = list(starts(number).values())
            some = [found[(2 * number + k) % len(found)] for k in range(STARTS_OF_ONE)] if name == "drawn" else found
            for start in (None, *some):
                read.read(views, setup, tower, start)
        rows.append(read.row(name))
        if read.times.share(1.0) > 1000 * MOST_S:
            broken.append(f"{name}: every tower is read within {MOST_S:.0f} s of processor time")
    heads = ("towers", "how many", "readings", "median", "99 %", "longest", "cells told wrong")
    text = "Processor time of a reading, milliseconds, from the visual hull and from starts far from the tower. "
    text += "Cells are compared where the hull is the start."
    return Section("Reading towers", (text, "", *table(heads, rows)), tuple(broken))


def _readers(tables: Path | None) -> Iterator[tuple[Path, TowerReader]]:
    for folder in [] if tables is None else tables_in(tables):
        with suppress(CalibrationError):  # a table of something else
            yield folder, TowerReader.open(folder)


def _drawn() -> Iterator[tuple[str, list[View], TableSetup]]:
    setup = scene.table()
    for seed in range(DRAWN):
        rnd = random.Random(seed)
        tower = rnd.choice(list(game(rnd, {})))[1].text
        yield tower, scene.views(tower), setup


def _of(folder: Path, reader: TowerReader) -> Iterator[tuple[str, list[View], TableSetup]]:
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    for tower, shown in _shown(folder, truth):
        pictures = [{name: _picture(path) for name, path in one.items()} for one in shown]
        yield tower, [view for one in pictures for view in reader.views(one)[0]], reader.table


def _shown(folder: Path, truth: Mapping[str, object]) -> Iterator[tuple[str, list[Mapping[str, Path]]]]:
    """Yield every tower with its pictures: those of the games, or of the table's one request."""
    games = truth.get("games")
    if not isinstance(games, list):
        asked = json.loads((folder / "request.jsonl").read_text(encoding="utf-8").splitlines()[0])
        yield str(truth["tower"]), [{name: folder / path for name, path in view.items()} for view in asked["views"]]
        return
    for one in games:
        for frame in one["frames"]:
            if frame["kind"] == "still":
                shown = [view["files"] for view in frame["views"]]
                yield (
                    str(frame["tower"]),
                    [{name: folder / one["name"] / path for name, path in files.items()} for files in shown],
                )


def _picture(path: Path) -> NDArray[np.uint8]:
    return np.asarray(cv2.imread(str(path)), np.uint8)


def _wrong(told: str, tower: str) -> int:
    """Count the cells told wrongly: empty, filled or of the other colour."""
    pairs = zip(cells_of(told), cells_of(tower), strict=True)
    return sum(sign != "?" and (sign == ".", sign.isupper()) != (true == ".", true.isupper()) for sign, true in pairs)

"""Measures how long a look at the table takes: the bundled game's pictures read and ruled on."""

from __future__ import annotations

import json
import platform
import resource
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import REPEATS, Section, median_ms, table
from referee.demo.recording import BUNDLED
from referee.games import game_named
from referee.kinds.grid.judging.context import Context, TurnEvidence
from referee.kinds.grid.judging.judge import judge
from vision.reader import TableReader

MOST_ABSOLUTE, MOST_TRACKED = 8, 5
"""Cost of a reading, at most, in times the reference."""
MOST_MB = 400


def decoded(paths: list[Path]) -> list[NDArray[np.uint8]]:
    """Decode JPEG files to BGR."""
    return [np.asarray(cv2.imread(str(path), cv2.IMREAD_COLOR), np.uint8) for path in paths]


def measure(cases: Path | None) -> Section:
    """Measure the reading of two pictures of the bundled game; it needs no other cases."""
    del cases
    reader = TableReader.open(BUNDLED)
    recorded = json.loads((BUNDLED / "game.json").read_text(encoding="utf-8"))
    cameras = list(reader.table.cameras)
    first = sorted((BUNDLED / "pictures").glob(f"*_{cameras[0]}.jpg"))[1]
    paths = [first.with_name(first.name.replace(cameras[0], camera)) for camera in cameras]
    pictures = dict(zip(cameras, decoded(paths), strict=True))
    lenses = [reader.lens(camera) for camera in cameras]

    def reference() -> None:
        for lens, picture in zip(lenses, decoded(paths), strict=True):
            cv2.undistort(picture, lens.matrix, lens.distortion)

    game = game_named(recorded["position"]["game"])
    position = game.position(recorded["position"])
    prior = game.prior_after(position)
    reading = reader.read(pictures, prior)
    since = reading.look, position.board
    rows = [
        ("decode and undistort two pictures (the reference)", median_ms(reference)),
        ("absolute reading of two pictures", median_ms(lambda: reader.read(pictures, None))),
        ("the same with a board before, but no look at it", median_ms(lambda: reader.read(pictures, prior))),
        (
            "tracked reading, compared with an earlier look",
            median_ms(lambda: reader.read(pictures, prior, since=since)),
        ),
        (
            "verdict from the reading",
            median_ms(lambda: judge(game, Context.at(position), TurnEvidence(reading.belief))),
        ),
    ]
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    size = pictures[cameras[0]].shape
    broken = [
        f"{what} costs {took / rows[0][1]:.1f} times the reference, at most {most} are allowed"
        for (what, took), most in zip(rows[1:4], (MOST_ABSOLUTE, MOST_ABSOLUTE, MOST_TRACKED), strict=True)
        if took > most * rows[0][1]
    ]
    if peak_mb > MOST_MB:
        broken.append(f"the process needs {peak_mb:.0f} MB, at most {MOST_MB} are allowed")
    return Section(
        "Reading",
        (
            f"On {platform.machine()}, Python {platform.python_version()}, OpenCV {cv2.__version__}, "
            f"{cv2.getNumThreads()} threads; pictures of {size[1]} x {size[0]}. Medians of {REPEATS} runs.",
            "",
            *table(
                ("what", "ms", "times the reference"),
                ((name, f"{took:.1f}", f"{took / rows[0][1]:.1f}") for name, took in rows),
            ),
            "",
            f"Peak memory of the process: {peak_mb:.0f} MB.",
        ),
        tuple(broken),
    )

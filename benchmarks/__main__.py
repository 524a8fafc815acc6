"""Measure the referee on the bundled game and write BENCHMARKS.md.

Times depend on the machine, so each is given beside a reference measured in the same run.
"""

from __future__ import annotations

import json
import platform
import resource
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.adjudicate import adjudicate
from referee.demo.recording import BUNDLED
from referee.games import game_named
from vision.reader import Reader

ROOT = Path(__file__).parent.parent
REPEATS = 7


def median_ms(work: Callable[[], object]) -> float:
    """Median wall time of some repeats, the first left out, milliseconds."""
    work()
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times)


def decoded(paths: list[Path]) -> list[NDArray[np.uint8]]:
    """Decode JPEG files to BGR."""
    return [np.asarray(cv2.imread(str(path), cv2.IMREAD_COLOR), np.uint8) for path in paths]


def main() -> None:
    """Measure and write the page."""
    reader = Reader.open(BUNDLED)
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
    sighting = game.sighting(position)
    reading = reader.read(pictures, sighting)
    rows = [("decode and undistort two pictures (the reference)", median_ms(reference))]
    rows.append(("absolute reading of two pictures", median_ms(lambda: reader.read(pictures, None))))
    rows.append(("tracked reading of two pictures", median_ms(lambda: reader.read(pictures, sighting))))
    rows.append(("verdict from the reading", median_ms(lambda: adjudicate(game, position, reading.belief))))
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    lines = [
        "# Benchmarks",
        "",
        f"Written by `make bench` on {platform.machine()}, Python {platform.python_version()}, "
        f"OpenCV {cv2.__version__}, {cv2.getNumThreads()} threads; pictures of {pictures[cameras[0]].shape[1]} x "
        f"{pictures[cameras[0]].shape[0]}. Medians of {REPEATS} runs.",
        "",
        "| what | ms | times the reference |",
        "|---|---|---|",
        *(f"| {name} | {took:.1f} | {took / rows[0][1]:.1f} |" for name, took in rows),
        "",
        f"Peak memory of the process: {peak_mb:.0f} MB.",
        "",
    ]
    (ROOT / "BENCHMARKS.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()

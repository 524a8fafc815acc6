"""Measures how well boards are read on photographed tables with known truth, and whether confidences are right.

Needs such tables: ``python -m benchmarks --tables FOLDER accuracy``. Without them the section stays as it was.
"""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.byhand import heights_by_hand, heights_by_stereo
from benchmarks.measure import Section, table
from benchmarks.truth import Shot, shots, tables_in
from referee.values.belief import conserving, log_probabilities, posterior
from vision.reader import TableReader

OF_GAME = "terra-turrium"
"""Tables of other games are left out: their pieces are read by networks of their own."""
EVERY = 3
"""Every third board is read: enough for the figures, a third of the time."""
STEPS = (0.5, 0.9, 0.95, 0.99, 0.999, 1.0)
"""Confidences between which the reliability table counts."""
MOST_OFF = 0.01
"""From 90 % up, the share right may differ from the mean confidence by so much."""


@dataclass
class Tally:
    """Counts of one table."""

    sure: list[NDArray[np.float64]] = field(default_factory=list)
    right: list[NDArray[np.bool_]] = field(default_factory=list)
    by: dict[str, list[tuple[int, int, float]]] = field(default_factory=dict)

    def count(self, way: str, right: NDArray[np.bool_], took_s: float) -> None:
        """Add one board read in a way: which of the seen fields it told right, and how long it took."""
        self.by.setdefault(way, []).append((int(right.sum()), right.size, took_s))


def measure(tables: Path | None) -> Section:
    """Read the tables' boards one by one, in three ways."""
    if tables is None:
        raise ValueError("the accuracy needs tables: use --tables FOLDER")
    ways: list[tuple[str, str, str, str]] = []
    bins: list[Tally] = []
    for folder in tables_in(tables):
        reader = TableReader.open(folder)
        if reader.table.game != OF_GAME:
            continue
        tally = Tally()
        for shot in shots(folder, reader, EVERY):
            _read(reader, shot, tally)
        bins.append(tally)
        for way, rows in tally.by.items():
            right, size, took = (sum(column) for column in zip(*rows, strict=True))
            ways.append((folder.name, way, f"{100 * right / size:.1f} %", f"{1000 * took / len(rows):.0f}"))
    sure, right = (
        np.concatenate([x for t in bins for x in t.sure]),
        np.concatenate([x for t in bins for x in t.right]),
    )
    lines, broken = _reliability(sure, right)
    return Section(
        "Accuracy on photographed tables",
        (
            f"Every {EVERY}rd still board, two cameras, no history. Heights of the stacks that can be seen, the "
            "likeliest one taken for each; ms for telling them once the pictures are rectified (stereo: all of it).",
            "",
            *table(("table", "heights by", "right", "ms"), ways),
            "",
            "How far the confidence can be trusted (all fields, those that can't be seen too):",
            "",
            *lines,
        ),
        broken,
    )


def _read(reader: TableReader, shot: Shot, tally: Tally) -> None:
    seen, truth = shot.seen(), shot.board.heights
    began = time.perf_counter()
    reading = reader.read(shot.pictures, shot.expect)
    took = time.perf_counter() - began
    belief = posterior(reading.belief, shot.expect)
    chances = np.exp(log_probabilities(conserving(belief.heights, shot.expect.cubes)))
    best = chances.argmax(axis=2)
    tally.sure.append(chances.max(axis=2).ravel())
    tally.right.append((best == truth).ravel())
    tally.count("the scorer (whole reading)", (best == truth)[seen], took)
    if len(reading.look) < 2:
        return
    began = time.perf_counter()
    by_hand = heights_by_hand(reading.look, reader.table)
    tally.count("photo-consistency and edges", (by_hand == truth)[seen], time.perf_counter() - began)
    views, _ = reader.views(shot.pictures)
    began = time.perf_counter()
    stereo = heights_by_stereo(views[0], views[1], reader.table)
    tally.count("StereoSGBM", (np.round(stereo) == truth)[seen], time.perf_counter() - began)


def _reliability(sure: NDArray[np.float64], right: NDArray[np.bool_]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    rows, broken = [], []
    for low, high in itertools.pairwise(STEPS):
        inside = (sure >= low) & ((sure < high) | (high == 1.0))
        if not inside.any():
            continue
        said, held = float(sure[inside].mean()), float(right[inside].mean())
        rows.append((f"{low:g} to {high:g}", int(inside.sum()), f"{100 * said:.2f} %", f"{100 * held:.2f} %"))
        if low >= 0.9 and abs(said - held) > MOST_OFF:
            broken.append(f"of the fields told with {100 * said:.1f} % confidence {100 * held:.1f} % are right")
    return table(("confidence", "fields", "said", "right"), rows), tuple(broken)

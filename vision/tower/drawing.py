"""Towers drawn into all pictures: what each change of a tower changes there, whatever its colours are taken for.

Searches ask for the same changes of the same towers with other colours, with another scenery behind, and with
pictures left out. What does not depend on these is computed once and kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.tower.grid import CELLS
from vision.tower.palette import features
from vision.tower.rays import POINTS_A_CELL
from vision.tower.stage import REGIONS, SCENERY, SQUARES, Stage

EVIDENCE = 25.0 / POINTS_A_CELL**2
"""Weight of one sample: a face's neighbouring samples share their grain and their light, and are worth 25 others."""
NOISE = 0.03
"""Standard deviation of samples about their face's colour, 0 to 1, coded: noise and grain."""
FEWEST = 4
"""Samples from which on a face's colour is looked at."""
ANOTHER_FACE = 3.0
"""Cost of a face of its own colour: three free numbers."""
NEUTRAL = 1.5 * np.log(2.0)


@dataclass(frozen=True, eq=False)
class Faces:
    """Regions, (k,), as faces: features (k, 3) of their colours, and how much each counts, (k,) 0 to 1."""

    regions: NDArray[np.int64]
    seen: NDArray[np.float64]
    weights: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Turn:
    """What turning some cells of a tower over changes.

    fits: (looks,) by how much each picture's regions cost less as faces of one colour each, nats. faces: the cells'
    faces that change, as they are then. hidden, shown: samples that show the scenery no more, and those that do now.
    """

    fits: NDArray[np.float64]
    faces: Faces
    hidden: NDArray[np.int32]
    shown: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class DrawnTower:
    """A tower, (CELLS,) of what is filled, drawn into all pictures, n samples.

    depths: (n,) which cell along its line of sight each sample shows. regions: (n,). inner: (n,) whether its
    neighbours show the same. sums: (regions, 5) of the inner samples: 1, their colours, their colours' squares.
    """

    filled: NDArray[np.bool_]
    depths: NDArray[np.int64]
    regions: NDArray[np.int32]
    inner: NDArray[np.bool_]
    sums: NDArray[np.float64]

    def faces(self, regions: NDArray[np.int64]) -> Faces:
        """Return some regions as faces."""
        return _faces(regions, self.sums[regions])

    @property
    def scenery(self) -> NDArray[np.int64]:
        """Return the inner samples of the scenery."""
        return np.flatnonzero(self.inner & (self.regions % REGIONS == SCENERY))


@dataclass(frozen=True, eq=False)
class _Change:
    """What differs between two drawings: samples, with their depths and regions then; those near; sums of regions."""

    samples: NDArray[np.int64]
    depths: NDArray[np.int64]
    regions: NDArray[np.int32]
    near: NDArray[np.int64]
    inner: NDArray[np.bool_]
    touched: NDArray[np.int64]
    sums: NDArray[np.float64]


class Drawing:
    """Draws towers into all pictures of a stage, and knows what it has drawn."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        colours = stage.colours.astype(np.float64)
        self._moments = np.column_stack([np.ones(len(colours)), colours, (colours**2).sum(axis=1)])
        self._passing = _passing(stage)
        self._turns: dict[tuple[bytes, tuple[int, ...]], Turn] = {}
        self._last = self._drawn(np.zeros(CELLS, np.bool_))

    @property
    def regions(self) -> int:
        """Return how many regions all pictures have."""
        return self.stage.looks * REGIONS

    def _drawn(self, filled: NDArray[np.bool_]) -> DrawnTower:
        everywhere = np.arange(len(self.stage.cells))
        depths = self.stage.depths(filled, everywhere)
        regions = self.stage.shown(everywhere, depths)
        inner = self._inner(regions, everywhere)
        sums = self._sums(regions[inner], self._moments[inner], self.regions)
        return DrawnTower(filled, depths, regions, inner, sums)

    def at(self, filled: NDArray[np.bool_]) -> DrawnTower:
        """Draw a tower, from the one drawn last."""
        last = self._last
        cells = np.flatnonzero(filled ^ last.filled)
        if len(cells):
            change = self._change(last, cells)
            depths, regions = last.depths.copy(), last.regions.copy()
            inner, sums = last.inner.copy(), last.sums.copy()
            depths[change.samples], regions[change.samples] = change.depths, change.regions
            inner[change.near], sums[change.touched] = change.inner, change.sums
            self._last = DrawnTower(filled.copy(), depths, regions, inner, sums)
        return self._last

    def turned(self, filled: NDArray[np.bool_], cells: tuple[int, ...]) -> Turn:
        """Return what turning over some cells of a tower changes."""
        key = filled.tobytes(), cells
        known = self._turns.get(key)
        if known is None:
            known = self._turns[key] = self._turn(self.at(filled), np.array(cells))
        return known

    def _turn(self, drawn: DrawnTower, cells: NDArray[np.int64]) -> Turn:
        change = self._change(drawn, cells)
        touched = change.touched
        less = fit(touched, drawn.sums[touched]) - fit(touched, change.sums)
        at = touched % REGIONS < SQUARES
        was = drawn.inner[change.near] & (drawn.regions[change.near] % REGIONS == SCENERY)
        then = drawn.regions.copy()
        then[change.samples] = change.regions
        will = change.inner & (then[change.near] % REGIONS == SCENERY)
        return Turn(
            np.asarray(np.bincount(touched // REGIONS, less, self.stage.looks), np.float64),
            _faces(touched[at], change.sums[at]),
            change.near[was & ~will].astype(np.int32),
            change.near[will & ~was].astype(np.int32),
        )

    def _change(self, drawn: DrawnTower, cells: NDArray[np.int64]) -> _Change:
        filled = drawn.filled.copy()
        filled[cells] ^= True
        seen = self._marked(*(self._uncovered(drawn, int(cell)) for cell in cells))
        depths = self.stage.depths(filled, seen)
        other = drawn.depths[seen] != depths
        samples, depths = seen[other], depths[other]
        regions = drawn.regions.copy()
        regions[samples] = self.stage.shown(samples, depths)
        near = self._marked(samples, self.stage.around[:, samples].ravel())
        inner, before = self._inner(regions, near), drawn.inner[near]
        old, new = near[before], near[inner]
        at = np.concatenate([drawn.regions[old], regions[new]])
        mark = np.zeros(self.regions, np.int64)
        mark[at] = 1
        touched = np.flatnonzero(mark)
        mark[touched] = np.arange(len(touched))
        rows = np.concatenate([-self._moments[old], self._moments[new]])
        sums = drawn.sums[touched] + self._sums(mark[at], rows, len(touched))
        return _Change(samples, depths, regions[samples], near, inner, touched, sums)

    def _sums(self, index: NDArray[np.integer], rows: NDArray[np.float64], count: int) -> NDArray[np.float64]:
        return np.stack([np.bincount(index, rows[:, k], count) for k in range(rows.shape[1])], axis=1)

    def _inner(self, regions: NDArray[np.int32], at: NDArray[np.int64]) -> NDArray[np.bool_]:
        return np.asarray((regions[self.stage.around[:, at]] == regions[at]).all(axis=0), np.bool_)

    def _uncovered(self, drawn: DrawnTower, cell: int) -> NDArray[np.int64]:
        """Return the samples before whose line of sight no nearer filled cell stands: what a cell's turning shows."""
        samples, depths = self._passing[cell]
        return samples[depths <= drawn.depths[samples]]

    def _marked(self, *places: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return the samples named, each once: quicker than sorting them."""
        mark = np.zeros(len(self.stage.cells), np.bool_)
        for at in places:
            mark[at] = True
        return np.flatnonzero(mark)


def fit(regions: NDArray[np.int64], sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what regions with these sums cost as faces of one colour each, (k,) nats; the scenery nothing."""
    count = sums[:, 0]
    mean = sums[:, 1:4] / np.maximum(count, 1)[:, None]
    scatter = np.maximum(sums[:, 4] / np.maximum(count, 1) - (mean**2).sum(axis=1), 0)
    face = EVIDENCE * count * (1.5 * np.log1p(scatter / (3 * NOISE**2)) - NEUTRAL) + ANOTHER_FACE
    return np.where((regions % REGIONS != SCENERY) & (count >= FEWEST), face, 0.0)


def _faces(regions: NDArray[np.int64], sums: NDArray[np.float64]) -> Faces:
    """Return regions with these sums as faces: the more samples, the better their colour is known."""
    count = sums[:, 0]
    seen = features(sums[:, 1:4] / np.maximum(count, 1)[:, None])
    return Faces(regions, seen, np.where(count >= FEWEST, count / (count + 5.0), 0.0))


def _passing(stage: Stage) -> Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return for every cell the samples whose line of sight passes it, and as which cell along that line."""
    rows, columns = np.nonzero(stage.cells < CELLS)
    cells = stage.cells[rows, columns]
    order = np.argsort(cells, kind="stable")
    ends = np.searchsorted(cells[order], np.arange(CELLS + 1))
    parts = [order[ends[c] : ends[c + 1]] for c in range(CELLS)]
    return [(rows[part], columns[part]) for part in parts]

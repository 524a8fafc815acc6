"""A tower drawn into the pictures: what it costs, and what it would cost with some cells filled or emptied.

The cost, in nats, is the negative logarithm of the pictures' probability up to a constant: how far samples lie from
their face's own colour, how far faces lie from the bars' two colours, how far the scenery lies from what is expected
behind the tower, and how unlikely the tower is to stand. Samples beside an outline count for nothing, as bars stand
shifted and twisted. Cutting a picture into regions of one colour each: Mumford and Shah, Optimal Approximations by
Piecewise Smooth Functions, 1989; with faces instead of free outlines.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.tower.grid import CELLS, FLOOR, MOST_LEVELS
from vision.tower.palette import Palette, features, misfit, misfit_of
from vision.tower.rays import FACES, POINTS_A_CELL
from vision.tower.stage import REGIONS, SCENERY, SQUARES, Stage

EVIDENCE = 25.0 / POINTS_A_CELL**2
"""Weight of one sample: a face's neighbouring samples share their grain and their light, and are worth 25 others."""
NOISE = 0.03
"""Standard deviation of samples about their face's colour, 0 to 1, coded: noise and grain."""
FEWEST = 4
"""Samples from which on a face's colour is looked at."""
ANOTHER_FACE = 3.0
"""Cost of a face of its own colour: three free numbers."""
SCENERY_CAP = 3.0
WIDE = 0.3
"""Cost of a sample of scenery, times the logarithm of its spread, since its neighbours are off likewise."""
LOOK_CAP = 60.0
"""No single picture speaks for or against a tower, beside the one it is compared with, with more than this: a hand
may stand before it."""
OVERHANG = 70.0
"""Cost of a cell above an empty one: it breaks the rules, or falls."""
HELD = 12.0
"""Cost of such a cell as half of a bar whose other half rests on something: players do lay such bars."""
MOST_OPEN = 3
TOO_OPEN = 8.0
"""Cost of each unfinished level above what the rules allow: it limits columns that no picture shows."""
_NEUTRAL = 1.5 * np.log(2.0)


@dataclass(frozen=True, eq=False)
class Cost:
    """The cost of one tower.

    Total nats; by cell (CELLS, 2) what its faces cost if it is light or dark; faces looked at (CELLS, looks, FACES)
    samples each.
    """

    total: float
    colours: NDArray[np.float64]
    samples: NDArray[np.float64]


class Draft:
    """A tower drawn into all pictures. ``filled`` is (CELLS,); ``palette`` the colours; ``tried`` how many changes.

    Towers are compared by ``score``, a function of the tower alone: what a circle of changes gains adds up to
    nothing, so a search that only takes gains comes to an end. ``rebase`` compares with the tower as it is now.
    """

    def __init__(
        self,
        stage: Stage,
        palette: Palette,
        filled: NDArray[np.bool_],
        noise: float = NOISE,
        held: NDArray[np.bool_] | None = None,
    ) -> None:
        self._stage, self.palette, self._noise = stage, palette, noise
        self._hanging = np.where(np.zeros(CELLS, np.bool_) if held is None else held, HELD, OVERHANG)[FLOOR:]
        self._own = _moments(stage, noise)
        self._passing = _passing(stage)
        self._count = stage.looks * REGIONS
        self.filled = filled.copy()
        everywhere = np.arange(len(stage.cells))
        self._depth = stage.depths(filled, everywhere)
        self._region = stage.shown(everywhere, self._depth)
        self._inner = self._is_inner(np.arange(len(self._region)))
        self._sums: NDArray[np.float64] = np.stack(
            [
                np.bincount(self._region[self._inner], self._own[self._inner, k], self._count)
                for k in range(self._own.shape[1])
            ],
            axis=1,
        )
        self._stood = self._standing(self.filled)
        regions = np.arange(self._count)
        self._fits = self._fit(regions, self._sums)
        self._face_tones = self._tones_of(regions, self._sums)
        self._tones = self._face_tones[self._faces_at(np.arange(CELLS))].sum(axis=2)
        self._off = np.zeros(stage.looks)
        self._known: dict[tuple[int, ...], tuple[NDArray[np.float64], float]] = {}
        self.tried = 0

    def _is_inner(self, at: NDArray[np.int64]) -> NDArray[np.bool_]:
        around = self._region[self._stage.around[:, at]]
        return np.asarray((around == self._region[at]).all(axis=0), np.bool_)

    @property
    def total(self) -> float:
        """Return what the tower costs in all pictures, nats, whatever it is compared with."""
        return float(self.costs().sum()) + self.standing

    @property
    def score(self) -> float:
        """Return what the tower costs beside the one it is compared with, nats: each picture at most LOOK_CAP."""
        return self.standing + float(_capped(self._off).sum())

    def rebase(self) -> None:
        """Compare with the tower as it is now."""
        self._off = np.zeros_like(self._off)

    def costs(self) -> NDArray[np.float64]:
        """Return the cost of each picture, (looks,) nats."""
        return self._cost(np.arange(self._count), self._fits, self._tones)

    @property
    def standing(self) -> float:
        """Return the cost of a tower that hardly stands so, nats."""
        return self._stood

    def _cost(
        self, regions: NDArray[np.int64], fits: NDArray[np.float64], tones: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the cost of each picture, (looks,), of some regions by their fits and some cells by their tones."""
        likelier = tones.sum(axis=1).argmin(axis=1)
        total = np.bincount(regions // REGIONS, fits, self._stage.looks)
        return np.asarray(total + tones[np.arange(len(tones)), :, likelier].sum(axis=0), np.float64)

    def _fit(self, regions: NDArray[np.int64], sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what regions with these sums cost as faces of one colour each, or as scenery, (k,) nats."""
        count = sums[:, 0]
        mean = sums[:, 1:4] / np.maximum(count, 1)[:, None]
        scatter = np.maximum(sums[:, 4] / np.maximum(count, 1) - (mean**2).sum(axis=1), 0)
        face = EVIDENCE * count * (1.5 * np.log1p(scatter / (3 * self._noise**2)) - _NEUTRAL) + ANOTHER_FACE
        scenery = regions % REGIONS == SCENERY
        return np.where(scenery, EVIDENCE * sums[:, 5], np.where(count >= FEWEST, face, 0.0))

    def _tones_of(self, regions: NDArray[np.int64], sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what regions with these sums cost as faces of a light or dark cell, (k, 2) nats; others nothing."""
        out = np.zeros((len(regions), 2))
        count = sums[:, 0]
        look, place = np.divmod(regions, REGIONS)
        at = np.flatnonzero((count >= FEWEST) & (place < SQUARES))
        if len(at):
            seen = features(sums[at, 1:4] / count[at, None])
            shades = self.palette.shades[look[at], place[at] % FACES]
            out[at] = misfit_of(seen, shades, self.palette) * _weight(count[at])[:, None]
        return out

    def colour_costs(self, cells: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the cost of the cells' faces if they are light or dark, (k, 2) nats."""
        seen, weights = self.faces(cells)
        return np.asarray(np.einsum("clfk,clf->ck", misfit(seen, self.palette), weights), np.float64)

    @property
    def looks(self) -> int:
        """Return how many pictures there are."""
        return self._stage.looks

    def drawing(self) -> NDArray[np.int32]:
        """Return the region every sample shows, (n,)."""
        return self._region.copy()

    def faces(self, cells: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return features (k, looks, FACES, 3) of the cells' visible faces, and how much each counts, 0 to 1."""
        sums = self._face_sums(cells)
        count = sums[..., 0]
        seen = features(sums[..., 1:4] / np.maximum(count, 1)[..., None])
        return seen, np.where(count >= FEWEST, _weight(count), 0.0)

    def _face_sums(self, cells: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.asarray(self._sums[self._faces_at(cells)], np.float64)

    def _faces_at(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the regions of the cells' faces, (k, looks, FACES)."""
        looks = np.arange(self._stage.looks)[None, :, None] * REGIONS
        return np.asarray(looks + cells[:, None, None] * FACES + np.arange(FACES), np.int64)

    def _standing(self, filled: NDArray[np.bool_]) -> float:
        hanging = float(self._hanging[filled[FLOOR:] & ~filled[:-FLOOR]].sum())
        levels = filled.reshape(MOST_LEVELS, FLOOR)
        full, started = levels.all(axis=1), levels.any(axis=1)
        open_levels = int(started.sum()) - int(np.logical_and.accumulate(full).sum())
        return hanging + TOO_OPEN * max(0, open_levels - MOST_OPEN)

    def gain(self, cells: Iterable[int], keep: float | None = None) -> float:
        """Return by how much the score falls with these cells turned over (filled or emptied).

        keep: the change is kept where it gains more than this; ``None``: never.
        """
        return self._turn(list(cells), keep)[0]

    def gains(self, cells: Iterable[int]) -> NDArray[np.float64]:
        """Return by how much each picture's cost falls with these cells turned over, (looks,)."""
        return self._turn(list(cells), None)[1]

    def _turn(self, cells: list[int], keep: float | None) -> tuple[float, NDArray[np.float64]]:
        """Turn cells over; return by how much the score falls and each picture's cost does.

        What a change did is known until one is kept: searches ask for the same changes again and again.
        """
        key = tuple(sorted(cells))
        known = self._known.get(key)
        if known is not None:
            looks, stands = known
            gain = self._gained(looks, stands)
            if keep is None or gain <= keep:
                return gain, looks
        self.tried += 1
        old_filled = self.filled.copy()
        self.filled[cells] = ~self.filled[cells]
        seen = self._marked(*(self._uncovered(cell) for cell in cells))
        depth = self._stage.depths(self.filled, seen)
        other = self._depth[seen] != depth
        changed, depth = seen[other], depth[other]
        before = self._region[changed]
        near = self._marked(changed, self._stage.around[:, changed].ravel())
        old_near, old_inner = self._region[near], self._inner[near]
        self._region[changed] = self._stage.shown(changed, depth)
        new_near, new_inner = self._region[near], self._is_inner(near)
        touched, change = self._change(near, old_near[old_inner], old_inner, new_near[new_inner], new_inner)
        cell_of = touched % REGIONS // FACES
        owners = np.flatnonzero(np.bincount(cell_of[cell_of < CELLS], minlength=CELLS))
        was = self._cost(touched, self._fits[touched], self._tones[owners])
        sums, old_tones = self._sums[touched] + change, self._face_tones[touched]
        fits, self._face_tones[touched] = self._fit(touched, sums), self._tones_of(touched, sums)
        tones = self._face_tones[self._faces_at(owners)].sum(axis=2)
        looks = was - self._cost(touched, fits, tones)
        stands = self._standing(self.filled)
        gain = self._gained(looks, stands)
        if keep is not None and gain > keep:
            self._inner[near], self._depth[changed] = new_inner, depth
            self._sums[touched], self._fits[touched], self._tones[owners] = sums, fits, tones
            self._off, self._stood = self._off - looks, stands
            self._known.clear()
        else:
            self._face_tones[touched] = old_tones
            self._region[changed] = before
            self.filled = old_filled
            self._known[key] = looks, stands
        return gain, looks

    def _gained(self, looks: NDArray[np.float64], stands: float) -> float:
        """Return by how much the score falls where each picture's cost falls by ``looks``, and ``stands`` is paid."""
        return self._stood - stands + float((_capped(self._off) - _capped(self._off - looks)).sum())

    def _uncovered(self, cell: int) -> NDArray[np.int64]:
        """Return the samples before whose line of sight no nearer filled cell stands: what a cell's turning shows."""
        samples, depths = self._passing[cell]
        return samples[depths <= self._depth[samples]]

    def _marked(self, *places: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return the samples named, each once: quicker than sorting them."""
        mark = np.zeros(len(self._region), np.bool_)
        for at in places:
            mark[at] = True
        return np.flatnonzero(mark)

    def _change(
        self,
        near: NDArray[np.int64],
        old: NDArray[np.int32],
        old_inner: NDArray[np.bool_],
        new: NDArray[np.int32],
        new_inner: NDArray[np.bool_],
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the regions whose sums change, and by how much each."""
        regions = np.concatenate([old, new])
        mark = np.zeros(self._count, np.int64)
        mark[regions] = 1
        touched = np.flatnonzero(mark)
        mark[touched] = np.arange(len(touched))
        index = mark[regions]
        rows = np.concatenate([-self._own[near[old_inner]], self._own[near[new_inner]]])
        change = [np.bincount(index, rows[:, k], len(touched)) for k in range(rows.shape[1])]
        return touched, np.stack(change, axis=1)


def _weight(count: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how much faces of so many samples count, 0 to 1: the more, the better their colour is known."""
    return np.asarray(count / (count + 5.0), np.float64)


def _capped(off: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.clip(off, -LOOK_CAP, LOOK_CAP)


def _moments(stage: Stage, noise: float) -> NDArray[np.float64]:
    """Return what every sample adds to its region: 1, its colour, its colour's square, and its cost as scenery."""
    colours = stage.colours.astype(np.float64)
    spread = np.maximum(stage.spread.astype(np.float64), noise)
    off = ((colours - stage.expected) ** 2).sum(axis=1)
    scenery = 1.5 * np.log1p(off / (3 * spread**2)) + WIDE * np.log(spread / noise) - _NEUTRAL
    ones = np.ones(len(colours))
    return np.column_stack([ones, colours, (colours**2).sum(axis=1), np.minimum(scenery, SCENERY_CAP)])


def _passing(stage: Stage) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return for every cell the samples whose line of sight passes it, and as which cell along that line."""
    rows, columns = np.nonzero(stage.cells < CELLS)
    cells = stage.cells[rows, columns]
    order = np.argsort(cells, kind="stable")
    ends = np.searchsorted(cells[order], np.arange(CELLS + 1))
    parts = [order[ends[c] : ends[c + 1]] for c in range(CELLS)]
    return [(rows[part], columns[part]) for part in parts]

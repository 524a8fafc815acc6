"""A tower drawn into the pictures: what it costs, and what it would cost with some cells filled or emptied.

The cost, in nats, is the negative logarithm of the pictures' probability up to a constant: how far samples lie from
their face's own colour, how far faces lie from the bars' two colours, how far the scenery lies from what is expected
behind the tower, and how unlikely the tower is to stand. Samples beside an outline count for nothing, as bars stand
shifted and twisted. Cutting a picture into regions of one colour each: Mumford and Shah, Optimal Approximations by
Piecewise Smooth Functions, 1989; with faces instead of free outlines.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from vision.tower.drawing import Faces, fit
from vision.tower.grid import CELLS, FLOOR, MOST_LEVELS
from vision.tower.palette import Palette, misfit, misfit_of
from vision.tower.rays import FACES
from vision.tower.setting import Setting
from vision.tower.stage import REGIONS

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


class Draft:
    """A tower drawn into all pictures. ``filled`` is (CELLS,); ``palette`` the colours; ``tried`` how many changes.

    Towers are compared by ``score``, a function of the tower alone: what a circle of changes gains adds up to
    nothing, so a search that only takes gains comes to an end. ``rebase`` compares with the tower as it is now.
    """

    def __init__(
        self,
        setting: Setting,
        palette: Palette,
        filled: NDArray[np.bool_],
        held: NDArray[np.bool_] | None = None,
    ) -> None:
        self._setting, self.palette = setting, palette
        self._hanging = np.where(np.zeros(CELLS, np.bool_) if held is None else held, HELD, OVERHANG)[FLOOR:]
        self.filled = filled.copy()
        self._stood = self._standing(self.filled)
        drawn, every = setting.drawing.at(filled), np.arange(setting.drawing.regions)
        fits = np.bincount(every // REGIONS, fit(every, drawn.sums))[setting.kept]
        self._untoned = fits + setting.scenery(drawn.scenery)
        at = self._faces_at(np.arange(CELLS))
        self._face_tones = np.zeros((setting.drawing.regions, 2))
        self._face_tones[at.ravel()] = self._tones_of(drawn.faces(at.ravel()))
        self._tones = self._face_tones[at].sum(axis=2)
        self._off = np.zeros(setting.looks)
        self._known: dict[tuple[int, ...], tuple[NDArray[np.float64], float]] = {}
        self.tried = 0

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
        return np.asarray(self._untoned + _of_likelier(self._tones), np.float64)

    @property
    def standing(self) -> float:
        """Return the cost of a tower that hardly stands so, nats."""
        return self._stood

    def _tones_of(self, faces: Faces) -> NDArray[np.float64]:
        """Return what faces of pictures that count cost as those of a light or dark cell, (k, 2) nats."""
        look, place = np.divmod(faces.regions, REGIONS)
        shades = self.palette.shades[self._setting.order[look], place % FACES]
        return np.asarray(misfit_of(faces.seen, shades, self.palette) * faces.weights[:, None], np.float64)

    def colour_costs(self, cells: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the cost of the cells' faces if they are light or dark, (k, 2) nats."""
        seen, weights = self.faces(cells)
        return np.asarray(np.einsum("clfk,clf->ck", misfit(seen, self.palette), weights), np.float64)

    @property
    def looks(self) -> int:
        """Return how many pictures there are."""
        return self._setting.looks

    def drawing(self) -> list[NDArray[np.int32]]:
        """Return for each picture the region, from 0, that every sample shows."""
        drawing = self._setting.drawing
        regions, look = drawing.at(self.filled).regions, drawing.stage.first_region // REGIONS
        return [regions[look == number] % REGIONS for number in self._setting.kept]

    def faces(self, cells: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return features (k, looks, FACES, 3) of the cells' visible faces, and how much each counts, 0 to 1."""
        at = self._faces_at(cells)
        faces = self._setting.drawing.at(self.filled).faces(at.ravel())
        return faces.seen.reshape(*at.shape, 3), faces.weights.reshape(at.shape)

    def _faces_at(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the regions of the cells' faces, (k, looks, FACES)."""
        looks = self._setting.kept[None, :, None] * REGIONS
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
        turn = self._setting.drawing.turned(self.filled, key)
        faces = self._setting.of_kept(turn.faces)
        owners = np.flatnonzero(np.bincount(faces.regions % REGIONS // FACES, minlength=CELLS))
        old_tones = self._face_tones[faces.regions]
        self._face_tones[faces.regions] = self._tones_of(faces)
        tones = self._face_tones[self._faces_at(owners)].sum(axis=2)
        untoned = (
            turn.fits[self._setting.kept] + self._setting.scenery(turn.hidden) - self._setting.scenery(turn.shown)
        )
        looks = untoned + _of_likelier(self._tones[owners]) - _of_likelier(tones)
        filled = self.filled.copy()
        filled[cells] ^= True
        stands = self._standing(filled)
        gain = self._gained(looks, stands)
        if keep is not None and gain > keep:
            self.filled, self._tones[owners], self._untoned = filled, tones, self._untoned - untoned
            self._off, self._stood = self._off - looks, stands
            self._known.clear()
        else:
            self._face_tones[faces.regions] = old_tones
            self._known[key] = looks, stands
        return gain, looks

    def _gained(self, looks: NDArray[np.float64], stands: float) -> float:
        """Return by how much the score falls where each picture's cost falls by ``looks``, and ``stands`` is paid."""
        return self._stood - stands + float((_capped(self._off) - _capped(self._off - looks)).sum())


def _of_likelier(tones: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what cells, (k, looks, 2) by colour, cost in each picture, (looks,): each in the likelier colour."""
    likelier = tones.sum(axis=1).argmin(axis=1)
    return np.asarray(tones[np.arange(len(tones)), :, likelier].sum(axis=0), np.float64)


def _capped(off: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.clip(off, -LOOK_CAP, LOOK_CAP)

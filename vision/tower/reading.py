"""A tower read from pictures between which its board was turned: one camera is enough.

Source of the whole: analysis by synthesis (Yuille and Kersten, Vision as Bayesian Inference: Analysis by Synthesis?,
2006): towers are drawn into the pictures, and the one that explains them best, with its rivals, is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import Pose
from calibration.table import TableSetup
from vision.geometry.view import View
from vision.tower.bars import advantage, by_bars, held
from vision.tower.belief import Shape, TowerBelief, weigh
from vision.tower.draft import Draft
from vision.tower.drawing import Drawing
from vision.tower.foreign import covered_markers
from vision.tower.grid import CELLS, FLOOR, MOST_LEVELS, TowerSizes, cell_name, neighbours
from vision.tower.history import CHANGED, cells_of, changed, with_history
from vision.tower.pairing import pair_cells
from vision.tower.palette import DARK, LIGHT, Palette, features, learn
from vision.tower.rays import FACES, sight_of
from vision.tower.scenery import Sceneries
from vision.tower.seams import Seams, joins_of
from vision.tower.search import column_shapes, hull, improve, unrest
from vision.tower.setting import Setting
from vision.tower.stage import set_stage
from vision.tower.text import text_of, told

TEMPER = 2.0
"""Divisor of towers' costs: samples of one face err together more than the drawing allows for."""
TONE_TEMPER = 1.25
"""Divisor of colours' costs: faces of one cell share their glare and their shadow."""
SUREST = 8.0
"""No cell's colour is held for likelier than e to this power to one by pictures alone."""
RESTLESS = 40.0
"""A picture that speaks for another tower with this many nats, which the others refute, shows a hand or a moving
board; pictures of still towers stay below half of that."""
NO_BARS = -20.0
"""A tower whose cells form no bars is at least this likely, logarithm: one near it may."""
STRANGE = 20.0
"""A picture that a tower a few bars from the one before explains by this many nats worse than squares alone shows
something else too, such as a hand."""
USUAL_MOVES = 2
"""Pictures that only more bars than these explain, laid or taken off since, are as strange."""
SHOWN_COSINE = 0.5
"""A side is shown where a camera stands within 60 degrees of straight before it."""
_Start = Callable[[Setting], NDArray[np.bool_]]
"""Says which cells, (CELLS,), are filled where a search begins."""
_SIDES = {"south": (0.0, -1.0), "east": (1.0, 0.0), "north": (0.0, 1.0), "west": (-1.0, 0.0)}
_USUAL_WHITE = -0.3


@dataclass(frozen=True, eq=False)
class TowerReading:
    """The result of reading a tower.

    tower: tower text of a reading. confidence: by cell name, for every cell up to the text's highest level, the
    probability that it is as told (for an open cell, of what is likeliest). show: a side no picture shows from which
    most is still open, or ``None``. belief: what the text was told from. palette: the colours as learnt.
    spoilt: numbers of the pictures left out because they show something else than the others. covered: of those in
    which something lies over the board. sides: those that pictures show. strange: of those that no tower a few bars
    away from the one before explains well.
    """

    tower: str
    confidence: Mapping[str, float]
    show: str | None
    belief: TowerBelief
    palette: Palette
    spoilt: tuple[int, ...]
    covered: tuple[int, ...] = ()
    sides: tuple[str, ...] = ()
    strange: tuple[int, ...] = ()


def read_tower(
    views: Sequence[View],
    table: TableSetup,
    previous: str | None = None,
    start: NDArray[np.bool_] | None = None,
) -> TowerReading | None:
    """Read a tower from all pictures taken since it last changed.

    views: pictures with their poses against the board, which turns with the tower. previous: tower text known to have
    stood before. start: (CELLS,) what is filled where the search begins, ``None`` for the visual hull. Returns
    ``None`` where no picture shows the tower's place. Raises ValueError for a previous text that is none.
    """
    pictures = _Pictures(views, table)
    return _read(
        pictures, range(len(views)), _signs(previous), lambda setting: hull(setting) if start is None else start
    )


def read_without_each(
    groups: Sequence[Sequence[View]], table: TableSetup, previous: str | None
) -> Iterator[TowerReading]:
    """Yield what is read with each group of pictures left out in turn, where the others show the tower's place.

    What does not depend on the pictures left out is computed once. Each search begins anew: one that began at the
    tower that all pictures told would keep cells that only the picture left out had emptied, such as by a hand.
    previous: as ``read_tower``.
    """
    pictures = _Pictures([view for group in groups for view in group], table)
    owners = [number for number, group in enumerate(groups) for _ in group]
    for number in range(len(groups)):
        rest = [picture for picture, owner in enumerate(owners) if owner != number]
        reading = _read(pictures, rest, _signs(previous), hull)
        if reading is not None:
            yield reading


def _signs(previous: str | None) -> list[str] | None:
    return None if previous is None else cells_of(previous)


class _Pictures:
    """All pictures at hand, those in which the tower's place is in sight sampled, and what is known of them.

    numbers: of those, in the stage's order.
    """

    def __init__(self, views: Sequence[View], table: TableSetup) -> None:
        self.views, self.table, self.measures = views, table, TowerSizes.of(table)
        sights = {number: sight_of(view, self.measures) for number, view in enumerate(views)}
        seen = {number: sight for number, sight in sights.items() if sight is not None}
        self.numbers = list(seen)
        if seen:
            self._drawing = Drawing(set_stage(list(seen.values())))
            self._sceneries = Sceneries(list(seen.values()), self.measures)
            self.seams = Seams([(views[number], sight) for number, sight in seen.items()], self.measures)
        self._papers = [_papers(views[number], table) for number in self.numbers]
        self._covered: dict[tuple[int, bytes], bool] = {}

    def setting(self, kept: Sequence[int]) -> Setting:
        """Return the setting of some pictures, by their numbers in the stage."""
        return Setting(self._drawing, kept, self._sceneries.of(kept))

    def white(self, kept: Sequence[int]) -> float:
        """Return how bright white paper is in some pictures, by their numbers in the stage."""
        return _white([paper for k in kept for paper in self._papers[k]])

    def covered(self, number: int, filled: NDArray[np.bool_]) -> bool:
        """Return whether something lies over the board in a picture, beside a tower, (CELLS,) of what is filled."""
        key = number, filled.tobytes()
        if key not in self._covered:
            self._covered[key] = bool(covered_markers(self.views[number], filled, self.table, self.measures))
        return self._covered[key]


def _read(
    pictures: _Pictures, given: Sequence[int], before: Sequence[str] | None, start: _Start
) -> TowerReading | None:
    """Read a tower from some pictures, by their numbers; ``None`` where its place is in sight in none.

    The reading numbers pictures by their order among those given.
    """
    kept = [k for k, number in enumerate(pictures.numbers) if number in given]
    if not kept:
        return None
    numbers = [list(given).index(pictures.numbers[k]) for k in kept]
    white = pictures.white(kept)
    near = _fit_near(pictures.setting(kept), white, before, start)
    odd = _odd_one(unrest(near.draft))
    spoilt: tuple[int, ...] = ()
    if odd is not None:
        spoilt = (numbers.pop(odd),)
        kept.pop(odd)
        near = _fit_near(pictures.setting(kept), white, before, start)
    draft = near.draft
    shapes = [_tempered(own) for own in column_shapes(draft)]
    colours = _tones(draft)
    lines = pictures.seams.find(kept, draft, _of_one_colour(draft, colours))
    joins = np.zeros((CELLS, 3))
    if before is not None:
        shapes, colours, joins = with_history(shapes, colours, joins, before)
    joins = joins + joins_of(lines, draft.filled, colours, joins)
    belief = weigh(shapes, colours, joins, near.others)
    signs = told(belief)
    shown = [pictures.views[given[number]] for number in numbers]
    show = _show(shown, signs)
    covered = tuple(k for k, number in enumerate(given) if pictures.covered(number, draft.filled))
    confidence = _confidence(belief, signs)
    sides = _sides(shown)
    strange = tuple(number for number, worse in zip(numbers, near.worse, strict=True) if worse > STRANGE)
    return TowerReading(text_of(signs), confidence, show, belief, draft.palette, spoilt, covered, sides, strange)


def _odd_one(unrests: NDArray[np.float64]) -> int | None:
    """Return the picture that contradicts all the others, ``None`` where there is none or several."""
    order = np.argsort(-unrests)
    if len(order) < 3 or unrests[order[0]] < max(RESTLESS, 3 * unrests[order[1]]):
        return None
    return int(order[0])


def _fit(setting: Setting, white: float, before: Sequence[str] | None, start: _Start) -> Draft:
    """Fit the tower that explains the pictures best, and learn the colours on the way."""
    known = None if before is None else _known(before)
    blank = Palette(np.zeros((2, 3)), np.zeros((setting.looks, FACES)), np.full(3, 10.0), False)
    draft = Draft(setting, blank, start(setting))
    for _ in range(2):
        faces = draft.faces(np.arange(CELLS))
        before_filled = draft.filled
        draft = Draft(setting, learn(*faces, white, known), before_filled)
        improve(draft)
        if (draft.filled == before_filled).all():
            return draft  # the same faces teach the same colours, with which nothing is gained
    return Draft(setting, learn(*draft.faces(np.arange(CELLS)), white, known), draft.filled)


def _known(before: Sequence[str]) -> NDArray[np.int8]:
    return np.array([-1 if s in ".?" else LIGHT if s.isupper() else DARK for s in before], np.int8)


@dataclass(frozen=True, eq=False)
class _Fit:
    """The tower that explains the pictures best, and its rivals.

    draft: that tower. others: towers a bar away from the one found bar by bar, with their log-weights. worse:
    (looks,) by how many nats each picture is explained worse bar by bar than cell by cell, infinite where that takes
    many bars.
    """

    draft: Draft
    others: Sequence[tuple[NDArray[np.bool_], float]]
    worse: NDArray[np.float64]


def _fit_near(setting: Setting, white: float, before: Sequence[str] | None, start: _Start) -> _Fit:
    """Fit the tower that explains the pictures best, cell by cell or bar by bar from the one before."""
    free = _fit(setting, white, before, start)
    if before is None:
        return _Fit(free, (), np.zeros(setting.looks))
    near = by_bars(setting, free.palette, before)
    ahead = advantage(near.draft, free) / TEMPER
    chosen, lead = free, ahead
    if ahead + _of_bars(near.draft, before) > _of_bars(free, before):
        filled = near.draft.filled
        palette = learn(*near.draft.faces(np.arange(CELLS)), white, _known(before))
        chosen, lead = Draft(setting, palette, filled, held=held(filled)), 0.0
    towers = [(near.draft.filled, 0.0), *near.rivals]
    others = [(one, lead + gain / TEMPER - CHANGED * changed(one, before)) for one, gain in towers]
    worse = near.draft.costs() - free.costs()
    return _Fit(chosen, others, worse if near.moves <= USUAL_MOVES else np.full(setting.looks, np.inf))


def _of_bars(draft: Draft, before: Sequence[str]) -> float:
    """Return the log-probability of a tower by history and by the bars its cells can form."""
    _, colours, joins = with_history((), _tones(draft), np.zeros((CELLS, 3)), before)
    split = pair_cells(draft.filled, colours, joins)
    offset = float(np.logaddexp.reduce(colours[draft.filled], axis=1).sum())
    return max(split.log_total - offset, NO_BARS) - CHANGED * changed(draft.filled, before)


def _tempered(own: Mapping[Shape, float]) -> dict[Shape, float]:
    return {shape: gain / TEMPER for shape, gain in own.items()}


def _tones(draft: Draft) -> NDArray[np.float64]:
    """Return the log-likelihoods (CELLS, 2) of light and dark."""
    costs = draft.colour_costs(np.arange(CELLS)) / TONE_TEMPER
    off = np.clip(costs[:, 1] - costs[:, 0], -SUREST, SUREST)
    return np.stack([np.minimum(off, 0), np.minimum(-off, 0)], axis=1)


def _of_one_colour(draft: Draft, colours: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return whether a cell and its neighbour are both filled and likely of one colour, (CELLS, 3).

    The neighbours are those to the east, to the north and above.
    """
    light = colours[:, LIGHT] > colours[:, DARK]
    out = np.zeros((CELLS, 3), np.bool_)
    for cell, other, letter in neighbours():
        both = draft.filled[cell] and draft.filled[other]
        out[cell, "enu".index(letter)] = both and light[cell] == light[other]
    return out


def _confidence(belief: TowerBelief, signs: Sequence[str]) -> dict[str, float]:
    top = max((cell // FLOOR for cell, sign in enumerate(signs) if sign != "."), default=-1)
    out = {}
    for cell in range((top + 1) * FLOOR):
        light, dark = belief.colours[cell]
        empty = 1 - belief.filled[cell]
        sign = signs[cell]
        chance = (
            empty if sign == "." else max(light, dark, empty) if sign == "?" else light if sign.isupper() else dark
        )
        out[cell_name(cell)] = round(float(np.clip(chance, 0, 1)), 4)
    return out


def _sides(views: Sequence[View]) -> tuple[str, ...]:
    """Return the sides that pictures show."""
    ways = _ways([view.pose for view in views])
    return tuple(side for side, normal in _SIDES.items() if (ways @ np.array(normal)).max() >= SHOWN_COSINE)


def facing(pose: Pose) -> str:
    """Return the side that looks at a camera most."""
    (way,) = _ways([pose])
    return max(_SIDES, key=lambda side: float(way @ np.array(_SIDES[side])))


def _ways(poses: Sequence[Pose]) -> NDArray[np.float64]:
    """Return unit vectors (n, 2) over the board from its middle towards cameras."""
    ways = np.array([pose.centre_mm[:2] for pose in poses])
    return np.asarray(ways / np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1e-9), np.float64)


def _show(views: Sequence[View], signs: Sequence[str]) -> str | None:
    """Return the side no picture shows that has most open cells, or ``None`` where all four were shown."""
    seen = _sides(views)
    hidden = [side for side in _SIDES if side not in seen]
    if not hidden:
        return None
    open_cells = np.array([sign == "?" for sign in signs]).reshape(MOST_LEVELS, 3, 3)
    outer = {
        "south": open_cells[:, 0],
        "north": open_cells[:, 2],
        "west": open_cells[:, :, 0],
        "east": open_cells[:, :, 2],
    }
    return max(hidden, key=lambda side: int(outer[side].sum()))


def _papers(view: View, table: TableSetup) -> list[NDArray[np.float64]]:
    """Return the colour of white paper, (3,) BGR 0 to 1, at each marker that lies in a picture."""
    found = []
    for corners in table.markers.values():
        at = view.project(corners)
        size = np.array(view.picture_bgr.shape[1::-1])
        if not np.isfinite(at).all() or (at < 0).any() or (at > size - 1).any():
            continue
        low, high = at.min(axis=0).astype(int), at.max(axis=0).astype(int) + 1
        mask = np.zeros((high - low)[::-1], np.uint8)
        cv2.fillConvexPoly(mask, np.round(at - low).astype(np.int32), 1)
        inside = view.picture_bgr[low[1] : high[1], low[0] : high[0]][mask > 0]
        if len(inside):
            found.append(np.percentile(inside, 90, axis=0) / 255)
    return found


def _white(papers: Sequence[NDArray[np.float64]]) -> float:
    """Return how bright white paper is in these pictures, by the white of the markers (``palette.features``)."""
    return float(features(np.median(papers, axis=0))[0]) if papers else _USUAL_WHITE

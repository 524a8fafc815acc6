"""Draws the heights between which the networks waver, and compares what is drawn with the pictures.

The networks see each field level by level, in one picture at a time. Where all of them together still waver, every
height in question is drawn as each picture would show it: the stack between its neighbours, its top and its sides
apart. How tops, sides and the board look is taken from the same picture, from the fields that are not in doubt; so
nothing is assumed of stones, light or camera. The stack may stand a little off its field's middle, in all pictures
the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.values.belief import BoardBelief, Prior, log_probabilities, posterior
from vision.geometry.pinhole import pinhole_crop
from vision.geometry.shrinking import shrunk
from vision.geometry.view import View
from vision.heights.pieces import Pieces
from vision.heights.scorer import extent, part_of
from vision.heights.sweep import CELL_PX

SURE = 0.995
"""A height this likely is not drawn."""
KNOWN = 0.99
"""From stacks this likely a picture's tops and sides are learned."""
LEAST, MOST_HEIGHTS = 0.004, 4
"""Heights this likely are drawn, the likeliest of them, at most so many."""
SHIFTS = tuple((x, y) for x in (0.0, -0.15, 0.15) for y in (0.0, -0.15, 0.15))
"""How far a stack may stand off its field's middle, in fields."""
TRUST, MOST_NATS = 0.6, 1.0
"""Weight of a picture's evidence, in nats for a field's area of pixels that fit better by one nat, for neighbouring
pixels err alike; and the most that one picture says of a height. Under both the truth of rendered looks is likeliest
(training.drawnfit)."""
_TOP, _LABELS = 1, 6
_SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""Directions that sides face; they have the labels from 2 on, the board 0."""
_CORNERS = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
_REACH = 0.65
"""Half side of what is compared, in fields: no stack that stands off by as much reaches beyond it."""
_SHIFT_BITS = 3
_BLUR_PX = 1.0
_FEWEST_PX = 20
"""Of every second pixel and line; fewer of one kind are not enough to learn its colour from."""
_LEAST_PX = 4
_DARK = 8.0
_LEAST_SPREAD = np.array([0.05, 0.03, 0.03])
_STRANGE = 0.15
"""Share of the pixels that show none of these: pieces, prints, shine."""

Floats = NDArray[np.float64]
Faces = list[tuple[int, NDArray[np.int32]]]
"""Labels and corners (4, 2) of faces, far ones first, in parts of a pixel."""


def with_drawn(
    belief: BoardBelief, views: Sequence[View], table: TableSetup, expect: Prior | None, pieces: Pieces
) -> BoardBelief:
    """Return the belief with what drawings of the doubtful stacks tell added to their heights.

    ``expect`` only helps to guess what is in doubt; it is not part of the belief. Only tables of flags were measured,
    so others stay as they are.
    """
    if pieces.weights != "flags" or not views:
        return belief
    chances = log_probabilities((belief if expect is None else posterior(belief, expect)).heights)
    heights = belief.heights.copy()
    for at, (asked, compared) in drawings(chances, views, table).items():
        heights[at] += height_nats(asked, compared, heights.shape[2])
    return replace(belief, heights=heights)


def drawings(
    chances: Floats, views: Sequence[View], table: TableSetup
) -> dict[tuple[int, int], tuple[list[int], Floats]]:
    """Return for each doubtful field the heights in question, and how well each fits each picture at each shift.

    chances: (rows, cols, levels) log-probabilities. The fits (views, heights, SHIFTS) are nats for a field's area.
    """
    doubtful = chances.max(axis=2) < np.log(SURE)
    if not doubtful.any():
        return {}
    drawers = [_Drawer(view, table, chances) for view in views]
    found = {}
    for row, col in np.argwhere(doubtful):
        order = np.argsort(-chances[row, col])[:MOST_HEIGHTS]
        asked = [int(height) for k, height in enumerate(order) if k < 2 or chances[row, col, height] > np.log(LEAST)]
        compared = np.stack([drawer.compared(row, col, asked) for drawer in drawers])
        found[int(row), int(col)] = asked, compared
    return found


def height_nats(
    asked: Sequence[int], compared: Floats, levels: int, trust: float = TRUST, most: float = MOST_NATS
) -> Floats:
    """Return what all pictures say of each height, (levels,) nats, from what ``drawings`` found of a field."""
    leads = trust * (compared - compared.mean(axis=(1, 2), keepdims=True))
    nats = np.logaddexp.reduce(np.clip(leads, -most, most).sum(axis=0), axis=1) - np.log(compared.shape[2])
    out = np.full(levels, nats.mean())
    out[list(asked)] = nats
    return np.asarray(out - out.max(), np.float64)


@dataclass(frozen=True, eq=False)
class _Shades:
    """A picture's colours.

    values: (h, w, 3) brightness and two tints, natural logarithms. projection: (3, 4) from table to these pixels.
    """

    values: NDArray[np.float32]
    projection: Floats


def _shades(view: View, table: TableSetup) -> _Shades:
    picture, matrix = pinhole_crop(view, extent(table))
    pose = view.pose
    field_px = max(table.pitch_mm) * matrix[0, 0] / pose.translation_mm[2]
    picture, matrix = shrunk(picture, matrix, CELL_PX / field_px)
    logs = np.log(cv2.GaussianBlur(picture, (0, 0), _BLUR_PX).astype(np.float32) + _DARK)
    blue, green, red = np.moveaxis(logs, 2, 0)
    values = np.stack([logs.mean(axis=2), red - green, blue - green], axis=2)
    return _Shades(values, matrix @ np.column_stack([pose.rotation, pose.translation_mm]))


class _Drawer:
    """Draws stacks as one picture shows them."""

    def __init__(self, view: View, table: TableSetup, chances: Floats) -> None:
        self._pitch, self._cube = np.array(table.pitch_mm), np.array(table.cube_mm)
        self._centres = table.centres_mm()
        self._eye = view.pose.centre_mm
        self._part = part_of(view, table)
        shades = view.once("shades", table, lambda: _shades(view, table))
        self._values, self._projection = shades.values, shades.projection
        self._standing = chances.argmax(axis=2)
        self._away = np.linalg.norm(self._centres - self._eye[:2], axis=2)
        stacks = self._stacks(self._centres.reshape(-1, 2), self._standing.reshape(-1))
        columns = table.columns
        order = [int(k) for k in np.argsort(-self._away, axis=None)]
        self._far_first = [((k // columns, k % columns), stacks[k]) for k in order]
        boxes = [np.concatenate([one for _, one in faces]) >> _SHIFT_BITS for _, faces in self._far_first if faces]
        self._boxes = np.array([(*box.min(axis=0), *box.max(axis=0)) for box in boxes]).reshape(-1, 4)
        self._middles, self._spreads = self._learned(chances.max(axis=2) >= np.log(KNOWN))

    def compared(self, row: int, col: int, asked: Sequence[int]) -> Floats:
        """Return how well each height fits at each shift, (asked, SHIFTS): nats for a field's area of pixels.

        All alike where the picture's edge cuts the stack off.
        """
        out = np.zeros((len(asked), len(SHIFTS)))
        if self._part is not None and not self._part[row, col, : max(asked) + 1].all():
            return out
        middle = self._centres[row, col]
        low, high = self._window(middle, max(asked))
        if (high - low).min() < _LEAST_PX:
            return out
        fits = self._fits(self._values[low[1] : high[1], low[0] : high[0]])
        behind, before = self._around(row, col, low, high)
        fits[:, before.reshape(-1)] = 0.0
        square = self._squares(middle[None], self._pitch / 2, np.array([float(self._standing[row, col])]))[0]
        area_px = max(1.0, cv2.contourArea(square.astype(np.float32)))
        places = middle + np.array(SHIFTS) * self._pitch
        drawn = self._stacks(np.tile(places, (len(asked), 1)), np.repeat(asked, len(SHIFTS)), low)
        pixels, fits = np.arange(behind.size), fits.reshape(-1)
        for k, height in enumerate(asked):
            for n in range(len(SHIFTS) if height else 1):
                labels = behind.copy()
                _paint(labels, drawn[k * len(SHIFTS) + n])
                out[k, n] = fits[labels.reshape(-1).astype(np.intp) * behind.size + pixels].sum() / area_px
            if not height:
                out[k] = out[k, 0]
        return out

    def _window(self, middle: Floats, height: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the first pixel, and that behind the last, of what shows a stack so high and its surroundings."""
        places = middle + _CORNERS * _REACH * self._pitch.max()
        box = self._project(np.array([[*place, z] for place in places for z in (0.0, height * self._cube[2])]))
        size = self._values.shape[1::-1]
        low = np.maximum(np.floor(box.min(axis=0)), 0).astype(np.int32)
        return low, np.minimum(np.ceil(box.max(axis=0)) + 1, size).astype(np.int32)

    def _around(
        self, row: int, col: int, low: NDArray[np.int32], high: NDArray[np.int32]
    ) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """Return the labels of what stands behind a stack, and where another stands before it."""
        shape = int(high[1] - low[1]), int(high[0] - low[0])
        behind, before = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
        standing = [one for one in self._far_first if one[1]]
        reach = (self._boxes[:, :2] <= high).all(axis=1) & (self._boxes[:, 2:] >= low).all(axis=1)
        for k in np.flatnonzero(reach):
            at, faces = standing[k]
            if at != (row, col):
                _paint(behind if self._away[at] > self._away[row, col] else before, faces, low)
        return behind, before > 0

    def _stacks(
        self, middles: Floats, heights: NDArray[np.integer], low: NDArray[np.int32] | None = None
    ) -> list[Faces]:
        """Return the faces of stacks (n,) that the camera may see, the tops last; none of an empty field.

        middles: (n, 2) mm. low: the first pixel of a cut of the picture.
        """
        half, tall = self._cube[:2] / 2, heights * self._cube[2]
        faces = np.empty((len(middles), len(_SIDES) + 1, 4, 3))
        ways = np.array(_SIDES, np.float64)
        feet = middles[:, None] + ways * half
        along = ways[:, ::-1] * half
        faces[:, :-1, (0, 3), :2] = (feet - along)[:, :, None]
        faces[:, :-1, (1, 2), :2] = (feet + along)[:, :, None]
        faces[:, :-1, :2, 2] = 0.0
        faces[:, :-1, 2:, 2] = tall[:, None, None]
        faces[:, -1, :, :2] = middles[:, None] + _CORNERS * half
        faces[:, -1, :, 2] = tall[:, None]
        corners = self._project(faces.reshape(-1, 3)) - (0 if low is None else low)
        fixed = np.round(corners * (1 << _SHIFT_BITS)).astype(np.int32).reshape(*faces.shape[:3], 2)
        towards = (((self._eye[:2] - feet) * ways).sum(axis=2) > 0).tolist()
        return [
            [*((_TOP + 1 + k, fixed[n, k]) for k in range(len(_SIDES)) if towards[n][k]), (_TOP, fixed[n, -1])]
            if heights[n]
            else []
            for n in range(len(middles))
        ]

    def _squares(self, middles: Floats, half: Floats, levels: Floats) -> Floats:
        """Return the corners (n, 4, 2) in pixels of level squares around middles (n, 2) mm, so many stones high."""
        points = np.empty((len(middles), 4, 3))
        points[..., :2] = middles[:, None] + _CORNERS * half
        points[..., 2] = (levels * self._cube[2])[:, None]
        return self._project(points.reshape(-1, 3)).reshape(-1, 4, 2)

    def _project(self, points_mm: Floats) -> Floats:
        placed = points_mm @ self._projection[:, :3].T + self._projection[:, 3]
        return np.asarray(placed[:, :2] / placed[:, 2:], np.float64)

    def _learned(self, known: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Return median and spread (labels, 3) of the colours of the board, tops and sides that are not in doubt."""
        values = self._values[::2, ::2]
        labels, unsure = np.full(values.shape[:2], _LABELS, np.uint8), np.zeros(values.shape[:2], np.uint8)
        fields = self._squares(self._centres.reshape(-1, 2), self._pitch / 2, np.zeros(known.size))
        grounds = np.round(fields * (1 << _SHIFT_BITS)).astype(np.int32)
        for ground in grounds:
            _paint(labels, [(0, ground)], halved=1)
        for at, faces in self._far_first:
            _paint(labels, faces, halved=1)
            shown = faces or [(0, grounds[at[0] * known.shape[1] + at[1]])]
            _paint(unsure, [(int(not known[at]), corners) for _, corners in shown], halved=1)
        labels[unsure > 0] = _LABELS
        middles, spreads = np.empty((_LABELS, 3)), np.empty((_LABELS, 3))
        seen = [values[labels == label] for label in range(_LABELS)]
        enough = [len(one) >= _FEWEST_PX for one in seen]
        for label in np.flatnonzero(enough):
            middles[label] = np.median(seen[label], axis=0)
            spreads[label] = np.maximum(1.48 * np.median(np.abs(seen[label] - middles[label]), axis=0), _LEAST_SPREAD)
        sides = [label for label in range(_TOP + 1, _LABELS) if enough[label]]
        for label in np.flatnonzero(~np.array(enough)):
            if label > _TOP and sides:
                middles[label], spreads[label] = middles[sides].mean(axis=0), 1.5 * spreads[sides].mean(axis=0)
            else:
                every = values[labels < _LABELS] if (labels < _LABELS).any() else values.reshape(-1, 3)
                middles[label], spreads[label] = every.mean(axis=0), np.maximum(every.std(axis=0), _LEAST_SPREAD)
        return middles, spreads

    def _fits(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the log-likelihood of each pixel under each label, (labels, pixels)."""
        flat = values.reshape(-1, 3)
        scale = (1 / self._spreads).astype(np.float32)
        far = (flat[None] - self._middles[:, None].astype(np.float32)) * scale[:, None]
        dense = (1 - _STRANGE) * np.exp(-0.5 * np.einsum("npc,npc->np", far, far)) * scale.prod(axis=1)[:, None]
        return np.asarray(np.log(dense + _STRANGE), np.float32)


def _paint(labels: NDArray[np.uint8], faces: Faces, low: NDArray[np.int32] | None = None, halved: int = 0) -> None:
    """Paint faces with their labels into a picture, or into a cut of it whose first pixel is ``low``.

    halved: how often the picture was halved.
    """
    for label, corners in faces:
        at = corners if low is None else corners - (low << _SHIFT_BITS)
        cv2.fillConvexPoly(labels, at, label, shift=_SHIFT_BITS + halved)

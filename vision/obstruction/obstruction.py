"""Finds foreign things, such as a hand, over the board or its printed frame.

The frame is the witness: around the board runs a strip of plain paper with markers of known print. A stack can hide
part of it, but only where its outline falls; whatever else hides the paper or a marker is foreign. No colour of skin
or sleeve is assumed: what counts is to differ from this paper in this light. Shadows darken paper but keep its tint,
so darkness alone counts only where hardly a shadow is so dark. What has the paper's own tint is still betrayed by the
board's rim (rim.py). From there the thing is followed over the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.values.board import Field
from vision.geometry.kept import TALLEST_STACK
from vision.geometry.printed_frame import STEP_MM, Band, frame_band, likeness
from vision.geometry.silhouette import at_places, box_outlines, fill, flag_outlines, indices, stack_outlines
from vision.geometry.view import View
from vision.obstruction.rim import WHITE_OUT, covered_rim, rim_places

MARGIN_MM = 4.0
"""Stones stand shifted and twisted: outlines are grown by this."""
TINT_OFF = 0.07
"""Least difference in tint (natural logarithms of red and blue over green) that is not the paper's."""
DARK_SHARE = 0.3
"""Paper this dark against the rest lies under more than a shadow."""
FLAG_TINT = 0.5
"""Colourfulness below which alone a thing counts where a flag may wave: flags' own colours are stronger."""
LEAST_WIDTH_MM = 10.0
"""Narrower things on the strip are specks, cables of light, or a piece set down at its rim."""
LEAST_AREA_MM2 = 200.0
MARKER_SEEN = 0.35
"""A marker's place whose likeness to its print is less than this is covered."""
_MASK_SCALE = 0.5
_GROWTH_WIDTH_PX = 480
_LIKE, _EDGE = 9.0, 14.0
_COVERED = 0.5
_COARSE = 4


@dataclass(frozen=True, slots=True)
class Obstruction:
    """The foreign things that were found.

    clear: nothing foreign. blocked: fields hidden from a camera by it, so that their reading is not to be trusted.
    seen_in: the pictures that show something foreign.
    """

    clear: bool
    blocked: tuple[Field, ...]
    seen_in: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class _Strip:
    """The frame's strip in one view.

    (h, w, 3) blurred BGR, (h, w) bool where no stack can hide it, and where a flag can, (h, w, 2) places in the
    picture.
    """

    colours: NDArray[np.float32]
    judged: NDArray[np.bool_]
    flagged: NDArray[np.bool_]
    places_px: NDArray[np.float32]


def find_foreign(
    views: Sequence[View],
    table: TableSetup,
    heights: NDArray[np.integer] | None = None,
    flags: NDArray[np.bool_] | None = None,
) -> Obstruction:
    """Look for foreign things in every view.

    heights: (rows, columns) stones that may stand on each field at most, flags: (rows, columns) where a flag may
    stand; where unknown, the tallest stacks with flags everywhere, which leaves less of the frame as a witness.
    """
    if table.board is not None:  # nothing printed lies around it that could be covered
        return Obstruction(True, ())
    if heights is None:
        heights = np.full((table.rows, table.columns), TALLEST_STACK, np.int64)
    if flags is None:
        flags = np.ones((table.rows, table.columns), np.bool_)
    looks = {view.camera: _look(view, table, heights, flags) for view in views}
    hidden = np.zeros((table.rows, table.columns), np.bool_)
    for view in views:
        hidden |= _hidden_fields(view, table, looks[view.camera].places())
    return Obstruction(
        clear=all(look.clear for look in looks.values()),
        blocked=tuple(Field(int(row), int(col)) for row, col in np.argwhere(hidden)),
        seen_in=frozenset(name for name, look in looks.items() if not look.clear),
    )


@dataclass(frozen=True, eq=False)
class _Look:
    """One view's foreign things: (n, 2) places on the strip and on the rim, covered markers."""

    strip_px: NDArray[np.float32]
    rim_px: NDArray[np.float32]
    markers: tuple[int, ...]

    @property
    def clear(self) -> bool:
        covered_mm2 = len(self.strip_px) * STEP_MM**2
        return covered_mm2 < LEAST_AREA_MM2 and not self.markers and not len(self.rim_px)

    def places(self) -> NDArray[np.float32]:
        """Return the pixels from which the thing is followed; none without a thing."""
        return np.concatenate([self.strip_px, self.rim_px])[: 0 if self.clear else None]


def _look(view: View, table: TableSetup, heights: NDArray[np.integer], flags: NDArray[np.bool_]) -> _Look:
    standing = heights.tobytes(), flags.tobytes(), table
    return view.once("foreign", standing, lambda: _looked(view, table, heights, flags))


def _looked(view: View, table: TableSetup, heights: NDArray[np.integer], flags: NDArray[np.bool_]) -> _Look:
    """Look again only where something else may hide the frame or the rim."""
    stacks = fill(stack_outlines(view, table, heights, MARGIN_MM), view.lens.size, _MASK_SCALE)
    pieces = fill(flag_outlines(view, table, heights, flags, MARGIN_MM), view.lens.size, _MASK_SCALE)
    frame = view.once("frame", table, lambda: _frame_in(view, table))
    hidden = (stacks & frame).tobytes(), (pieces & frame).tobytes()
    return view.once("found", hidden, lambda: _found(view, table, stacks, pieces))


def _frame_in(view: View, table: TableSetup) -> NDArray[np.bool_]:
    """Return the part of a mask of the picture in which the frame and the board's rim are looked at."""
    height, width = view.lens.size[1], view.lens.size[0]
    mask = fill([], (width, height), _MASK_SCALE)
    for places in (_places(view, frame_band(table)), *rim_places(view, table)):
        mask.reshape(-1)[indices(mask.shape, places, _MASK_SCALE)] = True
    return mask


def _found(view: View, table: TableSetup, stacks: NDArray[np.bool_], pieces: NDArray[np.bool_]) -> _Look:
    """Look for foreign things; stacks, pieces: masks of the picture in which they may stand."""
    band = frame_band(table)
    strip = _rectify(view, band, stacks, pieces)
    bare = strip.judged & ~strip.flagged
    free = {number: bool(bare[square].mean() > 0.9) for number, square in band.squares.items()}
    likenesses = view.once(
        "likeness", table, lambda: {number: likeness(view, table, number) for number in table.markers}
    )
    lost = tuple(n for n, like in likenesses.items() if like is not None and free[n] and like < MARKER_SEEN)
    paper = strip.judged & band.paper
    for number in lost:
        paper |= band.squares[number] & strip.judged
    solid = _wide(_not_paper(strip, paper, band.quiet & bare), max(LEAST_WIDTH_MM, 2.6 * table.flag.radius_mm))
    return _Look(strip.places_px[solid], covered_rim(view, table, stacks | pieces, _MASK_SCALE), lost)


def _wide(mask: NDArray[np.bool_], width_mm: float) -> NDArray[np.bool_]:
    """Return the part of a mask of the strip that is at least so wide; things are taken to go on beyond the rim."""
    width = round(width_mm / STEP_MM)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width))
    framed = cv2.copyMakeBorder(mask.astype(np.uint8), width, width, width, width, cv2.BORDER_REFLECT)
    solid = np.asarray(cv2.morphologyEx(framed, cv2.MORPH_OPEN, disc))[width:-width, width:-width]
    return np.asarray(solid.astype(bool) & mask, np.bool_)


def _rectify(view: View, band: Band, stacks: NDArray[np.bool_], pieces: NDArray[np.bool_]) -> _Strip:
    places = _places(view, band)
    height, width = view.picture_bgr.shape[:2]
    x, y = places[..., 0], places[..., 1]
    colours = cv2.remap(view.picture_bgr, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    blurred = cv2.GaussianBlur(colours, (0, 0), 2.0 / STEP_MM).astype(np.float32)
    inside = (x > 3) & (x < width - 4) & (y > 3) & (y < height - 4)
    judged = inside & ~at_places(stacks, places, _MASK_SCALE)
    return _Strip(np.asarray(blurred, np.float32), judged, at_places(pieces, places, _MASK_SCALE), places)


def _places(view: View, band: Band) -> NDArray[np.float32]:
    """Return the pixels of the band's points, (h, w, 2): every fourth is projected, which is exact to 0.01 px."""
    height, width = band.points_mm.shape[:2]
    (left, top, plane), step = band.points_mm[0, 0], _COARSE * STEP_MM
    across, down = (np.arange(-(-(size - 1) // _COARSE) + 1) * step for size in (width, height))
    x, y = np.meshgrid(left + across, top - down)
    coarse = view.project(np.stack([x, y, np.full_like(x, plane)], axis=-1)).astype(np.float32)
    if not np.isfinite(coarse).all():
        coarse = view.project(band.points_mm).astype(np.float32)
        coarse[~np.isfinite(coarse)] = -10
        return coarse
    at_y, at_x = np.indices((height, width), np.float32) / np.float32(_COARSE)
    return np.asarray(cv2.remap(coarse, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)


def _not_paper(strip: _Strip, judged: NDArray[np.bool_], quiet: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return where the strip is not its paper.

    The paper's colour is the middle of what stands beside the markers; a strip most of which looks otherwise is no
    plain paper, and then tells nothing.
    """
    foreign = np.zeros(judged.shape, np.bool_)
    sample = quiet if quiet.sum() >= 100 else judged & ~strip.flagged
    if sample.sum() < 100:
        return foreign
    blue, green, red = (strip.colours[..., channel] for channel in range(3))
    normal = np.median(_tint(blue[sample], green[sample], red[sample]), axis=0)
    off = np.linalg.norm(_tint(blue[judged], green[judged], red[judged]) - normal, axis=-1)
    drowned = (strip.colours[judged] >= WHITE_OUT).any(axis=-1)
    off[drowned] = _off_drowned(strip.colours[judged][drowned], np.median(strip.colours[sample], axis=0))
    dark = green[judged] + 8.0 < DARK_SHARE * (float(np.median(green[sample])) + 8.0)
    flagged = strip.flagged[judged]
    limit = TINT_OFF + 2.0 * float(np.median(off))
    foreign[judged] = np.where(flagged, (off > limit) & (off < FLAG_TINT), (off > limit) | dark)
    return foreign if foreign.sum() < 0.5 * judged.sum() else np.zeros(judged.shape, np.bool_)


def _off_drowned(colours: NDArray[np.float32], paper: NDArray[np.float32]) -> NDArray[np.floating]:
    """Return by how much tints differ from the paper's (3,) in so much light: colours (n, 3) with a channel drowned.

    Channels that the light drowns stay at white while the others grow on, so that the paper's own tint fades.
    """
    gain = (colours / np.maximum(paper, 1.0)).max(axis=-1, keepdims=True)
    lit = np.minimum(gain * paper, 255.0)
    return np.asarray(np.linalg.norm(_tint(*colours.T) - _tint(*lit.T), axis=-1))


def _tint(blue: NDArray[np.float32], green: NDArray[np.float32], red: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return natural logarithms (n, 2) of red and of blue over green, damped in the dark."""
    return np.stack([np.log((red + 8) / (green + 8)), np.log((blue + 8) / (green + 8))], axis=-1)


def _hidden_fields(view: View, table: TableSetup, seeds_px: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return the mask (rows, columns) of fields behind the foreign thing in this view.

    It is followed from (n, 2) places over the board.
    """
    hidden = np.zeros((table.rows, table.columns), np.bool_)
    if not len(seeds_px):
        return hidden
    scale = min(1.0, _GROWTH_WIDTH_PX / view.lens.size[0])
    thing = _follow(view.picture_bgr, seeds_px, scale)
    centres = table.centres_mm().reshape(-1, 2)
    half = np.full((len(centres), 2), (table.pitch_mm[0] / 2, table.pitch_mm[1] / 2))
    bases = box_outlines(view, centres, half, np.zeros(len(centres)), np.full(len(centres), table.cube_mm[2]))
    for index, outline in enumerate(bases):
        field = fill([outline], view.lens.size, scale)
        if field.any() and float(thing[field].mean()) >= _COVERED:
            hidden[divmod(index, table.columns)] = True
    return hidden


def _follow(picture_bgr: NDArray[np.uint8], seeds_px: NDArray[np.float32], scale: float) -> NDArray[np.bool_]:
    """Follow a thing of which some pixels (n, 2) are known to all joined pixels of like colours, at ``scale``."""
    size = max(1, round(picture_bgr.shape[1] * scale)), max(1, round(picture_bgr.shape[0] * scale))
    small = cv2.resize(picture_bgr, size, interpolation=cv2.INTER_AREA)
    colours = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 1.0), cv2.COLOR_BGR2Lab).astype(np.float32)
    places = np.round((seeds_px + 0.5) * scale - 0.5).astype(int)
    places = places[(places >= 0).all(axis=1) & (places[:, 0] < size[0]) & (places[:, 1] < size[1])]
    known = colours[places[:, 1], places[:, 0]] * (0.5, 1.0, 1.0)
    count = min(5, len(known))
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 10, 1.0)
    guess = np.linspace(0, count - 1e-6, len(known)).astype(np.int32).reshape(-1, 1)
    _, _, middles = cv2.kmeans(known.astype(np.float32), count, guess, stop, 1, cv2.KMEANS_USE_INITIAL_LABELS)
    weighted = colours * np.array([0.5, 1.0, 1.0], np.float32)
    nearest = np.min(np.linalg.norm(weighted[:, :, None] - np.asarray(middles)[None, None], axis=-1), axis=2)
    edges = np.asarray(cv2.morphologyEx(weighted, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))).sum(axis=2)
    like = ((nearest < _LIKE) & (edges < _EDGE)).astype(np.uint8)
    like = cv2.morphologyEx(like, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5)))
    _, parts = cv2.connectedComponents(like)
    parts = np.asarray(parts)
    touched = np.unique(parts[places[:, 1], places[:, 0]])
    thing = np.isin(parts, touched[touched > 0]).astype(np.uint8)
    closed = cv2.morphologyEx(thing, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (11, 11)))
    return np.asarray(closed).astype(bool)

"""Scores every (height, piece) hypothesis of every field with a small learned network, camera by camera.

The network (training/, docs/develop/reading.md) sees a camera's plane sweep and gives, for every field, the
log-likelihood of each height and piece. Several cameras add up, each weighed by how much of the field it can see.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.values.belief import BoardBelief, Prior, log_probabilities, posterior
from vision.geometry.pinhole import pinhole_crop
from vision.geometry.view import View, roams
from vision.geometry.visibility import seen_share, tops_seen
from vision.heights.change import CameraLook, Look
from vision.heights.pieces import FLAGS, Pieces
from vision.heights.sweep import CELL_PX, MARGIN, Grid, Sweep, sweep
from vision.heights.temperature import ALONE, COMPARED

LEVELS = 11
"""Heights that are told apart: 0 to 10."""
COLOURS = 12
"""Channels of a folded picture: blue, green and red of 2 x 2 pixels."""
MOST_GROWTH = 4
"""With history no stack is looked for that is more stones than this over the highest one known: no hand builds so
high in one turn."""
PARTS = ("looks", "judge0", "judge1", "judge2", "judge3")
FLAG_LEVELS = 2
"""A piece reaches no higher over its stack than so many stones."""
COMMON_ERROR = 0.04
"""By how much of a field a whole picture may be displaced: a pixel in the rectified pictures."""
_FLOOR_NATS = -12.0
"""No camera is surer than this that something is not there: a network's certainty has its limits."""
_POSSIBLE_NATS = -7.0
"""A level less likely than one in a thousand on every field is not shown again."""
_BRIGHTNESS = 0.45
STEEP = 0.3
"""A camera is nearly above the board when a stone more displaces top faces by less than this part of a field, on
average. On rendered scenes such cameras are told wrong two to three times as often as others."""
MOST_KEPT = 24
"""Pictures whose sweep is cached: of an open look, of the one it goes on, and of fixed cameras."""
FULL_TRUST, LEAST_TRUST = 0.5, 0.1
"""A camera that sees half of a top face is believed in full; one that sees nothing of it, hardly."""


@dataclass(frozen=True, slots=True)
class SweepVariant:
    """One way to show a camera's rectified pictures to the network: mirrored, and so many folded pixels higher.

    weights: the set that looks at them, where it is not the one that reads the table's pieces best.
    """

    mirrored: bool = False
    up: int = 0
    weights: str | None = None


AUGMENTATIONS = {
    "flags": (SweepVariant(weights="wider"), SweepVariant(mirrored=True)),
    "pieces": (SweepVariant(), SweepVariant(mirrored=True)),
}
"""Ways to show pictures to the networks. Errors on a picture and on its mirror image are independent in part, so
their average errs less. Two sets that were trained on other tables err more independently than one that looks
twice."""
STEEP_AUGMENTATIONS = {
    "flags": AUGMENTATIONS["flags"],
    "pieces": (SweepVariant(mirrored=True), SweepVariant(up=1), SweepVariant(up=-1)),
}
"""The same for a camera from nearly above. A folded pixel is a twelfth of a field."""
COMPARED_AUGMENTATIONS = {"flags": (SweepVariant(weights="wider"),), "pieces": (SweepVariant(),)}
"""One augmentation does where the look is compared with an earlier one: what stayed as it was settles what the others
would."""

_lock = threading.Lock()


@cache
def _networks(weights: str) -> tuple[cv2.dnn.Net, ...]:
    folder = resources.files("vision") / "weights" / weights
    return tuple(
        cv2.dnn.readNetFromONNX(np.frombuffer((folder / f"{part}.onnx").read_bytes(), np.uint8)) for part in PARTS
    )


def normalised(
    stack: NDArray[np.uint8], slope: NDArray[np.float32], part: NDArray[np.bool_] | None = None
) -> NDArray[np.float32]:
    """Return the network's input (levels, 14, h / 2, w / 2) from a sweep: folded pixels, then the two slopes.

    Colours are brought to a common brightness. Every square of 2 x 2 pixels becomes one pixel of twelve colours, so
    that the network's first step is as cheap as on pictures of half the size and loses nothing. The slope of level z
    differs from level 0's only by the camera being closer, which is left out. part: (rows', cols') the fields in the
    picture, where not all are; the others don't count for its brightness.
    """
    levels, height, width, _ = stack.shape
    edge = MARGIN * CELL_PX
    board = np.ascontiguousarray(stack[0, edge:-edge, edge:-edge])
    greys = np.asarray(cv2.cvtColor(board, cv2.COLOR_BGR2GRAY))
    if part is not None:
        greys = greys[np.kron(part, np.ones((CELL_PX, CELL_PX), np.bool_))]
    median = float(np.searchsorted(np.cumsum(np.bincount(greys.reshape(-1), minlength=256)), greys.size / 2))
    # Colours are whole numbers, so a table of 256 values does all the arithmetic.
    values = np.clip(np.arange(256, dtype=np.float32) * np.float32(_BRIGHTNESS / max(median, 20.0)), 0, 2.5)
    values = np.asarray(values - np.float32(_BRIGHTNESS), np.float32)
    out = np.empty((levels, COLOURS + 2, height // 2, width // 2), np.float32)
    for picture, level in zip(stack, out, strict=True):
        folded = picture.reshape(height // 2, 2, width // 2, 2, 3).transpose(1, 3, 4, 0, 2)
        flat = np.ascontiguousarray(folded).reshape(COLOURS * height // 2, width // 2)
        level[:COLOURS] = cv2.LUT(flat, values).reshape(COLOURS, height // 2, width // 2)
    beside = slope[:, ::2] + slope[:, 1::2]
    out[:, COLOURS:] = (beside[..., ::2] + beside[..., 1::2]) / 4
    return out


def _with_neighbours(features: NDArray[np.float32]) -> NDArray[np.float32]:
    """Put the level below and the level above beside each level; zeros stand at the ends.

    features: (levels, n, r, c). Returns (levels, 3 n, r, c).
    """
    zero = np.zeros_like(features[:1])
    below = np.concatenate([zero, features[:-1]])
    above = np.concatenate([features[1:], zero])
    return np.concatenate([below, features, above], axis=1)


def _infer(inputs: NDArray[np.float32], weights: str) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """Return scores (levels, classes, rows', cols') for inputs (levels, 14, h, w), and the features they come from.

    The features are (levels, n, rows', cols'), n being 0 for a set that gives none. Margins are cut off.
    """
    with _lock:  # a cv2.dnn network holds its own buffers and serves one caller at a time
        looks, *steps = _networks(weights)
        looks.setInput(inputs)
        outs = [np.asarray(looks.forward(), np.float32)]
        for step in steps:
            step.setInput(_with_neighbours(outs[0]))
            outs = [np.asarray(out, np.float32) for out in step.forward(step.getUnconnectedOutLayersNames())]
    scores, features = (out[:, :, MARGIN:-MARGIN, MARGIN:-MARGIN] for out in (outs[0], outs[-1]))
    return np.asarray(scores, np.float64), features if len(outs) > 1 else features[:, :0]


def levels_to_tell(expect: Prior | None) -> int:
    """Return how many levels to look at: with history only those a turn can reach, breaches included."""
    if expect is None or expect.previous is None:
        return LEVELS
    return min(LEVELS, int(expect.previous.heights.max()) + MOST_GROWTH + 1)


def rectified(view: View, table: TableSetup, levels: int = LEVELS) -> CameraLook:
    """Return a camera's plane sweep over the board, the lowest ``levels`` planes of it."""
    grid = Grid(table.rows, table.columns, table.pitch_mm, table.cube_mm[2])
    picture, matrix = pinhole_crop(view, extent(table))
    one = sweep(picture, matrix, view.pose.rotation, view.pose.translation_mm, grid, levels)
    return CameraLook(one, view.pose.centre_mm, part_of(view, table))


def part_of(view: View, table: TableSetup) -> NDArray[np.bool_] | None:
    """Return the part of the board that a picture holds, as ``CameraLook`` has it."""
    return view.once("part", table, lambda: _part_of(view, table))


def _part_of(view: View, table: TableSetup) -> NDArray[np.bool_] | None:
    corners = np.array([[x, y] for x in (-1.0, 1.0) for y in (-1.0, 1.0)]) * (np.array(table.cube_mm[:2]) / 2)
    squares = np.zeros((table.rows, table.columns, LEVELS, len(corners), 3))
    squares[..., :2] = table.centres_mm()[:, :, None, None] + corners
    squares[..., 2] = np.arange(LEVELS)[:, None] * table.cube_mm[2]
    places = view.project(squares)
    inside = np.asarray(((places >= 1) & (places <= np.array(view.lens.size) - 2)).all(axis=(3, 4)), np.bool_)
    # Of pictures that hold the whole board the tops of what never stands so high may reach out.
    return None if inside[..., 0].all() else inside


def score_view(
    one: Sweep,
    pieces: Pieces = FLAGS,
    augmentations: Sequence[SweepVariant] = AUGMENTATIONS["flags"],
    part: NDArray[np.bool_] | None = None,
) -> NDArray[np.float64]:
    """Return one camera's log-likelihoods (rows, cols, LEVELS, 1 + pieces) of height and piece together.

    augmentations: ways in which the same pictures are shown to the network; what it says is averaged. The first goes
    through all levels, the others through those that the first holds possible on some field, and one more. part: as
    ``CameraLook`` has it.
    """
    return scores_and_features(one, pieces, augmentations, part)[0]


def scores_and_features(
    one: Sweep, pieces: Pieces, augmentations: Sequence[SweepVariant], part: NDArray[np.bool_] | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float16]]:
    """Return what ``score_view`` does, and the features (rows, cols, LEVELS, n) of all augmentations.

    The features are 0 at levels that an augmentation does not go through.
    """
    ground = None if part is None else part[..., 0][one.cells[..., 0], one.cells[..., 1]]
    shown = normalised(one.stack, one.slope, ground)
    rows, cols = one.cells.reshape(-1, 2).max(axis=0) + 1
    placed = np.full((rows, cols, LEVELS, len(pieces.classes)), -np.inf)
    total: NDArray[np.float64] = np.zeros(placed.shape)
    levels = len(shown)
    features: list[NDArray[np.float16]] = []
    for augmentation in augmentations:
        said, last = _infer(as_shown(shown[:levels], augmentation), augmentation.weights or pieces.weights)
        scores = said[:, list(pieces.classes)]
        cells = one.cells[:, ::-1] if augmentation.mirrored else one.cells
        placed[cells[..., 0], cells[..., 1], : len(scores)] = scores.transpose(2, 3, 0, 1)
        features.append(np.zeros((rows, cols, LEVELS, last.shape[1]), np.float16))
        features[-1][cells[..., 0], cells[..., 1], : len(last)] = last.transpose(2, 3, 0, 1)
        placed -= placed.max(axis=(2, 3), keepdims=True)
        total += placed
        possible = (placed.max(axis=3) > _POSSIBLE_NATS).any(axis=(0, 1))
        levels = min(levels, int(np.flatnonzero(possible)[-1]) + 2)
    total /= len(augmentations)
    total = np.maximum(total - total.max(axis=(2, 3), keepdims=True), _FLOOR_NATS)
    return total, np.concatenate(features, axis=3)


def as_shown(inputs: NDArray[np.float32], augmentation: SweepVariant) -> NDArray[np.float32]:
    """Return the network's input (levels, 14, h, w) as one augmentation shows it.

    The slopes stay where the fields are.
    """
    out = inputs
    if augmentation.mirrored:
        # Of every folded pixel, left and right change places as well; so does the sign of the slope along x.
        order = [3 * place + colour for place in (1, 0, 3, 2) for colour in range(3)]
        out = np.empty_like(inputs)
        for level, turned in zip(inputs, out, strict=True):
            for source, target in zip((*order, COLOURS, COLOURS + 1), turned, strict=True):
                cv2.flip(level[source], 1, dst=target)
        out[:, COLOURS] *= -1
    if augmentation.up:
        out = out.copy() if out is inputs else out
        out[:, :COLOURS] = np.roll(out[:, :COLOURS], -augmentation.up, axis=2)
    return np.ascontiguousarray(out)


def augmentations_for(
    camera: CameraLook, table: TableSetup, pieces: Pieces = FLAGS, compared: bool = False
) -> tuple[SweepVariant, ...]:
    """Return the ways in which a camera's pictures are shown to the network.

    What is said of several is averaged, such as err apart where a camera looks from nearly above: a stone more
    displaces a top face there by no more than a careless hand does.
    """
    if compared:
        return COMPARED_AUGMENTATIONS[pieces.weights]
    steep = slopes(camera.centre_mm, table).mean() < STEEP
    return (STEEP_AUGMENTATIONS if steep else AUGMENTATIONS)[pieces.weights]


def score_views(
    look: Look,
    table: TableSetup,
    expect: Prior | None = None,
    pieces: Pieces = FLAGS,
    compared: AbstractSet[str] = frozenset(),
) -> dict[str, BoardBelief]:
    """Return what every picture says of each field, as far as it can see it, split into heights and pieces.

    ``expect`` only helps to guess which stacks stand in the way; it is not part of the beliefs. ``pieces``: what can
    stand on stacks here. ``compared``: the pictures that are compared with an earlier look besides.
    """
    said = {name: camera_says(camera, table, pieces, name in compared) for name, camera in look.items()}
    standing = thought_to_stand(look, table, expect, pieces, compared)
    found = {}
    for name, (heights, flags, _) in said.items():
        weighed = as_far_as_seen(look[name].centre_mm, table, standing, heights, flags, least_trust(name))
        weighed = _in_picture(look[name], standing, *weighed)
        found[name] = BoardBelief(*weighed, pieces.letters)
    return found


def thought_to_stand(
    look: Look,
    table: TableSetup,
    expect: Prior | None = None,
    pieces: Pieces = FLAGS,
    compared: AbstractSet[str] = frozenset(),
) -> NDArray[np.intp]:
    """Return the likeliest heights (rows, cols) by all that pictures say, whatever each can see."""
    each = {}
    for name, camera in look.items():
        heights, flags, _ = camera_says(camera, table, pieces, name in compared)
        each[name] = BoardBelief(heights, flags, pieces.letters)
    guess = together(each, table, pieces)
    guess = guess if expect is None else posterior(guess, expect)
    return np.asarray(guess.heights.argmax(axis=2), np.intp)


def together(each: Mapping[str, BoardBelief], table: TableSetup, pieces: Pieces = FLAGS) -> BoardBelief:
    """Return what all pictures of a look say together: their log-likelihoods add up. Flat where there is none."""
    heights = np.zeros((table.rows, table.columns, LEVELS))
    flags = np.zeros((table.rows, table.columns, len(pieces.classes)))
    for belief in each.values():
        heights += belief.heights
        flags += belief.flags
    return BoardBelief(heights, flags, pieces.letters)


@lru_cache(maxsize=MOST_KEPT)
def camera_says(
    camera: CameraLook, table: TableSetup, pieces: Pieces = FLAGS, compared: bool = False
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float16]]:
    """Return one camera's log-likelihoods of each field, at their temperature, and the networks' features.

    They are of heights (rows, cols, LEVELS) and of pieces (rows, cols, 1 + pieces); features as
    ``scores_and_features`` has them. All are locked: they are kept, so that a look that goes on is not read anew.
    """
    temperature = (COMPARED if compared else ALONE)[pieces.weights]
    ways = augmentations_for(camera, table, pieces, compared)
    scores, features = scores_and_features(camera.sweep, pieces, ways, camera.part)
    divisor = temperature.of_heights(slopes(camera.centre_mm, table))[..., None]
    heights = log_probabilities(np.logaddexp.reduce(scores, axis=3)) / divisor
    flags = log_probabilities(np.logaddexp.reduce(scores, axis=2)) / temperature.pieces
    for said in (heights, flags, features):
        said.setflags(write=False)
    return heights, flags, features


def as_far_as_seen(
    centre: NDArray[np.float64],
    table: TableSetup,
    standing: NDArray[np.intp],
    heights: NDArray[np.float64],
    flags: NDArray[np.float64],
    least: float = LEAST_TRUST,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weigh one camera's log-likelihoods by how much it can see of what they are about.

    A height speaks against the one thought to stand as far as the top face of either would be in view; a flag as far
    as it would stand in view on the stack. least: weight of what it can't see.
    """
    board = standing.astype(np.int8)
    tops = np.ones(heights.shape)  # nothing hides what lies over the highest stack
    lifts_mm = np.arange(int(board.max()) + 1, dtype=np.float64) * table.cube_mm[2]
    tops[..., : len(lifts_mm)] = seen_share(centre, board, lifts_mm, table)
    here = standing[..., None]
    weight = trust_in(np.maximum(tops, np.take_along_axis(tops, here, axis=2)), least)
    weight = weight * _plainness(centre, table)[..., None]
    lead = heights - np.take_along_axis(heights, here, axis=2)
    flag_weight = trust_in(tops_seen(centre, board, table, above_mm=0.6 * table.flag.height_mm), least)
    return lead * weight, flags * flag_weight[..., None]


def _in_picture(
    camera: CameraLook, standing: NDArray[np.intp], heights: NDArray[np.float64], flags: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Leave out what is said of fields whose stack or piece reaches beyond the picture's edge: all is black there."""
    if camera.part is None:
        return heights, flags
    ground, top, over = (camera.holds(levels) for levels in (0 * standing, standing, standing + FLAG_LEVELS))
    stacks, pieces = (np.expand_dims(ground & one, -1) for one in (top, over))
    return np.where(stacks, heights, 0.0), np.where(pieces, flags, 0.0)


def _plainness(centre: NDArray[np.float64], table: TableSetup) -> NDArray[np.float64]:
    """Return how far a level's displacement (rows, cols) outweighs the error of a picture as a whole.

    From right above a stone more moves a top face hardly at all. A pose or a pitch that is out by a hair then shifts
    every field the same way, which nothing in one picture tells.
    """
    slope = slopes(centre, table)
    return np.asarray(slope**2 / (slope**2 + COMMON_ERROR**2), np.float64)


def slopes(centre: NDArray[np.float64], table: TableSetup) -> NDArray[np.float64]:
    """Return how far one more stone displaces a top face (rows, cols), in fields."""
    away = np.linalg.norm(table.centres_mm() - centre[:2], axis=2)
    return np.asarray(away * table.cube_mm[2] / centre[2] / min(table.pitch_mm), np.float64)


def trust_in(share: NDArray[np.float64], least: float = LEAST_TRUST) -> NDArray[np.float64]:
    """Return the weight of a camera's evidence by the share it sees: all from a half on, nearly none for nothing."""
    return np.asarray(np.clip(share / FULL_TRUST, least, 1.0), np.float64)


def least_trust(name: str) -> float:
    """Return the weight of a picture's evidence about what it can't see.

    A camera that stands still has nothing better to go by than what towers leave to guess. Pictures from the hand
    have: another side. And their guesses add up.
    """
    return 0.0 if roams(name) else LEAST_TRUST


def extent(table: TableSetup) -> NDArray[np.float64]:
    """Return the corners of the space over the board that the sweep looks at, (8, 3) mm."""
    half_x = (table.columns / 2 + MARGIN) * table.pitch_mm[0]
    half_y = (table.rows / 2 + MARGIN) * table.pitch_mm[1]
    top = (LEVELS - 1) * table.cube_mm[2]
    return np.array([[x, y, z] for x in (-half_x, half_x) for y in (-half_y, half_y) for z in (0.0, top)])

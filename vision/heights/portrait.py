"""Tells what stands on the stacks from upright cut-outs of them, by a small network of its own.

The plane sweep (``scorer``) settles how high the stacks are; with that known, each is cut out of every picture
with what stands on it (``upright``), and the network (training/portraitnet.py, docs/develop/reading.md) says how
likely each piece is.
A king is then told by being taller than anything else, which no single plane shows.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib import resources

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.values.belief import BoardBelief, Prior, log_probabilities, posterior
from vision.geometry.pinhole import pinhole_crop
from vision.geometry.view import View
from vision.geometry.visibility import tops_seen
from vision.heights.pieces import Pieces
from vision.heights.scorer import FLAG_LEVELS, least_trust, part_of, trust_in
from vision.heights.upright import BELOW_PX, HEIGHT_PX, PX_PER_FIELD, WIDTH_PX, cut_upright

BRIGHTNESS = 0.45
SWEEP_SHARE, PORTRAIT_SHARE = 0.4, 0.6
"""Weights of the sweep's and the portraits' log-likelihoods of pieces: they err alike, so neither counts in full.
They were found, like temperatures, as the shares under which the truth of rendered scenes kept out of training is
likeliest."""
PLAIN = 0.998
"""Probability of an empty field, by the sweep, from which on no portrait is looked at: half of all fields. On the
scenes kept out of training it was wrong there once in 4,000. The same holds where the flag that stood on the board
before still stands."""
OTHER_HEIGHT = 0.05
"""A stack that may as well be of another height, this likely or likelier, is cut out at both."""
_FLOOR_NATS = -9.0
_lock = threading.Lock()


@cache
def _network() -> cv2.dnn.Net:
    weights = (resources.files("vision") / "weights" / "portraits" / "portraits.onnx").read_bytes()
    return cv2.dnn.readNetFromONNX(np.frombuffer(weights, np.uint8))


def portrait_inputs(
    cuts: NDArray[np.uint8], brightness: float, upright_share: NDArray[np.float64], piece_fields: float
) -> NDArray[np.float32]:
    """Return the network's input (n, 5, HEIGHT_PX, WIDTH_PX) for one camera's cut-outs.

    cuts: (n, HEIGHT_PX, WIDTH_PX, 3) uint8. brightness: of the picture, ``brightness_of``. upright_share: (n,) how
    much of its height a standing piece shows, the cosine of the elevation at which it is seen. piece_fields: a
    piece's height in fields. Colours are brought to a common brightness; besides them the network is told, line by
    line, how many pieces' heights it lies over the top face, and the share.
    """
    colours = np.clip(cuts.astype(np.float32) * np.float32(BRIGHTNESS / brightness), 0.0, 2.5) - BRIGHTNESS
    rise_px = HEIGHT_PX - BELOW_PX - 0.5 - np.arange(HEIGHT_PX)
    tall_px = np.maximum(PX_PER_FIELD * piece_fields * upright_share, 2.0)
    out = np.empty((len(cuts), 5, HEIGHT_PX, WIDTH_PX), np.float32)
    out[:, :3] = colours.transpose(0, 3, 1, 2)
    out[:, 3] = np.clip(rise_px[None] / tall_px[:, None], -1.0, 4.0)[..., None] * 0.5
    out[:, 4] = upright_share[:, None, None]
    return out


def brightness_of(cuts: NDArray[np.uint8]) -> float:
    """Return the median brightness, 20 to 255, of one picture's cut-outs (n, HEIGHT_PX, WIDTH_PX, 3)."""
    return max(20.0, float(np.median(cuts.astype(np.float32).mean(axis=-1))))


def score_portraits(
    view: View, table: TableSetup, tops_mm: NDArray[np.float64], asked: NDArray[np.bool_], pieces: Pieces
) -> NDArray[np.float64]:
    """Return the log-likelihoods (asked, 1 + pieces) of what stands on top faces with middles ``tops_mm`` (n, 3).

    asked: (n,) which of them are wanted; every third of the others helps to tell how bright the picture is.
    """
    reach = max(table.pitch_mm) * HEIGHT_PX / PX_PER_FIELD
    low, high = tops_mm.min(axis=0) - reach / 2, tops_mm.max(axis=0) + reach
    corners = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (0.0, high[2])])
    shown = asked | (np.arange(len(asked)) % 3 == 0)
    # All that the answer depends on: with another picture of the look most stacks seem as high as before.
    key = corners.tobytes(), tops_mm[shown].tobytes(), asked.tobytes(), table, pieces
    return view.once("portrayed", key, lambda: _portrayed(view, table, corners, tops_mm[shown], asked[shown], pieces))


def _portrayed(
    view: View,
    table: TableSetup,
    corners_mm: NDArray[np.float64],
    tops_mm: NDArray[np.float64],
    asked: NDArray[np.bool_],
    pieces: Pieces,
) -> NDArray[np.float64]:
    """Return what ``score_portraits`` does, for the top faces that are cut out.

    corners_mm: (8, 3) of the space in which they lie.
    """
    picture, matrix = view.once("portraits", corners_mm.tobytes(), lambda: pinhole_crop(view, corners_mm))
    cuts = cut_upright(picture, matrix, view.pose.rotation, view.pose.translation_mm, tops_mm, min(table.pitch_mm))
    sight = tops_mm[asked] - view.pose.centre_mm
    upright_share = np.hypot(sight[:, 0], sight[:, 1]) / np.linalg.norm(sight, axis=1)
    piece_fields = table.flag.height_mm / min(table.pitch_mm)
    inputs = portrait_inputs(cuts[asked], brightness_of(cuts), upright_share, piece_fields)
    with _lock:  # a cv2.dnn network holds its own buffers and serves one caller at a time
        network = _network()
        network.setInput(inputs)
        scores = np.asarray(network.forward(), np.float64)[:, list(pieces.classes)]
    return np.asarray(np.maximum(scores - scores.max(axis=1, keepdims=True), _FLOOR_NATS), np.float64)


def with_portraits(
    belief: BoardBelief, views: Sequence[View], table: TableSetup, expect: Prior | None, pieces: Pieces
) -> BoardBelief:
    """Return the belief with the evidence of upright cut-outs on the pieces added to that of the sweep.

    ``expect`` only helps to guess how high the stacks are and where to look; it is not part of the belief.
    """
    likely = belief if expect is None else posterior(belief, expect)
    swept = log_probabilities(belief.flags)
    asked = ~_plain(likely, expect, pieces)
    if not (views and asked.any()):
        return belief
    said = read_portraits(likely.heights, asked, views, table, pieces)
    return replace(belief, flags=np.where(asked[..., None], SWEEP_SHARE * swept + PORTRAIT_SHARE * said, swept))


def _plain(likely: BoardBelief, expect: Prior | None, pieces: Pieces) -> NDArray[np.bool_]:
    """Return where (rows, cols) it is sure without portraits that a field is empty or has the same flag as before.

    A king who takes the place of another piece in his colour is told by his portrait alone.
    """
    chances = log_probabilities(likely.flags)
    empty = chances[..., 0]
    if expect is None or expect.previous is None or pieces.weights != "flags":
        return np.asarray(empty >= np.log(PLAIN), np.bool_)
    same = np.take_along_axis(chances, expect.previous.flags[..., None].astype(np.intp), axis=2)[..., 0]
    return np.asarray(np.maximum(empty, same) >= np.log(PLAIN), np.bool_)


def read_portraits(
    heights: NDArray[np.float64],
    asked: NDArray[np.bool_],
    views: Sequence[View],
    table: TableSetup,
    pieces: Pieces,
) -> NDArray[np.float64]:
    """Return what upright cut-outs tell of the pieces on the stacks: (rows, cols, 1 + pieces) log-probabilities.

    heights: (rows, cols, levels) log-likelihoods, what is expected included: each stack is cut out as high as it
    seems. asked: (rows, cols) where it is wanted; elsewhere all pieces are told equally likely.
    """
    heights = log_probabilities(heights)
    likeliest = np.argsort(heights, axis=2)[..., ::-1][..., :2]
    chances = np.take_along_axis(heights, likeliest, axis=2)
    again = np.argwhere(asked & (chances[..., 1] > np.log(OTHER_HEIGHT)))
    fields = np.concatenate([np.argwhere(np.ones(asked.shape, np.bool_)), again])
    which = np.concatenate([np.zeros(asked.size, np.intp), np.ones(len(again), np.intp)])
    at = fields[:, 0], fields[:, 1]
    tops = np.concatenate([table.centres_mm()[at], likeliest[(*at, which)][:, None] * table.cube_mm[2]], axis=1)
    standing = likeliest[..., 0].astype(np.int8)
    wanted = asked[at]
    total = np.zeros((len(fields), len(pieces.classes)))
    for view in views:
        seen = tops_seen(view.pose.centre_mm, standing, table, above_mm=0.6 * table.flag.height_mm)
        if (part := part_of(view, table)) is not None:
            levels = np.minimum(standing.astype(np.intp) + FLAG_LEVELS, part.shape[2] - 1)
            seen = seen * np.take_along_axis(part, levels[..., None], axis=2)[..., 0]
        said = score_portraits(view, table, tops, wanted, pieces)
        total[wanted] += said * trust_in(seen, least_trust(view.camera))[at][wanted][:, None]
    return _over_heights(log_probabilities(total), chances, fields, which)


def _over_heights(
    said: NDArray[np.float64], chances: NDArray[np.float64], fields: NDArray[np.intp], which: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Return the mean over the heights that a stack was cut out at, by their probability, (rows, cols, classes)."""
    out = np.full((*chances.shape[:2], said.shape[1]), -np.inf)
    weighed = said + chances[fields[:, 0], fields[:, 1], which][:, None]
    for first in (0, 1):
        part = which == first
        at = fields[part, 0], fields[part, 1]
        out[at] = np.logaddexp(out[at], weighed[part])
    return np.asarray(log_probabilities(out), np.float64)

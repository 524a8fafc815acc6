"""Corrects heights by what all pictures of a field show together.

The networks read each picture by itself, and their answers add up. Here their last features meet before anything is
decided: of every field in doubt, each picture's features go, with what it says, how much of each height it sees and
from where, through a network that is the same for all pictures; what comes out is pooled over the pictures by mean,
sum and maximum, and a second network corrects the log-likelihoods (training/pooled.py).
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.values.belief import BoardBelief, Prior, log_probabilities, posterior
from vision.geometry.view import View, roams
from vision.geometry.visibility import seen_share, tops_seen
from vision.heights.change import Look
from vision.heights.pieces import Pieces
from vision.heights.scorer import camera_says, slopes, thought_to_stand, together
from vision.heights.sweep import CELL_PX

IN_DOUBT = 0.9995
"""A height this likely is left as it is."""
FEWEST = 3
"""A field is corrected where so many pictures show it. With fewer there is little to pool, and on photographed tables
less was told."""
SURER = 1.35
"""Factor of the corrected log-probabilities. Without it the truth is likeliest, and more is left open than need be:
with it a height told is still wrong less often than one that was told without correction (training.pooled)."""
_MOST_FINE = 1.2
"""Finer pictures are shrunk, so that they show no more."""
_FAR_NATS = 12.0
Floats = NDArray[np.float64]
_lock = threading.Lock()


@cache
def _networks() -> tuple[cv2.dnn.Net, cv2.dnn.Net]:
    folder = resources.files("vision") / "weights" / "pooled"
    each, decide = (
        cv2.dnn.readNetFromONNX(np.frombuffer((folder / f"{part}.onnx").read_bytes(), np.uint8))
        for part in ("each", "decide")
    )
    return each, decide


@dataclass(frozen=True, eq=False)
class Shows:
    """What one picture shows of fields (f,).

    features: (f, LEVELS, n) of the networks. said: (f, LEVELS) its log-likelihoods; weighed: as far as it sees.
    tops: (f, LEVELS) the share of a top face so high that is in sight. slope: (f,) how far a stone displaces a top
    face, in fields. fine: (f,) its resolution, in pixels of the rectified pictures.
    """

    features: NDArray[np.float16]
    said: Floats
    weighed: Floats
    tops: Floats
    slope: Floats
    fine: Floats

    def channels(self, base: Floats, drawn: Floats) -> NDArray[np.float32]:
        """Return what the first network is given of each field, (f, n + 9, LEVELS).

        base: (f, LEVELS) log-probabilities of all pictures together. drawn: (f, LEVELS) what drawings added to them.
        """
        ground = np.zeros(base.shape)
        ground[:, 0] = 1
        rows = [
            np.maximum(self.said, -_FAR_NATS) / 4,
            np.clip(self.weighed, -_FAR_NATS, _FAR_NATS) / 4,
            self.tops,
            np.broadcast_to(self.slope[:, None], base.shape),
            np.broadcast_to(np.minimum(self.fine, _MOST_FINE)[:, None], base.shape),
            *common(base, drawn),
            ground,
        ]
        features = self.features.transpose(0, 2, 1).astype(np.float32) / 2
        return np.concatenate([features, np.stack(rows, axis=1).astype(np.float32)], axis=1)


def common(base: Floats, drawn: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the channels (f, LEVELS) that are the same for all pictures; base and drawn as ``Shows.channels``."""
    best = base == base.max(axis=1, keepdims=True)
    return np.maximum(base, -_FAR_NATS) / 4, drawn, best.astype(np.float64)


def with_pooled(
    belief: BoardBelief,
    each: Mapping[str, BoardBelief],
    look: Look,
    views: Sequence[View],
    table: TableSetup,
    expect: Prior | None,
    pieces: Pieces,
) -> BoardBelief:
    """Return the belief with the heights of doubtful fields corrected by what all pictures of them show together.

    belief: what all pictures say, with drawings. each: what each says as far as it sees. look, views: the pictures,
    views in the same order. ``expect`` only helps to guess what is in doubt and what stands in the way. Only pictures
    from the hand of tables of flags were learned from; others, and fewer than ``FEWEST``, leave the belief as it is,
    and so does a field of whose top no picture shows anything.
    """
    if pieces.weights != "flags" or len(look) < FEWEST or not all(map(roams, look)):
        return belief
    standing = thought_to_stand(look, table, expect, pieces).astype(np.int8)
    held = np.stack([np.broadcast_to(one.holds(standing), standing.shape) for one in look.values()])
    chances = log_probabilities((belief if expect is None else posterior(belief, expect)).heights)
    seen = np.any([tops_seen(one.centre_mm, standing, table) > 0 for one in look.values()], axis=0)
    at = np.nonzero(seen & (chances.max(axis=2) < np.log(IN_DOUBT)) & (held.sum(axis=0) >= FEWEST))
    if not len(at[0]):
        return belief
    base = log_probabilities(belief.heights[at])
    drawn = (belief.heights - together(each, table, pieces).heights)[at]
    shown = [
        _shows(name, look, view, each[name], table, pieces, standing, at).channels(base, drawn)
        for name, view in zip(look, views, strict=True)
    ]
    heights = belief.heights.copy()
    correction = corrections(shown, list(held[:, at[0], at[1]]), common(base, drawn))
    heights[at] = SURER * log_probabilities(base + correction)
    return replace(belief, heights=heights)


def _shows(
    name: str,
    look: Look,
    view: View,
    belief: BoardBelief,
    table: TableSetup,
    pieces: Pieces,
    standing: NDArray[np.int8],
    at: tuple[NDArray[np.intp], ...],
) -> Shows:
    """Return what a picture shows of the fields ``at`` rows and columns, where stacks (rows, cols) hide others."""
    camera = look[name]
    said, _, features = camera_says(camera, table, pieces, False)  # as score_views asks, so that it is kept
    tops = np.ones(said.shape)
    lifts_mm = np.arange(int(standing.max()) + 1, dtype=np.float64) * table.cube_mm[2]
    tops[..., : len(lifts_mm)] = seen_share(camera.centre_mm, standing, lifts_mm, table)
    field_px = max(table.pitch_mm) * view.lens.matrix[0, 0] / view.pose.translation_mm[2]
    fine = np.full(len(at[0]), field_px / CELL_PX)
    slope = slopes(camera.centre_mm, table)[at]
    return Shows(features[at], said[at], belief.heights[at], tops[at], slope, fine)


def corrections(
    shown: Sequence[NDArray[np.float32]], held: Sequence[NDArray[np.bool_]], shared: Sequence[Floats]
) -> Floats:
    """Return corrections (f, LEVELS) of log-likelihoods.

    shown: each picture's channels. held: (f,) whether each picture holds the field; some one does. shared: the
    channels that are the same for all.
    """
    with _lock:  # a cv2.dnn network holds its own buffers and serves one caller at a time
        each, decide = _networks()
        told = []
        for channels, here in zip(shown, held, strict=True):
            each.setInput(np.ascontiguousarray(channels[..., None]))
            told.append(np.asarray(each.forward(), np.float32)[..., 0] * here[:, None, None])
        total = np.sum(told, axis=0)
        pooled = [
            total / np.sum(held, axis=0)[:, None, None],
            total / 3,
            np.max(told, axis=0),
            np.stack(shared, axis=1),
        ]
        decide.setInput(np.concatenate(pooled, axis=1)[..., None].astype(np.float32))
        return np.asarray(decide.forward(), np.float64)[:, 0, :, 0]

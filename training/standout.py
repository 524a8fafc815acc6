"""Measures how far a die's pips stand out of its face in a picture, by theory: whether anybody could count them.

A thing is seen surely where its contrast is five times the noise left after averaging over it (A. Rose, The
sensitivity performance of the human eye on an absolute scale, 1948). Contrast and noise are fitted to the picture,
the die's place, turn and face being known, and the likeliest of usual layouts of pips taken.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from training.dice import LATTICE
from vision.ledger.topface import TopCutter

SEEN_SURELY = 5.0
WITHIN = 0.38
"""Half of the square on the top face that is looked at, in dice: its edges are rounded."""
APART = (0.21, 0.235, 0.26, 0.285)
RADII = (0.07, 0.09, 0.11)
BIG = (1.0, 1.6)
LEAST_NOISE = 1.0
"""Grey levels: a picture tells no finer differences."""


def least_standing_out(picture: NDArray[np.uint8], scene: dict[str, NDArray], die: NDArray[np.float64]) -> float:
    """Return by how many times the noise, averaged over a pip, the least visible pip of a top face stands out.

    die: x, y in mm, turn in radians, the face.
    """
    size = float(scene["size"])
    x, y, turn, face = (float(part) for part in die)
    cutter = TopCutter(picture, scene["K"], scene["R"], scene["t"], size, (x, y))
    away = np.linalg.norm(scene["R"] @ np.array([x, y, size]) + scene["t"])
    face_px = max(8.0, float(scene["K"][0, 0]) / away * size)
    side = int(np.ceil(face_px * 1.2))
    cut = cutter.cut((x, y), 0.0, side, face_px).astype(np.float64)
    axes = cutter.axes((x, y), 0.0)
    columns, rows = np.meshgrid(np.arange(side), np.arange(side))
    placed = (np.stack([columns, rows], -1) - (side - 1) / 2) / face_px @ axes.T
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    own = placed @ spin.T
    inside = np.abs(own).max(axis=-1) < WITHIN
    seen, at = cut[inside], own[inside]
    terms = np.column_stack([np.ones(len(at)), at, at**2, at.prod(axis=1)])
    bigs = BIG if face == 1 else BIG[:1]
    fits = [
        _fitted(seen, at, terms, int(face), apart, radius * big, turned, face_px)
        for apart, radius, big, turned in product(APART, RADII, bigs, (False, True))
    ]
    return min(fits)[1]


def _fitted(
    seen: NDArray[np.float64],
    at: NDArray[np.float64],
    terms: NDArray[np.float64],
    face: int,
    apart: float,
    radius: float,
    turned: bool,
    face_px: float,
) -> tuple[float, float]:
    """Return what a layout leaves unexplained, and by how much its least visible pip stands out."""
    spots = np.array(LATTICE[face], np.float64) * apart
    spots = spots[:, ::-1] if turned else spots
    away = np.hypot(at[:, None, 0] - spots[:, 0], at[:, None, 1] - spots[:, 1])
    masks = np.clip((radius - away) * face_px + 0.5, 0, 1)
    every = np.column_stack([terms, masks])
    factors = np.linalg.lstsq(every, seen, rcond=None)[0]
    rest = seen - every @ factors
    noise = np.maximum(np.sqrt((rest**2).mean(axis=0)), LEAST_NOISE)
    contrast = np.linalg.norm(factors[terms.shape[1] :] / noise, axis=1)
    return float((rest**2).sum()), float((contrast * np.sqrt(masks.sum(axis=0))).min())

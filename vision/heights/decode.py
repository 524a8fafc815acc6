"""From a belief to a board: what is told, how surely, and what is left open."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from referee.values.belief import BoardBelief, Prior, conserving, log_probabilities, posterior
from referee.values.partial import UNKNOWN, PartialBoard

TOLD = 0.9
"""A field's height is told from this probability on; below it is ``?``."""
TOLD_FLAG = 0.8
"""The same for its flag: colours are five and far apart, so what is left open is mostly whether one stands there."""
_ON_BARE_BOARD_NATS = -3.0
"""Flags stand on stacks; one on the bare board is told only when it is plain to see."""


def decode(belief: BoardBelief, expect: Prior | None) -> tuple[PartialBoard, NDArray[np.float64]]:
    """Decode a belief to what is told of the board and the probability that each field as given is right.

    Returns: the board as far as it is told, and confidence (rows, cols), row 0 being row "1".
    """
    if expect is not None:
        belief = posterior(belief, expect)
        before = expect.previous
        totals = expect.cubes or (frozenset() if before is None else frozenset({int(before.heights.sum())}))
        belief = replace(belief, heights=conserving(belief.heights, totals))
    heights = np.exp(log_probabilities(belief.heights))
    height, height_p = heights.argmax(axis=2), heights.max(axis=2)
    on_stacks = belief.flags.copy()
    on_stacks[..., 1:] += _ON_BARE_BOARD_NATS * heights[..., :1]
    flags = np.exp(log_probabilities(_rationed(on_stacks, expect)))
    flag, flag_p = flags.argmax(axis=2), flags.max(axis=2)
    height_told, flag_told = height_p >= TOLD, flag_p >= TOLD_FLAG
    confidence = np.where(height_told, height_p, 1.0) * np.where(flag_told, flag_p, 1.0)
    told = PartialBoard(
        np.where(height_told, height, UNKNOWN).astype(np.int8),
        np.where(flag_told, flag, UNKNOWN).astype(np.int8),
        belief.letters,
    )
    return told, np.where(height_told | flag_told, confidence, 1.0)


def _rationed(scores: NDArray[np.float64], expect: Prior | None) -> NDArray[np.float64]:
    """Weigh down the least sure flags of a colour that shows more than it owns."""
    if expect is None:
        return scores
    out = scores.copy()
    best = out.argmax(axis=2)
    for colour in range(1, out.shape[2]):
        places = np.argwhere(best == colour)
        if len(places) > expect.flags_each:
            lead = [out[r, c, colour] - np.delete(out[r, c], colour).max() for r, c in places]
            for k in np.argsort(lead)[: len(places) - expect.flags_each]:
                out[places[k][0], places[k][1], colour] -= 4.0
    return out
